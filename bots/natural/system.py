"""The system at work: its tables choose calls and read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, reduce
from importlib import resources
from itertools import islice
from threading import Lock

from bridge_arena.bots.library.hand_ranges import HandRanges, with_length
from bridge_arena.bots.natural import language
from bridge_arena.bots.natural.facts import Facts, facts
from bridge_arena.bots.natural.reading import Meaning, State
from bridge_arena.bots.natural.rules import Book, Rule, Section
from bridge_arena.bots.natural.terms import Bound, Test
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import DOUBLE, FIRST_BID, PASS, REDOUBLE, Call, Denomination
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Vulnerability


class Menu:
    """The calls that a book has for one auction: which one a hand makes, and what each says."""

    __slots__ = ("_bound", "_lock", "_meanings", "_ruled", "_sections", "_unbound", "state")

    def __init__(self, state: State, book: Book) -> None:
        self.state = state
        self._sections = tuple(book.sections(state))
        # The rules that have been bound, as far as some hand needed them. All tables in a
        # bot's process share the menus, so only one thread at a time may bind rules.
        self._bound: list[tuple[Call, Test]] = []
        self._unbound = _rules(state, self._sections)
        self._lock = Lock()
        self._meanings: dict[Call, Meaning] = {}
        self._ruled: tuple[Call, ...] | None = None

    def choose(self, hand: Facts) -> Call:
        """Return the first call whose needs the hand meets, else Pass, or notrump if forced."""
        bound, index = self._bound, 0
        while index < len(bound) or self._has_rule(index):
            call, test = bound[index]
            if test(hand):
                return call
            index += 1
        if self.state.forced:
            return Call.bid(self.state.cheapest(Denomination.NOTRUMP), Denomination.NOTRUMP)
        return PASS

    def meaning(self, call: Call) -> Meaning:
        """Return what a call says: the hull of all rules of the first block that has it."""
        meaning = self._meanings.get(call)
        if meaning is None:
            said = self._said(call).get(call)
            meaning = self._meanings[call] = self._read(said) if said else self._unruled(call)
        return meaning

    def ruled(self) -> tuple[Call, ...]:
        """Return the calls that have a rule; all of them are read at once."""
        if self._ruled is None:
            said = self._said()
            self._meanings |= {call: self._read(rules) for call, rules in said.items()}
            self._ruled = tuple(said)
        return self._ruled

    def made_with(self, hands: Sequence[Facts]) -> set[Call]:
        """Return the calls of all rules whose needs some of the hands meet."""
        index, calls = 0, set()
        while self._has_rule(index):
            call, test = self._bound[index]
            if call not in calls and any(map(test, hands)):
                calls.add(call)
            index += 1
        return calls

    def made(self, call: Call) -> MadeCall:
        meaning = self.meaning(call)
        return MadeCall(call, alert=meaning.artificial, explanation=meaning.explanation)

    def _has_rule(self, index: int) -> bool:
        """Return whether there is a rule of an index, and bind it if it is the next one."""
        with self._lock:
            if index == len(self._bound):
                self._bound.extend(islice(self._unbound, 1))
            return index < len(self._bound)

    def _said(self, only: Call | None = None) -> dict[Call, list[tuple[Rule, Bound]]]:
        """Return the rules that say what each call means, or one alone, with their needs.

        They are those of the first block that has the call; if it is a general block, those of all
        general blocks.
        """
        state = self.state
        said: dict[Call, list[tuple[Rule, Bound]]] = {}
        settled: set[Call] = set()
        for section in self._sections:
            here: set[Call] = set()
            for line in section.lines:
                call = line.call(state)
                if call is None or call in settled or (only is not None and call != only):
                    continue
                rules = said.get(call, ())
                if (rules and call not in here and not section.general) or not _is_legal(
                    call, state
                ):
                    continue
                bound = line.bind(state, call)
                if bound is not None and (not rules or line.rule.forces == rules[0][0].forces):
                    said.setdefault(call, []).append((line.rule, bound))
                    here.add(call)
            if not section.general:
                settled |= here
                if only in settled:
                    break
        return said

    def _read(self, said: Sequence[tuple[Rule, Bound]]) -> Meaning:
        state, meaning = self.state, _either(tuple(said))
        trump = state.trump if meaning.asks or meaning.keys else None
        return replace(meaning, ranges=_added(state.own, meaning.ranges), trump=trump)

    def _unruled(self, call: Call) -> Meaning:
        """Return what a call says that has no rule: a bid of a suit shows four cards."""
        own = self.state.own
        suit = call.denomination.trump if call >= FIRST_BID else None
        return Meaning("", own if suit is None else _added(own, with_length(suit, 4, 13)))


@lru_cache(maxsize=10_000)
def _either(said: tuple[tuple[Rule, Bound], ...]) -> Meaning:
    return reduce(
        Meaning.either, (replace(rule.meaning, ranges=bound.ranges) for rule, bound in said)
    )


@lru_cache(maxsize=10_000)
def _added(own: HandRanges, promised: HandRanges) -> HandRanges:
    """Return what is known of a hand after a call, the later of two contradictions."""
    return own.narrowed(promised).completed()


def _rules(state: State, sections: Sequence[Section]) -> Iterator[tuple[Call, Test]]:
    """Yield the rules that stand in an auction, in the order in which they are tried."""
    # The calls that earlier blocks have given a meaning: bit n is set for the call whose int is n.
    named = 0
    # Whether the calls force, by their first rules.
    forces: dict[Call, bool] = {}
    for section in sections:
        here = named
        for line in section.lines:
            call = line.call(state)
            if call is None or named >> call & 1 or not _is_legal(call, state):
                continue
            bound = line.bind(state, call)
            if bound is not None and forces.setdefault(call, line.rule.forces) == line.rule.forces:
                here |= 1 << call
                yield call, bound.test
        if not section.general:
            named = here


def _is_legal(call: Call, state: State) -> bool:
    """Return whether a call that is Pass, a double or a bid that is high enough is legal."""
    if call == DOUBLE:
        return state.theirs and state.doubled == PASS
    if call == REDOUBLE:
        return state.ours and state.doubled == DOUBLE
    return True


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

_REMEMBERED = 8000  # auctions whose reading is kept, at some 4 KB each


class Natural:
    """Standard American, by its tables. Raises TableError."""

    def __init__(self) -> None:
        book()

    def call(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> Call:
        """Return the call of the first rule that the hand meets."""
        return menu_at(auction, vulnerability).choose(facts(hand))

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        menu = menu_at(auction, vulnerability)
        return menu.made(menu.choose(facts(hand)))

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        """Return the choice, and the choices with the hand counted a point stronger and weaker."""
        menu = menu_at(auction, vulnerability)
        measured = facts(hand)
        calls = dict.fromkeys(
            menu.choose(counted)
            for counted in (measured, measured.with_more(1), measured.with_more(-1))
        )
        return [menu.made(call) for call in calls]

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        state = menu_at(auction, vulnerability).state
        return [meaning.explanation for meaning in state.meanings]


def menu_at(auction: Auction, vulnerability: Vulnerability) -> Menu:
    """Return the menu of the player whose turn it is."""
    calls, side, vulnerable = tuple(auction.calls), auction.dealer.side, (False, False)
    if book().heeds_vulnerability(calls):
        vulnerable = (vulnerability.includes(side), vulnerability.includes(side.other))
    return _menu(vulnerable, calls)


@lru_cache(maxsize=_REMEMBERED)
def _menu(vulnerable: tuple[bool, bool], calls: tuple[Call, ...]) -> Menu:
    if not calls:
        return Menu(State(vulnerable), book())
    before = _menu(vulnerable, calls[:-1])
    return Menu(before.state.after(calls[-1], before.meaning(calls[-1])), book())


@lru_cache(maxsize=1)
def book() -> Book:
    """Return the tables that ship; equal calls give the same object. Raises TableError."""
    folder = resources.files("bridge_arena.bots.natural").joinpath("tables")
    return Book(
        block
        for name in TABLES
        for block in language.parse(
            folder.joinpath(f"{name}.txt").read_text(encoding="utf-8"), f"natural/{name}.txt"
        )
    )
