"""Tests of a person's scorecard: its figures are those of the report."""

from __future__ import annotations

import pytest

from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.reports.common.tables import (
    compared_boards,
    planned_matches,
    seated_tables,
    team_matches,
)
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.schedule.event_results import EventResults, Played
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.rulings import Adjust, Annul, Forfeit, Penalty
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.web.seat.scorecard import Scorecards, Section
from tests.tournaments.ruled import rulings
from tests.tournaments.scores import event, record, units_of

POINTS = (620, -50, 430, 400, -100, 0, 50, 140, -420, 110)
"""North-South's points, in the order of the units, and so on from the first."""


def played_of(of: Event) -> dict[str, BoardRecord]:
    return {
        unit.id: record(of, unit, POINTS[place % len(POINTS)])
        for place, unit in enumerate(units_of(plan(of, [])))
    }


def sections(
    of: Event, played: dict[str, BoardRecord], seated: list[tuple[Unit, Seat]]
) -> list[Section]:
    names = [entrant.name for entrant in of.entries]
    return Scorecards(of, names, played).sections(seated, is_over=True)


def seated_units(of: Event, entry: int, room: str = "open") -> list[tuple[Unit, Seat]]:
    """Where a player of an entry sits in one room: North or South, East or West."""
    return [
        (unit, Seat(unit.lineup.index(entry)))
        for unit in units_of(plan(of, []))
        if entry in unit.lineup and unit.place in (room, "table")
    ]


@pytest.mark.parametrize(
    ("scoring", "attribute"),
    [(Scoring.IMPS, "imps"), (Scoring.VP, "imps"), (Scoring.TOTAL_POINTS, "points")],
)
@pytest.mark.parametrize(
    ("entry", "room"), [(0, "open"), (0, "closed"), (1, "open"), (1, "closed")]
)
def test_a_teams_figures_are_those_of_the_report(
    scoring: Scoring, attribute: str, entry: int, room: str
) -> None:
    match = event(Format.ROUND_ROBIN, 2, boards=5, scoring=scoring)
    played = played_of(match)
    results = EventResults(match, [Played(each) for each in played.values()])
    planned = planned_matches(results)
    (reported,) = team_matches(results, planned, seated_tables(results, planned))
    (section,) = sections(match, played, seated_units(match, entry, room))
    sign = 1 if entry == 0 else -1
    swings = [each.swing for each in reported.boards]
    worth = [sign * getattr(each, attribute) for each in swings if each is not None]
    assert [line.get("worth") for line in section["lines"]] == worth
    assert section.get("total") == sum(worth)
    assert [line.get("total") for line in section["lines"]] == [
        sum(worth[: number + 1]) for number in range(5)
    ]


def test_a_match_is_told_in_a_sentence_as_the_own_team_sees_it() -> None:
    match = event(Format.MATCH, 2, boards=5)
    played = played_of(match)
    (ours,) = sections(match, played, seated_units(match, 0))
    (theirs,) = sections(match, played, seated_units(match, 1))
    total = ours["total"]
    assert (total, theirs["total"]) == (-4, 4)
    assert ours["result"] == "e0 lost to e1 by 4 IMPs."
    assert theirs["result"] == "e1 beat e0 by 4 IMPs."


def test_a_total_is_that_of_one_match_and_says_so() -> None:
    league = event(Format.ROUND_ROBIN, 3, boards=2)
    played = played_of(league)
    first, second = sections(league, played, seated_units(league, 0))
    assert [first["scope"], second["scope"]] == ["round 2", "round 3"]
    for section in (first, second):
        assert section["title"].startswith(f"{section['scope'].capitalize()}: ")
        assert section["total"] == sum(line["worth"] for line in section["lines"])
    # Also while there is only one.
    (alone,) = sections(league, played, seated_units(league, 0)[:2])
    assert (alone["scope"], alone["title"]) == (first["scope"], first["title"])
    (section,) = sections(match := event(Format.MATCH, 2), played_of(match), seated_units(match, 0))
    assert (section["scope"], section["title"]) == ("match", "")


