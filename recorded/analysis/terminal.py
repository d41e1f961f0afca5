"""The summary of an analysis on the terminal, and the texts that the page shares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import product
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bridge_arena.base.wording import plural
from bridge_arena.bridge.record import Room
from bridge_arena.oracle.ledger import Role
from bridge_arena.recorded.analysis.findings import Finding
from bridge_arena.recorded.analysis.overview import (
    AUCTION,
    DECLARER,
    DEFENDERS,
    CostlyCall,
    CostlyCard,
    Costs,
    Group,
    Measure,
    Overview,
    Sum,
    Totals,
)
from bridge_arena.recorded.field.report import print_fields
from bridge_arena.reports.common.columns import Column, new_table, terminal_table
from bridge_arena.reports.common.wording import (
    contract_text,
    decimal_text,
    error,
    mean_text,
    signed,
)
from bridge_arena.tournaments.statistics.means import Mean

Parts = Mapping[tuple[Room, Role], float]

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
    for group, title, names in (
        (Group.LEVEL, "By level", totals.names(Group.LEVEL)),
        (Group.DENOMINATION, "By denomination", totals.names(Group.DENOMINATION)),
        (Group.TEAM, "Teams", most_tables(totals, Group.TEAM, SHOWN)),
        (Group.PLAYER, "Players", most_tables(totals, Group.PLAYER, SHOWN)),
    ):
        if names:
            console.print(_sums(totals, group, title, names))
    if overview.swings:
        title = "The biggest swings, for the home team"
        console.print(terminal_table(title, SWING_COLUMNS, overview.swings[:SHOWN]))
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


def place_text(finding: Finding) -> str:
    record, game = finding.entry.record, finding.entry.game
    assert record is not None
    teams = f" {record.home} - {record.visitors}" if record.home or record.visitors else ""
    return f"{Path(game.file).name}, game {game.number}: board {record.board.number}{teams}"


def play_text(finding: Finding) -> str:
    record = finding.entry.record
    assert record is not None
    return contract_text(record.contract, record.tricks) if record.contract else "Pass"


def _imps_text(imps: float | None) -> str:
    return "-" if imps is None else signed(imps, 1 if isinstance(imps, float) else 0)


def _tricks_text(finding: Finding) -> str:
    record = finding.entry.record
    assert record is not None
    return " / ".join("–" if n is None else str(n) for n in (record.tricks, finding.dd_tricks))


def _parts_column(
    heading: str,
    parts: Callable[[Finding], Parts | None],
    rooms: Iterable[Room],
    roles: Iterable[Role],
    only: Literal["", "terminal", "page"] = "",
) -> Column[Finding]:
    """Return the column of the IMPs by some roles in some rooms."""
    places = list(product(rooms, roles))

    def imps(finding: Finding) -> float | None:
        known = parts(finding)
        return sum(known[place] for place in places) if known else None

    return Column(heading, imps, _imps_text, only=only)


def _swing_parts(finding: Finding) -> Parts | None:
    return finding.rooms.parts if finding.rooms else None


def _par_parts(finding: Finding) -> Parts | None:
    return finding.against_par.parts if finding.against_par else None


_PLACE: tuple[Column[Finding], ...] = (
    Column("Board", place_text, is_text=True, width=44),
    Column("Contract", play_text, is_text=True, only="page"),
    Column("Tricks / DD", _tricks_text, only="page"),
)

SWING_COLUMNS: tuple[Column[Finding], ...] = (
    *_PLACE,
    Column("IMPs", lambda finding: finding.rooms and finding.rooms.swing, _imps_text),
    *(_parts_column(role.capitalize(), _swing_parts, Room, [role], "page") for role in Role),
    Column("Auction", lambda finding: finding.rooms and finding.rooms.auction, _imps_text),
    *(_parts_column(f"{room} room", _swing_parts, [room], Role, "terminal") for room in Room),
)
"""The biggest swings of the home team; the table in the open room is shown."""

PAR_COLUMNS: tuple[Column[Finding], ...] = (
    *_PLACE,
    Column("IMPs", lambda finding: finding.imps, _imps_text),
    *(_parts_column(role.capitalize(), _par_parts, [Room.OPEN], [role]) for role in Role),
    Column("Auction", lambda finding: finding.auction_imps, _imps_text),
)
"""The results farthest from par."""

CARD_COLUMNS: tuple[Column[CostlyCard], ...] = (
    Column("Board", lambda card: place_text(card.finding), is_text=True, width=36),
    Column("Player", lambda card: card.by, is_text=True, width=18),
    Column("Trick", lambda card: card.trick),
    Column("Card", lambda card: str(card.card), is_text=True),
    Column("Tricks lost", lambda card: card.tricks),
)

CALL_COLUMNS: tuple[Column[CostlyCall], ...] = (
    Column("Board", lambda call: place_text(call.finding), is_text=True, width=36),
    Column("Player", lambda call: call.by, is_text=True, width=18),
    Column("Call", lambda call: call.cost.call, is_text=True),
    Column("Better", lambda call: call.cost.best, is_text=True),
    Column(
        "IMPs lost",
        lambda call: call.cost,
        lambda cost: f"{cost.cost:.1f} ± {cost.standard_error:.1f}",
    ),
)


def costs_text(costs: Costs) -> str:
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
    players = most_tables(overview.totals, Group.PLAYER, SHOWN)
    for costliest in (
        terminal_table("Players", _player_columns(costs), players),
        terminal_table("Costliest cards", CARD_COLUMNS, costs.cards[:COSTLIEST]),
        terminal_table("Costliest calls", CALL_COLUMNS, costs.calls[:COSTLIEST]),
    ):
        if costliest.rows:
            console.print(costliest)
    where = "columns call_costs and losses" if costs.has_calls else "column losses"
    console.print(Text(f"All of them: {where} of {table}"), soft_wrap=True)
    if not costs.has_calls:
        console.print(Text("--calls adds what the calls cost."))


def _player_columns(costs: Costs) -> tuple[Column[str], ...]:
    def own(name: str) -> Sum:
        return costs.players.get(name, Sum())

    columns = (
        Column[str]("", str, is_text=True, width=24),
        Column[str]("Cards", lambda name: own(name).cards),
        Column[str]("Tricks lost", lambda name: own(name).tricks),
    )
    if not costs.has_calls:
        return columns
    return (
        *columns,
        Column("Calls", lambda name: own(name).calls),
        Column("IMPs lost", lambda name: own(name).imps, partial(decimal_text, digits=1)),
    )


def _sums(totals: Totals, group: Group, title: str, names: list[str]) -> Table:
    table = new_table(title)
    table.add_column("", max_width=24, overflow="fold")
    for heading, _, _ in LINES:
        table.add_column(heading, justify="right", no_wrap=True)
    for name in names:
        table.add_row(Text(name), *(text for _, text in lines_of(totals, group, name)))
    return table
