"""The controlled estimate of a meeting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.reports.leaderboard.figures import leaderboard
from bridge_arena.reports.match.figures import match_figures
from bridge_arena.tournaments.events.deal_control import DealControl
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_results import ControlResults, EventResults, Played
from bridge_arena.tournaments.statistics.control_variate import control
from bridge_arena.tournaments.statistics.means import Mean
from tests.tournaments.matches import table, unfinished

# Of each board the contracts in both rooms, and the IMPs of alpha.
PLAYED = {1: ("3NT", "2NT", 6), 2: ("1NT", "1NT", 0), 3: ("2NT", "3NT", -6)}

OWN = {1: 4.0, 2: -1.0, 3: -7.5}
OTHERS = {1: {1: 2.0, 2: 0.0, 3: 1.0}, 2: {1: -3.0, 2: 5.0, 3: 0.0}}


def records(home: str = "alpha", visitors: str = "beta", match: int = 1) -> Iterator[BoardRecord]:
    """The boards of a match; declarer is North, and makes nine tricks."""
    for number, (first, second, _) in PLAYED.items():
        for room, contract in ((Room.OPEN, first), (Room.CLOSED, second)):
            record = table(number, room, contract, tricks=9, home=home, visitors=visitors)
            north, east = (home, visitors) if room is Room.OPEN else (visitors, home)
            yield replace(record, players=(north, east, north, east), round=match, table=1)


def event(**keys: object) -> Event:
    entries = (Entrant(bot="natural", name="alpha"), Entrant(bot="baseline", name="beta"))
    plain = {"name": "Test", "format": Format.MATCH, "entries": entries, "boards": 3}
    return Event.model_validate(plain | keys)


def results(
    values: Mapping[int, Mapping[int, float]] | None,
    every: list[BoardRecord] | None = None,
    of: Event | None = None,
) -> EventResults:
    """A match with the values of its deals, series by series."""
    of = of or event()
    known = DealControl.of(of)
    assert known is not None
    control = None if values is None else ControlResults(known, {(0, 1): values})
    return EventResults(of, [Played(each) for each in every or records()], control=control)


def mean_of(swings: list[float]) -> Mean:
    same = [[OWN[number]] for number in (1, 2, 3)]
    elsewhere = [[value] for series in OTHERS.values() for value in series.values()]
    return control(swings, same, elsewhere, expected=[1.0]).controlled


def test_the_estimate_takes_off_what_stand_ins_gained_on_these_deals() -> None:
    figures = match_figures(results({0: OWN, **OTHERS}))
    assert [row.imps for row in figures.board_results] == [6, 0, -6]
    found = figures.control
    assert found is not None
    assert found.imps_per_board == mean_of([6, 0, -6])
    assert found.stand_ins == ("natural", "baseline")
    assert found.are_themselves
    assert (found.plays, found.other_deals) == (1, 6)
    known = DealControl.of(event())
    assert known is not None
    assert found.definitions == (known.digest,)
    plain = match_figures(results(None))
    assert (plain.control, plain.imps_per_board) == (None, figures.imps_per_board)
    assert plain.board_results == figures.board_results, "nothing else depends on it"


@pytest.mark.parametrize(
    "values",
    [
        None,
        {},
        {0: OWN},
        OTHERS,
        {0: {1: 1.0, 2: 1.0}, **OTHERS},
        {0: OWN, 1: {1: 2.0, 2: 0.0}},
    ],
    ids=["no stand-ins", "nothing", "no others", "others alone", "a board", "half a series"],
)
def test_without_all_values_there_is_no_controlled_estimate(
    values: Mapping[int, Mapping[int, float]] | None,
) -> None:
    assert match_figures(results(values)).control is None


def test_a_series_that_is_not_complete_does_not_count() -> None:
    found = match_figures(results({0: OWN, **OTHERS, 3: {1: 24.0, 2: 24.0}})).control
    assert found == match_figures(results({0: OWN, **OTHERS})).control


def test_only_boards_that_count_are_asked_for() -> None:
    every = [*[*records()][:-1], unfinished(3, Room.CLOSED)]
    found = match_figures(results({0: OWN, **OTHERS}, every)).control
    assert found is not None
    assert (found.imps_per_board.n, found.other_deals) == (2, 4)
    assert match_figures(results({0: {1: 1.0, 2: 2.0}, 1: {1: 0.0, 2: 1.0}}, every)).control


def test_two_matches_of_the_same_deals_count_each_deal_once() -> None:
    """In the second match the other bot is at home, and the scores are the same."""
    twice = event(format=Format.ROUND_ROBIN, legs=2)
    first = [replace(each, round=1) for each in records()]
    second = [replace(each, round=2) for each in records("beta", "alpha")]
    board = leaderboard([results({0: OWN, **OTHERS}, first + second, twice)])
    (meeting,) = board.met
    assert meeting.imps == 0
    seen = board.meetings["alpha", "beta"].control
    assert seen is not None
    assert seen.imps_per_board == mean_of([0, 0, 0])
    reverse = board.meetings["beta", "alpha"].control
    assert reverse is not None
    assert reverse.imps_per_board == seen.imps_per_board.negated()
    assert reverse.stand_ins == ("baseline", "natural")


def test_events_are_taken_together() -> None:
    one = results({0: OWN, **OTHERS}, of=event(format=Format.ROUND_ROBIN))
    again = event(format=Format.ROUND_ROBIN, name="Again")
    same = leaderboard([one, replace(one, event=again)]).meetings["alpha", "beta"].control
    assert same is not None
    assert (same.imps_per_board, same.other_deals) == (mean_of([6, 0, -6]), 6), "the same deals"
    dealt = [replace(each, board=Board.dealt(2, each.board.number)) for each in records()]
    both = leaderboard([one, results({0: OWN, **OTHERS}, dealt, again)])
    found = both.meetings["alpha", "beta"].control
    assert found is not None
    assert (found.imps_per_board.n, found.other_deals) == (6, 12)
    assert not leaderboard([one, replace(one, control=None)]).met[0].control


def test_the_estimate_is_the_same_for_an_entry_that_is_listed_first_and_named_last() -> None:
    turned = event(format=Format.ROUND_ROBIN, entries=event().entries[::-1])
    every = [*records("beta", "alpha")]
    board = leaderboard([results({0: OWN, **OTHERS}, every, turned)])
    found = board.meetings["beta", "alpha"].control
    assert found is not None
    assert found.imps_per_board == mean_of([6, 0, -6])
    assert found.stand_ins == ("baseline", "natural")
