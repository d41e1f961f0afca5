"""The summary of an analysis on the terminal, and the texts that the page shares."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bridge_arena.base.plural import plural
from bridge_arena.oracle.ledger import Role
from bridge_arena.recorded.analysis.findings import Finding
from bridge_arena.recorded.analysis.overview import Overview
from bridge_arena.recorded.analysis.totals import (
    AUCTION,
    DECLARER,
    DEFENDERS,
    Group,
    Measure,
    Totals,
)
from bridge_arena.recorded.field.terminal import print_fields
from bridge_arena.reports.common.console import new_table
from bridge_arena.reports.common.wording import made_text, mean_text, signed
from bridge_arena.tournaments.statistics.means import Mean

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
    return (
        f"Declarers took {mean_text(mean, 3)} tricks against double dummy "
        f"at {plural(mean.n, 'table')}, and just as many at {100 * overview.equal_share:.1f} %"
    )


def counts(overview: Overview) -> list[tuple[str, int]]:
    """Return what the files held, as names and counts."""
    every = [
        ("games", overview.games),
        ("contracts", overview.contracts),
        ("passed out", overview.passed_out),
        ("with play", overview.plays),
        ("of these all 52 cards", overview.complete),
        ("boards in two rooms", overview.two_rooms),
        ("not solved in time", overview.unsolved),
        ("boards with a field", overview.fields.boards),
        ("tables of the field", overview.fields.tables),
        ("games with errors", overview.bad),
    ]
    return [(name, count) for name, count in every if count or name in ("games", "contracts")]


def print_overview(overview: Overview, console: Console) -> None:
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
    return f"{Path(game.file).name} game {game.number}, board {record.board.number}{teams}"


def play_text(finding: Finding) -> str:
    """Return the contract and result, as on a score sheet."""
    record = finding.entry.record
    assert record is not None
    if record.contract is None:
        return "Pass"
    contract = record.contract
    return f"{contract} {contract.declarer} {made_text(contract, record.tricks)}"


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
