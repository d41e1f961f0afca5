"""The run of an experiment, its folder, and its early end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge_arena.base.stopping import Stop
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.commands.common.signals import TERM_SECONDS
from bridge_arena.lab.bidders import Bidder, parse_bidders
from bridge_arena.lab.bidding import Bid
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.experiment import (
    PART,
    Arrays,
    DealFile,
    Experiment,
    Folder,
    FolderError,
    Part,
)
from bridge_arena.lab.run import (
    AHEAD,
    KEPT_AFTER,
    FailedBidderError,
    Stopping,
    do_part,
    do_some,
    next_portion,
    run,
)
from bridge_arena.oracle.solved_deals import Heading, SolvedDeals, SolvedDealsError, write
from bridge_arena.tournaments.statistics.sequential import Verdict
from tests.lab.test_bidders import HERE

BOARDS = PART + 7


def solved(folder: Path) -> DealFile:
    """A file of deals with senseless tricks."""
    boards = LabBoards.dealt(DealKey.of_seed(2), 1, BOARDS + 1)
    tricks = np.random.default_rng(1).integers(14, size=(BOARDS, 5, 4)).astype(np.uint8)
    path = folder / "some.deals"
    write(path, Heading(2, 1, BOARDS, 1, "none"), SolvedDeals(boards.seats, tricks))
    return DealFile.of(path)


def experiment(folder: Path, *names: str, sprt: str | None = None) -> Experiment:
    *arms, opponent = parse_bidders(list(names))
    return Experiment(tuple(arms), opponent, BOARDS, 1, (solved(folder),), sprt)


class Here:
    """Does parts in this process. `asked`: the first board of each part, in order."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def submit(
        self,
        function: Callable[..., Arrays | str],
        given: Experiment,
        boards: LabBoards,
        *apart: Mapping[int, Bid],
    ) -> Future[Arrays | str]:
        self.asked.append(int(boards.numbers[0]))
        future: Future[Arrays | str] = Future()
        future.set_result(function(given, boards, *apart))
        return future


def test_parts_that_are_done_are_not_done_again(tmp_path: Path) -> None:
    folder = Folder.new(tmp_path / "out", experiment(tmp_path, "natural", "baseline"))
    here = Here()
    run(folder, here.submit, 1, lambda _: False)
    assert here.asked == [1]
    done: list[int] = []

    def count(boards: int) -> bool:
        done.append(boards)
        return True

    assert folder.boards_done() == PART
    run(Folder.open(folder.path), here.submit, 2, count)
    assert here.asked == [1, PART + 1]
    assert done == [7]
    assert folder.boards_done() == BOARDS
    found = Part.joined(list(folder.parts(BOARDS)))
    assert found.boards.numbers.tolist() == list(range(1, BOARDS + 1))
    whole = do_part(folder.experiment, _every(folder.experiment))
    assert isinstance(whole, dict)
    assert found.matches[0].imps.tolist() == whole["0.imps"].tolist()
    first = found.first(3)
    assert len(first.boards) == 3
    assert first.matches[0].imps.tolist() == found.matches[0].imps[:3].tolist()


def slow(seconds: float) -> Callable[[], float]:
    """A clock that is so many seconds later each time that it is looked at."""
    now = count(0, seconds)
    return lambda: next(now)


def test_slow_bots_hand_back_what_they_have_done_after_some_time(tmp_path: Path) -> None:
    given = experiment(tmp_path, f"{HERE}:Silent", "baseline")
    boards = _every(given)
    # A portion of 1 board, one of 2, and one of 1: there is no time for more.
    arrays = do_some(given, boards, slow(KEPT_AFTER / 3))
    assert isinstance(arrays, dict)
    assert arrays["numbers"].tolist() == [1, 2, 3, 4]
    whole = do_some(given, boards.rows(0, 20), slow(0.0))
    at_once = do_part(given, boards.rows(0, 20))
    assert isinstance(whole, dict)
    assert isinstance(at_once, dict)
    assert whole["0.imps"].tolist() == at_once["0.imps"].tolist()
    assert whole["0.calls"].tolist() == at_once["0.calls"].tolist()


