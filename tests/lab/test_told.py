"""The report of an experiment: on the terminal, as a page with replays, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from rich.console import Console

from bridge_arena.commands.lab.bidding import write_lab_replays
from bridge_arena.lab.figures import LabFigures
from bridge_arena.lab.report import PAGE, SUMMARY, render, write_lab_files
from bridge_arena.lab.terminal import print_figures
from bridge_arena.lab.wording import headline
from tests.lab.auctions import boards_of
from tests.lab.told import figures_of, one_arm, two_arms
from tests.reports.pages import check_site, words

Figures = Callable[[], LabFigures]


def printed(figures: LabFigures) -> str:
    console = Console(width=80)
    with console.capture() as capture:
        print_figures(figures, console)
    return capture.get()


@pytest.mark.parametrize("figures", [one_arm, two_arms])
def test_all_boards_of_a_report_link_to_replays(tmp_path: Path, figures: Figures) -> None:
    found = figures()
    write_lab_files(found, tmp_path)
    write_lab_replays(found, tmp_path)
    page = check_site(tmp_path)[PAGE]
    for comparison in (*found.arms, *found.differences):
        assert headline(comparison) in words(page)
        for swing in (*comparison.cost_most, *comparison.gained_most):
            assert swing.replay in page.links
        for table in comparison.where.values():
            assert {row.replay for row in table.every} <= set(page.links)
    assert not {"script", "img", "link"} & set(page.tags)


def test_the_link_of_a_board_opens_its_table(tmp_path: Path) -> None:
    found = two_arms()
    write_lab_files(found, tmp_path)
    write_lab_replays(found, tmp_path)
    pages = check_site(tmp_path)
    (difference,) = found.differences
    for swing in difference.cost_most:
        address, _, anchor = swing.replay.partition("#")
        place = dict(parse_qsl(anchor))
        table = pages[address].boards[place["board"]]["tables"][int(place["table"]) - 1]
        assert table["players"][str(swing.seat)] == swing.own.name
        assert table["room"] == swing.own.room.value
        assert place["step"] == str(swing.place)


def test_the_same_figures_give_the_same_page() -> None:
    assert render(one_arm()) == render(figures_of(boards_of(24), "baseline", "natural"))


def test_names_are_text() -> None:
    found = figures_of(boards_of(8), "<b>A-1=baseline", "natural")
    page = render(found)
    assert "<b>A" not in page
    assert "&lt;b&gt;A-1 " in page  # no sign that is not the name's


def test_a_bidder_against_itself_has_a_page(tmp_path: Path) -> None:
    found = figures_of(boards_of(4), "natural", "natural")
    write_lab_files(found, tmp_path)
    write_lab_replays(found, tmp_path)
    assert "natural gained nothing compared with natural-2" in words(check_site(tmp_path)[PAGE])
    assert "Boards that cost most" not in printed(found)


@pytest.mark.parametrize("figures", [one_arm, two_arms])
def test_the_report_fits_the_terminal(figures: Figures) -> None:
    text = printed(figures())
    assert "…" not in text
    assert all(len(line.rstrip()) <= 80 for line in text.split("\n\n", 1)[1].splitlines())


def test_the_terminal_breaks_down_the_difference_of_arms() -> None:
    text = printed(two_arms())
    assert "The auctions of random and baseline part" in text
    assert "The auctions of baseline and natural part" not in text
    assert "The auctions of baseline and natural part" in printed(one_arm())


MEAN = {"n", "mean", "standard_error"}

TABLE = {"name", "room", "calls", "contract", "declarer", "tricks", "score"}


def test_the_json_of_an_experiment_has_its_keys(tmp_path: Path) -> None:
    found = two_arms()
    write_lab_files(found, tmp_path)
    told = json.loads((tmp_path / SUMMARY).read_text(encoding="utf-8"))
    assert set(told) == {
        *("boards", "deals", "seed", "opponent", "sprt", "arms", "differences"),
        *("leader", "bracket"),
    }
    assert (told["leader"], told["bracket"]) == (None, [])
    (difference,) = told["differences"]
    assert set(difference) == {
        *("name", "against", "imps", "imps_per_board", "p_value", "gained", "lost", "flat"),
        *("partings", "other_contracts", "where", "cost_most", "gained_most"),
    }
    assert set(difference["imps_per_board"]) == set(difference["other_contracts"]) == MEAN
    assert set(difference["where"]) == {
        *("situations", "calls", "hands", "contracts", "doubled", "vulnerability", "contested"),
    }
    for table in difference["where"].values():
        assert set(table) == {"facets", "rows", "others"}
        for row in (*table["rows"], *filter(None, [table["others"]])):
            assert set(row) == {"what", "times", "imps", "per_board", "each", "replay"}
            assert set(row["per_board"]) == set(row["each"]) == MEAN
    worst = difference["cost_most"][0]
    assert set(worst) == {
        *("board", "dealer", "vulnerability", "seat", "hand", "place", "situation", "imps"),
        *("own", "other", "replay"),
    }
    assert set(worst["own"]) == set(worst["other"]) == TABLE
    hand = found.differences[0].cost_most[0].hand
    assert worst["hand"] == str(hand)
