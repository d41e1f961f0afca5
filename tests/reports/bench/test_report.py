"""The page of a bench: figures of all models, and no card of any board."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bridge_arena.bridge.record import FORFEITING, Fault, FaultKind, ModelUse, RecordedThought
from bridge_arena.bridge.seats import SEATS
from bridge_arena.reports.bench.report import (
    PAGE,
    SUMMARY,
    Bench,
    bench_figures,
    render,
    summary,
    write_bench,
)
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_results import EventResults, Played
from tests.reports.leaderboard.events import event, play_event

HOSTILE = "<script>alert('1')</script>"
NAMES = ("natural", "toy", HOSTILE)


def told(played: Played) -> Played:
    """Each model tells of a question at its first call."""
    record = played.record
    use = ModelUse(2, 1, answered=True, same=True, tokens_in=90, tokens_out=10, money=0.25)
    thoughts = tuple(
        RecordedThought(seat, 0, model=use) for seat in SEATS if record.players[seat] != "natural"
    )
    return replace(played, record=replace(record, thoughts=thoughts))


@pytest.fixture(scope="module")
def results() -> EventResults:
    played_event = play_event(event(Format.GAUNTLET, *NAMES, boards=3))
    return replace(played_event, played=[told(played) for played in played_event.played])


@pytest.fixture(scope="module")
def bench(results: EventResults) -> Bench:
    return bench_figures(results)


def test_the_models_are_ranked_and_the_house_is_not_among_them(bench: Bench) -> None:
    assert bench.house == "natural"
    assert {model.name for model in bench.models} == set(NAMES[1:])
    means = [model.imps_per_board.mean or 0.0 for model in bench.models]
    assert means == sorted(means, reverse=True)
    assert [model.boards for model in bench.models] == [3, 3]


def test_no_board_is_on_the_page_or_in_the_summary(results: EventResults, bench: Bench) -> None:
    page, figures = render(bench), json.dumps(summary(bench))
    for played in results.played:
        for hand in played.board.deal.hands:
            assert str(hand) not in page
            assert str(hand) not in figures
    assert "worst" not in figures


def test_the_page_is_complete_and_shows_names_as_text(bench: Bench) -> None:
    page = render(bench)
    assert HOSTILE not in page
    assert "&lt;script&gt;" in page
    assert "http" not in page.replace("http-equiv", "")
    assert "33.3" in page or "50.0 %" in page
    assert page == render(bench)


def test_a_model_that_stopped_is_told_with_the_reason(results: EventResults) -> None:
    last = results.played[-1]
    (guilty,) = {name for name in last.record.players if name != "natural"}
    seat = SEATS[last.record.players.index(guilty)]
    why = Fault(seat, FaultKind.REFUSED, 0, "the budget of 1000 tokens")
    unfinished = replace(last.record, faults=(why,), tricks=None, score=None, cards=())
    stopped = bench_figures(
        replace(results, played=[*results.played[:-1], replace(last, record=unfinished)])
    )
    model = next(model for model in stopped.models if model.name == guilty)
    assert (model.boards, model.stopped) == (2, "refused: the budget of 1000 tokens")
    assert "stopped after 2 of 3 boards (refused: the budget of 1000 tokens)" in render(stopped)


def faulty(played: Played, kind: FaultKind) -> Played:
    """The model of a table commits a fault, which leaves the board unfinished if it forfeits."""
    record = played.record
    seat = next(seat for seat in SEATS if record.players[seat] != "natural")
    record = replace(record, faults=(Fault(seat, kind, 0),))
    if kind in FORFEITING:
        record = replace(record, tricks=None, score=None, cards=())
    return replace(played, record=record)


def test_a_model_that_stopped_at_once_is_last_and_illegal_answers_stop_none(
    results: EventResults,
) -> None:
    played = [
        faulty(each, FaultKind.REFUSED if "toy" in each.record.players else FaultKind.ILLEGAL)
        for each in results.played
    ]
    other, toy = bench_figures(replace(results, played=played)).models
    assert (toy.name, toy.boards, toy.stopped) == ("toy", 0, "refused")
    assert (other.name, other.boards, other.stopped) == (HOSTILE, 3, "")


def test_the_files_of_a_bench_are_written(bench: Bench, tmp_path: Path) -> None:
    write_bench(bench, tmp_path)
    assert (tmp_path / PAGE).read_text() == render(bench)
    found = json.loads((tmp_path / SUMMARY).read_text())
    assert (found["boards"], found["house"]) == (3, "natural")
    assert found["models"][0]["model"]["auction"]["unreadable"] == 12
    assert found["models"][0]["model"]["tokens_a_board"] == 400
