"""The system at work: its tables choose calls and read them."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

from bridge_arena.bots.natural import language
from bridge_arena.bots.natural.book import Book
from bridge_arena.bots.natural.facts import facts
from bridge_arena.bots.natural.menu import Menu
from bridge_arena.bots.natural.reading import State
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Vulnerability

TABLES = (
    "slam",
    "openings",
    "notrump",
    "strong",
    "preempts",
    "majors",
    "minors",
    "rebids",
    "overcalls",
    "contested",
    "judgement",
)
"""The tables, in the order in which their rules are tried."""

_REMEMBERED = 8000
"""Auctions whose reading is kept, at some 4 KB each."""


class Natural:
    """Standard American, by its tables.

    Raises:
        TableError: A table has mistakes.
    """

    def __init__(self) -> None:
        book()

    def call(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> Call:
        """Return the call of the first rule that the hand meets."""
        return _menu(_key(auction, vulnerability)).choose(facts(hand))

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        """Return the call of the first rule that the hand meets, with its explanation."""
        menu = _menu(_key(auction, vulnerability))
        return menu.made(menu.choose(facts(hand)))

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        """Return the choice, and the choices with the hand counted a point stronger and weaker."""
        menu = _menu(_key(auction, vulnerability))
        measured = facts(hand)
        calls = dict.fromkeys(
            menu.choose(each) for each in (measured, measured.with_more(1), measured.with_more(-1))
        )
        return [menu.made(call) for call in calls]

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        """Return what each call told, by the rules that have it."""
        state = _menu(_key(auction, vulnerability)).state
        return [meaning.explanation for meaning in state.meanings]


_Key = tuple[tuple[bool, bool], tuple[Call, ...]]


def _key(auction: Auction, vulnerability: Vulnerability) -> _Key:
    calls = tuple(auction.calls)
    if not book().heeds_vulnerability(calls):
        return (False, False), calls
    dealer = auction.dealer.side
    return (vulnerability.includes(dealer), vulnerability.includes(dealer.other)), calls


@lru_cache(maxsize=_REMEMBERED)
def _menu(key: _Key) -> Menu:
    vulnerable, calls = key
    if not calls:
        return Menu(State(vulnerable), book())
    before = _menu((vulnerable, calls[:-1]))
    return Menu(before.state.after(calls[-1], before.meaning(calls[-1])), book())


@lru_cache(maxsize=1)
def book() -> Book:
    """Return the tables that ship; equal calls give the same object.

    Raises:
        TableError: A table has mistakes.
    """
    folder = resources.files("bridge_arena.bots.natural").joinpath("tables")
    return Book(
        block
        for name in TABLES
        for block in language.parse(
            folder.joinpath(f"{name}.txt").read_text(encoding="utf-8"), f"natural/{name}.txt"
        )
    )
