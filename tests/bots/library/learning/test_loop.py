"""The loop of all trainings."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.bots.library.learning.run import TrainingRun, follow


class Counting:
    """Each step's figure is its number."""

    def __init__(self) -> None:
        self.done = 0
        self.saved: list[int] = []

    def learn(self) -> dict[str, float]:
        self.done += 1
        return {"loss": float(self.done)}

    def row(self, means: dict[str, float]) -> dict[str, float]:
        return means

    def read(self, path: Path) -> None:
        self.done = int(path.read_text())

    def write(self, path: Path) -> None:
        self.saved.append(self.done)
        path.write_text(str(self.done))


def begun(folder: Path, *, resume: bool = False) -> TrainingRun:
    return TrainingRun(folder / "run", "counting", {}, resume=resume)


def test_rows_have_the_means_of_their_steps(tmp_path: Path) -> None:
    run, course, told = begun(tmp_path), Counting(), list[int]()
    follow(run, course, 11, 4, told.append, ends={6})
    assert told == [*range(12)]
    assert [(row["step"], row["loss"]) for row in run.curve()] == [
        (4, 2.5),
        (6, 5.5),
        (8, 7.5),
        (11, 10.0),
    ]
    assert course.saved == [4, 6, 8, 11]
    assert run.latest == {"loss": 10.0}
    assert (run.folder / "curve.svg").exists()


def test_a_training_goes_on_from_the_last_checkpoint(tmp_path: Path) -> None:
    def stop(done: int) -> None:
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        follow(begun(tmp_path), Counting(), 10, 1, stop, kept=3)
    run, course, told = begun(tmp_path, resume=True), Counting(), list[int]()
    assert run.latest == {"step": 7, "loss": 7.0}
    follow(run, course, 10, 1, told.append, kept=3)
    assert told == [6, 7, 8, 9, 10]
    assert course.saved == [9, 10]
    assert [row["step"] for row in run.curve()] == [*range(1, 11)]


def test_the_curve_is_drawn_while_the_training_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plot for each twelve seconds, of rows that take four; and one at the end."""
    clock = iter(range(0, 1000, 4))
    monkeypatch.setattr(
        "bridge_arena.bots.library.learning.run.monotonic", lambda: float(next(clock))
    )
    run, drawn = begun(tmp_path), list[int]()
    monkeypatch.setattr(run, "draw", lambda: drawn.append(len(run.curve())))
    follow(run, Counting(), 8, 1, lambda _: None)
    assert drawn == [3, 6, 8]
