"""Bidders in processes of their own beside those that bid in one process."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from bridge_arena.lab.apart import run_apart
from bridge_arena.lab.bidders import Bidder, parse_bidders
from bridge_arena.lab.bracket import led
from bridge_arena.lab.experiment import APART, PART, Experiment, Folder, Part
from bridge_arena.lab.figures import records_of
from bridge_arena.lab.run import FailedBidderError, do_part, parts_of, solve
from tests.lab.test_bidders import HERE
from tests.lab.test_run import Here


def experiment(*names: str, boards: int = 3) -> Experiment:
    *arms, opponent = parse_bidders(list(names))
    return Experiment(tuple(arms), opponent, boards, seed=4)


def run_all(folder: Folder) -> list[int]:
    """Do all that is left, two boards at once; the first boards of each portion."""
    here = Here()
    asyncio.run(run_apart(folder, here.submit, 2, lambda _: True))
    return here.asked


@pytest.mark.slow
def test_a_bot_bids_and_explains_in_its_own_processes_as_in_this_one(tmp_path: Path) -> None:
    folder = Folder.new(tmp_path / "out", experiment("natural", "natural & natural", "qtable"))
    assert run_all(folder) == [1, 3], "a portion has as many boards as are bid at once"
    (part,) = folder.parts(3)
    here, apart = part.matches
    assert np.array_equal(here.bid.calls, apart.bid.calls)
    assert np.array_equal(here.imps, apart.imps)
    for records in records_of(folder.experiment, part, [0, 1, 2], solve).values():
        for one, other in zip(records[:2], records[2:], strict=True):
            assert one.calls == other.calls
            assert one.score == other.score
            assert any(made.explanation for made in one.calls)


def test_parts_are_small_where_a_bot_is_asked_one_board_at_a_time() -> None:
    boards = 2 * PART
    for names, size in (
        (("natural", "qtable"), PART),
        (("natural", "cmd:bot", "qtable"), APART),
        (("natural", "cmd:bot"), APART),
    ):
        given = experiment(*names, boards=boards)
        assert {len(part) for _, part in parts_of(given)} == {size}


def test_no_bot_is_started_for_parts_that_are_done(tmp_path: Path) -> None:
    plain = experiment("natural", "qtable", boards=APART)
    folder = Folder.new(tmp_path / "out", experiment("cmd:/nowhere/bot", "qtable", boards=APART))
    ((index, boards),) = parts_of(plain)
    arrays = do_part(plain, boards)
    assert isinstance(arrays, dict)
    folder.keep(index, APART, arrays)
    assert run_all(folder) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bot", "complaint"),
    [
        (
            "cmd:/nowhere/bot",
            r"bot against qtable: bot \(N\): cannot start '/nowhere/bot': No such",
        ),
        (
            f"bad={HERE}:Doubles & natural",
            "bad against qtable: bad at board 1, North, open room: illegal: ",
        ),
        (
            f"bad={HERE}:Fails & {HERE}:Fails",
            "bad against qtable: bad at board 1, .*: crash: exit status 1: RuntimeError: out of id",
        ),
    ],
)
def test_a_bot_that_does_not_come_or_breaks_the_rules_ends_the_experiment(
    bot: str, complaint: str, tmp_path: Path
) -> None:
    folder = Folder.new(tmp_path / "out", experiment(bot, "qtable"))
    with pytest.raises(FailedBidderError, match=complaint) as failed:
        run_all(folder)
    assert len(str(failed.value).splitlines()) == 1
    assert not folder.has(0)


def test_calls_of_a_bot_in_its_own_processes_are_read_as_natural_s() -> None:
    plain = experiment("natural", "natural", boards=2)
    ((_, boards),) = parts_of(plain)
    arrays = do_part(plain, boards)
    assert isinstance(arrays, dict)
    part = Part.of(arrays)
    found = [
        led(
            Experiment(arms, plain.opponent, 2, 4, leader=Bidder.parse("fastplay")),
            boards,
            part.matches,
        )[0].led
        for arms in (plain.arms, (Bidder.parse("cmd:bot"),))
    ]
    first, second = found
    assert first is not None
    assert second is not None
    assert np.array_equal(first, second)
