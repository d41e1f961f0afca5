"""Tables on narrow terminals: names stay whole."""

from __future__ import annotations

from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from bridge_arena.reports.common.columns import fitting, new_table
from bridge_arena.reports.leaderboard.figures import leaderboard
from bridge_arena.reports.leaderboard.terminal import print_leaderboard
from bridge_arena.tournaments.formats.rules import Format
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
