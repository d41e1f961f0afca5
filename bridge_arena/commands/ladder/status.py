"""`arena ladder status`: the leaderboard of a ladder, and who is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bridge_arena.commands.ladder.orders import LadderName, LadderPlace, opened

if TYPE_CHECKING:
    from bridge_arena.reports.common.columns import Column
    from bridge_arena.tournaments.ladder.ladder_store import LadderStore
    from bridge_arena.tournaments.ladder.leaderboard import RankedPlayer


def status(run: LadderPlace, ladder: LadderName = None) -> None:
    """Show the leaderboard of a ladder, and who is there.

    It changes nothing, so it can be asked while the ladder is played, and afterwards. A rank holds
    at every look, together with all others: "2-4" has one player surely ahead.

    Examples:
        arena ladder status runs/club
    """
    with opened(run, ladder) as store:
        print(
            "the ladder is being played" if store.is_being_played() else "nobody plays the ladder"
        )
        print_leaderboard(store)


def print_leaderboard(store: LadderStore) -> None:
    """Print the leaderboard of a ladder. Raises StoreError."""
    from bridge_arena.base.wording import one_line, plural
    from bridge_arena.commands.common.console import output_console
    from bridge_arena.reports.common.columns import fitting, terminal_table
    from bridge_arena.tournaments.ladder.leaderboard import leaderboard

    board, console = leaderboard(store), output_console()
    heading = f"{board.name} after {plural(board.matches, 'match', 'matches')}"
    if board.ranked:
        table = terminal_table(heading, _columns(board.anchor), board.ranked)
        for part in fitting(table, console, 2):
            console.print(part)
    for player in board.waiting:
        print(f"{one_line(player.name)} has not come yet")


def _columns(anchor: str) -> list[Column[RankedPlayer]]:
    from bridge_arena.reports.common.columns import Column

    return [
        Column("Rank", _rank, is_text=True, is_whole=True),
        Column("Player", lambda row: row.player.name, is_text=True),
        Column("Version", lambda row: row.version.identity, is_text=True),
        Column(f"IMPs a board against {anchor}", _rating, short="Rating"),
        Column("Boards", lambda row: row.figures.boards),
        Column("Left", lambda row: f"{row.figures.left_share:.1%}"),
        Column("State", _state, is_text=True, is_whole=True),
    ]


def _rank(row: RankedPlayer) -> str:
    if row.rank is None:
        return "-"
    best, worst = row.rank
    return f"{best}" if best == worst else f"{best}-{worst}"


def _rating(row: RankedPlayer) -> str:
    rating = row.rating
    if rating is None:
        return "-"
    error = "" if rating.error is None else f" ± {rating.error:.2f}"
    return f"{rating.value:+.2f}{error}"


def _state(row: RankedPlayer) -> str:
    from bridge_arena.tournaments.ladder.players import State

    if row.player.state is not State.ACTIVE:
        return row.player.state
    return "there" if row.player.is_there else "absent"