@pytest.mark.parametrize("scoring", [Scoring.MATCHPOINTS, Scoring.CROSS_IMPS, Scoring.BUTLER])
@pytest.mark.parametrize("entry", [0, 3])
def test_a_pairs_figures_are_those_of_the_report(scoring: Scoring, entry: int) -> None:
    club = event(Format.PAIRS, 4, boards=2, scoring=scoring)
    played = played_of(club)
    results = EventResults(club, [Played(each) for each in played.values()])
    planned = planned_matches(results)
    own: list[float] = []
    seated = seated_units(club, entry)
    for compared in compared_boards(results.so_far, planned, seated_tables(results, planned)):
        for table, score in zip(compared.tables, compared.scores, strict=True):
            name = f"e{entry}"
            if name in table.names and score is not None:
                is_ns = table.names.index(name) in (Seat.NORTH, Seat.SOUTH)
                own.append(score.north_south if is_ns else score.east_west)
    (section,) = sections(club, played, seated)
    assert sorted(line["worth"] for line in section["lines"]) == sorted(own)
    total = sum(own) / len(own) if scoring is Scoring.MATCHPOINTS else sum(own)
    assert section["total"] == pytest.approx(total, abs=0.01)


def test_what_is_not_to_be_known_yet_is_absent() -> None:
    match = event(Format.MATCH, 2, boards=2)
    played = played_of(match)
    seated = seated_units(match, 0)
    (section,) = sections(match, {unit.id: played[unit.id] for unit, _ in seated}, seated)
    for line in section["lines"]:
        assert line.keys() == {"board", "seat", "table"}
    assert (section["result"], "total" in section) == ("", False)


def test_a_teams_figures_are_those_by_the_rulings() -> None:
    match = event(Format.MATCH, 2, boards=2)
    ruled = Adjust(match="1/1", board=1, room=Room.OPEN, ns="average", ew="plus")
    made = rulings([ruled, Annul(match="1/1", board=2), Penalty(entry=0, amount=1, match="1/1")])
    played = played_of(match)
    for entry, worth in ((0, 0.0), (1, 3.0)):
        names = [entrant.name for entrant in match.entries]
        card = Scorecards(match, names, played, made)
        (section,) = card.sections(seated_units(match, entry), is_over=True)
        assert [line.get("worth") for line in section["lines"]] == [worth, None]
        assert section["result"] == (
            "e0 -1 – 4 e1 (IMPs, as ruled)." if entry == 0 else "e1 4 – -1 e0 (IMPs, as ruled)."
        )


def test_a_forfeit_is_told() -> None:
    match = event(Format.ROUND_ROBIN, 2, boards=2)
    card = Scorecards(
        match, ["e0", "e1"], played_of(match), rulings([Forfeit(match="1/1", entry=0)])
    )
    (section,) = card.sections(seated_units(match, 0), is_over=False)
    assert section["result"] == "e1 beat e0 by forfeit."


def test_a_pairs_figures_are_those_by_the_rulings() -> None:
    club = event(Format.PAIRS, 4, boards=2, scoring=Scoring.MATCHPOINTS)
    seated = seated_units(club, 0)
    unit, seat = seated[0]
    ns, ew = ("plus", "minus") if seat.side is Side.NS else ("minus", "plus")
    adjusted = Adjust(match=unit.match.id, board=unit.board, ns=ns, ew=ew)
    made = rulings([adjusted, Penalty(entry=0, amount=5)])
    names = [entrant.name for entrant in club.entries]
    (section,) = Scorecards(club, names, played_of(club), made).sections(seated, is_over=True)
    assert section["lines"][0]["worth"] == 60
    assert section["result"].endswith(" boards, and a penalty of 5 comes off it.")
