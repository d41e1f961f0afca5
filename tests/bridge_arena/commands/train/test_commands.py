"""Tests of what `arena train` reads, records and refuses."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from importlib import resources
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from bridge_arena.bots.fastplay.net import PlayNet
from bridge_arena.bots.fastplay.plays import Plays, write_plays
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.seats import Seat
from bridge_arena.commands.common.errors import InterruptedCommandError
from bridge_arena.commands.common.folders import alone
from bridge_arena.commands.common.progress import LongWork
from bridge_arena.commands.main import DONE, UNUSABLE, run
from bridge_arena.commands.train.common import (
    ShownRun,
    recorded_shipped,
    to_learn_from,
    training_run,
)
from bridge_arena.commands.train.main import train as trainings
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.solved_deals import Heading, SolvedDeals, write
from tests.bots.fastplay.boards import random_plays
from tests.bots.fastplay.test_net import arrays
from tests.bridge_arena.commands.examples import examples_of
from tests.pairs import pairs_file

COLUMNS = ";N;S;NC;ND;NH;NS;NNT;SC;SD;SH;SS;SNT"


def deals(path: Path, seed: int, number: int = 10) -> Path:
    """Write deals with made-up solutions."""
    dealt = [random_deal(seed, n) for n in range(1, number + 1)]
    solved = SolvedDeals.of(dealt, [DoubleDummyTable((7,) * 20)] * number)
    write(path, Heading(seed, 1, number, 1, "none"), solved)
    return path


def means(path: Path, seed: int, number: int = 10) -> Path:
    lines = [COLUMNS]
    for n in range(1, number + 1):
        deal = random_deal(seed, n)
        lines.append(f"{n};{deal[Seat.NORTH]};{deal[Seat.SOUTH]}" + ";6.5" * 10)
    path.write_text("\n".join(lines) + "\n")
    return path


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def recorded(*paths: Path) -> list[dict[str, str]]:
    return [{"name": path.name, "sha256": sha256(path)} for path in paths]


def data_of(out: Path) -> dict[str, Any]:
    found = json.loads((out / "record.json").read_text())["settings"]["data"]
    assert isinstance(found, dict)
    return found


@pytest.fixture
def train(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., tuple[int, str]]:
    """Run a command in a folder of its own; return its exit status and what it prints on errors."""
    monkeypatch.chdir(tmp_path)

    def train(*words: object) -> tuple[int, str]:
        status = run(["train", *map(str, words)])
        errors = capsys.readouterr().err
        assert status == DONE or errors.count("\n") == 1
        return status, errors

    return train


def test_each_file_is_learned_from_once_and_none_that_is_checked(tmp_path: Path) -> None:
    names = ("c", "a", "b")
    files = [tmp_path / name for name in names]
    given = [*files, tmp_path / "sub" / ".." / "a"]
    assert to_learn_from(given, []) == files
    assert to_learn_from(given, [tmp_path / "." / "a"]) == [files[0], files[2]]


def test_tables_are_not_learned_from_what_is_checked(
    train: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    for number, name in enumerate(("a.deals", "b.deals"), start=1):
        deals(tmp_path / name, number)
    words = ("tables", "--deals", tmp_path, "--check", "b.deals", "--steps", 1, "--out", "out")
    assert train(*words) == (DONE, "")
    data = data_of(Path("out"))
    assert data["deals"] == recorded(tmp_path / "a.deals")
    assert data["check"] == recorded(tmp_path / "b.deals")
    assert (data["solved_deals"], data["checked_deals"]) == (10, 10)
    assert Path("out", "weights.npz").exists()
    status, errors = train(*words, "--seed", 2, "--resume")
    assert (status, "seed 1, not 2" in errors) == (UNUSABLE, True)
    Path("bad.txt").write_text("x\n")
    status, errors = train("tables", "--deals", "bad.txt", "--check", "b.deals", "--out", "other")
    assert (status, "bad.txt, line 1" in errors) == (UNUSABLE, True)


class TestTricks:
    @pytest.fixture(autouse=True)
    def _needs_torch(self) -> None:
        pytest.importorskip("torch")

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        folder = tmp_path / "deals"
        folder.mkdir()
        for number, name in enumerate(("a.deals", "b.deals", "c.deals"), start=1):
            deals(folder / name, number)
        return folder

    def test_what_is_checked_is_not_learned_from(
        self, train: Callable[..., tuple[int, str]], folder: Path
    ) -> None:
        words = ("tricks", "--deals", folder, "--check", folder / "b.deals", "--steps", 1)
        assert train(*words, "--out", "out") == (DONE, "")
        data = data_of(Path("out"))
        assert data["deals"] == recorded(folder / "a.deals", folder / "c.deals")
        assert data["check"] == recorded(folder / "b.deals")
        assert (data["solved_pairs"], data["mean_pairs"], data["checked_pairs"]) == (40, 0, 20)
        alone = ("tricks", "--deals", folder / "b.deals", "--check", folder / "b.deals")
        status, errors = train(*alone, "--out", "other")
        assert status == UNUSABLE
        assert "no solved deals but those to measure on" in errors
        assert not Path("other").exists()

    def test_tricks_may_learn_from_means_alone(
        self, train: Callable[..., tuple[int, str]], folder: Path
    ) -> None:
        one, two = means(folder / "one.csv", 1), means(folder / "two.csv", 2)
        words = ("tricks", "--means", one, "--means", two, "--steps", 1)
        assert train(*words, "--check", folder / "a.deals", "--out", "out") == (DONE, "")
        data = data_of(Path("out"))
        assert (data["deals"], data["means"]) == ([], recorded(one, two))
        assert train(*words, "--check", two, "--out", "other") == (DONE, "")
        assert data_of(Path("other"))["means"] == recorded(one)
        status, errors = train("tricks", "--check", two)
        assert (status, "--deals, --means or both" in errors) == (UNUSABLE, True)

    def test_a_run_does_not_go_on_with_other_data(
        self, train: Callable[..., tuple[int, str]], folder: Path
    ) -> None:
        pairs = means(folder / "means.csv", 4)
        files = ("--deals", folder / "a.deals", "--means", pairs, "--check", folder / "b.deals")
        words = ("tricks", *files, "--steps", 1, "--out", "out")
        assert train(*words) == (DONE, "")
        assert train(*words, "--resume") == (DONE, "")
        means(pairs, 5)
        deals(folder / "b.deals", 6)
        status, errors = train(*words, "--resume")
        assert status == UNUSABLE
        assert errors == "arena: out was begun with other settings: data.check, data.means\n"

    @pytest.mark.parametrize(
        ("name", "text", "said"),
        [
            ("none.txt", "", "there are no solved deals in none.txt"),
            ("none.csv", f"{COLUMNS}\n", "none.csv: there are no pairs of hands"),
        ],
    )
    def test_files_that_hold_no_deals_are_refused(
        self,
        train: Callable[..., tuple[int, str]],
        folder: Path,
        name: str,
        text: str,
        said: str,
    ) -> None:
        Path(name).write_text(text)
        option = "--means" if name.endswith("csv") else "--deals"
        check = folder / "a.deals"
        for words in (
            ("--deals", folder, "--check", name),
            (option, name, "--check", check),
        ):
            status, errors = train("tricks", *words)
            assert (status, said in errors) == (UNUSABLE, True)
        assert not Path("runs").exists()

    def test_too_few_pairs_are_refused(
        self, train: Callable[..., tuple[int, str]], folder: Path
    ) -> None:
        few = deals(Path("few.deals"), 3, number=4)
        status, errors = train("tricks", "--deals", few, "--check", folder / "a.deals")
        assert (status, "8 pairs of hands: 10 or more are needed" in errors) == (UNUSABLE, True)

    def test_a_damaged_record_of_a_run_is_told(
        self, train: Callable[..., tuple[int, str]], folder: Path
    ) -> None:
        Path("out").mkdir()
        Path("out/record.json").write_text('{"settings": {')
        words = ("tricks", "--deals", folder, "--check", folder / "a.deals", "--out", "out")
        status, errors = train(*words, "--resume")
        assert (status, "record.json does not say" in errors) == (UNUSABLE, True)


class TestHand2Vec:
    @pytest.fixture(autouse=True)
    def _needs_pytorch_optimizer(self) -> None:
        pytest.importorskip("pytorch_optimizer", reason="needs the extra train")

    def test_vectors_learn_from_means_and_estimated_pairs(
        self, train: Callable[..., tuple[int, str]], tmp_path: Path
    ) -> None:
        one, two = means(tmp_path / "one.csv", 1), means(tmp_path / "two.csv", 2)
        words: tuple[object, ...] = ("hand2vec", "--means", one, "--means", two, "--check", two)
        words += ("--steps", 1, "--dimensions", 3)
        assert train(*words, "--out", "out", "--pairs", 5) == (DONE, "")
        data = data_of(Path("out"))
        assert (data["means"], data["check"]) == (recorded(one), recorded(two))
        assert (data["mean_pairs"], data["random_pairs"], data["checked_pairs"]) == (10, 5, 10)
        assert data["tricks"]["name"] == "shipped"
        assert train(*words, "--out", "out", "--pairs", 5, "--resume") == (DONE, "")
        status, errors = train(*words, "--out", "out", "--pairs", 6, "--resume")
        assert (status, "other settings: data.random_pairs" in errors) == (UNUSABLE, True)
        assert train(*words, "--out", "means") == (DONE, "")
        assert data_of(Path("means"))["tricks"] is None

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ("--check one.csv", "nothing to learn from: --means, --pairs or both are needed"),
            ("--check one.csv --pairs 1", "1 pair of hands: 2 or more are needed to learn from"),
            ("--check one.csv --means one.csv", "no mean tricks but those to measure on"),
            ("--check none.csv --pairs 9", "cannot read none.csv: No such file or directory"),
            ("--check bad.csv --pairs 9", "bad.csv, line 2: 'x' is no number of tricks"),
            ("--check one.csv --pairs 9 --tricks bad.csv", "no estimate of tricks: bad.csv: no"),
            (
                "--check one.csv --means two.csv --tricks bad.csv",
                "--tricks estimates the tricks of",
            ),
        ],
    )
    def test_mistakes_about_vectors_are_told(
        self, train: Callable[..., tuple[int, str]], tmp_path: Path, words: str, said: str
    ) -> None:
        text = means(tmp_path / "one.csv", 1).read_text()
        means(tmp_path / "two.csv", 2)
        (tmp_path / "bad.csv").write_text(text.replace(";6.5", ";x", 1))
        status, errors = train("hand2vec", *words.split())
        assert status == UNUSABLE
        assert said in errors
        assert not Path("runs").exists()


@pytest.mark.slow
def test_neural_imitates_as_many_boards_as_are_asked_for(
    train: Callable[..., tuple[int, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = pytest.importorskip(
        "bridge_arena.bots.neural.training", reason="needs the extra train"
    )
    monkeypatch.setattr("bridge_arena.bots.neural.imitation.SHARD", 4)
    boards: list[int] = []

    def course(_settings: Any, _solved: Any, _checked: Any, *given: Any, **_: Any) -> None:
        boards.append(len(given[-1]))

    monkeypatch.setattr(training, "SelfPlay", course)
    monkeypatch.setattr(ShownRun, "train", lambda run, *_, **__: run.folder)
    one, two = deals(tmp_path / "one.deals", 1), deals(tmp_path / "two.deals", 2)
    words = ("neural", "--deals", one, "--deals", two, "--check", two, "--auctions", 6)
    assert train(*words, "--out", "out") == (DONE, "")
    assert boards == [6]
    assert data_of(Path("out")) == {
        "deals": recorded(one),
        "check": recorded(two),
        "solved_deals": 10,
        "checked_deals": 10,
        "start": None,
        "imitated_boards": 6,
        "tables": recorded_shipped("bridge_arena.bots.library.tables", "weights.npz"),
    }
    deals(one, 3)
    status, errors = train(*words, "--out", "out", "--resume")
    assert (status, "other settings: data.deals" in errors) == (UNUSABLE, True)


def test_neural_starts_with_networks(
    train: Callable[..., tuple[int, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = pytest.importorskip(
        "bridge_arena.bots.neural.training", reason="needs the extra train"
    )
    begun: list[tuple[int, Any, bool]] = []

    def course(
        settings: Any, _solved: Any, _checked: Any, start: Any, *given: Any, **_: Any
    ) -> None:
        begun.append((settings.imitation, given[-1], start is not None))

    monkeypatch.setattr(training, "SelfPlay", course)
    monkeypatch.setattr(ShownRun, "train", lambda run, *_, **__: run.folder)
    one, two = deals(tmp_path / "one.deals", 1), deals(tmp_path / "two.deals", 2)
    ships = resources.files("bridge_arena.bots.neural") / "weights.npz"
    own = tmp_path / "own.npz"
    own.write_bytes(ships.read_bytes())
    words = ("neural", "--deals", one, "--check", two)
    assert train(*words, "--start", own, "--out", "out") == (DONE, "")
    assert begun == [(0, None, True)]
    data = data_of(Path("out"))
    assert (data["start"], data["imitated_boards"]) == (recorded(own), 0)
    assert not Path("out", "auctions").exists()
    status, errors = train(*words, "--start", one, "--out", "other")
    assert (status, "no networks to start from: " in errors) == (UNUSABLE, True)
    status, errors = train(*words, "--start", "none.npz", "--out", "other")
    assert (status, "cannot read none.npz: " in errors) == (UNUSABLE, True)


def test_selfplay_meets_the_networks_that_are_named(
    train: Callable[..., tuple[int, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = pytest.importorskip(
        "bridge_arena.bots.neural.training", reason="needs the extra train"
    )
    met: list[tuple[int, bool, int]] = []

    def course(
        settings: Any, _solved: Any, _checked: Any, start: Any, given: Any, **_: Any
    ) -> None:
        met.append((settings.boards, start is not None, len(given)))

    monkeypatch.setattr(training, "SelfPlay", course)
    monkeypatch.setattr(ShownRun, "train", lambda run, *_, **__: run.folder)
    one, two = deals(tmp_path / "one.deals", 1), deals(tmp_path / "two.deals", 2)
    own = tmp_path / "own.npz"
    ships = resources.files("bridge_arena.bots.neural") / "weights.npz"
    own.write_bytes(ships.read_bytes())
    words = ("selfplay", "--deals", one, "--check", two, "--boards", 8)
    assert train(*words, "--out", "out") == (DONE, "")
    assert train(*words, "--start", own, "--opponent", own, "--out", "more") == (DONE, "")
    assert met == [(8, False, 0), (8, True, 1)]
    data = data_of(Path("more"))
    assert data["start"] == data["opponents"] == recorded(own)
    assert data["deals"] == recorded(one)
    status, errors = train(*words, "--opponent", one, "--out", "other")
    assert (status, "no networks to meet: " in errors) == (UNUSABLE, True)


def test_fastplay_learns_from_other_boards_than_it_is_measured_on(
    train: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    training = pytest.importorskip(
        "bridge_arena.bots.fastplay.training", reason="needs the extra train"
    )
    monkeypatch.setattr("bridge_arena.bots.fastplay.lessons.SHARD", 4)
    learned: list[list[int]] = []
    begun: list[int] = []
    players: list[Path | None] = []

    def trainer(_: Any, start: PlayNet, plays: Plays, checked: Plays) -> None:
        begun.append(start.width)
        learned.extend([checked.trump.tolist(), plays.trump.tolist()])

    def made(paths: list[Path], make: Any, *_: Any) -> None:
        """The trumps of each board are the number of its file."""
        players.append(make.keywords["start"])
        paths[0].parent.mkdir()
        for number, path in enumerate(paths):
            plays = random_plays(4)
            write_plays(path, replace(plays, trump=np.full(4, number, np.uint8)))

    making = "bridge_arena.bots.library.learning.made_files.make_missing"
    monkeypatch.setattr(making, made)
    monkeypatch.setattr(training, "PlayTrainer", trainer)
    monkeypatch.setattr(ShownRun, "train", lambda run, *_, **__: run.folder)
    assert train("fastplay", "--boards", 5, "--check", 3, "--out", "out") == (DONE, "")
    assert learned == [[0] * 3, [1] * 4 + [2]]
    start = recorded_shipped("bridge_arena.bots.fastplay", "weights.npz")
    assert data_of(Path("out")) == {"boards": 5, "checked_boards": 3, "start": start}
    np.savez("own.npz", **arrays(8))
    given = ("fastplay", "--boards", 5, "--check", 3, "--start")
    assert train(*given, "own.npz", "--out", "own") == (DONE, "")
    assert begun == [256, 8]
    assert players == [None, Path("own.npz").resolve()], "the net that learns is the one that plays"
    assert data_of(Path("own"))["start"] == {"name": "own.npz", "sha256": sha256(Path("own.npz"))}
    learned.clear()
    second = (*given, "own.npz", "--out", "second", "--seed", 2, "--earlier")
    assert train(*second, "out") == (DONE, "")
    assert learned == [[0] * 3, [1] * 4 + [2] + [0] * 4 + [1] * 4 + [2] * 4]
    files = sorted(Path("out/plays").iterdir())
    together = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    assert data_of(Path("second"))["earlier"] == [{"name": "out", "sha256": together}]
    status, errors = train(*second, "none")
    assert (status, "none has no boards of a training of fastplay" in errors) == (UNUSABLE, True)
    status, errors = train(*given, "own.npz", "--earlier", "out", "--out", "other")
    assert (status, "out has the boards of seed 1: give another" in errors) == (UNUSABLE, True)
    Path("junk.npz").write_text("junk")
    status, errors = train(*given, "junk.npz", "--out", "other")
    assert (status, "no net to start from: " in errors) == (UNUSABLE, True)
    Path("out/plays/plays-1-00001.npz").write_text("junk")
    monkeypatch.setattr(
        "bridge_arena.bots.library.learning.made_files.make_missing", lambda *_: None
    )
    status, errors = train(*second, "out")
    assert (status, "no boards of an earlier training: " in errors) == (UNUSABLE, True)
    words = ("fastplay", "--boards", 5, "--check", 3, "--out", "out", "--resume")
    status, errors = train(*words)
    assert (status, "plays-1-00001.npz: no file of arrays" in errors) == (UNUSABLE, True)


def test_deepq_records_its_estimate(
    train: Callable[..., tuple[int, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("bridge_arena.bots.deepq.training", reason="needs the extra train")
    monkeypatch.setattr(ShownRun, "train", lambda run, *_, **__: run.folder)
    ships = resources.files("bridge_arena.bots.library.tricks") / "weights.npz"
    own = tmp_path / "own.npz"
    own.write_bytes(ships.read_bytes())
    assert train("deepq", "--out", "out") == (DONE, "")
    assert data_of(Path("out")) == {"tricks": {"name": "shipped", "sha256": sha256(own)}}
    assert train("deepq", "--tricks", own, "--out", "other") == (DONE, "")
    assert data_of(Path("other")) == {"tricks": {"name": "own.npz", "sha256": sha256(own)}}
    with np.load(own) as file:
        np.savez(own, **{name: file[name] * 1.5 for name in file.files})
    status, errors = train("deepq", "--tricks", own, "--out", "other", "--resume")
    assert (status, "other settings: data.tricks" in errors) == (UNUSABLE, True)


def npy(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, np.zeros(3))


BAD: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "cut short": lambda path: path.write_bytes(b"PK\x03\x04 and no more"),
    "npy": npy,
    "other arrays": lambda path: np.savez(path, some=np.zeros(3)),
}


@pytest.mark.parametrize("name", BAD)
def test_files_that_are_no_weights_are_told(
    train: Callable[..., tuple[int, str]], tmp_path: Path, name: str
) -> None:
    pairs_file(tmp_path / "pairs.npz", 4)
    BAD[name](tmp_path / "bad.npz")
    status, errors = train("evaluate", "deepq", "--pairs", "pairs.npz", "--weights", "bad.npz")
    assert (status, "no networks of deepq: bad.npz: " in errors) == (UNUSABLE, True)
    pytest.importorskip("torch")
    status, errors = train("deepq", "--tricks", "bad.npz")
    assert (status, "no estimate of tricks: bad.npz: " in errors) == (UNUSABLE, True)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("seed", [-1, 2**31])
@pytest.mark.parametrize(
    "words",
    ["tricks --check x", "deepq", "qtable", "neural --deals x --check x", "qplay", "sarsa", "dqn"],
)
def test_a_seed_that_cannot_be_is_refused(
    train: Callable[..., tuple[int, str]], tmp_path: Path, words: str, seed: int
) -> None:
    status, errors = train(*words.split(), "--seed", seed, "--out", "run")
    assert status == UNUSABLE
    assert "'--seed'" in errors
    assert not (tmp_path / "run").exists()


def test_a_search_in_too_few_hands_is_refused(
    train: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    pairs_file(tmp_path / "pairs.npz", 2)
    status, errors = train("evaluate", "deepq", "--pairs", "pairs.npz", "--worlds", 19)
    assert (status, "19 worlds are too few to search in" in errors) == (UNUSABLE, True)


def test_a_run_goes_on_where_there_is_one_that_nobody_else_trains(
    train: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    pytest.importorskip("torch", reason="needs the extra train")
    words = ("deepq", "--steps", 1, "--width", 8, "--out", "run")
    status, errors = train(*words, "--resume")
    assert status == UNUSABLE
    assert errors == "arena: run: there is no training run to go on with\n"
    (tmp_path / "run").mkdir()
    with alone(tmp_path / "run"):
        status, errors = train(*words)
    assert status == UNUSABLE
    assert errors == "arena: run is in use by another run\n"


def test_the_command_that_goes_on_says_so_each_time(tmp_path: Path) -> None:
    options = {"deals": [Path("1"), Path("2")], "means": None, "steps": 3}
    folder = tmp_path / "a b"
    for resume, when in (
        (False, "interrupted before the first checkpoint"),
        (True, "interrupted before the first checkpoint"),
        (True, "interrupted"),
    ):
        with (
            pytest.raises(InterruptedCommandError) as found,
            training_run("tricks", folder, options, {}, "error", resume=resume),
        ):
            raise KeyboardInterrupt
        assert str(found.value) == (
            f"{when}; go on with: arena train tricks --out '{folder}' "
            "--deals 1 --deals 2 --steps 3 --resume"
        )
        if resume:
            (folder / "checkpoint").touch()


def test_a_run_shows_the_figure_and_the_time_left(tmp_path: Path) -> None:
    """Steps of an earlier run are done, but say nothing of the speed."""
    now, shown = 0.0, StringIO()
    work = LongWork(Console(file=shown, width=80), lambda: now)
    run = ShownRun(work, "from_par", tmp_path, "net", {}, resume=False)
    on_progress = run.phase("training", 100)
    now = 100.0
    work.say_if_due()
    assert not shown.getvalue(), "no phase has begun"
    on_progress(90)
    run.note(92, loss=1.0, from_par=2.25)
    for done in (91, 92, 93):
        now += 2
        on_progress(done)
    work.say_if_due()
    assert shown.getvalue() == "arena: training: from par 2.25: 93 of 100, about 14 s left\n"


def test_the_device_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """But not where a path of data is wrong, which is told before."""
    pytest.importorskip("torch")
    (tmp_path / "weights.npz").touch()
    train = ["train", "dqn", "--lessons", "1", "--out", str(tmp_path), "--device"]
    assert run([*train, "nowhere"]) == UNUSABLE
    assert not capsys.readouterr().out
    assert run([*train, "cpu"]) == UNUSABLE
    told = capsys.readouterr()
    assert told.out == "torch computes on cpu\n"
    assert "holds a weights.npz of no training run" in told.err
    run(["train", "tables", "--deals", "none", "--check", "none", "--device", "cpu"])
    assert not capsys.readouterr().out


def test_openings_are_learned_from_a_file(train: Callable[..., tuple[int, str]]) -> None:
    pytest.importorskip("torch")
    hands = [random_deal(1, n)[Seat.NORTH] for n in range(1, 21)]
    lines = [f"{n};{hand};{'1C' if n % 2 else 'PASS'}" for n, hand in enumerate(hands)]
    path = Path("openings.csv")
    path.write_text("\n".join([";PBN;OPENING", *lines]))
    assert train("openings", "--openings", path, "--out", "out") == (DONE, "")
    assert data_of(Path("out")) == {"openings": recorded(path), "hands": 20}
    status, errors = train("openings", "--openings", path, "--out", "out")
    assert (status, "holds a training run" in errors) == (UNUSABLE, True)
    status, errors = train("openings", "--openings", "none.csv")
    assert (status, "cannot read none.csv" in errors) == (UNUSABLE, True)


def test_an_example_goes_on_with_the_settings_of_the_one_before() -> None:
    examples = [
        example
        for command in trainings.registered_commands
        if command.callback is not None
        for example in examples_of(command.callback)
    ]
    resumed = [example for example in examples if example.endswith(" --resume")]
    assert resumed
    assert {example.removesuffix(" --resume") for example in resumed} <= set(examples)
