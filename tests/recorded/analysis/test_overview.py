"""Tests of the costs of cards and calls in an analysis."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.ledger import Loss, Role, TableLedger
from bridge_arena.recorded.analysis.findings import Finding, find
from bridge_arena.recorded.analysis.overview import (
    AUCTION,
    DECLARER,
    DEFENDERS,
    RESULT,
    Group,
    Measure,
    Overview,
    Totals,
)
from bridge_arena.recorded.analysis.page import render
from bridge_arena.recorded.analysis.terminal import headline, print_overview
from bridge_arena.reports.common.costs import CallCost
from bridge_arena.tournaments.statistics.means import Mean, RunningMean
from tests.recorded.analysis.games import CLOSED, OPEN, entry_of, outcomes

LOSSES = (
    Loss(0, Seat.SOUTH, Role.OPENING_LEAD, 1),
    Loss(1, Seat.EAST, Role.DECLARER_PLAY, 2),
    Loss(4, Seat.EAST, Role.DECLARER_PLAY, 3),  # the claim
)

COSTS = (CallCost("1C", "Pass", 9.0, 6.0, 0), None, CallCost("4H", "3H", 2.5, 0.5, 0))


def finding(*, calls: bool = False, east: str = "e") -> Finding:
    """A table whose lead cost a trick and dummy's card two, and East's bid 2.5 IMPs."""
    entry = entry_of(OPEN)
    assert entry.record is not None
    made = tuple(MadeCall(Call(text)) for text in ("1C", "Pass", "4H", "Pass", "Pass", "Pass"))
    record = replace(entry.record, calls=made, players=("n", east, "s", "w"))
    found = find(entry, outcomes((entry, "bbbbb")))
    return replace(
        found,
        entry=replace(entry, record=record),
        ledger=TableLedger(11, LOSSES),
        calls=COSTS if calls else (),
    )


def overview_of(*findings: Finding) -> Overview:
    overview = Overview()
    for each in findings:
        overview.add(each)
    return overview


def printed(overview: Overview) -> str:
    text = StringIO()
    print_overview(overview, Console(file=text, width=80), Path("out/analysis.csv"))
    return text.getvalue()


def test_cards_are_charged_to_who_chose_them() -> None:
    costs = overview_of(finding()).costs
    assert [(each.by, each.trick, each.tricks) for each in costs.cards] == [
        ("e", 1, 2),
        ("s", 1, 1),
    ], "a claim is no card"
    assert (costs.players["e"].cards, costs.players["e"].tricks) == (1, 2)
    assert (costs.total.cards, costs.total.tricks, costs.has_calls) == (2, 3, False)


def test_calls_beyond_doubt_are_charged_to_the_caller() -> None:
    costs = overview_of(finding(calls=True)).costs
    (call,) = costs.calls
    assert (call.by, call.cost) == ("s", COSTS[2])
    assert (costs.players["s"].calls, costs.players["s"].imps) == (1, 2.5)
    assert (costs.total.calls, costs.total.imps) == (1, 2.5)


def test_a_player_without_a_name_is_a_seat() -> None:
    costs = overview_of(finding(east="")).costs
    assert next(iter(costs.cards)).by == "East"
    assert "" not in costs.players


def test_the_terminal_says_what_cost_most_and_where_all_is() -> None:
    text = printed(overview_of(finding(calls=True)))
    assert "2 cards cost 3 double-dummy tricks, 1 call cost 2.5 IMPs beyond doubt" in text
    (row,) = [line for line in text.splitlines() if "2.5 ± 0.5" in line]
    assert row.split()[-5:] == ["4H", "3H", "2.5", "±", "0.5"]
    assert "All of them: columns call_costs and losses of out/analysis.csv" in text
    assert max(map(len, text.splitlines())) <= 80
    plain = printed(overview_of(finding()))
    assert "Costliest calls" not in plain
    assert "All of them: column losses of out/analysis.csv" in plain
    assert "--calls adds what the calls cost." in plain


def test_the_page_says_what_cost_most_and_takes_names_for_text() -> None:
    page = render(overview_of(finding(calls=True, east="<b>x</b>")), [Path("a.pbn")])
    assert "What cost most" in page
    assert "Costliest calls" in page
    assert "<b>x</b>" not in page
    assert "--calls" in render(overview_of(finding()), [Path("a.pbn")])


@pytest.mark.parametrize(
    ("differences", "told"),
    [
        ((0,), "took as many tricks as double dummy on average at 1 table; at 100 % of them"),
        ((-1, 1), "took as many tricks (± 1.00) as double dummy on average at 2 tables; at 0 %"),
        ((-1, 0), "took 0.50 ± 0.50 tricks fewer than double dummy"),
        ((2,), "took 2.00 tricks more than double dummy on average at 1 table;"),
    ],
)
def test_the_headline_is_a_sentence(differences: tuple[int, ...], told: str) -> None:
    overview = overview_of(*(replace(finding(), difference=each) for each in differences))
    assert told in headline(overview)


def test_counts_of_one_are_in_the_singular() -> None:
    text = printed(overview_of(finding()))
    assert "1 game, 1 contract, 1 with play" in text
    assert "2 games, 2 contracts" in printed(overview_of(finding(), finding()))


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
