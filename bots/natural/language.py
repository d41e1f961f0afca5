"""The language of the tables of rules.

    # a comment
    @ 1M                       a block: the auctions that it is for
    2NT | M4+ sup13+ | forcing raise [game art]
    2M  | M3+ sup6-9 | raise

Several headings in a row share the rules that follow. A rule is a call, what the hand needs (terms
of `bots.natural.terms`, all of which must hold), and what the call means. The same call may stand
in several rules of a block, of which one must hold. Rules are tried in order. Once a block of an
auction has given a call a meaning, later blocks give it no other; but the blocks for any auction
(`@ *`) count as one in this.

The pattern of a block (`bots.natural.situation`) may be followed by a semicolon and conditions on
the auction:

    forced, free           partner's last call forbids a pass, or allows it
    game                   a game must be reached
    ours, theirs           this side made the last bid, or the other side did
    atgame                 the last bid is a game or higher
    fit                    eight trumps are known
    signoff                partner's last call was a sign-off
    asked, answered        partner asked for key cards, or told them
    silent                 neither partner has bid or doubled yet
    only                   no later block is looked at

A condition is negated by `!`. In calls, `~x` is the cheapest bid of a suit, `^x` a jump, `^^x` a
double jump. A letter that the auction has not bound stands for every suit that it may be. The words
in square brackets are `round` or `game` (forcing for so long), `signoff`, `art` (artificial), `ask`
(for key cards), `keys0,3` (the answer to it).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from bridge_arena.bots.library.box import Box
from bridge_arena.bots.natural import terms
from bridge_arena.bots.natural.binding import (
    ALWAYS,
    NEVER,
    Binding,
    Bound,
    HandTerm,
    RuleContext,
    all_of,
    keys,
)
from bridge_arena.bots.natural.reading import Forcing, Meaning, State, is_game
from bridge_arena.bots.natural.situation import FIXED, LETTERS, Pattern, Suits
from bridge_arena.bridge.calls import (
    DENOMINATIONS,
    DOUBLE,
    FIRST_BID,
    PASS,
    REDOUBLE,
    Call,
    Denomination,
)
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

    def lines(self, suits: Suits) -> Iterator[Line]:
        """Yield the rule once for each choice of its open letters.

        Args:
            suits: The suits of the letters that the auction has bound.

        Yields:
            The lines.
        """
        for each in _expansions(self.letters, suits):
            yield Line.of(self, each)


@dataclass(frozen=True, slots=True)
class Line:
    """A rule whose letters stand for suits, except for those that the state tells.

    Attributes:
        rule: The rule.
        suits: The suits of its letters.
        fixed: The call of the rule, or None if it depends on the state.
        bounds: What the needs require, with ALWAYS for those that depend on the state.
        open: The needs that depend on the state, each with its place among all.
    """

    rule: Rule
    suits: Suits
    fixed: Call | None
    bounds: tuple[Bound, ...]
    open: tuple[tuple[int, Binding], ...]

    @classmethod
    def of(cls, rule: Rule, suits: Suits) -> Line:
        """Return the line of a rule whose letters stand for some suits."""
        bounds = [ALWAYS] * len(rule.needs)
        still_open: list[tuple[int, Binding]] = []
        for place, need in enumerate(rule.needs):
            bound = need.among(suits) if isinstance(need, HandTerm) else None
            if bound is None:
                still_open.append((place, need))
            else:
                bounds[place] = bound
        return cls(rule, suits, rule.template.fixed(suits), tuple(bounds), tuple(still_open))

    def call(self, state: State) -> Call | None:
        """Return the call that the rule stands for now, or None if there is none."""
        fixed = self.fixed
        if fixed is None:
            return self.rule.template.call(state, self.suits)
        return fixed if fixed > state.bid or fixed < FIRST_BID else None

    def bind(self, state: State, call: Call) -> Bound | None:
        """Return what the rule requires of a hand now, or None if it cannot hold.

        Args:
            state: The state of the auction.
            call: The call that the rule stands for.

        Returns:
            The requirement of all needs.
        """
        if not self.open:
            return all_of(self.bounds)
        context = RuleContext(state, call, self.suits)
        bounds = [*self.bounds]
        for place, need in self.open:
            bound = need(context)
            if bound is None or bound is NEVER:
                return None
            bounds[place] = bound
        return all_of(tuple(bounds))


@dataclass(frozen=True, slots=True)
class CallTemplate:
    """A call whose level or suit depends on the auction."""

    text: str
    letter: str = ""
    """The letter of the denomination; empty for notrump, Pass, X and XX."""
    level: int = 0
    """The level, or 0 if `jump` counts from the cheapest level."""
    jump: int = 0

    def fixed(self, suits: Suits) -> Call | None:
        """Return the call that the template stands for in every auction, or None if it depends.

        Args:
            suits: The suits of the letters that the state does not tell.

        Returns:
            The call.
        """
        if self.text in _CALLS:
            return _CALLS[self.text]
        if not self.level or (self.letter and self.letter not in suits):
            return None
        return Call.bid(self.level, _denomination(suits.get(self.letter)))

    def call(self, state: State, suits: Suits) -> Call | None:
        """Return the bid that the template stands for now, or None if there is none.

        Args:
            state: The state of the auction.
            suits: The suits of the letters that the state does not tell.

        Returns:
            A bid that is high enough.
        """
        suit = suits.get(self.letter, state.letters.get(self.letter))
        if suit is None and self.letter:
            return None
        denomination = _denomination(suit)
        level = self.level or state.cheapest(denomination) + self.jump
        if level > 7:
            return None
        call = Call.bid(level, denomination)
        return call if call > state.bid else None


def _denomination(trump: Suit | None) -> Denomination:
    return Denomination.NOTRUMP if trump is None else DENOMINATIONS[trump]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """The rules for one kind of auction."""

    where: str
    pattern: Pattern
    general: bool
    """Whether the block is for any auction that meets its conditions."""
    only: bool
    required: frozenset[str]
    """The conditions that must be met."""
    excluded: frozenset[str]
    """The conditions that must not be met."""
    rules: tuple[Rule, ...]
    _sections: dict[tuple[tuple[str, Suit], ...], Section] = field(default_factory=dict, init=False)
    """The block by the suits of the pattern's letters, as far as it has been needed."""

    def is_for(self, met: frozenset[str]) -> bool:
        """Return whether the block is for auctions that meet some conditions and no others."""
        return self.required <= met and not self.excluded & met

    def match(self, auction: str) -> Section | None:
        """Return the block as it stands in an auction, or None if the pattern does not fit.

        Args:
            auction: The auction, as `notation` returns it.

        Returns:
            The section.
        """
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
    """A block as it stands in an auction.

    Attributes:
        general: Whether the block is for any auction that meets its conditions.
        lines: Its rules, with a line for each choice of their open letters.
    """

    general: bool
    lines: tuple[Line, ...]


