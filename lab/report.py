"""The report of an experiment: `lab.json`, and one self-contained page, `lab.html`."""

from __future__ import annotations

import re
from pathlib import Path

from markupsafe import Markup, escape

from bridge_arena.base.files import replace_file
from bridge_arena.bridge.cards import SUITS, SUITS_DOWN, Hand
from bridge_arena.lab import wording
from bridge_arena.lab.figures import LabFigures
from bridge_arena.lab.groupings import Breakdown
from bridge_arena.reports.common.page import templates
from bridge_arena.reports.common.replay_pages import FOLDER, LIST, list_address
from bridge_arena.reports.common.values import values, write_json

PAGE = "lab.html"

SUMMARY = "lab.json"

_BID = re.compile(r"(?<![A-Za-z0-9])([1-7])([CDHS])(?=X{0,2}(?![A-Za-z]))")

_SYMBOLS = {
    suit.letter: Markup('<span class="{}">{}</span>').format(
        "red" if suit.letter in "DH" else "black", suit.symbol
    )
    for suit in SUITS
}


def write_lab_files(figures: LabFigures, folder: Path) -> None:
    """Write `lab.json` (its keys: docs/lab.md) and `lab.html`. Raises OSError."""
    write_json(folder / SUMMARY, values(figures))
    replace_file(folder / PAGE, render(figures).encode())


def render(figures: LabFigures) -> str:
    """Return the page; the same figures give the same bytes."""
    environment = templates(Path(__file__).parent)
    environment.filters["suits"] = _with_suits
    environment.filters["hand"] = _hand
    environment.filters["call"] = lambda call: "P" if call == "Pass" else _with_suits(call)
    return environment.get_template("lab.html").render(
        figures=figures,
        wording=wording,
        title=wording.title(figures),
        comparisons=wording.all_comparisons(figures),
        replays=f"{FOLDER}/{list_address(LIST)}" if figures.records else "",
        scale=_scale,
    )


def _with_suits(text: str) -> Markup:
    """Return a text whose bids have the symbols of the suits."""
    return Markup(_BID.sub(lambda bid: bid[1] + _SYMBOLS[bid[2]], escape(text)))


def _hand(hand: Hand) -> Markup:
    """Return a hand, spades first."""
    return Markup(" ").join(
        _SYMBOLS[suit.letter] + (held or "–")
        for suit, held in zip(SUITS_DOWN, str(hand).split("."), strict=True)
    )


def _scale(table: Breakdown) -> float:
    """Return what a bar as long as can be stands for, its standard error included.

    The bar of all others may be longer, and is cut.
    """
    means = [row.per_board for row in table.rows]
    return max((abs(mean.mean or 0) + (mean.standard_error or 0) for mean in means), default=0) or 1
