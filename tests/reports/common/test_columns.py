"""Tables of columns: what a terminal, a page and a CSV file show, and names that stay whole."""

from __future__ import annotations

from io import StringIO
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from bridge_arena.reports.common.columns import (
    Column,
    csv_text,
    fitting,
    new_table,
    page_columns,
    terminal_table,
)
from bridge_arena.reports.common.wording import mean_text
from bridge_arena.reports.leaderboard.figures import leaderboard
from bridge_arena.reports.leaderboard.terminal import print_leaderboard
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.statistics.means import Mean
from tests.reports.leaderboard.events import event, play_event

BOTS = (
    *("alphamu:worlds=50,candidates=3", "montecarlo:worlds=50", "fastplay:worlds=20"),
    *("minimax:placement=bayes,depth=3", "neural", "deepq", "qtable", "natural", "dqn"),
    *("qplay", "sarsa", "baseline", "random"),
)


def printed(columns: int, names: list[str], heads: list[str]) -> list[str]:
    table = new_table("Table")
    table.add_column("Entry", overflow="fold")
    for head in heads:
        table.add_column(head, no_wrap=True)
    for row, name in enumerate(names):
        table.add_row(Text(name), *(f"{row}.{place}" for place in range(len(heads))))
    console = Console(file=StringIO(), width=columns)
    for part in fitting(table, console, 1):
        console.print(part)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue().splitlines()


@given(
    columns=st.integers(40, 120),
    names=st.lists(st.text("abc:=,", min_size=1, max_size=25), min_size=1, max_size=4),
    heads=st.lists(st.text("XYZ", min_size=1, max_size=9), min_size=1, max_size=12),
)
def test_names_stay_whole_and_each_cell_is_there_once(
    columns: int, names: list[str], heads: list[str]
) -> None:
    lines = printed(columns, names, heads)
    assert all(len(line) <= columns for line in lines)
    words = " ".join(lines).split()
    parts = sum(line.startswith("Table") for line in lines)
    for name in set(names):
        assert words.count(name) == names.count(name) * parts
    for row in range(len(names)):
        for place in range(len(heads)):
            assert words.count(f"{row}.{place}") == 1


def test_a_table_that_fits_is_one() -> None:
    lines = printed(80, ["one", "two"], ["Boards", "IMPs"])
    assert [line.strip() for line in lines if "Table" in line] == ["Table"]


def test_a_name_as_wide_as_the_terminal_is_folded() -> None:
    lines = printed(40, ["x" * 60], ["Boards", "IMPs"])
    assert sum(line.count("x") for line in lines) == 60
    assert not any("continued" in line for line in lines)


@pytest.mark.parametrize("columns", [80, 100])
def test_a_leaderboard_of_thirteen_bots_fits_the_terminal(columns: int) -> None:
    results = play_event(event(Format.ROUND_ROBIN, *BOTS, boards=1))
    console = Console(file=StringIO(), width=columns)
    print_leaderboard(leaderboard([results]), console)
    assert isinstance(console.file, StringIO)
    lines = console.file.getvalue().splitlines()
    assert all(len(line) <= columns for line in lines)
    # Every row begins with a whole name, or with its rank and one.
    tables = sum(line.strip().startswith("───") for line in lines)
    for bot in BOTS:
        assert sum(bot in line.split()[:2] for line in lines) >= tables - 2
    assert not any("…" in line for line in lines)


class Bot(NamedTuple):
    """A row."""

    name: str
    imps: Mean


COLUMNS: tuple[Column[Bot], ...] = (
    Column(
        "Bot",
        lambda bot: bot.name,
        is_text=True,
        csv="name",
        remark=lambda bot: "" if bot.imps.n else "absent",
    ),
    Column("IMPs/board", lambda bot: bot.imps, mean_text, csv="imps imps_se", is_coloured=True),
    Column("Boards", lambda bot: bot.imps.n, short="n"),
    Column("Tables", lambda bot: 2 * bot.imps.n, only="page", link=lambda bot: f"#{bot.name}"),
    Column("Double", lambda bot: bot.imps, lambda mean: f"{2 * mean.mean:+.1f}", only="terminal"),
)
ROWS = (Bot("[red]=1", Mean(3, -1.25, 0.5)), Bot("b", Mean(2, 0.0, None)))


def test_a_column_is_shown_where_it_belongs() -> None:
    console = Console(file=StringIO(), width=80)
    console.print(terminal_table("Bots [bold]", COLUMNS, ROWS))
    assert isinstance(console.file, StringIO)
    lines = [line.split() for line in console.file.getvalue().splitlines()]
    assert lines[0] == ["Bots", "[bold]"]
    assert ["Bot", "IMPs/board", "n", "Double"] in lines
    assert ["[red]=1", "-1.25", "±", "0.50", "3", "-2.5"] in lines
    assert [column.heading for column in page_columns(COLUMNS)] == [
        *("Bot", "IMPs/board", "Boards", "Tables")
    ]
    assert csv_text(COLUMNS, ROWS) == "name,imps,imps_se\n[red]=1,-1.25,0.5\nb,0.0,\n"


def test_a_page_has_minus_signs_colours_and_numbers_to_sort_by() -> None:
    _, imps, boards, tables = (column.on_page(ROWS[0]) for column in page_columns(COLUMNS))
    assert (imps.text, imps.css, imps.sort_by) == ("−1.25 ± 0.50", "for-second", -1.25)
    assert (boards.text, boards.sort_by) == ("3", None), "the text is the number"
    assert tables.link == "#[red]=1"


def test_what_is_unknown_is_a_dash_and_sorted_last() -> None:
    unknown: Column[Bot] = Column("IMPs", lambda _: None, csv="imps imps_se")
    cell = unknown.on_page(ROWS[0])
    assert (cell.text, cell.sort_by) == ("–", "")
    assert unknown.on_terminal(ROWS[0]).plain == "-"
    assert csv_text([unknown], ROWS[:1]) == "imps,imps_se\n,\n"


def test_a_remark_stands_behind_a_name() -> None:
    absent = Bot("b", Mean(0, None, None))
    assert COLUMNS[0].on_terminal(absent).plain == "b (absent)"
    assert COLUMNS[0].on_page(absent).remark == "absent"
    assert COLUMNS[0].on_page(ROWS[0]).remark == ""