def test_a_portion_is_done_before_what_is_done_is_to_be_kept() -> None:
    assert next_portion(1, 0.5, KEPT_AFTER) == 2
    assert next_portion(64, 0.5, 50.0) == 100
    assert next_portion(1, 100.0, KEPT_AFTER) == 1, "at least one board"
    assert next_portion(4, 0.0, KEPT_AFTER) == 8


def test_a_part_goes_on_after_the_boards_that_were_kept(tmp_path: Path) -> None:
    folder = Folder.new(tmp_path / "out", experiment(tmp_path, "natural", "baseline"))
    here = Here()

    def some(function: Callable[..., Arrays | str], given: Experiment, boards: LabBoards) -> Any:
        assert function is do_some
        return here.submit(do_part, given, boards.rows(0, 100))

    run(folder, some, 1, lambda _: False)
    assert folder.boards_done() == 100
    assert not folder.has(0)
    again = Folder.open(folder.path)
    again.discard()
    done: list[int] = []

    def count_boards(boards: int) -> bool:
        done.append(boards)
        return True

    run(again, some, 1, count_boards)
    assert here.asked == [1, 101, 201, PART + 1]
    assert done == [100, 50, 7]
    found = Part.joined(list(again.parts(BOARDS)))
    whole = do_part(again.experiment, _every(again.experiment))
    assert isinstance(whole, dict)
    assert found.boards.numbers.tolist() == list(range(1, BOARDS + 1))
    assert found.matches[0].imps.tolist() == whole["0.imps"].tolist()
    assert sorted(path.name for path in (again.path / "parts").iterdir()) == [
        "00000.npz",
        "00001.npz",
    ]


def test_what_slow_bots_have_begun_ends_in_the_time_after_sigterm() -> None:
    assert AHEAD * KEPT_AFTER < TERM_SECONDS


def test_no_part_begins_after_the_order_to_stop(tmp_path: Path) -> None:
    """The rest of a part that came back does not begin either."""
    folder = Folder.new(tmp_path / "out", experiment(tmp_path, "natural", "baseline"))
    here, stop = Here(), Stop()

    def some(function: Callable[..., Arrays | str], given: Experiment, boards: LabBoards) -> Any:
        assert function is do_some
        stop.order()
        return here.submit(do_part, given, boards.rows(0, 2))

    run(folder, some, 1, lambda _: True, stop)
    assert here.asked == [1]
    assert folder.boards_done() == 2
    assert stop.has_refused
    assert not stop.in_play


def test_parts_begin_until_there_are_as_many_boards_as_may(tmp_path: Path) -> None:
    folder = Folder.new(tmp_path / "out", experiment(tmp_path, "natural", "baseline"))
    here = Here()
    run(folder, here.submit, 2, lambda _: True, Stop(boards=PART))
    assert here.asked == [1]
    run(folder, here.submit, 2, lambda _: True, Stop(boards=PART))
    assert here.asked == [1, PART + 1]


def test_deals_that_end_too_soon_are_told(tmp_path: Path) -> None:
    given = replace(experiment(tmp_path, "natural", "baseline"), boards=BOARDS + 1)
    folder = Folder.new(tmp_path / "out", given)
    with pytest.raises(SolvedDealsError, match="end 8 boards too soon"):
        run(folder, Here().submit, 1, lambda _: True)


def _every(given: Experiment) -> LabBoards:
    """All boards of an experiment as one part."""
    found = next(iter(_read(given.deals[0].path)))
    return LabBoards.solved(found, 1)


def _read(path: str) -> list[SolvedDeals]:
    from bridge_arena.oracle.solved_deals import read  # noqa: PLC0415

    return list(read([Path(path)]))


