"""Tests of the costs of each bot's cards and calls: in figures, on the page, on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from bridge_arena.bridge.record import BoardRecord, Mode
from bridge_arena.oracle.ledger import Loss, Role, TableLedger
from bridge_arena.reports.common.costs import CallCost
from bridge_arena.reports.common.values import Json, values
from bridge_arena.reports.match.figures import WORST, MatchFigures, match_figures
from bridge_arena.reports.match.report import render
from bridge_arena.reports.match.terminal import print_report
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_results import EventResults
from tests.reports.leaderboard.events import event, play_event
from tests.reports.match.matches import Given
from tests.reports.match.test_page import Reader


@pytest.fixture(scope="module")
def played() -> EventResults:
    """Two boards that nobody has valued yet."""
    return play_event(event(Format.MATCH, "alpha", "beta", boards=2))


def losing(results: EventResults, *losses: tuple[int, int]) -> EventResults:
    """The results as if, at each table, each of these cards had cost its player so many tricks."""
    valued = []
    for each in results.played:
        record, found = each.record, []
        play = replace(record, cards=()).play()
        for number, card in enumerate(record.cards):
            tricks = dict(losses).get(number)
            if tricks:
                found.append(Loss(number, play.player, Role.DEFENCE, tricks))
            play.push(card)
        valued.append(Given(record, given=TableLedger(7, tuple(found))))
    return replace(results, played=valued)


def passing_was_wrong(record: BoardRecord) -> Sequence[CallCost | None]:
    """Each call cost something, the later the more, and the first was in doubt."""
    return [
        CallCost(str(made.call), "7NT", place, 0.1 if place else 9.0, 0)
        for place, made in enumerate(record.calls)
    ]


def printed(figures: MatchFigures, folder: Path | None = None) -> str:
    text = StringIO()
    print_report(figures, Console(file=text, width=80), folder)
    return text.getvalue().partition("What cost most")[2]


def costs_of(figures: MatchFigures) -> list[Json]:
    found: list[Json] = values(figures)["costs"]
    return found


def test_each_bot_has_its_own_cards_the_worst_first(played: EventResults) -> None:
    figures = match_figures(losing(played, *((card, 1 + card % 3) for card in range(24))))
    alpha, beta = costs_of(figures)
    assert (alpha["name"], beta["name"]) == ("alpha", "beta")
    assert (alpha["calls"], beta["calls"]) == (None, None)
    total = alpha["cards"]["tricks"] + beta["cards"]["tricks"]
    assert total == sum(1 + card % 3 for card in range(24)) * len(played.played)
    for bot in (alpha, beta):
        worst = bot["cards"]["worst"]
        assert len(worst) == WORST
        assert {card["by"] for card in worst} == {bot["name"]}
        tricks = [card["tricks"] for card in worst]
        assert tricks == sorted(tricks, reverse=True)
        for card in worst:
            place = f"boards/board.html#board=board-{card['board']}&table={card['table'] + 1}"
            assert card["replay"] == f"{place}&step={card['step']}"


def test_of_equal_cards_those_of_lost_boards_come_first(played: EventResults) -> None:
    figures = match_figures(losing(played, *((card, 1) for card in range(8))))
    lost = {row.board: -row.imps for row in figures.board_results}
    assert len(set(lost.values())) == 2, "two boards with different swings"
    for bot, sign in zip(costs_of(figures), (1, -1), strict=True):
        boards = [sign * lost[card["board"]] for card in bot["cards"]["worst"]]
        assert boards == sorted(boards, reverse=True)


def test_calls_are_there_where_they_were_asked_for(played: EventResults) -> None:
    figures = match_figures(losing(played, (3, 2)), passing_was_wrong)
    for bot in costs_of(figures):
        calls = bot["calls"]
        assert calls["n"] >= len(calls["worst"]) > 0
        assert {call["by"] for call in calls["worst"]} == {bot["name"]}
        costs = [call["cost"] for call in calls["worst"]]
        assert costs == sorted(costs, reverse=True)
        assert calls["imps"] >= sum(costs)
        assert all(call["place"] > 1 for call in calls["worst"]), "a doubtful cost is not told"


def test_what_the_bots_did_not_decide_is_not_charged(played: EventResults) -> None:
    costly = losing(played, (3, 2))
    for mode, known in ((Mode.PLAY, "cards"), (Mode.BIDDING, "calls")):
        results = replace(costly, event=costly.event.model_copy(update={"mode": mode}))
        for bot in costs_of(match_figures(results, passing_was_wrong)):
            assert [key for key in ("cards", "calls") if bot[key] is not None] == [known]


def test_without_values_there_is_nothing_to_say(played: EventResults) -> None:
    figures = match_figures(replace(played, played=[Given(each.record) for each in played.played]))
    assert [bot["cards"] for bot in costs_of(figures)] == [None, None]
    assert printed(figures) == ""
    assert "What cost most" not in render(figures)


def test_the_page_links_to_the_moment(played: EventResults) -> None:
    figures = match_figures(losing(played, (3, 2), (5, 1)), passing_was_wrong)
    page = Reader(render(figures))
    links = {attributes.get("href") for _, attributes in page.tags}
    for bot in figures.costs:
        assert bot.cards
        assert bot.calls
        assert {card.replay for card in bot.cards.worst} <= links
        assert {call.replay for call in bot.calls.worst} <= links


def test_a_name_is_text(played: EventResults) -> None:
    evil = "<script>alert(1)</script>[bold]x[/bold]"
    event = played.event
    entries = (event.entries[0].model_copy(update={"name": evil}), event.entries[1])
    nobody = ("", "", "", "")
    renamed = [replace(each.record, home=evil, players=nobody) for each in played.played]
    results = replace(
        played,
        event=event.model_copy(update={"entries": entries}),
        played=[Given(each) for each in renamed],
    )
    figures = match_figures(losing(results, (3, 2), (4, 2)), passing_was_wrong)
    assert "<script>" not in render(figures)
    assert "[bold]x[/bold]" in "".join(printed(figures).split())


def test_the_terminal_tells_the_worst_and_where_all_are(played: EventResults) -> None:
    results = losing(played, (3, 2), (5, 1), (7, 1), (9, 1))
    text = printed(match_figures(results), Path("out"))
    first, second = text.split("\n")[1:3]
    assert first.startswith("alpha: ")
    assert second.startswith("beta: ")
    assert "double-dummy tricks" in first
    assert "Costliest cards" in text
    assert "Costliest calls" not in text
    assert "out/report.html lists the 10 costliest of each bot" in text
    assert "arena report RESULTS --calls adds what the calls cost." in text
    asked = printed(match_figures(results, passing_was_wrong))
    assert "IMPs beyond doubt" in asked
    assert "Costliest calls" in asked
    assert "report.html" not in asked
    assert "--calls" not in asked
    assert max(map(len, asked.splitlines())) <= 80
