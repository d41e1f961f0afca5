"""The match report on the terminal.

It has a verdict, a table of the two bots, a table of the boards, what cost each bot most, and how
the match was run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import fsum
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common import rulings
from bridge_arena.reports.common.columns import Column, terminal_table
from bridge_arena.reports.common.explanations import ExplanationFigures
from bridge_arena.reports.common.figures import EntryFigures, MeanByLevel
from bridge_arena.reports.common.model_use import model_use_table
from bridge_arena.reports.common.wording import (
    broken_where,
    held_text,
    mean_text,
    milliseconds_text,
    promises_text,
    rate_text,
    share_text,
    signed,
    total_text,
)
from bridge_arena.reports.match import wording
from bridge_arena.reports.match.figures import WORST, BoardRow, MatchFigures
from bridge_arena.reports.match.report import REPORT
from bridge_arena.tournaments import Split
from bridge_arena.tournaments.statistics.means import Mean

MOST_BOARDS = 40
"""The most boards that are shown; of a longer match these are the biggest swings."""

COSTLIEST = 3
"""The most cards, and the most calls, that are shown of each bot."""

_NAME_WIDTH = 28

_SHARE_WIDTH = 31

_Line = tuple[str, str]
"""What is told of each bot: the label, and the text of one."""

_PLACE: tuple[Column[Any], ...] = (
    Column("Bot", lambda row: row.by, is_text=True, width=_NAME_WIDTH),
    Column("Board", lambda row: row.board),
    Column("Room", lambda row: row.room, is_text=True),
)

_CARDS: tuple[Column[Any], ...] = (
    *_PLACE,
    Column("Hand", lambda row: row.seat, is_text=True),
    Column("Trick", lambda row: row.trick, is_text=True),
    Column("Card", lambda row: row.card, is_text=True),
    Column("Tricks lost", lambda row: row.tricks),
)

_CALLS: tuple[Column[Any], ...] = (
    *_PLACE,
    Column("Seat", lambda row: row.seat, is_text=True),
    Column("Call", lambda row: row.call, is_text=True),
    Column("Better", lambda row: row.best, is_text=True),
    Column(
        "IMPs lost on average",
        lambda row: row,
        lambda call: f"{call.cost:.1f} ± {call.standard_error:.1f}",
    ),
)

_PARTS = {
    Role.OPENING_LEAD: "opening leads",
    Role.DECLARER_PLAY: "declarer play",
    Role.DEFENCE: "defence",
}


def print_report(figures: MatchFigures, console: Console, folder: Path | None = None) -> None:
    """Print the report; it fits a terminal of 80 columns. The page of the report is in `folder`."""
    for text, style in (
        (wording.verdict(figures), "bold"),
        (wording.score_text(figures), ""),
        (wording.occasion(figures), "dim"),
        (wording.mode_text(figures), ""),
        (wording.sprt_text(figures), ""),
        (wording.control_text(figures), ""),
        (wording.source_text(figures), ""),
        *((notice, "yellow") for notice in wording.notices(figures)),
    ):
        if text:
            console.print(Text(text, style=style))
    console.print()
    console.print(_bots_table(figures))
    models = model_use_table((bot.name, bot.model) for bot in figures.bots)
    if models is not None:
        console.print(models)
    if figures.has_auction:
        _print_explanations(figures, console)
    if figures.board_results:
        if figures.has_play:
            console.print(_levels_table(figures))
        console.print(_boards_table(figures))
        console.print(_boards_note(figures))
    rulings.print_rulings(figures.rulings, console)
    if figures.has_costs:
        _print_costs(figures, console, folder)
    if how := wording.how_texts(figures):
        console.print()
        console.print(Text("How this was run", style="bold"))
        for text in how:
            console.print(Text(text))


def _bots_table(figures: MatchFigures) -> Table:
    lines = [
        [
            *(_trick_lines(bot) if figures.has_play else []),
            *(_ledger_lines(bot, figures) if figures.has_play and figures.analysed else []),
            *_conduct_lines(bot),
        ]
        for bot in figures.bots
    ]
    return _beside("Bots", figures.bots, lines, _NAME_WIDTH)


def _beside(
    title: str, bots: Sequence[EntryFigures], lines: Iterable[Sequence[_Line]], width: int
) -> Table:
    """Return a table with a column for each bot; all bots have the same lines."""

    def text_of(place: int) -> Callable[[Sequence[_Line]], str]:
        return lambda row: row[place][1]

    columns: list[Column[Sequence[_Line]]] = [
        Column("", lambda row: row[0][0], is_text=True),
        *(Column(bot.name, text_of(place), width=width) for place, bot in enumerate(bots)),
    ]
    return terminal_table(title, columns, zip(*lines, strict=True))


def _trick_lines(bot: EntryFigures) -> list[_Line]:
    return [
        ("Tricks vs DD per table, as declarer", mean_text(bot.tricks_vs_dd.declarer)),
        ("Tricks vs DD per table, as defenders", mean_text(bot.tricks_vs_dd.defence)),
    ]


def _levels_table(figures: MatchFigures) -> Table:
    def mean_of(means: MeanByLevel) -> Callable[[int], Mean]:
        return lambda level: means.by_level[level]

    kinds = [
        (f"{bot.name} {role}", means)
        for bot in figures.bots
        for role, means in (
            ("declarer", bot.tricks_vs_dd.declarer),
            ("defenders", bot.tricks_vs_dd.defence),
        )
    ]
    columns: list[Column[int]] = [
        Column("Level", lambda level: level),
        *(Column(head, mean_of(means), mean_text, width=_NAME_WIDTH) for head, means in kinds),
    ]
    played = [level for level in range(1, 8) if any(means.by_level[level].n for _, means in kinds)]
    return terminal_table("Tricks vs DD per table, by contract level", columns, played)


def _ledger_lines(bot: EntryFigures, figures: MatchFigures) -> list[_Line]:
    lost, imps = bot.ledger.tricks_lost_per_board, bot.ledger.imps_per_board
    auction = [("IMPs from the auction", total_text(imps.auction))]
    return [
        *(
            (f"DD tricks lost: {role}", f"{lost[role].total or 0:.0f} ({rate_text(lost[role])})")
            for role in Role
        ),
        *(auction if figures.has_auction else []),
        ("IMPs from the play, net", signed(imps.net_play, 1)),
        *((f"  by own {_PARTS[role]}", total_text(imps.own[role])) for role in Role),
    ]


def _conduct_lines(bot: EntryFigures) -> list[_Line]:
    timing, conduct = bot.timing, bot.conduct
    return [
        ("Time per action, mean", milliseconds_text(timing.mean_ms)),
        ("Time per action, 99 % within", milliseconds_text(timing.p99_ms)),
        ("Illegal / malformed actions", f"{conduct.illegal_actions} / {conduct.malformed}"),
        ("Time-outs / players lost", f"{conduct.timeouts} / {conduct.lost_players}"),
    ]


def _print_explanations(figures: MatchFigures, console: Console) -> None:
    telling = [bot for bot in figures.bots if bot.explanations.explained]
    if telling:
        title = "Promised points and suit lengths that the hand kept"
        lines = [_explanation_lines(bot.explanations) for bot in telling]
        console.print(_beside(title, telling, lines, _SHARE_WIDTH))
    for bot in figures.bots:
        if bot not in telling and bot.explanations.calls:
            console.print(Text(f"{bot.name} explains nothing."))
    worst = [(bot.name, broken) for bot in telling for broken in bot.explanations.worst]
    if worst:
        console.print(Text("Promises broken worst", style="bold"))
    for name, broken in worst:
        promise = f"{broken.call} promised {broken.promised}"
        console.print(Text(f"{name}, {broken_where(broken)}: {promise}; held {held_text(broken)}"))
    if telling:
        console.print()


def _explanation_lines(figures: ExplanationFigures) -> list[_Line]:
    return [
        ("Calls", str(figures.calls)),
        ("Explained", str(figures.explained)),
        ("Alerted", str(figures.alerted)),
        ("All of a call", f"{share_text(figures.kept)} of {figures.with_ranges}"),
        *(
            (kind.capitalize(), f"{share_text(promises.kept)} {promises_text(promises)}")
            for kind, promises in figures.kinds.items()
        ),
    ]


def _boards_table(figures: MatchFigures) -> Table:
    rows = figures.biggest_swings(MOST_BOARDS)
    title = "Boards"
    if len(rows) < len(figures.board_results):
        title = f"The {len(rows)} biggest swings of {len(figures.board_results)} boards"
    return terminal_table(title, _board_columns(figures), rows)


def _board_columns(figures: MatchFigures) -> list[Column[BoardRow]]:
    def part(cause: Callable[[Split], float]) -> Callable[[Split | None], str]:
        return lambda split: "-" if split is None else signed(cause(split), 1)

    return [
        Column("No.", lambda row: row.board),
        Column("Open", lambda row: row.open, wording.result_text, is_text=True, is_whole=True),
        Column("Score", lambda row: row.open.score),
        Column("Closed", lambda row: row.closed, wording.result_text, is_text=True, is_whole=True),
        Column("Score", lambda row: row.closed.score),
        Column("IMPs", lambda row: row.imps, signed, is_coloured=True),
        Column("Total", lambda row: row.cumulative, signed),
        *(
            Column(name, lambda row: row.split, part(cause))
            for name, cause in _causes(figures).items()
        ),
    ]


def _causes(figures: MatchFigures) -> dict[str, Callable[[Split], float]]:
    """Return the parts of a swing by column name; none if there is no split, or only one part."""
    if not figures.has_play or not figures.analysed:
        return {}
    auction: dict[str, Callable[[Split], float]] = {"Auction": lambda split: split.auction}
    return {
        **(auction if figures.has_auction else {}),
        "Play\n1st": lambda split: fsum(split.first.values()),
        "Play\n2nd": lambda split: fsum(split.second.values()),
    }


def _boards_note(figures: MatchFigures) -> Text:
    first, second = figures.names
    note = f"Scores are North-South's. IMPs are positive for {first}, North-South in the open room."
    if causes := _causes(figures):
        auction = "the auction, " if "Auction" in causes else ""
        note += (
            f" They are the sum of {auction}what {first} lost in the play (Play 1st) "
            f"and what {second} lost there (Play 2nd)."
        )
    return Text(note, style="dim")


def _print_costs(figures: MatchFigures, console: Console, folder: Path | None) -> None:
    console.print()
    console.print(Text("What cost most", style="bold"))
    for costs in figures.costs:
        console.print(Text(f"{costs.name}: {wording.costs_text(costs)}"))
    for title, columns, every in (
        ("Costliest cards", _CARDS, [costs.cards for costs in figures.costs]),
        ("Costliest calls", _CALLS, [costs.calls for costs in figures.costs]),
    ):
        rows = [row for own in every if own for row in own.worst[:COSTLIEST]]
        if rows:
            console.print()
            console.print(terminal_table(title, columns, rows))
    if folder is not None:
        where = f"{folder / REPORT} lists the {WORST} costliest of each bot; its replays show all."
        console.print(Text(where), soft_wrap=True)
    if figures.has_auction and not figures.has_values_of_calls:
        console.print(Text("arena report RESULTS --calls adds what the calls cost."))
