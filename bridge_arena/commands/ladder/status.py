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
        for alert in store.alerts():
            print(f"since {alert.since[:16].replace('T', ' ')} UTC: {alert.text}")
        print_leaderboard(store)
        made = store.last_backup()
        print("no backup yet" if made is None else f"last backup: {made:%Y-%m-%d %H:%M} UTC")


def print_leaderboard(store: LadderStore, subject: str = "") -> None:
    """Print the leaderboard of a ladder. Raises StoreError.

    Args:
        store: The store of the ladder.
        subject: The player whose rating it is played for. What is printed instead of the ordinary
            intervals, which do not hold when play ends by them, is its margin against the anchor.
    """
    from bridge_arena.base.wording import one_line, plural
    from bridge_arena.commands.common.console import output_console
    from bridge_arena.reports.common.columns import fitting, terminal_table
    from bridge_arena.tournaments.ladder.leaderboard import leaderboard

    board, console = leaderboard(store, subject), output_console()
    heading = f"{board.name} after {plural(board.matches, 'match', 'matches')}"
    if board.ranked:
        columns = _columns(board.anchor, with_errors=not subject)
        table = terminal_table(heading, columns, board.ranked)
        for part in fitting(table, console, 2):
            console.print(part)
    for circle in board.circles:
        print(one_line(circle.text))
    for match in board.adjourned:
        print(one_line(match.text))
    for player in board.waiting:
        print(f"{one_line(player.name)} has not come yet")
    if board.margin is not None:
        low, high = board.margin.interval
        print(
            f"{one_line(subject)}: {board.margin.mean:+.2f} IMPs a board against {board.anchor}, "
            f"from {low:+.2f} to {high:+.2f} at every look (95 %), "
            f"over {plural(board.margin.boards, 'board')}"
        )


def _columns(anchor: str, *, with_errors: bool) -> list[Column[RankedPlayer]]:
    from bridge_arena.reports.common.columns import Column

    return [
        Column("Rank", lambda row: row.rank_text, is_text=True, is_whole=True),
        Column("Player", lambda row: row.player.name, is_text=True),
        Column("Version", lambda row: row.version.identity, is_text=True),
        Column(
            f"IMPs a board against {anchor}",
            lambda row: row.rating_text(with_error=with_errors),
            short="Rating",
        ),
        Column("Boards", lambda row: row.figures.boards),
        Column("Left", lambda row: f"{row.figures.left_share:.1%}"),
        Column("State", lambda row: row.state_text, is_text=True, is_whole=True),
    ]