class TableError(ValueError):
    """The error of a table with mistakes.

    Args:
        mistakes: The mistakes, each as `table:line: what is wrong`.

    Attributes:
        mistakes: The mistakes.
    """

    def __init__(self, mistakes: Sequence[str]) -> None:
        self.mistakes = tuple(mistakes)
        others = f" (and {len(mistakes) - 1} more)" if len(mistakes) > 1 else ""
        super().__init__(f"{mistakes[0]}{others}")


def parse(text: str, name: str) -> list[Block]:
    """Return the blocks of a table, whose rules fail in no auction.

    Args:
        text: The table.
        name: The name of the table, for error messages.

    Returns:
        The blocks.

    Raises:
        TableError: The table has mistakes; the error holds all of them.
    """
    blocks: list[Block] = []
    mistakes: list[str] = []
    # The next rule is for the blocks from `first` on: those whose headings stand together.
    first, done = 0, False
    has_heading = False
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        if not content:
            continue
        where = f"{name}:{number}"
        try:
            if content.startswith("@"):
                has_heading = True
                if done:
                    first, done = len(blocks), False
                blocks.append(_block(content[1:], where))
                continue
            if not has_heading:
                raise ValueError("a rule stands before the first block")  # noqa: TRY301
            done = True
            rule = _rule(content, blocks[first:])
        except ValueError as error:
            mistakes.append(f"{where}: {error}")
            continue
        blocks[first:] = [replace(block, rules=(*block.rules, rule)) for block in blocks[first:]]
    if blocks[first:] and not done:
        mistakes.append(f"{blocks[first].where}: the block has no rules")
    if not blocks and not mistakes:
        mistakes.append(f"{name}: there are no rules")
    if mistakes:
        raise TableError(mistakes)
    return blocks


def _block(text: str, where: str) -> Block:
    pattern, _, conditions = text.partition(";")
    words = conditions.split()
    for word in words:
        name = word.removeprefix("!")
        if name not in _CONDITIONS and word != "only":
            raise ValueError(f"{name!r} is not a condition")
    return Block(
        where,
        Pattern(pattern),
        general=pattern.strip() == "*",
        only="only" in words,
        required=frozenset(name for name in _CONDITIONS if name in words),
        excluded=frozenset(name for name in _CONDITIONS if f"!{name}" in words),
        rules=(),
    )


