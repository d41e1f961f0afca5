"""Tests of the sums of what entries asked of language models."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from bridge_arena.bridge.record import ModelUse, RecordedThought
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.reports.common.figures import EntryFigures
from bridge_arena.reports.common.model_use import ModelFigures, model_figures
from bridge_arena.reports.common.sums import Sums
from bridge_arena.reports.common.tables import SeatedTable, planned_matches, seated_tables
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_results import EventResults
from tests.reports.leaderboard.events import event, play_event


@cache
def results() -> EventResults:
    return play_event(event(Format.MATCH, "model", "other", boards=2))


def told(**by_phase: ModelUse) -> list[SeatedTable]:
    """The tables of a match in which North tells so at its first call and card."""
    tables = seated_tables(results(), planned_matches(results()))
    found = []
    for table in tables:
        places = {"auction": 0, "play": len(table.record.calls)}
        thoughts = [
            RecordedThought(Seat.NORTH, places[phase], model=use) for phase, use in by_phase.items()
        ]
        thoughts.append(RecordedThought(Seat.NORTH, 0, "no model"))
        record = replace(table.record, thoughts=tuple(thoughts))
        found.append(replace(table, played=replace(table.played, record=record)))
    return found


def figures_of(tables: list[SeatedTable], name: str) -> ModelFigures | None:
    sums = Sums.of(tables)
    return model_figures(sums, sums.entry(name))


def figures(tables: list[SeatedTable], name: str = "model") -> ModelFigures:
    found = figures_of(tables, name)
    assert found is not None
    return found


def test_an_entry_that_asks_no_model_has_no_figures() -> None:
    assert figures_of(told(), "model") is None
    assert EntryFigures.of("model", Sums.of(told())).model is None


def test_each_entry_has_figures_of_its_own() -> None:
    """North is the home team's in the open room, and the visitors' in the closed room."""
    tables = told(auction=ModelUse(1, answered=True))
    assert [name for table in tables for name in table.names].count("model") == 8
    assert figures(tables, "model").auction.decisions == 2
    assert figures(tables, "other").auction.decisions == 2
    assert {table.names[SEATS[0]] for table in tables} == {"model", "other"}


def test_questions_to_models_are_counted_by_phase() -> None:
    bad = ModelUse(questions=5, unreadable=2, illegal=1, failed=1, answered=True, tokens_in=90)
    none = ModelUse(questions=3, failed=3, tokens_out=10, money=0.5, seconds=4.0)
    found = figures(told(auction=bad, play=none))
    auction, play = found.auction, found.play
    assert (auction.decisions, auction.retries) == (2, 8)
    assert (auction.unreadable, auction.illegal, auction.failed) == (4, 2, 2)
    assert auction.by_the_table == 0
    assert auction.bad_answers.mean == pytest.approx(0.75), "three of the four answers of each"
    assert (play.failed, play.by_the_table, play.bad_answers.n) == (6, 2, 0)


def test_figures_of_a_board_are_of_all_its_tables() -> None:
    use = ModelUse(1, answered=True, tokens_in=90, tokens_out=10, money=0.5, seconds=4.0)
    tables = [replace(table, names=("model",) * 4) for table in told(auction=use)]
    found = figures(tables)
    assert found.boards == 2
    assert (found.tokens_in, found.tokens_out, found.money) == (360, 40, 2.0)
    assert (found.tokens_a_board, found.money_a_board) == (200, 1.0)
    assert found.seconds.mean == 4.0


def test_agreement_is_of_questions_that_were_asked_twice() -> None:
    same, other = (ModelUse(1, answered=True, same=same) for same in (True, False))
    found = figures(told(auction=same, play=other))
    assert (found.same.n, found.same.mean) == (4, 0.5)
    assert figures(told(auction=ModelUse(1, answered=True))).same.n == 0
