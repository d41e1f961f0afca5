"""Ruled results are shown as such in reports and replays; without rulings, what was played."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from bridge_arena.reports.common.rulings import shown_rulings
from bridge_arena.reports.leaderboard import report as leaderboard_report
from bridge_arena.reports.leaderboard.figures import leaderboard
from bridge_arena.reports.leaderboard.terminal import print_leaderboard
from bridge_arena.reports.match import report as match_report
from bridge_arena.reports.match.figures import match_figures
from bridge_arena.reports.match.terminal import print_report
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.schedule.event_results import EventResults, Played
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.rulings import (
    Adjust,
    Annul,
    Appeal,
    AppealState,
    Decision,
    Forfeit,
    GoOn,
    Pause,
    Penalty,
    TakeBack,
)
from bridge_arena.tournaments.schedule.units import Match
from bridge_arena.web.replays.listing import rows_of
from bridge_arena.web.replays.of_events import replays_of_events
from tests.reports.leaderboard.events import worked_event
from tests.tournaments.ruled import ruling, rulings
from tests.tournaments.scores import better_seed, event, play_out, record, units_of

SWISS = event(Format.SWISS, 4, rounds=2)
PLAYED = [Played(one) for one in play_out(SWISS, better_seed(SWISS)).values()]
MATCH = plan(SWISS, [])[0].matches[0]
HOSTILE = "<script>alert(1)</script>"


def ruled(results: EventResults, *decisions: Decision) -> EventResults:
    made = [
        one.model_copy(update={"reason": f"Why: {HOSTILE}"}) for one in rulings(decisions, after=2)
    ]
    return replace(results, rulings=tuple(made))


def printed(results: EventResults) -> str:
    out = StringIO()
    console = Console(file=out, width=250)
    if results.event.format is Format.MATCH:
        print_report(match_figures(results), console)
    else:
        print_leaderboard(leaderboard([results]), console)
    return out.getvalue()


def page(results: EventResults) -> str:
    if results.event.format is Format.MATCH:
        return match_report.render(match_figures(results))
    return leaderboard_report.render(leaderboard([results]))


def summary(results: EventResults) -> str:
    if results.event.format is Format.MATCH:
        return json.dumps(match_report.summary(match_figures(results)))
    return json.dumps(leaderboard_report.summary(leaderboard([results])))


FORMS = {
    "match": (worked_event(), Adjust(match="1/1", board=1, ns="minus", ew="plus")),
    "swiss": (
        EventResults(SWISS, PLAYED),
        Adjust(match=MATCH.id, board=MATCH.boards[0], ns="minus", ew="plus"),
    ),
}


@pytest.mark.parametrize("form", FORMS)
class TestReports:
    def test_they_list_the_rulings_with_what_was_played(self, form: str) -> None:
        results, decision = FORMS[form]
        for text in (printed(ruled(results, decision)), page(ruled(results, decision))):
            assert "Rulings of the director" in text
            assert "home minus; visitors plus" in text
            assert "open room NS +" in text.replace("−", "-")
        shown = json.loads(summary(ruled(results, decision)))
        (told,) = shown.get("rulings") or shown["events"][0]["rulings"]
        assert told["author"] == "the director"
        assert told["state"] == "in force"

    def test_texts_of_directors_are_no_markup(self, form: str) -> None:
        results, decision = FORMS[form]
        assert HOSTILE not in page(ruled(results, decision))

    def test_without_rulings_they_are_as_they_were(self, form: str) -> None:
        results, decision = FORMS[form]
        plain = replace(ruled(results, decision), counts_rulings=False)
        taken_back = ruled(results, decision, TakeBack(ruling=1))
        assert summary(plain) == summary(results) != summary(ruled(results, decision))
        assert page(plain) == page(results)
        assert printed(plain) == printed(results)
        assert "rulings" not in summary(results)
        assert "taken back by ruling 2" in printed(taken_back)

    def test_replays_say_what_was_ruled(self, form: str) -> None:
        results, decision = FORMS[form]
        (replay, *others) = replays_of_events([ruled(results, decision)])
        assert "as adjusted" in replay.outcome
        assert [row.imps for row in rows_of([replay])] == ["-3"]
        for table in replay.tables:
            (remark,) = table.remarks
            assert remark.startswith("Ruling 1 of the director: adjusted to minus for home, plus")
        assert not any(table.remarks for other in others for table in other.tables)


def test_rulings_tell_what_became_of_them() -> None:
    decisions: list[Decision] = [Pause(), Appeal(ruling=1), GoOn(), Penalty(entry=0, amount=1)]
    decisions += [Appeal(ruling=4, state=AppealState.UPHELD)]

    def states(*more: Decision) -> list[str]:
        made = tuple(rulings([*decisions, *more]))
        return [one.state for one in shown_rulings(replace(worked_event(), rulings=made))]

    kept = ["in force", "in force", "in force, appeal upheld", "in force"]
    assert states() == ["ended by ruling 3", *kept]
    decided = states(Appeal(ruling=1, state=AppealState.DISMISSED))
    assert (decided[1], decided[5]) == ("replaced by ruling 6", "in force")
    back = states(TakeBack(ruling=3), TakeBack(ruling=5))
    assert back[:2] == ["in force, appeal open", "in force"]
    assert back[3:5] == ["in force", "taken back by ruling 7"]


def test_a_round_stays_drawn_by_the_rulings_without_them() -> None:
    first = [one for one in PLAYED if one.match[0] == 1]
    penalty = ruling(1, Penalty(entry=0, amount=99), after=1)
    drawn = EventResults(SWISS, first, rulings=(penalty,))
    (_, second) = plan(SWISS, drawn.so_far)
    units = units_of([second])
    whole = replace(drawn, played=[*first, *(Played(better_seed(SWISS)(unit)) for unit in units)])
    scores = [
        {each.entry: each.score for each in board.events[0].standings.entries}
        for board in (leaderboard([whole]), leaderboard([replace(whole, counts_rulings=False)]))
    ]
    assert scores[1][0] == scores[0][0] + 99


def test_an_annulled_board_does_not_count_by_a_ruling() -> None:
    (replay, *_) = replays_of_events([ruled(worked_event(), Annul(match="1/1", board=1))])
    assert replay.outcome == "By a ruling of the director it does not count."
    figures = match_figures(ruled(worked_event(), Annul(match="1/1", board=1)))
    plain = match_figures(worked_event())
    assert figures.boards == plain.boards - 1
    assert figures.single_table_boards == plain.single_table_boards == 0


def test_a_match_that_is_forfeited_by_a_ruling_is_lost() -> None:
    figures = match_figures(ruled(worked_event(), Forfeit(match="1/1", entry=0)))
    assert figures.winner == "beta"
    assert "beta won: alpha forfeited the match, by a ruling" in printed(
        ruled(worked_event(), Forfeit(match="1/1", entry=0))
    )


def test_a_ruled_table_of_pairs_is_marked() -> None:
    pairs = event(Format.PAIRS, 4, boards=1, scoring=Scoring.MATCHPOINTS)
    records = play_out(pairs, lambda unit: record(pairs, unit, 50 * unit.match.number))
    tables: Sequence[Match] = plan(pairs, [])[0].matches
    one = next(iter(records.values()))
    decision = Adjust(match=tables[0].id, board=one.board.number, ns="60% 420, 40% -50", ew="plus")
    results = ruled(EventResults(pairs, [Played(each) for each in records.values()]), decision)
    remarks = [table.remarks for replay in replays_of_events([results]) for table in replay.tables]
    assert sum(map(len, remarks)) == 1
    assert "60% 420, 40% -50 for NS, plus for EW" in printed(results) + str(remarks)
