"""`arena ladder status`: the leaderboard of a ladder, and who is there."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from bridge_arena.commands.common.errors import unusable
from bridge_arena.commands.common.options import Json, print_json
from bridge_arena.commands.ladder.audit import audit_text
from bridge_arena.commands.ladder.orders import LadderName, OrderPlace, opened
from bridge_arena.commands.ladder.status_values import status_values

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console

    from bridge_arena.reports.common.columns import Column
    from bridge_arena.tournaments.ladder.leaderboard import RankedPlayer
    from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore

LATEST_TESTS = 5
"""The tests that are shown beside a leaderboard: those that were asked for last."""


def status(
    run: OrderPlace,
    *,
    as_json: Json = False,
    ladder: LadderName = None,
) -> None:
    """Show the leaderboard of a ladder, and who is there.

    It changes nothing, so it can be asked while the ladder is played, and afterwards. A rank holds
    at every look, together with all others: "2-4" has one player surely ahead.

    Examples:
        arena ladder status runs/club
        arena ladder status runs/club --json
    """
    from bridge_arena.commands.common.console import output_console
    from bridge_arena.commands.ladder.from_afar import is_afar, send
    from bridge_arena.tournaments.ladder.orders import ShowStatus

    console = output_console()
    if is_afar(run):
        text = send(run, ShowStatus(width=min(max(console.width, 40), 400), as_json=as_json))
        if as_json:
            with unusable(ValueError):
                print_json(json.loads(text))
        else:
            print(text)
        return
    with opened(run, ladder) as store:
        if as_json:
            print_json(status_values(store))
        else:
            print_status(store, console)


def print_status(store: LadderStore, console: Console) -> None:
    """Print where a ladder stands. Raises StoreError and OSError."""
    from bridge_arena.base.wording import one_line

    is_played, say = store.is_being_played(), partial(print, file=console.file)
    say("the ladder is being played" if is_played else "nobody plays the ladder")
    for alert in store.alerts.in_force():
        say(f"since {alert.since[:16].replace('T', ' ')} UTC: {alert.text}")
    for request in store.registration.waiting():
        say(one_line(request.text))
    print_leaderboard(store, console)
    made = store.last_backup()
    say(audit_text(store))
    say("no backup yet" if made is None else f"last backup: {made:%Y-%m-%d %H:%M} UTC")


def print_leaderboard(store: LadderStore, console: Console, subject: str = "") -> None:
    """Print the leaderboard of a ladder. Raises StoreError.

    Args:
        store: The store of the ladder.
        console: Where to print it.
        subject: The player whose rating it is played for. What is printed instead of the ordinary
            intervals, which do not hold when play ends by them, is its margin against the anchor.
    """
    from bridge_arena.base.wording import one_line, plural
    from bridge_arena.reports.common.columns import fitting, terminal_table
    from bridge_arena.tournaments.ladder.leaderboard import leaderboard

    board, say = leaderboard(store, subject), partial(print, file=console.file)
    heading = f"{board.name} after {plural(board.matches, 'match', 'matches')}"
    if board.ranked:
        columns = _columns(board.anchor, with_errors=not subject)
        tables = [terminal_table(heading, columns, board.ranked)]
        own = [row for row in board.ranked if not subject or row.player.name == subject]
        if any(row.causes for row in own):
            title = f"Where the ratings come from: IMPs a board against {board.anchor}"
            tables.append(terminal_table(title, _cause_columns(), own))
        if not subject and len(board.weeks) > 1:
            title = "IMPs a board beyond what was expected, lately and by week"
            tables.append(terminal_table(title, _form_columns(board.weeks), own))
        for table in tables:
            for part in fitting(table, console, 2):
                console.print(part)
    for circle in board.circles:
        say(one_line(circle.text))
    for match in board.adjourned:
        say(one_line(match.text))
    for test in board.tests[-LATEST_TESTS:]:
        console.out(one_line(test.text))
    for player in board.waiting:
        say(f"{one_line(player.name)} has not come yet")
    if board.margin is not None and board.margin.boards:
        low, high = board.margin.interval
        say(
            f"{one_line(subject)}: {board.margin.mean:+z.2f} IMPs a board against {board.anchor}, "
            f"from {low:+z.2f} to {high:+z.2f} at every look (95 %), "
            f"over {plural(board.margin.boards, 'board')}"
        )
    elif subject:
        troubles = [alert.text for alert in store.alerts.in_force() if alert.subject == subject]
        why = troubles or ["none of their matches is over: give it more time by --for"]
        say(one_line(f"{subject} has played no board against {board.anchor}: {why[0]}"))


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


def _cause_columns() -> list[Column[RankedPlayer]]:
    from bridge_arena.reports.common.columns import Column

    def by_cause(cause: str) -> Callable[[RankedPlayer], str]:
        return lambda row: "-" if row.causes is None else f"{row.causes[cause]:+z.2f}"

    headings = {
        "auction": "Auction",
        "opening_lead": "Lead",
        "declarer_play": "Declarer",
        "defence": "Defence",
    }
    return [
        Column("Player", lambda row: row.player.name, is_text=True),
        *(Column(heading, by_cause(cause)) for cause, heading in headings.items()),
    ]


def _form_columns(weeks: Sequence[str]) -> list[Column[RankedPlayer]]:
    from bridge_arena.reports.common.columns import Column
    from bridge_arena.tournaments.ladder.strength.weeks import Performance

    def in_week(week: str) -> Callable[[RankedPlayer], str]:
        return lambda row: row.history.weeks.get(week, Performance()).gain_text.split(" ")[0]

    return [
        Column("Player", lambda row: row.player.name, is_text=True),
        Column("Form", lambda row: row.history.form.gain_text),
        *(Column(week, in_week(week), short=week[5:]) for week in reversed(weeks)),
    ]
