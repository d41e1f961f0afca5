"""The folder of a training run: record, curve, checkpoint; and the loop that fills it."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

from bridge_arena.bots.library.learning.run import TrainingError, TrainingRun, versions

SETTINGS = {"what": "test", "seed": 3, "rates": (0.5, 0.25), "data": {"deals": 10}}


def begun(folder: Path) -> TrainingRun:
    return TrainingRun(folder / "run", "net", SETTINGS, resume=False)


def writes(text: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_text(text)

    return write


def saved(run: TrainingRun) -> str | None:
    """Return the state from which the run continues."""
    found: list[str] = []
    run.go_on(lambda path: found.append(path.read_text()))
    return found[0] if found else None


def test_a_run_records_its_settings_and_versions(tmp_path: Path) -> None:
    run = begun(tmp_path)
    record = json.loads((run.folder / "record.json").read_text())
    assert record["trains"] == "net"
    assert record["settings"] == {**SETTINGS, "rates": [0.5, 0.25]}
    assert record["versions"] == versions()
    assert record["versions"]["numpy"] == version("numpy")
    assert record["versions"]["python"] == platform.python_version()
    assert saved(run) is None
    assert run.curve() == []


def test_versions_of_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "bridge_arena.bots.library.learning.run._PACKAGES", ("numpy", "no-such-package")
    )
    assert versions() == {"python": platform.python_version(), "numpy": version("numpy")}


def test_a_folder_holds_one_run(tmp_path: Path) -> None:
    run = begun(tmp_path)
    with pytest.raises(TrainingError, match="holds a training run: --resume, or another folder"):
        begun(tmp_path)
    before = (run.folder / "record.json").read_bytes()
    TrainingRun(run.folder, "net", SETTINGS, resume=True)
    assert (run.folder / "record.json").read_bytes() == before


def test_a_run_goes_on_as_it_was_begun(tmp_path: Path) -> None:
    begun(tmp_path)
    others = {**SETTINGS, "seed": 4, "more": True}
    del others["what"]
    with pytest.raises(
        TrainingError, match=r"begun with other settings: more, seed 3, not 4, what$"
    ):
        TrainingRun(tmp_path / "run", "net", others, resume=True)


@pytest.mark.parametrize("resume", [False, True])
def test_a_run_without_its_record_does_not_go_on(tmp_path: Path, *, resume: bool) -> None:
    """Other settings would make it another run."""
    run = begun(tmp_path)
    run.save(writes("state"))
    (run.folder / "record.json").unlink()
    with pytest.raises(TrainingError, match=r"run holds a training run that lacks its record"):
        TrainingRun(run.folder, "net", SETTINGS, resume=resume)


def test_weights_of_no_run_are_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "weights.npz").write_text("mine")
    with pytest.raises(TrainingError, match=r"run holds a weights\.npz of no training run"):
        begun(tmp_path)


def test_a_folder_is_of_one_kind_of_training(tmp_path: Path) -> None:
    begun(tmp_path)
    with pytest.raises(TrainingError, match=r"run holds a training of net, not of table$"):
        TrainingRun(tmp_path / "run", "table", {}, resume=True)


def test_other_data_is_named(tmp_path: Path) -> None:
    begun(tmp_path)
    others = {**SETTINGS, "data": {"deals": 11, "means": 2}}
    with pytest.raises(
        TrainingError, match=r"with other settings: data\.deals 10, not 11, data\.means$"
    ):
        TrainingRun(tmp_path / "run", "net", others, resume=True)


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b'{"trains": "net", "settings": {"see',
        b"[1]",
        b"{}",
        b'{"trains": "net", "settings": 3}',
        b"\xff\xfe",
    ],
)
def test_a_damaged_record_is_named(tmp_path: Path, damaged: bytes) -> None:
    run = begun(tmp_path)
    (run.folder / "record.json").write_bytes(damaged)
    with pytest.raises(TrainingError, match=r"record\.json does not say what run was begun"):
        TrainingRun(run.folder, "net", SETTINGS, resume=True)


def test_a_record_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Path.write_bytes

    def interrupted(path: Path, data: bytes) -> int:
        write(path, data[:20])
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", interrupted)
        with pytest.raises(KeyboardInterrupt):
            begun(tmp_path)
    assert saved(begun(tmp_path)) is None


@pytest.mark.parametrize("there", [None, [], ["notes.txt"]])
def test_where_no_run_was_begun_none_goes_on(tmp_path: Path, there: list[str] | None) -> None:
    folder = tmp_path / "run"
    if there is not None:
        folder.mkdir()
        for name in there:
            (folder / name).touch()
    with pytest.raises(TrainingError, match="run: there is no training run to go on with"):
        TrainingRun(folder, "net", SETTINGS, resume=True)
    assert sorted(tmp_path.rglob("*.*")) == [folder / name for name in there or []]


def test_a_checkpoint_is_whole_or_the_one_before(tmp_path: Path) -> None:
    run = begun(tmp_path)
    run.save(writes("first"))
    assert saved(run) == "first"

    def fails(path: Path) -> None:
        path.write_text("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.save(fails)
    again = TrainingRun(run.folder, "net", SETTINGS, resume=True)
    assert saved(again) == "first"
    again.save(writes("second"))
    assert saved(again) == "second"


@pytest.mark.parametrize(
    ("library", "content"),
    [
        ("numpy", ""),
        ("numpy", "no array"),
        ("torch", ""),
        ("torch", "J"),
        ("torch", "PK\x03\x04cut off"),
    ],
)
def test_a_damaged_checkpoint_is_named(tmp_path: Path, library: str, content: str) -> None:
    load = pytest.importorskip(library).load
    run = begun(tmp_path)
    run.save(writes(content))
    with pytest.raises(
        TrainingError, match=r"run/checkpoint is damaged: without it the run begins again$"
    ):
        run.go_on(load)


@pytest.mark.parametrize(
    "text", ["step,loss\n1,x\n", "step,loss\n1\n", "loss\n1\n", "step\n1,2\n", "step,cost\n1,2\n"]
)
def test_a_damaged_curve_is_named(tmp_path: Path, text: str) -> None:
    run = begun(tmp_path)
    (run.folder / "curve.csv").write_text(text)
    with pytest.raises(TrainingError, match=r"run/curve\.csv is damaged$"):
        run.note(2, loss=1.0)


def test_a_damaged_curve_is_named_before_anything_is_learned(tmp_path: Path) -> None:
    run = begun(tmp_path)
    (run.folder / "curve.csv").write_text("step,loss\n1,x\n")
    with pytest.raises(TrainingError, match=r"run/curve\.csv is damaged$"):
        TrainingRun(run.folder, "net", SETTINGS, resume=True)


def test_the_curve_loses_what_came_after_the_checkpoint(tmp_path: Path) -> None:
    run = begun(tmp_path)
    for step in (100, 200, 300):
        run.note(step, loss=step / 3, imps=-1.25)
    again = TrainingRun(run.folder, "net", SETTINGS, resume=True)
    again.note(200, loss=7.0, imps=0.5)
    assert again.curve() == [
        {"step": 100.0, "loss": 100 / 3, "imps": -1.25},
        {"step": 200.0, "loss": 7.0, "imps": 0.5},
    ]
    lines = (run.folder / "curve.csv").read_text().splitlines()
    assert lines[0] == "step,loss,imps"
    assert lines[2] == "200,7.0,0.5"


def test_the_curve_is_drawn(tmp_path: Path) -> None:
    run = begun(tmp_path)
    run.draw()
    assert not (run.folder / "curve.svg").exists()
    for step in (1, 2):
        run.note(step, train_loss=1 / step, imps=step)
    run.draw()
    page = (run.folder / "curve.svg").read_text()
    for words in ("Training of net", "steps", "train loss", "imps"):
        assert f">{words}</text>" in page


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

    def write_weights(self, path: Path) -> None:
        path.write_text(f"learned {self.done}")


def started(folder: Path, *, resume: bool = False) -> TrainingRun:
    return TrainingRun(folder / "run", "counting", {}, resume=resume)


def test_rows_have_the_means_of_their_steps(tmp_path: Path) -> None:
    run, course, told = started(tmp_path), Counting(), list[int]()
    weights = run.train(course, 11, 4, told.append, ends={6})
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
    assert weights == run.folder / "weights.npz"
    assert weights.read_text() == "learned 11"


def test_a_training_goes_on_from_the_last_checkpoint(tmp_path: Path) -> None:
    def stop(done: int) -> None:
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        started(tmp_path).train(Counting(), 10, 1, stop, kept=3)
    run, course, told = started(tmp_path, resume=True), Counting(), list[int]()
    assert run.latest == {"step": 7, "loss": 7.0}
    run.train(course, 10, 1, told.append, kept=3)
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
    run, drawn = started(tmp_path), list[int]()
    monkeypatch.setattr(run, "draw", lambda: drawn.append(len(run.curve())))
    run.train(Counting(), 8, 1, lambda _: None)
    assert drawn == [3, 6, 8]
