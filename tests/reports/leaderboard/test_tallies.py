"""A leaderboard of the tallies that a store keeps is the one of its records."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from bridge_arena.base.lazy import LazySequence
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import Fault, FaultKind, ModelUse, RecordedThought
from bridge_arena.bridge.seats import Seat
from bridge_arena.reports.common.columns import csv_text
from bridge_arena.reports.common.tallies import packed_tables, unpacked_tables
from bridge_arena.reports.leaderboard.columns import CSV
from bridge_arena.reports.leaderboard.event_figures import (
    KeptResults,
    event_figures,
    packed_figures,
    unpacked_figures,
)
from bridge_arena.reports.leaderboard.figures import leaderboard
from bridge_arena.reports.leaderboard.report import render, summary
from bridge_arena.reports.leaderboard.terminal import print_leaderboard
from bridge_arena.tournaments import STORE, Event, EventResults, GivenBoard, Played, Store, Unit
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.rulings import (
    Adjust,
    Annul,
    Decision,
    Penalty,
    TakeBack,
    Withdraw,
)
from tests.reports.leaderboard.events import event, lost, play_event, units
from tests.tournaments.ruled import rule

FORMATS = {Format.ROUND_ROBIN: 3, Format.PAIRS: 4, Format.INDIVIDUAL: 8}


@cache
def played(format_: Format) -> tuple[Event, dict[Unit, Played]]:
    results = play_event(event(format_, *"abcdefgh"[: FORMATS[format_]], seed=2))
    return results.event, dict(zip(units(results.event), results.played, strict=True))


@contextmanager
def stored(of_event: Event, tables: dict[Unit, Played]) -> Iterator[Store]:
    boards = {unit.board: GivenBoard(table.board, ()) for unit, table in tables.items()}
    with (
        TemporaryDirectory() as folder,
        closing(Store.create(Path(folder) / STORE, of_event)) as store,
    ):
        store.schedule(dict.fromkeys(unit.match for unit in tables), boards)
        for unit, table in tables.items():
            save(store, unit, table)
        yield store


def save(store: Store, unit: Unit, table: Played) -> None:
    store.save(unit, table.record)
    if table.values is not None:
        store.save_analysis(unit.id, table.values)


def forms(*results: EventResults) -> dict[str, Any]:
    """All forms of a leaderboard."""
    board = leaderboard(results)
    terminal = StringIO()
    print_leaderboard(board, Console(file=terminal, width=80))
    return {
        "summary": summary(board),
        "csv": csv_text(CSV, board.entries),
        "page": render(board),
        "terminal": terminal.getvalue(),
    }


USE = ModelUse(2, unreadable=1, answered=True, tokens_in=100, money=0.001, seconds=0.7)
CHANGES = st.sampled_from(["none", "none", "fault", "lost", "adjusted", "times", "model", "values"])


def changed(of_event: Event, unit: Unit, table: Played, change: str) -> Played:
    record = table.record
    faults = (Fault(Seat.NORTH, FaultKind.UNDO, 0), Fault(Seat.EAST, FaultKind.TIMEOUT, 1, "slow"))
    thoughts = (RecordedThought(Seat.SOUTH, 1, model=USE),)
    changes = {
        "none": table,
        "fault": Played(replace(record, faults=faults), table.values),
        "lost": lost(of_event, unit, "W", adjusted=False),
        "adjusted": lost(of_event, unit, "S"),
        "times": Played(replace(record, times=((0.1, 0.2), (), (12.5,), (7.0,))), table.values),
        "model": Played(replace(record, thoughts=thoughts), table.values),
        "values": Played(record),
    }
    return changes[change]


def keep(store: Store, tables: dict[str, Played]) -> None:
    """Keep the tallies of tables, as a leaderboard does."""
    deletions, kept = store.tallies()
    store.keep_tallies(deletions, len(kept), packed_tables(tables, numbers_of(store)))


def numbers_of(store: Store) -> dict[Board, int]:
    return {given.board: number for number, given in store.boards().items()}


def kept_tables(store: Store) -> dict[str, Played]:
    boards = {number: board for board, number in numbers_of(store).items()}
    tables = unpacked_tables(store.tallies()[1], boards, store.table)
    return {table.unit: table for table in tables}


def with_sums(store: Store, results: EventResults) -> KeptResults:
    """Results, all tables of which have a tally, with the figures that the store then keeps."""
    deletions, kept = store.tallies()
    store.keep_sums(deletions, packed_figures(event_figures(results)))
    columns = store.sums(deletions)
    assert columns is not None
    figures = unpacked_figures(columns, results, kept)
    assert figures is not None
    return KeptResults.of(results, figures)


def untallied(store: Store) -> list[str]:
    return [unit for unit in store.units() if unit not in kept_tables(store)]


DECISIONS: tuple[Decision, ...] = (
    Adjust(match="1/1", board=1, ns="minus", ew="plus"),
    Annul(match="1/1", board=2),
    Penalty(entry=0, amount=1.5),
    Withdraw(entry=1, round=2),
    TakeBack(ruling=1),
)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.sampled_from(list(FORMATS)), st.data())
def test_kept_tallies_give_the_figures_of_the_records(format_: Format, data: st.DataObject) -> None:
    """Whatever is played, dropped and played otherwise, and in how many parts it was kept."""
    of_event, tables = played(format_)
    with stored(of_event, tables) as store:
        keep(store, {unit.id: table for unit, table in tables.items()})
        for unit, table in tables.items():
            change = data.draw(CHANGES)
            if change != "none":
                store.drop([unit.id])
                save(store, unit, changed(of_event, unit, table, change))
        for decision in data.draw(st.lists(st.sampled_from(DECISIONS), max_size=2)):
            if not isinstance(decision, TakeBack) or store.count_rulings():
                rule(store, decision)
        anew = store.event_results()
        in_store = dict(zip((unit for unit, _ in store.results()), anew.played, strict=True))
        while left := untallied(store):
            some = data.draw(st.sets(st.sampled_from(left), min_size=(len(left) + 1) // 2))
            keep(store, {unit: in_store[unit] for unit in left if unit in some})
        with_tallies = kept_tables(store)
        # With values that are not known, they are not kept: here they are.
        kept = with_sums(store, store.event_results([with_tallies[unit] for unit in in_store]))
        assert forms(kept) == forms(anew)
        if anew.rulings:
            unruled = [replace(one, counts_rulings=False) for one in (kept, anew)]
            assert forms(unruled[0]) == forms(unruled[1])
        other = of_event.model_copy(update={"name": "Other"})
        both = [replace(results, event=other) for results in (anew, kept)]
        assert forms(kept, both[1]) == forms(anew, both[0])


def test_a_leaderboard_reads_no_records_that_have_a_tally() -> None:
    of_event, tables = played(Format.ROUND_ROBIN)
    with stored(of_event, tables) as store:
        keep(store, {unit.id: table for unit, table in tables.items()})
        results = store.event_results(list(kept_tables(store).values()))
        board = leaderboard([results])
        print_leaderboard(board, Console(file=StringIO()))
        assert len(results.played) == len(tables)
        assert not any("_table" in vars(each) for each in results.played)
        # With sums, not even the tables are made.
        known = with_sums(store, results)
        tables_read = replace(known, played=LazySequence(pytest.fail))
        assert leaderboard([tables_read]).entries == board.entries
        # The page shows the worst promises, of which there are few.
        render(board)
        read = sum("_table" in vars(each) for each in results.played)
        assert 0 < read <= sum(len(entry.explanations.worst) for entry in board.entries)


def test_the_order_of_tables_means_nothing() -> None:
    of_event, tables = played(Format.ROUND_ROBIN)
    in_order = list(tables.values())
    boards = [leaderboard([EventResults(of_event, own)]) for own in (in_order, in_order[::-1])]
    assert boards[0] == boards[1]
    assert boards[0].events[0].matches == boards[1].events[0].matches
    worst, same = (
        [broken.record for entry in board.entries for broken in entry.explanations.worst]
        for board in boards
    )
    assert worst == same != []


def test_sums_are_those_of_the_records_and_tallies_that_there_are() -> None:
    of_event, tables = played(Format.ROUND_ROBIN)
    first, *others = tables
    with stored(of_event, {unit: tables[unit] for unit in others}) as store:
        keep(store, {unit.id: tables[unit] for unit in others})
        results = store.event_results(list(kept_tables(store).values()))
        with_sums(store, results)
        columns = store.sums(0)
        assert columns is not None
        rule(store, DECISIONS[0])
        ruled, kept = store.event_results(results.played), store.tallies()[1]
        assert unpacked_figures(columns, ruled, kept) is None
        assert unpacked_figures({**columns, "form": 0}, results, kept) is None
        assert unpacked_figures(columns, results, []) is None
        save(store, first, tables[first])
        assert store.sums(0) is None
        store.delete_tallies()
        store.keep_sums(0, packed_figures(event_figures(results)))
        store.drop([first.id])
        assert [store.sums(deletions) for deletions in range(3)] == [None] * 3


def test_tallies_of_records_that_were_deleted_since_are_not_kept() -> None:
    of_event, tables = played(Format.ROUND_ROBIN)
    first = next(iter(tables))
    with stored(of_event, tables) as store:
        columns = packed_tables({u.id: table for u, table in tables.items()}, numbers_of(store))
        store.drop([first.id])
        save(store, first, lost(of_event, first, "N"))
        store.keep_tallies(0, 0, columns)
        assert set(untallied(store)) == {unit.id for unit in tables}


def test_tallies_that_another_process_has_kept_are_kept_once() -> None:
    of_event, tables = played(Format.ROUND_ROBIN)
    with stored(of_event, tables) as store:
        columns = packed_tables({u.id: table for u, table in tables.items()}, numbers_of(store))
        for _ in range(2):
            store.keep_tallies(0, 0, columns)
        assert len(store.tallies()[1]) == 1


def test_a_record_that_is_not_that_of_its_tally_is_an_error() -> None:
    of_event, tables = played(Format.ROUND_ROBIN)
    one, other = list(tables)[:2]
    with stored(of_event, tables) as store:
        keep(store, {one.id: tables[other]})
        table = kept_tables(store)[one.id]
        with pytest.raises(ValueError, match=r"--anew .* 1/1/1/open is not of its record"):
            assert table.record


def test_the_split_of_all_boards_is_that_of_each() -> None:
    of_event, tables = played(Format.ROUND_ROBIN)
    board = leaderboard([EventResults(of_event, list(tables.values()))])
    (figures,) = board.events
    sums = figures.sums
    each = [team for match in figures.matches for team in match.boards if team.split is not None]
    assert len(each) == len(sums.split.deals) > 0
    for team, auction, parts in zip(each, sums.split.auction, sums.split.parts, strict=True):
        assert team.split is not None
        assert team.split.auction == auction
        assert [*team.split.first.values()] == parts[0].tolist()
        assert [*team.split.second.values()] == parts[1].tolist()
