"""`arena bots`: every bot that ships has a page, which explains its options."""

from __future__ import annotations

from typing import Literal

import pytest

from bridge_arena.bots.registry import SHIPPED, Shipped, options
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.commands.bots import bots, description, meanings
from bridge_arena.commands.common.errors import UnusableError

EVERY = pytest.mark.parametrize("shipped", SHIPPED.values(), ids=lambda shipped: shipped.name)


@EVERY
def test_every_bot_is_described_and_so_is_each_of_its_options(shipped: Shipped) -> None:
    kind = shipped.load()
    assert len(description(kind)) >= 2
    assert list(meanings(kind)) == list(options(kind))
    assert all(meanings(kind).values())


@EVERY
def test_the_page_of_a_bot_shows_all_that_is_known_of_it(
    shipped: Shipped, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    bots(shipped.name)
    page = " ".join(capsys.readouterr().out.split())
    assert page.startswith(shipped.name)
    for words in (shipped.does, *description(shipped.load()), shipped.strength, shipped.cost):
        assert words in page
    for name, option in options(shipped.load()).items():
        assert f" {name} " in page
        assert f" {'-' if option.default == '' else option.default} " in page


class Tunable(Bot):
    """Plays.

    Args:
        depth: Tricks to look ahead, `1` to 13;
            more takes longer.
        style: `bold` or `meek`.

    Raises:
        ValueError: The depth is 0.
    """

    def __init__(self, depth: int = 1, style: Literal["bold", "meek"] = "bold") -> None:
        super().__init__()
        self.chosen = (depth, style)


def test_the_meanings_of_options_are_read_from_the_docstring() -> None:
    assert meanings(Tunable) == {
        "depth": "Tricks to look ahead, `1` to 13; more takes longer.",
        "style": "`bold` or `meek`.",
    }
    assert description(Tunable)[1:] == ["Plays."]


def test_the_list_names_every_bot(capsys: pytest.CaptureFixture[str]) -> None:
    bots()
    listed = capsys.readouterr().out
    assert all(name in listed for name in SHIPPED)


def test_an_unknown_bot_is_told_with_the_ones_that_are_near() -> None:
    with pytest.raises(UnusableError, match="unknown bot 'bseline', did you mean baseline"):
        bots("bseline")
