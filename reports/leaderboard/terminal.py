"""The leaderboard on the terminal: names are kept whole, so a table may come in parts."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.console import new_table
from bridge_arena.reports.common.explanations import SUIT_KEYS, Promises
from bridge_arena.reports.common.meetings import Meeting
from bridge_arena.reports.common.model_console import model_use_table
from bridge_arena.reports.common.wording import mean_text, milliseconds_text, share_text, signed
from bridge_arena.reports.leaderboard.figures import EventFigures, Leaderboard
from bridge_arena.reports.leaderboard.fitting import fitting
from bridge_arena.reports.leaderboard.wording import (
    ahead_text,
    headline,
    interval_text,
    matches_text,
    meeting_p_text,
    notices,
    points_text,
    rating_text,
    title,
)
from bridge_arena.tournaments.statistics.means import Mean

MOST_MEETINGS = 40
"""The most pairs that are shown; of more, those with the smallest p-values."""


def print_leaderboard(board: Leaderboard, console: Console) -> None:
    """Print the leaderboard."""
    console.print(Text(title(board), style="bold"))
    console.print(Text(headline(board)))
    for notice in notices(board):
        console.print(Text(notice, style="yellow"))
    console.print()
    for event in board.events:
        _print(_standings_table(event), console, names=2)
    if board.has_teams:
        _print(_ratings_table(board), console)
        _print(_matches_table(board), console)
    if board.has_comparisons:
        _print(_comparisons_table(board), console)
    if board.has_ledger:
        _print(_ledger_table(board), console)
    if board.has_tricks:
        _print(_tricks_table(board), console)
    if board.meetings:
        _print(_meetings_table(board), console, names=2)
    if board.has_calls:
        _print_explanations(board, console)
    _print(_conduct_table(board), console)
    models = model_use_table(board.entries)
    if models is not None:
        _print(models, console)


def _print(table: Table, console: Console, *, names: int = 1) -> None:
    for part in fitting(table, console, names):
        console.print(part)


def _standings_table(figures: EventFigures) -> Table:
    event, unit = figures.event, figures.standings.unit
    table = _named_table(f"Standings of {event.name} ({event.format})", "Entry", rank=True)
    has_byes = any(standing.byes for standing in figures.standings.entries)
    for head in (
        unit,
        *(("Matches", "Won", "Drawn") if event.format.is_teams else ()),
        *(("Byes",) if has_byes else ()),
        "Boards",
        "IMPs",
    ):
        table.add_column(head, justify="right", no_wrap=True)
    for standing in figures.standings.entries:
        matches = (str(standing.matches), str(standing.won), str(standing.drawn))
        withdrawn = " (withdrawn)" if standing.withdrawn else ""
        table.add_row(
            str(standing.rank),
            Text(event.entries[standing.entry].name + withdrawn),
            f"{standing.score:.2f}",
            *(matches if event.format.is_teams else ()),
            *((str(standing.byes),) if has_byes else ()),
            str(standing.boards),
            signed(standing.imps, 0 if event.format.is_teams else 2),
        )
    return table


def _ratings_table(board: Leaderboard) -> Table:
    table = _named_table("Ratings from two-room boards, IMPs per board", "Entry")
    for head in ("Rating", "95 % interval", "Ahead of the next"):
        table.add_column(head, justify="right", no_wrap=True)
    for entry in board.entries:
        if entry.rating is not None:
            table.add_row(
                Text(entry.name),
                rating_text(entry.rating),
                interval_text(entry.rating),
                ahead_text(entry.rating),
            )
    return table


def _matches_table(board: Leaderboard) -> Table:
    table = _named_table("Two-room boards and matches", "Entry")
    for head in ("IMPs/board", "Boards", "VPs/match", "W-D-L"):
        table.add_column(head, justify="right", no_wrap=True)
    for entry in board.entries:
        if entry.imps_per_board.n or entry.matches.over:
            table.add_row(
                Text(entry.name),
                mean_text(entry.imps_per_board),
                str(entry.imps_per_board.n),
                points_text(entry.victory_points),
                matches_text(entry),
            )
    return table


def _comparisons_table(board: Leaderboard) -> Table:
    table = _named_table("Pairs and individual play: IMPs against the other tables", "Entry")
    for head in ("IMPs/comparison", "Tables"):
        table.add_column(head, justify="right", no_wrap=True)
    for entry in board.compared:
        table.add_row(Text(entry.name), mean_text(entry.cross_imps), str(entry.cross_imps.n))
    return table


def _ledger_table(board: Leaderboard) -> Table:
    table = _named_table("Where the IMPs of a board came from", "Entry")
    for head in ("Auction", "Lead", "Declarer", "Defence", "Opponents'", "Sum", "Boards"):
        table.add_column(head, justify="right", no_wrap=True)
    for entry in board.entries:
        imps = entry.ledger.imps_per_board
        if entry.ledger.boards:
            table.add_row(
                Text(entry.name),
                _signed(imps.auction),
                *(_signed(imps.own[role]) for role in Role),
                signed(sum(imps.opponents[role].mean or 0.0 for role in Role), 2),
                _signed(imps.all),
                str(entry.ledger.boards),
            )
    return table


def _tricks_table(board: Leaderboard) -> Table:
    table = _named_table("Tricks against double dummy, a table", "Entry")
    for head in ("As declarer", "As defenders"):
        table.add_column(head, justify="right", no_wrap=True)
    if board.has_ledger:
        for head in ("Lost by lead", "declarer", "defence"):
            table.add_column(head, justify="right", no_wrap=True)
    for entry in board.entries:
        lost = entry.ledger.tricks_lost_per_board.values() if board.has_ledger else ()
        table.add_row(
            Text(entry.name),
            mean_text(entry.tricks_vs_dd.declarer),
            mean_text(entry.tricks_vs_dd.defence),
            *(mean_text(mean).lstrip("+") for mean in lost),
        )
    return table


def _meetings_table(board: Leaderboard) -> Table:
    met = board.met
    heading = "Who met whom"
    if len(met) > MOST_MEETINGS:
        heading = f"The {MOST_MEETINGS} clearest of {len(met)} meetings"
        met = sorted(met, key=_clarity)[:MOST_MEETINGS]
    table = _named_table(heading, "Entry")
    table.add_column("against", overflow="fold")
    is_controlled = any(meeting.control for meeting in met)
    for head in ("IMPs/board", *["Controlled"] * is_controlled, "Boards", "Chance"):
        table.add_column(head, justify="right", no_wrap=True)
    for meeting in met:
        control = meeting.control
        estimate = "-" if control is None else mean_text(control.imps_per_board)
        table.add_row(
            Text(meeting.first),
            Text(meeting.second),
            mean_text(meeting.imps_per_board),
            *[estimate] * is_controlled,
            str(meeting.imps_per_board.n),
            meeting_p_text(meeting),
        )
    return table


def _clarity(meeting: Meeting) -> tuple[float, float]:
    return 1.0 if meeting.p_value is None else meeting.p_value, -abs(meeting.imps)


def _print_explanations(board: Leaderboard, console: Console) -> None:
    if board.has_explanations:
        _print(_explanations_table(board), console)
    silent = [entry for entry in board.entries if entry.explanations.calls]
    silent = [entry for entry in silent if not entry.explanations.explained]
    for entry in silent:
        console.print(Text(f"{entry.name} explains nothing."))
    if silent:
        console.print()


def _explanations_table(board: Leaderboard) -> Table:
    table = _named_table("Promises of calls that the hand kept", "Entry")
    for head in ("Calls", "Ranges", "Alerts", "All", "Points", "S", "H", "D", "C"):
        table.add_column(head, justify="right", no_wrap=True)
    for entry in board.entries:
        told = entry.explanations
        if told.explained:
            table.add_row(
                Text(entry.name),
                str(told.calls),
                str(told.with_ranges),
                str(told.alerted),
                share_text(told.kept),
                share_text(told.hcp.kept),
                *(_per_cent(getattr(told, suit)) for suit in SUIT_KEYS.values()),
            )
    return table


def _per_cent(promises: Promises) -> str:
    share = promises.kept.mean
    return "-" if share is None else f"{100 * share:.0f}"


def _conduct_table(board: Leaderboard) -> Table:
    table = _named_table("Time and faults", "Entry")
    heads = ("An action", "99 % within", "A board", "Late", "Refused", "Lost", "Adjusted")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    for entry in board.entries:
        times, conduct = entry.timing, entry.conduct
        table.add_row(
            Text(entry.name),
            milliseconds_text(times.mean_ms),
            milliseconds_text(times.p99_ms),
            milliseconds_text(times.table_ms),
            str(conduct.timeouts),
            str(conduct.illegal_actions + conduct.malformed),
            str(conduct.lost_players),
            str(conduct.lost_boards),
        )
    return table


def _named_table(heading: str, name: str, *, rank: bool = False) -> Table:
    table = new_table(heading)
    if rank:
        table.add_column("#", justify="right", no_wrap=True)
    table.add_column(name, overflow="fold")
    return table


def _signed(mean: Mean) -> str:
    return "-" if mean.mean is None else signed(mean.mean, 2)