def test_a_definition_is_read_as_it_was_written(tmp_path: Path) -> None:
    plain = experiment(tmp_path, "natural", f"{HERE}:Passes", "baseline", sprt="imp0=0 imp1=1")
    given = replace(plain, leader=Bidder.parse("Led=fastplay"))
    Folder.new(tmp_path / "out", given)
    assert Folder.open(tmp_path / "out").experiment == given
    Folder.new(tmp_path / "plain", plain)
    assert Folder.open(tmp_path / "plain").experiment == plain
    with pytest.raises(FolderError, match="holds an experiment already"):
        Folder.new(tmp_path / "out", given)


def test_a_folder_that_holds_no_experiment_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="holds no experiment"):
        Folder.open(tmp_path)
    file = tmp_path / "experiment.json"
    for text, message in (
        ("[]", "no definition of an experiment"),
        ('{"format": "x", "arms": [], "opponent": {"name": "a", "spec": "a"}, "deals": []}', "no "),
    ):
        file.write_text(text)
        with pytest.raises(FolderError, match=message):
            Folder.open(tmp_path)


def test_a_damaged_part_is_named(tmp_path: Path) -> None:
    folder = Folder.new(tmp_path / "out", experiment(tmp_path, "natural", "baseline"))
    folder.part(0).write_bytes(b"PK")
    with pytest.raises(FolderError, match=r"00000\.npz is damaged"):
        folder.load(0)


def test_a_bidder_that_fails_is_named(tmp_path: Path) -> None:
    given = experiment(tmp_path, f"{HERE}:Fails", "natural")
    folder = Folder.new(tmp_path / "out", given)
    with pytest.raises(FailedBidderError, match="Fails against natural: RuntimeError: out of idea"):
        run(folder, Here().submit, 1, lambda _: True)
    assert not folder.has(0)


def test_a_bidder_that_ends_its_process_is_named_with_the_line(tmp_path: Path) -> None:
    given = experiment(tmp_path, f"{HERE}:Leaves", "natural")
    folder = Folder.new(tmp_path / "out", given)
    how = r"Leaves against natural: SystemExit: 5 \(bidders_here\.py, line \d+\)$"
    with pytest.raises(FailedBidderError, match=how):
        run(folder, Here().submit, 1, lambda _: True)


def test_only_an_experiment_without_a_part_is_discarded(tmp_path: Path) -> None:
    given = experiment(tmp_path, "natural", "baseline")
    folder = Folder.new(tmp_path / "out", given)
    folder.part(0).write_bytes(b"done")
    folder.discard()
    assert Folder.open(tmp_path / "out").has(0)
    folder.part(0).unlink()
    folder.discard()
    assert not folder.path.exists()


def test_a_clear_result_ends_the_experiment_on_one_board(tmp_path: Path) -> None:
    given = experiment(tmp_path, "natural", f"{HERE}:Passes", sprt="imp0=0 imp1=1")
    folder = Folder.new(tmp_path / "out", given)
    stopping = Stopping(given)
    run(folder, Here().submit, 1, lambda _: stopping.go_on(folder))
    assert stopping.verdict is not Verdict.GO_ON
    assert stopping.boards is not None
    again = Stopping(given)
    assert not again.go_on(folder)
    assert again.boards == stopping.boards


def test_two_bots_are_told_apart_by_their_difference(tmp_path: Path) -> None:
    given = experiment(tmp_path, "natural", "natural", "baseline", sprt="imp0=-1 imp1=1")
    folder = Folder.new(tmp_path / "out", given)
    stopping = Stopping(given)
    run(folder, Here().submit, 1, lambda _: stopping.go_on(folder))
    # Equal bots differ on no board, which speaks for neither.
    assert stopping.verdict is Verdict.GO_ON
    without = Stopping(experiment(tmp_path, "natural", "baseline"))
    assert without.go_on(folder)
    assert without.verdict is None
