"""The rules of the tables: in an auction their letters are suits, and what they need is a test."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from bridge_arena.bots.library.hand_ranges import ANY
from bridge_arena.bots.natural.reading import Forcing, Meaning, State, is_game
from bridge_arena.bots.natural.situation import FIXED, LETTERS, Pattern, Suits, notation, outline
from bridge_arena.bots.natural.terms import (
    ALWAYS,
    NEVER,
    Binding,
    Bound,
    HandTerm,
    RuleContext,
    all_of,
)
from bridge_arena.bridge.calls import DENOMINATIONS, FIRST_BID, PASS, Call, Denomination
from bridge_arena.bridge.cards import Suit


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One line of a table."""

    template: CallTemplate
    needs: tuple[Binding, ...]
    letters: tuple[str, ...]
    """The letters of the call and the needs that the auction may leave open."""
    meaning: Meaning
    heeds_vulnerability: bool

    @property
    def forces(self) -> bool:
        """Whether the call forces partner to bid."""
        return self.meaning.forcing != Forcing.NO

    def lines(self, suits: Suits) -> Iterator[Line]:
        """Yield the rule once for each choice of the letters that the auction has not bound."""
        for expanded in _expansions(self.letters, suits):
            yield Line.of(self, expanded)


@dataclass(frozen=True, slots=True)
class Line:
    """A rule whose letters stand for suits, except for those that the state tells."""

    rule: Rule
    suits: Suits
    fixed: Call | None  # the call of the rule, or None if it depends on the state
    # What the needs require, with ALWAYS for those that depend on the state.
    bounds: tuple[Bound, ...]
    # The needs that depend on the state, each with its index among all.
    open: tuple[tuple[int, Binding], ...]

    @classmethod
    def of(cls, rule: Rule, suits: Suits) -> Line:
        known = [need.among(suits) if isinstance(need, HandTerm) else None for need in rule.needs]
        bounds = tuple(bound or ALWAYS for bound in known)
        still_open = tuple(
            (index, need) for index, need in enumerate(rule.needs) if known[index] is None
        )
        return cls(rule, suits, rule.template.fixed(suits), bounds, still_open)

    def call(self, state: State) -> Call | None:
        """Return the call that the rule stands for now, or None if there is none."""
        fixed = self.fixed
        if fixed is None:
            return self.rule.template.call(state, self.suits)
        if fixed == PASS and state.forced and not self.rule.meaning.stands:
            return None
        return fixed if fixed > state.bid or fixed < FIRST_BID else None

    def bind(self, state: State, call: Call) -> Bound | None:
        """Return what all needs require of a hand now, for `call`, or None if they cannot hold."""
        if not self.open:
            return all_of(self.bounds)
        context = RuleContext(state, call, self.suits)
        bounds = [*self.bounds]
        for index, need in self.open:
            bound = need(context)
            if bound is None or bound is NEVER:
                return None
            bounds[index] = bound
        return all_of(tuple(bounds))


@dataclass(frozen=True, slots=True)
class CallTemplate:
    """A call whose level or suit depends on the auction."""

    word: Call | None = None  # pass, X or XX; None for a bid
    letter: str = ""  # the letter of the denomination; empty for notrump
    level: int = 0  # the level, or 0 if `jump` counts from the cheapest level
    jump: int = 0

    def fixed(self, suits: Suits) -> Call | None:
        """Return the call that the letters' suits settle, or None if it depends on the state."""
        if self.word is not None:
            return self.word
        if not self.level or (self.letter and self.letter not in suits):
            return None
        return Call.bid(self.level, _denomination(suits.get(self.letter)))

    def call(self, state: State, suits: Suits) -> Call | None:
        """Return the bid that the template stands for now, or None if it is not high enough."""
        suit = suits.get(self.letter, state.letters.get(self.letter))
        if suit is None and self.letter:
            return None
        denomination = _denomination(suit)
        level = self.level or state.cheapest(denomination) + self.jump
        if level > 7:
            return None
        call = Call.bid(level, denomination)
        return call if call > state.bid else None


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """The rules for one kind of auction."""

    where: str
    pattern: Pattern
    general: bool  # whether the block is for any auction that meets its conditions
    only: bool
    required: frozenset[str]  # the conditions that must be met
    excluded: frozenset[str]  # the conditions that must not be met
    rules: tuple[Rule, ...]
    _sections: dict[tuple[tuple[str, Suit], ...], Section] = field(default_factory=dict, init=False)
    """The block by the suits of the pattern's letters, as far as it has been needed."""

    def is_for(self, met: frozenset[str]) -> bool:
        return self.required <= met and not self.excluded & met

    def match(self, auction: str) -> Section | None:
        """Return the block as it stands in an auction (`notation`), or None if it does not fit."""
        suits = {} if self.general else self.pattern.match(auction)
        if suits is None:
            return None
        key = tuple(suits.items())
        section = self._sections.get(key)
        if section is None:
            known = {**FIXED, **suits}
            lines = tuple(line for rule in self.rules for line in rule.lines(known))
            section = self._sections[key] = Section(self.general, lines)
        return section