def _rule(text: str, blocks: Sequence[Block]) -> Rule:
    """Return a rule of some blocks, or raise ValueError."""
    parts = [part.strip() for part in text.split("|")]
    if len(parts) != 3:
        raise ValueError(f"{text!r} is not a rule (call | needs | meaning)")
    call, needs, meaning = parts
    template = _template(call)
    letters = [
        template.letter,
        *(found for need in needs.split() for found in _LETTER.findall(need)),
    ]
    for block in blocks:
        for letter in letters:
            if not block.pattern.knows(letter):
                raise ValueError(f"{letter!r} is the other suit of a pair that {block.where} lacks")
    return Rule(
        template,
        tuple(map(terms.parse, needs.split())),
        tuple(letter for letter in dict.fromkeys(letters) if letter in LETTERS),
        _meaning(meaning),
        any(map(terms.heeds_vulnerability, needs.split())),
    )


def _expansions(letters: tuple[str, ...], suits: Suits) -> Iterator[Suits]:
    """Yield the suits with each open letter standing for every suit that no other letter has."""
    for index, letter in enumerate(letters):
        if letter not in suits:
            taken = [suits[each] for each in LETTERS if each in suits]
            for suit in LETTERS[letter]:
                if suit not in taken:
                    yield from _expansions(letters[index + 1 :], {**suits, letter: suit})
            return
    yield suits


def _template(text: str) -> CallTemplate:
    if text in _CALLS:
        return CallTemplate(text)
    found = _TEMPLATE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not a call")
    letter = "" if found["letter"] == "NT" else found["letter"]
    return CallTemplate(text, letter, int(found["level"] or 0), text.count("^"))


def _meaning(text: str) -> Meaning:
    words, _, flags = text.partition("[")
    if ("[" in text or "]" in text) and not _FLAGS.fullmatch(text):
        raise ValueError(f"the flags of {text!r} are not in one pair of brackets at the end")
    flags = flags.removesuffix("]")
    meaning = Meaning(words.strip(), Box())
    for flag in flags.split():
        if flag in _FORCING:
            meaning = replace(meaning, forcing=_FORCING[flag])
        elif flag == "signoff":
            meaning = replace(meaning, signoff=True)
        elif flag == "art":
            meaning = replace(meaning, artificial=True)
        elif flag == "ask":
            meaning = replace(meaning, asks=True, artificial=True, forcing=Forcing.ROUND)
        elif flag.startswith("keys"):
            told = keys(flag.removeprefix("keys"))
            meaning = replace(meaning, keys=told, artificial=True, forcing=Forcing.ROUND)
        else:
            raise ValueError(f"{flag!r} is not a flag")
    return meaning


_FLAGS = re.compile(r"[^][]*\[[^][]*\]")
_TEMPLATE = re.compile(r"(?:(?P<level>[1-7])|~|\^{1,2})(?P<letter>NT|[CDHSMmOoxyzTERY])")
# A letter in a need that stands for a suit: alone, before a number, or in brackets.
_LETTER = re.compile(r"(?<![A-Za-z])[MmOoxyz](?![A-Za-z])")
_CALLS = {"Pass": PASS, "X": DOUBLE, "XX": REDOUBLE}
_FORCING = {"round": Forcing.ROUND, "game": Forcing.GAME}


_NOTHING = Meaning("", Box())


def _last(state: State) -> Meaning:
    return state.last_by_partner or _NOTHING


_CONDITIONS: dict[str, Callable[[State], bool]] = {
    "forced": lambda state: state.forced,
    "free": lambda state: not state.forced,
    "game": lambda state: state.game[state.turn % 2],
    "ours": lambda state: state.ours,
    "theirs": lambda state: state.theirs,
    "atgame": lambda state: is_game(state.bid),
    "fit": lambda state: state.trump is not None,
    "signoff": lambda state: _last(state).signoff,
    "asked": lambda state: _last(state).asks and state.calls[-1] == PASS,
    "answered": lambda state: bool(_last(state).keys) and state.calls[-1] == PASS,
    "silent": lambda state: all(call == PASS for call in state.calls[state.turn % 2 :: 2]),
}


def conditions(state: State) -> frozenset[str]:
    """Return the conditions that an auction meets."""
    return frozenset(name for name, is_met in _CONDITIONS.items() if is_met(state))
