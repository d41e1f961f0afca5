"""The match report on the terminal.

It has a headline, a table of the two bots, a table of the boards, and what cost each bot most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.columns import new_table
from bridge_arena.reports.common.explanations import ExplanationFigures
from bridge_arena.reports.common.figures import EntryFigures
from bridge_arena.reports.common.model_console import model_use_table
from bridge_arena.reports.common.splits import Split
from bridge_arena.reports.common.wording import (
    broken_where,
    held_text,
    mean_text,
    milliseconds_text,
    net_play,
    promises_text,
    rate_text,
    share_text,
    signed,
    total_text,
)
from bridge_arena.reports.match.costs import WORST, BotCosts
from bridge_arena.reports.match.figures import MatchFigures
from bridge_arena.reports.match.files import REPORT
from bridge_arena.reports.match.wording import (
    control_text,
    costs_text,
    headline,
    mode_text,
    notices,
    occasion,
    result_text,
    sprt_text,
)

MOST_BOARDS = 40
"""The most boards that are shown; of a longer match these are the biggest swings."""

COSTLIEST = 3
"""The most cards, and the most calls, that are shown of each bot."""

_NAME_WIDTH = 28

_SHARE_WIDTH = 31

_PARTS = {
    Role.OPENING_LEAD: "opening leads",
    Role.DECLARER_PLAY: "declarer play",
    Role.DEFENCE: "defence",
}


def print_report(figures: MatchFigures, console: Console, folder: Path | None = None) -> None:
    """Print the report; it fits a terminal of 80 columns.

    Args:
        figures: The figures.
        console: The terminal.
        folder: The folder with the page of the report; None if there is none.
    """
    console.print(Text(headline(figures), style="bold"))
    if occasion(figures):
        console.print(Text(occasion(figures), style="dim"))
    if mode_text(figures):
        console.print(Text(mode_text(figures)))
    if figures.sprt is not None:
        console.print(Text(sprt_text(figures)))
    if figures.control is not None:
        console.print(Text(control_text(figures)))
    for notice in notices(figures):
        console.print(Text(notice, style="yellow"))
    console.print()
    console.print(_bots_table(figures))
    models = model_use_table(figures.bots)
    if models is not None:
        console.print(models)
    if figures.has_auction:
        _print_explanations(figures, console)
    if figures.board_results:
        if figures.has_play:
            console.print(_levels_table(figures))
        console.print(_boards_table(figures))
        console.print(_boards_note(figures))
    if figures.has_costs:
        _print_costs(figures, console, folder)


def _bots_table(figures: MatchFigures) -> Table:
    table = new_table("Bots")
    table.add_column("")
    for bot in figures.bots:
        table.add_column(Text(bot.name), justify="right", max_width=_NAME_WIDTH, overflow="fold")
    columns = [
        [
            *(_trick_lines(bot) if figures.has_play else []),
            *(_ledger_lines(bot, figures) if figures.has_play and figures.analysed else []),
            *_conduct_lines(bot),
        ]
        for bot in figures.bots
    ]
    for (label, first), (_, second) in zip(*columns, strict=True):
        table.add_row(label, first, second)
    return table


def _trick_lines(bot: EntryFigures) -> list[tuple[str, str]]:
    return [
        ("Tricks vs DD per table, as declarer", mean_text(bot.tricks_vs_dd.declarer)),
        ("Tricks vs DD per table, as defenders", mean_text(bot.tricks_vs_dd.defence)),
    ]


def _levels_table(figures: MatchFigures) -> Table:
    table = new_table("Tricks vs DD per table, by contract level")
    table.add_column("Level", justify="right")
    columns = [
        (f"{bot.name} {role}", tricks.by_level)
        for bot in figures.bots
        for role, tricks in (
            ("declarer", bot.tricks_vs_dd.declarer),
            ("defenders", bot.tricks_vs_dd.defence),
        )
    ]
    for head, _ in columns:
        table.add_column(Text(head), justify="right", max_width=_NAME_WIDTH, overflow="fold")
    for level in range(1, 8):
        means = [by_level[level] for _, by_level in columns]
        if any(mean.n for mean in means):
            table.add_row(str(level), *(mean_text(mean) for mean in means))
    return table


def _ledger_lines(bot: EntryFigures, figures: MatchFigures) -> list[tuple[str, str]]:
    lost, imps = bot.ledger.tricks_lost_per_board, bot.ledger.imps_per_board
    auction = [("IMPs from the auction", total_text(imps.auction))]
    return [
        *(
            (f"DD tricks lost: {role}", f"{lost[role].total or 0:.0f} ({rate_text(lost[role])})")
            for role in Role
        ),
        *(auction if figures.has_auction else []),
        ("IMPs from the play, net", signed(net_play(imps), 1)),
        *((f"  by own {_PARTS[role]}", total_text(imps.own[role])) for role in Role),
    ]


def _conduct_lines(bot: EntryFigures) -> list[tuple[str, str]]:
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
        console.print(_explanations_table(telling))
    for bot in figures.bots:
        if bot not in telling and bot.explanations.calls:
            console.print(Text(f"{bot.name} explains nothing."))
    broken = [(bot.name, each) for bot in telling for each in bot.explanations.worst]
    if broken:
        console.print(Text("Promises broken worst", style="bold"))
    for name, each in broken:
        told = f"{each.call} promised {each.told}"
        console.print(Text(f"{name}, {broken_where(each)}: {told}; held {held_text(each)}"))
    if telling:
        console.print()


def _explanations_table(bots: Sequence[EntryFigures]) -> Table:
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
            for kind, promises in told.kinds.items()
        ),
    ]


def _boards_table(figures: MatchFigures) -> Table:
    rows = figures.biggest_swings(MOST_BOARDS)
    title = "Boards"
    if len(rows) < len(figures.board_results):
        title = f"The {len(rows)} biggest swings of {len(figures.board_results)} boards"
    causes = _causes(figures)
    table = new_table(title)
    table.add_column("No.", justify="right", no_wrap=True)
    for room in ("Open", "Closed"):
        table.add_column(room, no_wrap=True)
        table.add_column("Score", justify="right", no_wrap=True)
    for name in ("IMPs", "Total", *causes):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            str(row.board),
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
        console.print(Text(f"{costs.name}: {costs_text(costs)}"))
    for table in (_cards_table(figures.costs), _calls_table(figures.costs)):
        if table.rows:
            console.print()
            console.print(table)
    if folder is not None:
        told = f"{folder / REPORT} lists the {WORST} costliest of each bot; its replays show all."
        console.print(Text(told), soft_wrap=True)
    if figures.has_auction and not figures.asked_for_calls:
        console.print(Text("arena report RESULTS --calls adds what the calls cost."))


def _cards_table(bots: Sequence[BotCosts]) -> Table:
    table = _costs_table("Costliest cards", "Hand", "Trick", "Card", "Tricks lost")
    for bot in bots:
        for card in bot.cards.worst[:COSTLIEST] if bot.cards else ():
            place = Text(bot.name), str(card.board), card.room, str(card.seat)
            table.add_row(*place, str(card.trick), str(card.card), str(card.tricks))
    return table


def _calls_table(bots: Sequence[BotCosts]) -> Table:
    table = _costs_table("Costliest calls", "Seat", "Call", "Better", "IMPs lost on average")
    for bot in bots:
        for call in bot.calls.worst[:COSTLIEST] if bot.calls else ():
            place = Text(bot.name), str(call.board), call.room, str(call.seat)
            lost = f"{call.cost:.1f} ± {call.standard_error:.1f}"
            table.add_row(*place, call.call, call.best, lost)
    return table


def _costs_table(title: str, *headings: str) -> Table:
    table = new_table(title)
    table.add_column("Bot", max_width=_NAME_WIDTH, overflow="fold")
    table.add_column("Board", justify="right")
    table.add_column("Room")
    for heading in headings[:-1]:
        table.add_column(heading)
    table.add_column(headings[-1], justify="right")
    return table


def _colour(imps: int) -> str:
    return "green" if imps > 0 else "red" if imps < 0 else "dim"