@dataclass(frozen=True, slots=True)
class Section:
    """A block as it stands in an auction."""

    general: bool  # whether the block is for any auction that meets its conditions
    lines: tuple[Line, ...]  # its rules, with a line for each choice of their open letters


_NOTHING = Meaning("", ANY)


def _last(state: State) -> Meaning:
    return state.last_by_partner or _NOTHING


CONDITIONS: dict[str, Callable[[State], bool]] = {
    "forced": lambda state: state.forced,
    "free": lambda state: not state.forced,
    "game": lambda state: state.game[state.turn % 2],
    "ours": lambda state: state.ours,
    "theirs": lambda state: state.theirs,
    "atgame": lambda state: is_game(state.bid),
    "fit": lambda state: state.trump is not None,
    "signoff": lambda state: _last(state).signoff,
    "asked": lambda state: _last(state).asks and state.calls[-1] < FIRST_BID,
    "answered": lambda state: bool(_last(state).keys) and state.calls[-1] < FIRST_BID,
    "silent": lambda state: all(call == PASS for call in state.calls[state.turn % 2 :: 2]),
}


def conditions(state: State) -> frozenset[str]:
    return frozenset(name for name, is_met in CONDITIONS.items() if is_met(state))


def _expansions(letters: tuple[str, ...], suits: Suits) -> Iterator[Suits]:
    """Yield the suits with each open letter standing for every suit that no other letter has."""
    for index, letter in enumerate(letters):
        if letter not in suits:
            taken = [suits[bound] for bound in LETTERS if bound in suits]
            for suit in LETTERS[letter]:
                if suit not in taken:
                    yield from _expansions(letters[index + 1 :], {**suits, letter: suit})
            return
    yield suits


def _denomination(trump: Suit | None) -> Denomination:
    return Denomination.NOTRUMP if trump is None else DENOMINATIONS[trump]


class Book:
    """All tables of a system: their blocks, in the order in which they are tried."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._blocks = tuple(blocks)
        self._outlines = frozenset(block.pattern.outline for block in self._blocks)
        self._possible = lru_cache(maxsize=1000)(self._blocks_for)
        # The opening bids that a vulnerability may change; None if it may change later calls too.
        self._by_vulnerability = self._vulnerable_openings()

    def heeds_vulnerability(self, calls: Sequence[Call]) -> bool:
        """Return whether the vulnerability may change what calls tell, or the call after them."""
        if self._by_vulnerability is None:
            return True
        for call in calls:
            if call != PASS:
                return call in self._by_vulnerability
        return True

    def sections(self, state: State) -> Iterator[Section]:
        """Yield the blocks as they stand in an auction, as far as they count there."""
        auction = notation(state.pattern_calls)
        kind = outline(auction)
        known = kind if kind in self._outlines else None
        for block in self._possible(known, conditions(state)):
            section = block.match(auction)
            if section is not None:
                yield section
                if block.only:
                    return

    def _vulnerable_openings(self) -> frozenset[Call] | None:
        calls: set[Call | None] = set()
        for block in self._blocks:
            if any(rule.heeds_vulnerability for rule in block.rules):
                section = block.match("") if block.pattern.outline == "" else None
                if section is None:
                    return None
                calls |= {line.fixed for line in section.lines if line.rule.heeds_vulnerability}
        return None if None in calls else frozenset(call for call in calls if call is not None)

    def _blocks_for(self, kind: str | None, met: frozenset[str]) -> tuple[Block, ...]:
        return tuple(
            block
            for block in self._blocks
            if block.pattern.outline in (kind, None) and block.is_for(met)
        )
