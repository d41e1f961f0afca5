"""Tests of the estimated time of an event."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bridge_arena.bots.registry import SHIPPED, UnknownBotError, board_seconds
from bridge_arena.bridge.record import Mode
from bridge_arena.tournaments.events.cost_estimate import estimate
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.events.event_rules import settle
from bridge_arena.tournaments.formats.rules import Format, Scoring

OF_SEED = "seed 3 (reproducible, not sealed)"


def an_event(format_: Format, bots: list[str], **keys: object) -> Event:
    entries = [{"bot": bot, "name": f"{bot} {number}"} for number, bot in enumerate(bots, 1)]
    values = {"name": "Cup", "format": format_, "seed": 3, "entries": entries, "boards": 10, **keys}
    return settle(Event.model_validate(values), keys)


def minutes(lines: list[str]) -> float:
    """The estimate that the lines give."""
    (found,) = [
        re.match(r"about ([\d.]+) (s|min|hours):", line) for line in lines if "about" in line
    ]
    assert found
    return float(found[1]) * {"s": 1 / 60, "min": 1, "hours": 60}[found[2]]


def test_the_estimate_of_a_small_event_has_these_lines() -> None:
    event = an_event(Format.ROUND_ROBIN, ["random", "cmd:low.py", "minimax"], mode=Mode.BIDDING)
    lines = estimate(event, 2)
    assert lines[:5] == [
        f"Cup: round-robin, bidding only, scored by vp, 3 entries, {OF_SEED}",
        "  1. random 1 (random): 0 s a board",
        "  2. cmd:low.py 2 (cmd:low.py): unknown a board",
        f"  3. minimax 3 (minimax): {board_seconds('minimax'):.2g} s a board",
        "3 rounds, 3 matches of 10 boards in two rooms: 10 different boards, 60 tables to play",
    ]
    assert lines[5].endswith("2 at once with a processor each")
    assert lines[6:] == [
        "no time is counted for bots that do not ship: cmd:low.py 2",
        "the bots' time is that of bidding and play together, so it takes less",
    ]


def test_the_estimate_says_what_entries_have_of_their_own(tmp_path: Path) -> None:
    event = an_event(Format.MATCH, ["random"] * 2)
    env = ("KEY", "THREADS=2")
    own = Entrant(bot="random", name="b", dir=str(tmp_path), env=env, clock="5", start=20.0)
    event = event.model_copy(update={"entries": (event.entries[0], own)})
    expected = f"  2. b (random): 0 s a board, in {tmp_path}, env KEY THREADS, clock 5, start 20"
    assert estimate(event, 2)[2] == expected


def test_the_estimate_says_what_is_open() -> None:
    lines = estimate(an_event(Format.MATCH, ["random"] * 2, boards=1, sprt="imp1=1"), 2)
    assert (
        "1 round, 1 match of 1 board in two rooms: 1 different board, 2 tables to play, or fewer "
        "where the sequential test ends it early"
    ) in lines
    lines = estimate(an_event(Format.KNOCK_OUT, ["random", "minimax", "natural"]), 2)
    assert any(line.endswith("and more where a match ends level") for line in lines)
    assert "the bots' time is as if all got equally far" in lines
    lines = estimate(an_event(Format.PAIRS, ["random"] * 4, scoring=Scoring.BUTLER), 2)
    assert lines[0] == f"Cup: pairs, howell, scored by butler, 4 entries, {OF_SEED}"
    assert "3 rounds, 6 sittings of 10 boards: 30 different boards, 60 tables to play" in lines


def test_controlled_estimates_take_time() -> None:
    line = "controlled estimates afterwards take up to as long again"
    assert line in estimate(an_event(Format.MATCH, ["random", "natural"], boards=16), 2)
    assert line not in estimate(an_event(Format.MATCH, ["random", "natural"], boards=15), 2)
    assert line not in estimate(an_event(Format.MATCH, ["random", "cmd:x"], boards=16), 2)


def test_an_event_takes_half_as_long_on_twice_the_processors() -> None:
    event = an_event(Format.ROUND_ROBIN, ["montecarlo"] * 6, boards=60)
    assert minutes(estimate(event, 4)) == pytest.approx(2 * minutes(estimate(event, 8)), rel=0.1)


def test_more_processors_than_tables_save_no_time() -> None:
    event = an_event(Format.MATCH, ["montecarlo"] * 2, boards=2)
    assert estimate(event, 4) == estimate(event, 100)


def test_the_first_of_a_gauntlet_plays_every_match() -> None:
    dear_first = an_event(Format.GAUNTLET, ["montecarlo", *["random"] * 5], boards=60)
    dear_last = an_event(Format.GAUNTLET, [*["random"] * 5, "montecarlo"], boards=60)
    ratio = minutes(estimate(dear_first, 1)) / minutes(estimate(dear_last, 1))
    assert ratio == pytest.approx(5, rel=0.2)


@pytest.mark.parametrize(("boards", "unit"), [(1, "s"), (100, "min"), (5000, "hours")])
def test_long_times_are_in_larger_units(boards: int, unit: str) -> None:
    lines = estimate(an_event(Format.MATCH, ["montecarlo"] * 2, boards=boards), 2)
    assert any(re.match(rf"about [\d.]+ {unit}:", line) for line in lines)


# What bots take.


def test_every_bot_that_thinks_has_its_time() -> None:
    assert [name for name in SHIPPED if not board_seconds(name)] == ["random"]
    with pytest.raises(UnknownBotError):
        board_seconds("nobody")


def test_worlds_of_a_bot_cost_their_share_of_its_time() -> None:
    assert board_seconds("montecarlo:worlds=5") == pytest.approx(board_seconds("montecarlo") / 10)
    assert board_seconds("montecarlo:bidding=simple") == board_seconds("montecarlo")
    assert board_seconds("fastplay:worlds=20") > 20 * board_seconds("fastplay")
    assert board_seconds("minimax:depth=2") == board_seconds("minimax")


def test_a_pace_lengthens_the_estimate() -> None:
    event = an_event(Format.ROUND_ROBIN, ["random", "baseline"])
    assert minutes(estimate(event, 2, pace=3.0)) == pytest.approx(20 * 62 * 3 / 2 / 60, rel=0.05)
