"""Each entry's foresight, from what was found of its decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import sqrt
from random import Random

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.recorded.audit import Kind
from bridge_arena.recorded.audit.decisions import Decision
from bridge_arena.recorded.audit.figures import (
    Allowance,
    AuditFigures,
    Judged,
    audit_figures,
    shipped,
)
from bridge_arena.recorded.audit.judge import Finding
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.tournaments.schedule.event_results import Played
from tests.recorded.audit.boards import PLAYERS, played
from tests.server.tables import WEST_PLAYS_FOUR_HEARTS

RECORD = played(WEST_PLAYS_FOUR_HEARTS)
NOTHING = dict.fromkeys(Kind, Allowance(0.0, 0.0))
KINDS = (Kind.LEAD, Kind.DECLARER)


def tables(deals: int) -> list[SeatedTable]:
    """Both rooms of so many deals."""
    return [
        SeatedTable(Played(record), names)
        for number in range(1, deals + 1)
        for room, names in ((Room.OPEN, PLAYERS), (Room.CLOSED, PLAYERS[1:] + PLAYERS[:1]))
        for record in (replace(RECORD, board=Board.dealt(1, number), room=room),)
    ]


def one(entry: str, record: BoardRecord, luck: float, variance: float = 0.01) -> Judged:
    """Return what was found of an opening lead."""
    decision = Decision(record, 13, Seat.NORTH, Kind.LEAD)
    return Judged(entry, decision, Finding("S2", "DK", luck, variance))


def figures(
    seated: Sequence[SeatedTable],
    luck_of: Callable[[SeatedTable], float],
    variance: float = 0.01,
    allowed: Allowance = NOTHING[Kind.LEAD],
) -> AuditFigures:
    """Where only `cat` leads."""
    found = [one("cat", each.record, luck_of(each), variance) for each in seated]
    return audit_figures(seated, found, KINDS, {**NOTHING, Kind.LEAD: allowed}, 16, 0)


def test_foresight_is_a_table_s_mean_clustered_by_deal() -> None:
    seated = tables(16)
    # Both tables of a deal alike: there are but 16 observations.
    found = figures(seated, lambda each: float(each.record.board.number % 2))
    (cat,) = [each for each in found.entries if each.name == "cat"]
    lead, declarer = cat.kinds
    assert (cat.tables, cat.deals, lead.decisions) == (32, 16, 32)
    assert lead.evidence.mean.mean == pytest.approx(0.5)
    assert lead.evidence.mean.standard_error == pytest.approx(sqrt(0.25 / 15))
    assert (declarer.decisions, declarer.evidence.mean.mean, declarer.p_value) == (0, 0.0, 1.0)


def test_the_lucky_come_first_with_what_tells_most() -> None:
    rng = Random(1)
    found = figures(tables(32), lambda each: rng.gauss(0.5, 0.5) + each.record.board.number / 1e9)
    cat, dog = found.entries
    assert (cat.name, dog.name) == ("cat", "dog")
    assert cat.p_value is not None
    assert cat.p_value < 0.001
    assert dog.p_value == 1.0
    lucks = [each.finding.luck for each in cat.kinds[0].luckiest]
    assert len(lucks) == 5
    assert lucks == sorted(lucks, reverse=True)


def test_p_allows_for_all_tests() -> None:
    seated = tables(16)
    rng = Random(2)
    drawn = {id(each): rng.gauss(0.2, 0.5) for each in seated}
    found = figures(seated, lambda each: drawn[id(each)])
    alone = audit_figures(
        [replace(each, names=("cat",) * 4) for each in seated],
        [one("cat", each.record, drawn[id(each)]) for each in seated],
        (Kind.LEAD,),
        NOTHING,
        16,
        0,
    )
    p_alone, p_of_five = alone.entries[0].p_value, found.entries[0].p_value
    assert p_alone is not None
    # Two kinds of two entries, and both kinds together of the one that led.
    assert p_of_five == pytest.approx(5 * p_alone)


def test_what_is_allowed_for_is_no_foresight() -> None:
    seated = tables(32)

    def luck_of(each: SeatedTable) -> float:
        return 0.2 + (each.record.board.number % 2 - 0.5) / 5

    assert (figures(seated, luck_of).entries[0].p_value or 0) < 1e-6
    excused = figures(seated, luck_of, allowed=Allowance(0.1, 0.05)).entries[0]
    assert excused.kinds[0].evidence.beyond.mean == pytest.approx(0.1)
    assert (excused.p_value or 0) > 0.01


def test_boards_that_are_alike_by_chance_prove_nothing() -> None:
    """Each time a tenth of a trick, and once in ten times it would have cost a whole one."""
    seated = tables(16)
    assert (figures(seated, lambda _: 0.1).entries[0].p_value or 0) < 0.001
    assert (figures(seated, lambda _: 0.1, variance=0.09).entries[0].p_value or 0) > 0.05


def test_few_deals_give_no_verdict() -> None:
    found = figures(tables(7), lambda _: 3.0)
    assert [each.p_value for each in found.entries] == [None, None]
    assert found.entries[0].kinds[0].evidence.mean.mean == 3.0


def test_the_shipped_allowance_is_for_each_kind() -> None:
    assert set(shipped()) == set(Kind)
    assert all(0 < each.deviation < 1 and abs(each.mean) < 1 for each in shipped().values())
