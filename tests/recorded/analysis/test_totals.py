"""The sums: who is charged with what, and with which sign."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bridge_arena.oracle.ledger import Role
from bridge_arena.recorded.analysis.findings import find
from bridge_arena.recorded.analysis.overview import (
    AUCTION,
    DECLARER,
    DEFENDERS,
    RESULT,
    Group,
    Measure,
    Totals,
)
from bridge_arena.tournaments.statistics.means import Mean, RunningMean
from tests.recorded.analysis.games import CLOSED, OPEN, entry_of, outcomes


@pytest.fixture(scope="module")
def totals() -> Totals:
    """South's lead in the closed room gives a trick that the claim gives back."""
    first, second = entry_of(OPEN), entry_of(CLOSED)
    answers = outcomes((first, "bbbbb"), (second, "bcc"))
    summed = Totals()
    summed.add(find(first, answers, second.record))
    summed.add(find(second, answers, first.record))
    return summed


def test_tricks_are_those_of_the_own_side(totals: Totals) -> None:
    declarer = totals.get(Group.PLAYER, "e", DECLARER, Measure.TRICKS_VS_DD)
    assert declarer == Mean(2, -0.5, 0.5)
    for defender in "ns":
        mean = totals.get(Group.PLAYER, defender, DEFENDERS, Measure.TRICKS_VS_DD)
        assert mean == Mean(2, 0.5, 0.5)
    assert totals.get(Group.PLAYER, "w", DECLARER, Measure.TRICKS_VS_DD).n == 0


def test_losses_go_to_who_made_them(totals: Totals) -> None:
    lost = Measure.TRICKS_LOST
    assert totals.get(Group.PLAYER, "s", Role.OPENING_LEAD, lost) == Mean(2, 0.5, 0.5)
    assert totals.get(Group.PLAYER, "n", Role.OPENING_LEAD, lost).n == 0
    assert totals.get(Group.PLAYER, "e", Role.DECLARER_PLAY, lost) == Mean(2, 1.0, 0.0)
    assert totals.get(Group.PLAYER, "n", Role.DEFENCE, lost) == Mean(2, 0.0, 0.0)
    assert totals.get(Group.PLAYER, "w", Role.DEFENCE, lost).n == 0, "its side declared"
    assert totals.get(Group.LEVEL, "2", Role.OPENING_LEAD, lost) == Mean(1, 1.0, None)
    assert totals.get(Group.DENOMINATION, "H", Role.DECLARER_PLAY, lost).n == 2
    assert totals.get(Group.ROLE, "opening lead", Role.OPENING_LEAD, lost) == Mean(2, 0.5, 0.5)


def test_teams_change_seats(totals: Totals) -> None:
    """Iceland defended in the open room and declared in the closed one."""
    assert totals.get(Group.TEAM, "Iceland", DEFENDERS, Measure.TRICKS_VS_DD) == Mean(1, 1.0, None)
    assert totals.get(Group.TEAM, "Iceland", DECLARER, Measure.TRICKS_VS_DD) == Mean(1, 0.0, None)
    assert totals.get(Group.TEAM, "Iceland", AUCTION, Measure.IMPS) == Mean(2, -3.0, 3.0)
    assert totals.get(Group.PAIR, "e - w", AUCTION, Measure.IMPS) == Mean(2, -3.0, 3.0)


def test_imps_of_the_parts_add_up(totals: Totals) -> None:
    """Over all tables, of declarer's side: the result is the contract and the parts."""

    def total(role: str) -> float:
        mean = totals.get(Group.ALL, "", role, Measure.IMPS)
        return (mean.mean or 0.0) * mean.n

    defence = total(Role.OPENING_LEAD) + total(Role.DEFENCE)
    assert total(RESULT) == pytest.approx(total(AUCTION) + total(Role.DECLARER_PLAY) - defence)


def test_nameless_players_are_not_summed() -> None:
    entry = entry_of(OPEN)
    assert entry.record is not None
    nobody = replace(entry, record=replace(entry.record, players=("", "", "", ""), room=None))
    summed = Totals()
    summed.add(find(nobody, outcomes((entry, "bbbbb"))))
    assert {key.group for key, _ in summed} == {
        Group.ALL,
        Group.ROLE,
        Group.LEVEL,
        Group.DENOMINATION,
    }


def test_a_running_mean_is_the_mean() -> None:
    observations = [3.0, -1.0, 0.0, 7.5, 2.0]
    running = RunningMean()
    assert running.mean == Mean.of([])
    for count, each in enumerate(observations, start=1):
        running.add(each)
        expected = Mean.of(observations[:count])
        assert running.mean.n == count
        assert running.mean.mean == pytest.approx(expected.mean)
        assert running.mean.standard_error == pytest.approx(expected.standard_error)
