"""The summary of an analysis on the terminal, and the texts that the page shares."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bridge_arena.base.wording import plural
from bridge_arena.oracle.ledger import Role
from bridge_arena.recorded.analysis.findings import Finding
from bridge_arena.recorded.analysis.overview import (
    AUCTION,
    DECLARER,
    DEFENDERS,
    Costs,
    Group,
    Measure,
    Overview,
    Sum,
    Totals,
)
from bridge_arena.recorded.field.report import print_fields
from bridge_arena.reports.common.columns import new_table
from bridge_arena.reports.common.wording import error, made_text, mean_text, signed
from bridge_arena.tournaments.statistics.means import Mean

COSTLIEST = 5
"""The most cards, and the most calls, shown."""

SHOWN = 15
"""The most players, teams and boards shown."""

LINES = (
    ("Tricks vs DD", DECLARER, Measure.TRICKS_VS_DD),
    ("Lost by lead", Role.OPENING_LEAD, Measure.TRICKS_LOST),
    ("by declarer", Role.DECLARER_PLAY, Measure.TRICKS_LOST),
    ("by defence", Role.DEFENCE, Measure.TRICKS_LOST),
    ("Contract IMPs", AUCTION, Measure.IMPS),
)
"""The figures shown of every group: a heading, and a role and measure of the sums."""


def headline(overview: Overview) -> str:
    """Return the result in a sentence."""
    mean = overview.totals.get(Group.ALL, "", DECLARER, Measure.TRICKS_VS_DD)
    if overview.fields.boards and mean.mean is None:
        return overview.fields.headline()
    if mean.mean is None or overview.equal_share is None:
        return f"{plural(overview.games, 'game')}: no result to compare with double dummy"
    tricks, doubt = f"{abs(mean.mean):.2f}", error(mean, 2)
    compared = f"as many tricks{f' ({doubt.strip()})' if doubt else ''} as"
    if float(tricks):
        compared = f"{tricks}{doubt} tricks {'more' if mean.mean > 0 else 'fewer'} than"
    return (
        f"Declarers took {compared} double dummy on average at {plural(mean.n, 'table')}; "
        f"at {100 * overview.equal_share:.0f} % of them exactly as many"
    )


def counts(overview: Overview) -> list[tuple[str, int]]:
    """Return what the files held, as names and counts."""
    every = [
        ("game", "games", overview.games),
        ("contract", "contracts", overview.contracts),
        ("passed out", "passed out", overview.passed_out),
        ("with play", "with play", overview.plays),
        ("of these all 52 cards", "of these all 52 cards", overview.complete),
        ("board in two rooms", "boards in two rooms", overview.two_rooms),
        ("not solved in time", "not solved in time", overview.unsolved),
        ("board with a field", "boards with a field", overview.fields.boards),
        ("table of the field", "tables of the field", overview.fields.tables),
        ("game with errors", "games with errors", overview.bad),
    ]
    return [
        (one if count == 1 else many, count)
        for one, many, count in every
        if count or one in ("game", "contract")
    ]


def print_overview(overview: Overview, console: Console, table: Path) -> None:
    """Print the summary, which fits a terminal of 80 columns."""
    console.print(Text(headline(overview), style="bold"))
    console.print(Text(", ".join(f"{count} {name}" for name, count in counts(overview))))
    totals = overview.totals
    if overview.contracts:
        console.print(_sums(totals, Group.ALL, "All tables", [""]))
    for group, title in (
        (Group.LEVEL, "By level"),
        (Group.DENOMINATION, "By denomination"),
        (Group.TEAM, "Teams"),
        (Group.PLAYER, "Players"),
    ):
        names = totals.names(group)
        if group in (Group.TEAM, Group.PLAYER):
            names = most_tables(totals, group, SHOWN)
        if names:
            console.print(_sums(totals, group, title, names))
    if overview.swings:
        console.print(_swings(overview))
    if overview.costs.has_cards or overview.costs.has_calls:
        _print_costs(overview, console, table)
    print_fields(overview.fields, console)


def most_tables(totals: Totals, group: Group, limit: int) -> list[str]:
    """Return the names that played the most tables, the most first."""

    def tables(name: str) -> int:
        roles = (DECLARER, DEFENDERS)
        return sum(totals.get(group, name, role, Measure.TRICKS_VS_DD).n for role in roles)

    return sorted(totals.names(group), key=lambda name: (-tables(name), name))[:limit]


def lines_of(totals: Totals, group: Group, name: str) -> list[tuple[Mean, str]]:
    """Return the figures of LINES and their texts; what was lost has no sign."""
    figures: list[tuple[Mean, str]] = []
    for _, role, measure in LINES:
        mean = totals.get(group, name, role, measure)
        text = mean_text(mean)
        figures.append((mean, text.lstrip("+") if measure is Measure.TRICKS_LOST else text))
    return figures


def _texts_of(totals: Totals, group: Group, name: str) -> list[str]:
    return [text for _, text in lines_of(totals, group, name)]


def place_text(finding: Finding) -> str:
    """Return where a board was played."""
    record, game = finding.entry.record, finding.entry.game
    assert record is not None
    teams = f" {record.home} - {record.visitors}" if record.home or record.visitors else ""
    return f"{Path(game.file).name}, game {game.number}: board {record.board.number}{teams}"


def play_text(finding: Finding) -> str:
    """Return the contract and result, as on a score sheet."""
    record = finding.entry.record
    assert record is not None
    if record.contract is None:
        return "Pass"
    contract = record.contract
    return f"{contract} {contract.declarer} {made_text(contract, record.tricks)}"


def costs_text(costs: Costs) -> str:
    """Return what all cards and calls cost, in a line."""
    total, texts = costs.total, []
    if costs.has_cards:
        tricks = plural(total.tricks, "double-dummy trick")
        texts.append(f"{plural(total.cards, 'card')} cost {tricks}")
    if costs.has_calls:
        texts.append(f"{plural(total.calls, 'call')} cost {total.imps:.1f} IMPs beyond doubt")
    return ", ".join(texts)


def _print_costs(overview: Overview, console: Console, table: Path) -> None:
    costs = overview.costs
    console.print(Text("What cost most", style="bold"))
    console.print(Text(costs_text(costs)))
    console.print()
    for costliest in (_costs_of_players(overview), _costly_cards(costs), _costly_calls(costs)):
        if costliest.rows:
            console.print(costliest)
    where = "columns call_costs and losses" if costs.has_calls else "column losses"
    console.print(Text(f"All of them: {where} of {table}"), soft_wrap=True)
    if not costs.has_calls:
        console.print(Text("--calls adds what the calls cost."))


def _costs_of_players(overview: Overview) -> Table:
    table = new_table("Players")
    table.add_column("", max_width=24, overflow="fold")
    costs = overview.costs
    for heading in ("Cards", "Tricks lost", *(("Calls", "IMPs lost") if costs.has_calls else ())):
        table.add_column(heading, justify="right")
    for name in most_tables(overview.totals, Group.PLAYER, SHOWN):
        own = costs.players.get(name, Sum())
        calls = (str(own.calls), f"{own.imps:.1f}") if costs.has_calls else ()
        table.add_row(Text(name), str(own.cards), str(own.tricks), *calls)
    return table


def _costly_cards(costs: Costs) -> Table:
    table = new_table("Costliest cards")
    _add_places(table)
    table.add_column("Trick", justify="right")
    table.add_column("Card")
    table.add_column("Tricks lost", justify="right")
    for card in islice(costs.cards, COSTLIEST):
        place = Text(place_text(card.finding)), Text(card.by)
        table.add_row(*place, str(card.trick), str(card.card), str(card.tricks))
    return table


def _costly_calls(costs: Costs) -> Table:
    table = new_table("Costliest calls")
    _add_places(table)
    table.add_column("Call")
    table.add_column("Better")
    table.add_column("IMPs lost", justify="right", no_wrap=True)
    for call in islice(costs.calls, COSTLIEST):
        cost = call.cost
        lost = f"{cost.cost:.1f} ± {cost.standard_error:.1f}"
        place = Text(place_text(call.finding)), Text(call.by)
        table.add_row(*place, cost.call, cost.best, lost)
    return table


def _add_places(table: Table) -> None:
    table.add_column("Board", max_width=36, overflow="fold")
    table.add_column("Player", max_width=18, overflow="fold")


def _sums(totals: Totals, group: Group, title: str, names: list[str]) -> Table:
    table = new_table(title)
    table.add_column("", max_width=24, overflow="fold")
    for heading, _, _ in LINES:
        table.add_column(heading, justify="right", no_wrap=True)
    for name in names:
        table.add_row(Text(name), *_texts_of(totals, group, name))
    return table


def _swings(overview: Overview) -> Table:
    table = new_table("The biggest swings, for the home team")
    table.add_column("Board", max_width=44, overflow="fold")
    for heading in ("IMPs", "Auction", "Open room", "Closed room"):
        table.add_column(heading, justify="right", no_wrap=True)
    for swing, finding in overview.swings[:SHOWN]:
        rooms = finding.rooms
        assert rooms is not None
        parts = ["-", "-"]
        if rooms.parts is not None:
            for at, room in enumerate(("Open", "Closed")):
                imps = sum(part for (where, _), part in rooms.parts.items() if where == room)
                parts[at] = signed(imps, 1)
        auction = "-" if rooms.auction is None else signed(rooms.auction)
        table.add_row(Text(place_text(finding)), signed(swing), auction, *parts)
    return table
