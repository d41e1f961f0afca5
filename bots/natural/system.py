"""The system at work: its tables choose calls and read them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from importlib import resources
from itertools import islice
from threading import Lock

from bridge_arena.bots.library.box import with_length
from bridge_arena.bots.natural import language
from bridge_arena.bots.natural.binding import Test
from bridge_arena.bots.natural.facts import Facts, facts
from bridge_arena.bots.natural.language import Block, Line
from bridge_arena.bots.natural.reading import Meaning, State
from bridge_arena.bots.natural.situation import notation
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import DOUBLE, FIRST_BID, PASS, REDOUBLE, Call
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

_REMEMBERED = 2000
"""Auctions whose reading is kept, at some 16 KB each."""


class Natural:
    """Standard American, by its tables.

    Raises:
        TableError: A table has mistakes.
    """

    def __init__(self) -> None:
        _tables()

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        """Return the call of the first rule that the hand meets."""
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
        return [meaning.explanation() for meaning in state.meanings]


class Menu:
    """The calls that the tables have for one auction.

    Args:
        state: The state of the auction.

    Attributes:
        state: The state of the auction.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self._blocks = list(self._matching())
        # The rules that have been bound, as far as some hand needed them. All tables in a
        # bot's process share the menus, so only one thread at a time may bind rules.
        self._bound: list[tuple[Call, Test]] = []
        self._meanings: dict[Call, Meaning] = {}
        self._binding = self._bind()
        self._lock = Lock()

    def choose(self, hand: Facts) -> Call:
        """Return the first call whose needs the hand meets, or Pass if there is none."""
        bound, index = self._bound, 0
        while index < len(bound) or self._has_rule(index):
            call, test = bound[index]
            if test(hand):
                return call
            index += 1
        return PASS

    def _has_rule(self, index: int) -> bool:
        """Bind one more rule if the rule of an index is not yet bound, and say if there is one."""
        with self._lock:
            if index == len(self._bound):
                self._bound.extend(islice(self._binding, 1))
            return index < len(self._bound)

    def _bind(self) -> Iterator[tuple[Call, Test]]:
        named: set[Call] = set()
        for general, lines in self._blocks:
            here: set[Call] = set()
            for line in lines:
                call = line.call(self.state)
                if call is None or call in named or not self._is_legal(call):
                    continue
                bound = line.bind(self.state, call)
                if bound is not None:
                    here.add(call)
                    yield call, bound.test
            if not general:
                named |= here

    def meaning(self, call: Call) -> Meaning:
        """Return what a call says: the box around all rules of the first block that has it."""
        known = self._meanings.get(call)
        if known is None:
            known = self._meanings[call] = self._read(call)
        return known

    def _read(self, call: Call) -> Meaning:
        found: Meaning | None = None
        for general, lines in self._blocks:
            if found is not None and not general:
                continue
            for line in lines:
                if line.call(self.state) != call:
                    continue
                bound = line.bind(self.state, call)
                if bound is not None:
                    meaning = replace(line.rule.meaning, box=bound.box)
                    found = meaning if found is None else found.either(meaning)
            if found is not None and not general:
                break
        if found is not None:
            trump = self.state.trump if found.asks or found.keys else None
            return replace(found, box=self.state.own.narrowed(found.box).completed(), trump=trump)
        return self._unknown(call)

    def made(self, call: Call) -> MadeCall:
        """Return a call with its explanation."""
        meaning = self.meaning(call)
        return MadeCall(call, alert=meaning.artificial, explanation=meaning.explanation())

    def _unknown(self, call: Call) -> Meaning:
        """Return the meaning of a call without a rule: a suit bid shows four cards."""
        box = self.state.own
        suit = call.denomination.trump if call >= FIRST_BID else None
        if suit is not None:
            box = box.narrowed(with_length(suit, 4, 13)).completed()
        return Meaning("", box)

    def _is_legal(self, call: Call) -> bool:
        if call == DOUBLE:
            return self.state.theirs and self.state.doubled == PASS
        if call == REDOUBLE:
            return self.state.ours and self.state.doubled == DOUBLE
        return True

    def _matching(self) -> Iterator[tuple[bool, tuple[Line, ...]]]:
        auction = notation(self.state.calls)
        for block in _tables():
            lines = block.match(auction, self.state)
            if lines is not None:
                yield block.general, lines
                if block.only:
                    return


_Key = tuple[tuple[bool, bool], tuple[Call, ...]]


def _key(auction: Auction, vulnerability: Vulnerability) -> _Key:
    dealer = auction.dealer
    pair = vulnerability.includes(dealer.side), vulnerability.includes(dealer.next.side)
    return pair, tuple(auction.calls)


@lru_cache(maxsize=_REMEMBERED)
def _menu(key: _Key) -> Menu:
    vulnerable, calls = key
    if not calls:
        return Menu(State(vulnerable))
    before = _menu((vulnerable, calls[:-1]))
    return Menu(before.state.after(calls[-1], before.meaning(calls[-1])))


@lru_cache(maxsize=1)
def _tables() -> tuple[Block, ...]:
    folder = resources.files("bridge_arena.bots.natural").joinpath("tables")
    return tuple(
        block
        for name in TABLES
        for block in language.parse(
            folder.joinpath(f"{name}.txt").read_text(encoding="utf-8"), f"natural/{name}.txt"
        )
    )
