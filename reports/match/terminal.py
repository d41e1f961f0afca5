"""The report on the terminal: a headline, a table of the two bots, a table of boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.console import new_table
from bridge_arena.reports.common.explanations import ExplanationFigures
from bridge_arena.reports.common.wording import (
    broken_where,
    held_text,
    mean_text,
    promise_kinds,
    promises_text,
    share_text,
    signed,
)
from bridge_arena.reports.match.figures import BoardRow, BotFigures, MatchFigures, Split
from bridge_arena.reports.match.wording import (
    headline,
    mode_text,
    notices,
    occasion,
    result_text,
    sprt_text,
)

MOST_BOARDS = 40
"""Boards shown at most; of a longer match those with the biggest swings."""

_NAME_WIDTH = 28

_SHARE_WIDTH = 31


def print_report(figures: MatchFigures, console: Console) -> None:
    """Print the report; it fits a terminal of 80 columns."""
    console.print(Text(headline(figures), style="bold"))
    if occasion(figures):
        console.print(Text(occasion(figures), style="dim"))
    if mode_text(figures):
        console.print(Text(mode_text(figures)))
    if figures.sprt is not None:
        console.print(Text(sprt_text(figures)))
    for notice in notices(figures):
        console.print(Text(notice, style="yellow"))
    console.print()
    console.print(_bots_table(figures))
    if figures.has_auction:
        _print_explanations(figures, console)
    if figures.rows:
        if figures.has_play:
            console.print(_levels_table(figures))
        console.print(_boards_table(figures))
        console.print(_boards_note(figures))


def _bots_table(figures: MatchFigures) -> Table:
    table = new_table("Bots")
    table.add_column("")
    for bot in figures.bots:
        table.add_column(Text(bot.name), justify="right", max_width=_NAME_WIDTH, overflow="fold")
    columns = [
        [
            *(_trick_lines(bot) if figures.has_play else []),
            *(_ledger_lines(bot, figures) if figures.has_play and bot.ledger.boards else []),
            *_conduct_lines(bot),
        ]
        for bot in figures.bots
    ]
    for (label, first), (_, second) in zip(*columns, strict=True):
        table.add_row(label, first, second)
    return table


def _trick_lines(bot: BotFigures) -> list[tuple[str, str]]:
    return [
        ("Tricks vs DD per board, as declarer", mean_text(bot.declarer.all)),
        ("Tricks vs DD per board, as defenders", mean_text(bot.defence.all)),
    ]


def _levels_table(figures: MatchFigures) -> Table:
    table = new_table("Tricks vs DD per board, by contract level")
    table.add_column("Level", justify="right")
    columns = [
        (f"{bot.name} {role}", tricks.by_level)
        for bot in figures.bots
        for role, tricks in (("declarer", bot.declarer), ("defenders", bot.defence))
    ]
    for head, _ in columns:
        table.add_column(Text(head), justify="right", max_width=_NAME_WIDTH, overflow="fold")
    for level in range(1, 8):
        means = [by_level[level] for _, by_level in columns]
        if any(mean.n for mean in means):
            table.add_row(str(level), *(mean_text(mean) for mean in means))
    return table


def _ledger_lines(bot: BotFigures, figures: MatchFigures) -> list[tuple[str, str]]:
    ledger, own = bot.ledger, bot.ledger.own_parts
    auction = [("IMPs from the auction", signed(ledger.auction, 1))]
    return [
        *(
            (
                f"DD tricks lost: {role}",
                f"{ledger.tricks[role]} ({ledger.per_board[role].mean:.2f} a board)",
            )
            for role in Role
        ),
        *(auction if figures.has_auction else []),
        ("IMPs from the play, net", signed(ledger.play, 1)),
        ("  by own opening leads", signed(own.opening_lead, 1)),
        ("  by own declarer play", signed(own.declarer_play, 1)),
        ("  by own defence", signed(own.defence, 1)),
    ]


def _conduct_lines(bot: BotFigures) -> list[tuple[str, str]]:
    return [
        ("Time per action, mean", _milliseconds(bot.timing.mean_ms)),
        ("Time per action, 99 % within", _milliseconds(bot.timing.p99_ms)),
        ("Illegal / malformed actions", f"{bot.illegal_actions} / {bot.malformed}"),
        ("Time-outs / forfeits", f"{bot.timeouts} / {bot.forfeits}"),
    ]


def _print_explanations(figures: MatchFigures, console: Console) -> None:
    telling = [bot for bot in figures.bots if bot.explanations.explained]
    if telling:
        console.print(_explanations_table(telling))
    for bot in figures.bots:
        if bot not in telling and bot.explanations.calls:
            console.print(Text(f"{bot.name} explains nothing."))
    broken = [(bot.name, each) for bot in telling for each in bot.explanations.broken]
    if broken:
        console.print(Text("Promises broken worst", style="bold"))
    for name, each in broken:
        told = f"{each.call} promised {each.told}"
        console.print(Text(f"{name}, {broken_where(each)}: {told}; held {held_text(each)}"))
    if telling:
        console.print()


def _explanations_table(bots: Sequence[BotFigures]) -> Table:
    table = new_table("Promised points and suit lengths that the hand kept")
    table.add_column("")
    for bot in bots:
        table.add_column(Text(bot.name), justify="right", max_width=_SHARE_WIDTH, overflow="fold")
    columns = [_explanation_lines(bot.explanations) for bot in bots]
    for lines in zip(*columns, strict=True):
        table.add_row(lines[0][0], *(value for _, value in lines))
    return table


def _explanation_lines(told: ExplanationFigures) -> list[tuple[str, str]]:
    return [
        ("Calls", str(told.calls)),
        ("Explained", str(told.explained)),
        ("Alerted", str(told.alerted)),
        ("All of a call", f"{share_text(told.kept)} of {told.with_ranges}"),
        *(
            (kind.capitalize(), f"{share_text(promises.kept)} {promises_text(promises)}")
            for kind, promises in promise_kinds(told)
        ),
    ]


def _milliseconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f} ms"


def _boards_table(figures: MatchFigures) -> Table:
    rows: Sequence[BoardRow] = figures.rows
    title = "Boards"
    if len(rows) > MOST_BOARDS:
        rows = sorted(rows, key=lambda row: (-abs(row.imps), row.number))[:MOST_BOARDS]
        title = f"The {MOST_BOARDS} biggest swings of {len(figures.rows)} boards"
    causes = _causes(figures)
    table = new_table(title)
    table.add_column("Board", justify="right", no_wrap=True)
    for room in ("Open", "Closed"):
        table.add_column(room, no_wrap=True)
        table.add_column("Score", justify="right", no_wrap=True)
    for name in ("IMPs", "Total", *causes):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            str(row.number),
            result_text(row.open),
            str(row.open.score),
            result_text(row.closed),
            str(row.closed.score),
            Text(signed(row.imps), style=_colour(row.imps)),
            signed(row.cumulative),
            *(
                "-" if row.split is None else signed(cause(row.split), 1)
                for cause in causes.values()
            ),
        )
    return table


def _causes(figures: MatchFigures) -> dict[str, Callable[[Split], float]]:
    """What a swing is split into, by the column's name; nothing where there is no split,
    or only one cause."""
    if not figures.has_play or not figures.bots[0].ledger.boards:
        return {}
    auction: dict[str, Callable[[Split], float]] = {"Auct": lambda split: split.auction}
    return {
        **(auction if figures.has_auction else {}),
        "Play1": lambda split: split.first.total,
        "Play2": lambda split: split.second.total,
    }


def _boards_note(figures: MatchFigures) -> Text:
    first, second = figures.names
    note = f"Scores are North-South's. IMPs are positive for {first}, North-South in the open room."
    if causes := _causes(figures):
        auction = "the auction (Auct), " if "Auct" in causes else ""
        note += (
            f" They are the sum of {auction}what {first} lost in the play (Play1) "
            f"and what {second} lost there (Play2)."
        )
    return Text(note, style="dim")


def _colour(imps: int) -> str:
    return "green" if imps > 0 else "red" if imps < 0 else "dim"
