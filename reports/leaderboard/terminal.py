"""The leaderboard on the terminal: names are kept whole, so a table may come in parts."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bridge_arena.reports.common import rulings
from bridge_arena.reports.common.columns import fitting, terminal_table
from bridge_arena.reports.common.meetings import Meeting
from bridge_arena.reports.common.model_use import model_use_table
from bridge_arena.reports.leaderboard import columns, wording
from bridge_arena.reports.leaderboard.figures import Leaderboard

MOST_MEETINGS = 40
"""The most pairs that are shown; of more, those with the smallest p-values."""


def print_leaderboard(board: Leaderboard, console: Console) -> None:
    def show(table: Table, *, names: int = 1) -> None:
        for part in fitting(table, console, names):
            console.print(part)

    entries = board.entries
    console.print(Text(wording.title(board), style="bold"))
    console.print(Text(wording.headline(board)))
    for notice in wording.notices(board):
        console.print(Text(notice, style="yellow"))
    console.print()
    for event, label in zip(board.events, wording.labels(board), strict=True):
        heading = f"Standings of {label} ({event.event.format})"
        standing_columns = columns.standing_columns(event)
        show(terminal_table(heading, standing_columns, event.standings.entries), names=2)
        rulings.print_rulings(event.rulings, console)
    if board.has_teams:
        heading = "Ratings from two-room boards, IMPs per board"
        rated = [entry for entry in entries if entry.rating is not None]
        show(terminal_table(heading, (columns.NAME, *columns.RATING), rated))
        heading = "Two-room boards and matches"
        met = [entry for entry in entries if entry.met_teams]
        show(terminal_table(heading, (columns.NAME, *columns.TWO_ROOMS, *columns.MATCHES), met))
    if board.has_comparisons:
        heading = "Pairs and individual play: IMPs against the other tables"
        show(terminal_table(heading, (columns.NAME, *columns.COMPARED), board.compared))
    if board.has_ledger:
        heading = "Where the IMPs of a board came from"
        analysed = [entry for entry in entries if entry.ledger.boards]
        show(terminal_table(heading, (columns.NAME, *columns.LEDGER), analysed))
    if board.has_tricks:
        heading = "Tricks against double dummy, a table"
        lost = columns.LOST if board.has_ledger else ()
        show(terminal_table(heading, (columns.NAME, *columns.TRICKS, *lost), entries))
    if board.meetings:
        show(_meetings_table(board), names=2)
    if board.has_calls:
        explaining = [entry for entry in entries if entry.explanations.explained]
        if explaining:
            heading = "Promises of calls that the hand kept"
            show(terminal_table(heading, (columns.NAME, *columns.CALLS), explaining))
        _print_silent(board, console)
    show(terminal_table("Time and faults", (columns.NAME, *columns.CONDUCT), entries))
    models = model_use_table((entry.name, entry.model) for entry in entries)
    if models is not None:
        show(models)
    if how := wording.how_texts(board):
        console.print(Text("How this was run", style="bold"))
        for text in how:
            console.print(Text(text))


def _meetings_table(board: Leaderboard) -> Table:
    met = board.met
    heading = "Who met whom"
    if len(met) > MOST_MEETINGS:
        heading = f"The {MOST_MEETINGS} clearest of {len(met)} meetings"
        met = sorted(met, key=_clarity)[:MOST_MEETINGS]
    is_controlled = any(meeting.control for meeting in met)
    shown = columns.CONTROLLED_MEETINGS if is_controlled else columns.MEETINGS
    return terminal_table(heading, shown, met)


def _clarity(meeting: Meeting) -> tuple[float, float]:
    return 1.0 if meeting.p_value is None else meeting.p_value, -abs(meeting.imps)


def _print_silent(board: Leaderboard, console: Console) -> None:
    calling = [entry for entry in board.entries if entry.explanations.calls]
    silent = [entry for entry in calling if not entry.explanations.explained]
    for entry in silent:
        console.print(Text(f"{entry.name} explains nothing."))
    if silent:
        console.print()
