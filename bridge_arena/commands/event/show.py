"""`arena event show`: how an event stands, from its store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from bridge_arena.base.wording import one_line
from bridge_arena.commands.common.errors import unusable
from bridge_arena.commands.common.options import EventName, RunPlace

if TYPE_CHECKING:
    from rich.table import Table

    from bridge_arena.bridge.record import BoardRecord
    from bridge_arena.reports.common.event_state import MatchState
    from bridge_arena.tournaments import Event

MOST_LOST = 20
"""The most boards that are shown of those on which a player was lost: the latest."""


def show(
    run: RunPlace,
    event: EventName = None,
) -> None:
    """Show how an event stands: what is played, due and done, who was lost, and the standings.

    It changes nothing, so it can be asked while the event is played, and afterwards.

    Examples:
        arena event show runs/cup
        arena event show postgresql://arena@db.example.org/cups --event Cup
    """
    from bridge_arena.commands.common.console import output_console
    from bridge_arena.commands.common.loading import open_run
    from bridge_arena.reports.common.columns import fitting, terminal_table
    from bridge_arena.reports.common.event_state import headlines, match_states
    from bridge_arena.reports.leaderboard.columns import standing_columns
    from bridge_arena.reports.leaderboard.event_figures import event_figures
    from bridge_arena.tournaments import StoreError
    from bridge_arena.tournaments.schedule.left_to_play import Remaining

    with unusable(StoreError, ValueError), closing(open_run(run, event)) as store:
        is_played = store.is_being_played()
        units = list(store.results())
        results = store.event_results(store.played(units))
        records = dict(units)
        remaining = Remaining(results.event, records, results.rulings)
        figures = event_figures(results)
    states = list(match_states(results.event, remaining, records))
    print("\n".join(headlines(results, states, is_played=is_played)))
    print()
    console = output_console()
    heading = "Standings" if remaining.is_over else "Standings so far"
    standings = figures.standings.entries
    for table, names in (
        *_progress(results.event, states),
        *_lost(list(records.values())),
        (terminal_table(heading, standing_columns(figures), standings), 2),
    ):
        for part in fitting(table, console, names):
            console.print(part)


def _progress(event: Event, states: Sequence[MatchState]) -> Iterator[tuple[Table, int]]:
    """Yield a table of the rounds, and one of the matches that are under way or due next."""
    from bridge_arena.reports.common.columns import Column, terminal_table

    rounds: dict[int, list[MatchState]] = {}
    for one in states:
        rounds.setdefault(one.match.round, []).append(one)
    meeting = "match" if event.format.is_teams else "table"
    if len(rounds) > 1:

        def count(state: str) -> Column[Sequence[MatchState]]:
            return Column(state.capitalize(), lambda of: sum(one.state == state for one in of))

        columns: list[Column[Sequence[MatchState]]] = [
            Column("Round", lambda of: of[0].match.round),
            *map(count, ("done", "under way", "due")),
            Column("Tables played", lambda of: sum(one.done for one in of)),
            Column("Tables due", lambda of: sum(one.due for one in of)),
        ]
        meetings = "Matches" if event.format.is_teams else "Tables"
        yield terminal_table(f"{meetings} by rounds", columns, rounds.values()), 1
    if len(states) == 1:
        return
    first = next((number for number, of in rounds.items() if any(one.due for one in of)), None)
    open_ = [
        one for one in states if one.state == "under way" or (one.due and one.match.round == first)
    ]
    if open_:
        by_match: list[Column[MatchState]] = [
            Column("Round", lambda one: one.match.round),
            Column(meeting.capitalize(), lambda one: one.match.number),
            Column("Entries", lambda one: " - ".join(one.names), is_text=True),
            Column("State", lambda one: one.state, is_text=True, is_whole=True),
            Column("Tables played", lambda one: one.done),
            Column("Tables due", lambda one: one.due),
        ]
        yield terminal_table("Under way and due next", by_match, open_), 3


def _lost(records: Iterable[BoardRecord]) -> Iterator[tuple[Table, int]]:
    """Yield a table of the boards on which a player was lost, if there are any."""
    from bridge_arena.reports.common.columns import Column, terminal_table

    lost = [record for record in records if not record.is_finished and record.faults]
    if not lost:
        return

    def fault(record: BoardRecord) -> str:
        last = record.faults[-1]
        return one_line(f"{last.kind}: {last.detail}")

    columns: list[Column[BoardRecord]] = [
        Column("Round", lambda record: record.round or 1),
        Column("Match", lambda record: record.table or 1),
        Column("Board", lambda record: record.board.number),
        Column("Room", lambda record: record.room, is_text=True, is_whole=True),
        Column("Entry", lambda record: record.players[record.faults[-1].seat], is_text=True),
        Column("Fault", fault, is_text=True),
        Column(
            "Board is",
            lambda record: "unfinished" if record.adjusted is None else "adjusted",
            is_text=True,
            is_whole=True,
        ),
    ]
    heading = "Boards on which a player was lost"
    if len(lost) > MOST_LOST:
        heading = f"The last {MOST_LOST} of {len(lost)} boards on which a player was lost"
    yield terminal_table(heading, columns, lost[-MOST_LOST:]), 5
