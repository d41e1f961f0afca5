"""A forcing call is never passed, whatever the opponents do, unless a rule lets it stand."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from bridge_arena.bots.natural import language
from bridge_arena.bots.natural.reading import Forcing
from bridge_arena.bots.natural.rules import Book
from bridge_arena.bots.natural.system import Menu, Natural
from bridge_arena.bridge.calls import PASS, Call
from tests.bots.natural.auctions import SILENT, meant, measured, state
from tests.bots.natural.forces import followed
from tests.bots.views import hold


def test_no_forcing_call_is_passed_in_random_deals() -> None:
    seen = Counter[str]()
    rng = Random(1)
    assert [auction for _ in range(1500) for auction in followed(rng, seen)] == []
    assert min(seen["Pass"], 10 * seen["X"], 100 * seen["XX"]) > 300, seen


@pytest.mark.parametrize("doubled", ["Pass", "X"])
def test_without_a_rule_notrump_is_bid(doubled: str) -> None:
    book = Book(language.parse("@ *\nPass | | content\n2C | C13 | clubs", "table.txt"))
    game = meant(forcing=Forcing.GAME)
    assert Menu(state(f"1S {doubled}", game, SILENT), book).choose(measured(HAND)) == Call("1NT")
    assert Menu(state(f"1S {doubled}"), book).choose(measured(HAND)) == PASS


def test_a_call_forces_by_all_its_rules_or_by_none() -> None:
    text = "@ *\n2C | 20+ | strong [round]\n2C | -9 | weak\nPass | |"
    menu = Menu(state("1S Pass"), Book(language.parse(text, "table.txt")))
    assert menu.choose(measured(HAND)) == PASS
    told = menu.meaning(Call("2C"))
    assert (told.text, told.forcing) == ("strong", Forcing.ROUND)


HAND = "J32.543.9843.432"

CALLS = [
    # Partner's takeout double is redoubled.
    (HAND, "1C Pass 1H X XX", "2D"),
    ("J432.54.983.5432", "1C Pass 1H X XX", "1S"),
    (HAND, "1H Pass 2H X XX", "3D"),
    (HAND, "1H Pass 2H Pass Pass X XX", "3D"),
    (HAND, "1H Pass Pass X XX", "2D"),
    ("J432.54.983.5432", "3H X XX", "3S"),
    # Partner's negative double.
    ("AQ765.K4.K83.J42", "1S 2H X XX", "2S"),
    ("K2.KQ4.A983.Q432", "1D 1S X XX", "1NT"),
    # Partner's answer to key-card Blackwood, doubled.
    ("AKQ765.A54.K2.K4", "1S Pass 3S Pass 4NT Pass 5D X", "6S"),
    ("AKQ765.KQ4.KQ.Q4", "1S Pass 3S Pass 4NT Pass 5C X", "5S"),
    # The question.
    ("J432.54.A432.AJ2", "1S Pass 3S Pass 4NT X", "5H"),
    # Partner's other forcing bids: the answer is the same as over a pass.
    ("AQ3.KJ5.KQ32.432", "1NT Pass 2C X", "2D"),
    ("AQ3.KJ5.KQ32.432", "1NT Pass 2D X", "2H"),
    ("KJ54.Q2.A8732.32", "1NT Pass 2C X 2D Pass", "3NT"),
    ("432.5432.Q32.K32", "2C X", "2D"),
    ("K32.54.AQJ32.A32", "1D Pass 1H X", "1NT"),
]


@pytest.mark.parametrize(("hand", "calls", "call"), CALLS)
def test_the_answer_to_a_doubled_force(hand: str, calls: str, call: str) -> None:
    view = hold(hand, calls)
    assert str(Natural().call(view.hand, view.auction, view.vulnerability)) == call
