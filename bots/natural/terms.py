"""The terms in which the rules state what a hand needs.

A term is bound to an auction. There it is a test of hands, with the ranges of all hands that can
pass it. Suits are letters (`bots.natural.situation`), or `T` the agreed trump, `E` the suit that
the other side bid last, `R` partner's longest shown suit, `Y` one's own longest shown suit.

    12-14  12+  -9     high-card points
    pts10+             the worth of the honours, with one for each card over four in a suit
    sup10-12           the worth of the honours, with short suits and trumps over five, in support
                       of the suit of the call if partner may have it, else of partner's longest
    all25-31  allT25+  own strength as `sup` or `pts` and the fewest points that partner has shown,
                       for the contract that the call proposes, or with the agreed trump
    exp31+  max25+     own points and what partner may be expected to have, or the most
    S5+  M4  x-3       cards in a suit
    x>=y  x>y          one suit is as long as another or longer, or is longer
    more(x)            more cards in a suit than shown
    new(x)             of the auction: a suit that neither partner has shown
    unbid(x)           of the auction: not a suit of the other side
    level-3            of the auction: the level of the call
    fit(x)8+           cards in a suit that partner has shown, with the fewest that he has
    long(x)            the longest suit, and the highest-ranking of equally long ones
    short(x)           a singleton or void
    good(x)            two of the three top honours, or three of the five
    top(x)2+           of the three top honours
    stop(x)  stop      a stopper there, or in all suits bid by the other side
    stops4             suits with a stopper, or shown by partner
    bal  semi          no singleton and at most one doubleton; no singleton
    qt2+  aces2        quick tricks; aces
    keys0,3  queen(x)  key cards of the trump suit; its queen
    missing-1          key cards missing after partner's answer
    law  law1          trumps with partner enough for the level; one short of it
    takeout            three cards in each suit that the other side has not shown, except
                       for one minor if there are four in one of the majors
    above(x,y)         of the auction: one suit ranks above the other
    last(x)            of the auction: the last bid named that suit, or notrump (NT)
    seat3  passed  vul  nonvul
                       of the auction: who has passed, whether one is vulnerable
    !term              the contrary
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from bridge_arena.bots.library.hand_ranges import ANY, HandRanges, with_length
from bridge_arena.bots.natural.facts import Facts
from bridge_arena.bots.natural.reading import State
from bridge_arena.bots.natural.situation import MAJORS, Suits
from bridge_arena.bridge.calls import FIRST_BID, Call
from bridge_arena.bridge.cards import SUITS, Suit
from bridge_arena.bridge.explanation import Range

Test = Callable[[Facts], bool]


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """A requirement in one auction.

    A term that is bound twice with the same suits and the same numbers gives the same object, so
    that what is made of several requirements is made once.
    """

    test: Test  # the test of a hand
    # Those of the hands that pass the test; for a test of more than high-card points, of nearly
    # all of them.
    ranges: HandRanges = ANY


@dataclass(slots=True)
class RuleContext:
    """The auction and the call for which a term is bound."""

    state: State
    call: Call  # the call that is to be made
    # The suits that the letters of the rule stand for, apart from those that the state tells.
    suits: Suits

    def suit(self, letter: str) -> Suit | None:
        """Return the suit of a letter, or None if there is none and the rule cannot hold."""
        return self.suits.get(letter, self.state.letters.get(letter))

    @property
    def strain(self) -> Suit | None:
        """The trump suit that the call proposes: its own, or else the agreed one."""
        return self.call.denomination.trump if self.call >= FIRST_BID else self.state.trump


Binding = Callable[[RuleContext], Bound | None]
"""A function that binds a term; None or NEVER means that the term cannot hold."""


def for_suits(letters: Sequence[str], bind: Callable[..., Bound]) -> Binding:
    """Return the binding of a term about the suits of letters, which must exist for it to hold."""

    def bind_suits(context: RuleContext) -> Bound | None:
        suits = [context.suit(letter) for letter in letters]
        return None if None in suits else bind(context, *suits)

    return bind_suits


@dataclass(frozen=True, slots=True)
class HandTerm:
    """A binding that reads nothing in the auction but the suits of its letters."""

    letters: tuple[str, ...]
    bound: Callable[..., Bound]  # the requirement for the suits that they stand for

    @classmethod
    def of(cls, bound: Bound) -> HandTerm:
        """Return the binding of a term without letters."""
        return cls((), lambda: bound)

    def __call__(self, context: RuleContext) -> Bound | None:
        suits = [context.suit(letter) for letter in self.letters]
        return None if None in suits else self.bound(*suits)

    def among(self, suits: Suits) -> Bound | None:
        """Return the requirement, or None if a letter stands for none of the suits."""
        if all(letter in suits for letter in self.letters):
            return self.bound(*(suits[letter] for letter in self.letters))
        return None


@lru_cache(maxsize=10_000)
def all_of(bounds: tuple[Bound, ...]) -> Bound:
    """Return the requirement that several requirements are met."""
    # If the ranges of two contradict each other, the earlier one is right: some are estimates.
    ranges = ANY
    for bound in bounds:
        ranges = bound.ranges.narrowed(ranges)
    tests = tuple(bound.test for bound in bounds if bound is not ALWAYS)

    def test(facts: Facts) -> bool:
        for test_one in tests:  # noqa: SIM110 (half as dear as a generator)
            if not test_one(facts):
                return False
        return True

    return Bound(test, ranges.completed())


@lru_cache(maxsize=1000)
def contrary(bound: Bound) -> Bound:
    if bound is ALWAYS or bound is NEVER:
        return NEVER if bound is ALWAYS else ALWAYS
    return Bound(lambda facts: not bound.test(facts))


ALWAYS = Bound(lambda _: True)
NEVER = Bound(lambda _: False)


def numbers(text: str, most: int) -> Range:
    """Return the range, up to `most`, that a text means: `5`, `5+`, `-5` or `5-7`."""
    if text.endswith("+"):
        least, top = int(text[:-1]), most
    else:
        low, dash, high = text.partition("-")
        least, top = (int(low or 0), int(high)) if dash else (int(text), int(text))
    if not least <= top <= most:
        raise ValueError(f"{text} is no range of numbers up to {most}")
    return least, top


def keys(text: str) -> tuple[int, ...]:
    """Return the numbers of key cards that a text like `0,3` means, or raise ValueError."""
    counts = text.split(",")
    if not all(count in ("0", "1", "2", "3", "4", "5") for count in counts):
        raise ValueError(f"{text!r} is no list of key cards, of which there are 5")
    return tuple(map(int, counts))


# Each of the following functions makes a term that the table above names, from the letters and the
# numbers in its text.
#
# The strength of a hand: points, quick tricks, key cards.


def high_cards(text: str) -> Binding:
    low, high = numbers(text, 37)
    return HandTerm.of(Bound(lambda facts: low <= facts.hcp <= high, HandRanges(hcp=(low, high))))


def points(text: str) -> Binding:
    return HandTerm.of(_counted(*numbers(text, 50), 3))


def _points_ranges(low: int, high: int, shape: int) -> HandRanges:
    """Return the high-card points of most hands whose strength is in a range.

    `shape` is how much of the strength they have for shape at most, and for honours that are worth
    more than their points.
    """
    return HandRanges(hcp=(min(37, max(0, low - shape)), max(0, min(37, high))))


@lru_cache(maxsize=1000)
def _counted(low: int, high: int, shape: int) -> Bound:
    """Return the requirement of `points`, of which most hands have `shape` at most for length."""
    return Bound(lambda facts: low <= facts.points <= high, _points_ranges(low, high, shape))


@lru_cache(maxsize=1000)
def _supporting(trump: Suit, low: int, high: int, shape: int) -> Bound:
    """Return the requirement of `support`, of which most hands have `shape` at most for shape."""
    ranges = _points_ranges(low, high, shape)
    return Bound(lambda facts: low <= facts.support(trump) <= high, ranges)


def support(text: str) -> Binding:
    low, high = numbers(text, 50)

    def bind(context: RuleContext) -> Bound | None:
        trump = context.strain
        shown = context.state.shown(context.state.partner)
        if shown and (trump is None or context.state.partner.least(trump) < 3):
            trump = shown[0]
        return None if trump is None else _supporting(trump, low, high, 3)

    return bind


# How many points partner is thought to have: the fewest shown, those expected, the most.
_PARTNERS: dict[str, Callable[[int, int], int]] = {
    "all": lambda lowest, _: lowest,
    "exp": lambda lowest, highest: lowest + min(3, (highest - lowest) // 3),
    "max": lambda _, highest: highest,
}


def together(word: str, agreed: str, text: str) -> Binding:
    low, high = numbers(text, 99)
    counted = _PARTNERS[word]

    def bind(context: RuleContext) -> Bound:
        theirs = counted(*context.state.partner.hcp)
        trump = context.state.trump if agreed else context.strain
        least, most = low - theirs, high - theirs
        if most < 0:
            return NEVER
        if trump is not None and context.state.partner.least(trump) >= 3:
            return _supporting(trump, least, most, 3)
        return _counted(least, most, 1 if trump is None else 2)

    return bind


def quick_tricks(text: str) -> Binding:
    low, high = numbers(text, 9)
    return HandTerm.of(Bound(lambda facts: low <= facts.quick_tricks <= high))


def aces(text: str) -> Binding:
    low, high = numbers(text, 4)
    return HandTerm.of(Bound(lambda facts: low <= facts.aces <= high))


def key_cards(text: str) -> Binding:
    counts = keys(text)

    @cache
    def bound(trump: Suit) -> Bound:
        return Bound(lambda facts: facts.keycards(trump) in counts)

    return HandTerm(("T",), bound)


def missing_keys(text: str) -> Binding:
    low, high = numbers(text, 5)

    @cache
    def bound(answers: tuple[int, ...], trump: Suit, strong: bool) -> Bound:  # noqa: FBT001
        def test(facts: Facts) -> bool:
            own = facts.keycards(trump)
            possible = [count for count in answers if own + count <= 5]
            if not possible:
                return False
            theirs = max(possible) if strong else min(possible)
            return low <= 5 - own - theirs <= high

        return Bound(test)

    def bind(context: RuleContext) -> Bound | None:
        answer, trump = context.state.last_by_partner, context.state.trump
        if answer is None or trump is None or not answer.keys:
            return None
        # An answer may mean two numbers; it means the higher one if partner has shown the
        # strength of an opening.
        return bound(answer.keys, trump, context.state.partner.hcp[0] >= 11)

    return bind


# Suits: lengths, fits, honours, stoppers, shapes.


@lru_cache(maxsize=1000)
def _length(suit: Suit, low: int, high: int) -> Bound:
    return Bound(lambda facts: low <= facts.lengths[suit] <= high, with_length(suit, low, high))


def cards(letter: str, text: str) -> Binding:
    low, high = numbers(text, 13)
    return HandTerm((letter,), lambda suit: _length(suit, low, high))


def longer(first: str, sign: str, second: str) -> Binding:
    margin = 0 if sign == ">=" else 1

    @cache
    def bound(one: Suit, other: Suit) -> Bound:
        return Bound(lambda facts: facts.lengths[one] >= facts.lengths[other] + margin)

    return HandTerm((first, second), bound)


def fit(letter: str, text: str) -> Binding:
    low, high = numbers(text, 26)

    def bind(context: RuleContext, suit: Suit) -> Bound:
        theirs = context.state.partner.least(suit)
        least, most = max(0, low - theirs), min(13, high - theirs)
        if not theirs or most < 0 or least > 13:
            return NEVER
        return _length(suit, least, most)

    return for_suits(letter, bind)


def more_than_shown(letter: str) -> Binding:
    return for_suits(
        letter, lambda context, suit: _length(suit, min(13, context.state.own.least(suit) + 1), 13)
    )


def law(short: str) -> Binding:
    """Return the term of the law of total tricks (Cohen): a side is safe as high as its trumps."""
    below = int(short or 0)

    def bind(context: RuleContext) -> Bound | None:
        suit = context.strain
        if suit is None or context.call < FIRST_BID:
            return None
        theirs = context.state.partner.least(suit)
        if not theirs:
            return NEVER
        return _length(suit, min(13, max(0, context.call.level + 6 - below - theirs)), 13)

    return bind


def of_suit(
    test: Callable[[Facts, Suit], bool], ranges: Callable[[Suit], HandRanges] = lambda _: ANY
) -> Callable[[str], Binding]:
    """Return a function that makes the term for a test of a suit and its ranges."""
    bound = cache(lambda suit: Bound(lambda facts: test(facts, suit), ranges(suit)))
    return lambda letter: HandTerm((letter,), bound)


def is_longest(facts: Facts, suit: Suit) -> bool:
    """Return whether a suit is the longest, and the highest-ranking of equally long ones."""
    return all((facts.lengths[suit], suit) >= (facts.lengths[other], other) for other in SUITS)


def top_honours(letter: str, text: str) -> Binding:
    low, high = numbers(text, 3)
    return of_suit(lambda facts, suit: low <= facts.tops(suit) <= high)(letter)


def about_theirs(bind: Callable[[tuple[Suit, ...]], Bound]) -> Callable[[], Binding]:
    """Return a function that makes the term for the suits that the other side has shown."""
    bound = cache(bind)
    return lambda: lambda context: bound(context.state.shown_by_others)


def stopped(theirs: tuple[Suit, ...]) -> Bound:
    return Bound(lambda facts: all(map(facts.stops, theirs)))


def stoppers(text: str) -> Binding:
    low, high = numbers(text, 4)

    @cache
    def bound(strong: tuple[Suit, ...]) -> Bound:
        others = [suit for suit in SUITS if suit not in strong]
        return Bound(lambda facts: low <= len(strong) + sum(map(facts.stops, others)) <= high)

    def bind(context: RuleContext) -> Bound:
        partner = context.state.partner
        return bound(
            tuple(suit for suit in SUITS if partner.least(suit) >= 4 or partner.hcp[0] >= 15)
        )

    return bind


def plain(test: Test, least: int, most: int) -> Callable[[], Binding]:
    """Return a function that makes the term for a test that bounds all suits alike."""
    term = HandTerm.of(Bound(test, HandRanges(lengths=((least, most),) * 4)))
    return lambda: term


def takeout(theirs: tuple[Suit, ...]) -> Bound:
    unbid = [suit for suit in SUITS if suit not in theirs]
    minors = [suit for suit in unbid if suit not in MAJORS]
    majors = [suit for suit in unbid if suit in MAJORS]

    def test(facts: Facts) -> bool:
        lengths = facts.lengths
        if all(lengths[suit] >= 3 for suit in unbid):
            return True
        return (
            all(lengths[suit] >= 3 for suit in majors)
            and any(lengths[suit] == 4 for suit in majors)
            and sum(lengths[suit] >= 3 for suit in minors) >= len(minors) - 1
            and all(lengths[suit] >= 2 for suit in minors)
        )

    lengths = tuple((2, 6) if suit in unbid else (0, 13) for suit in SUITS)
    return Bound(test, HandRanges(lengths=lengths))


# The auction, not the hand: these terms hold for all hands or for none.


def circumstance(holds: Callable[..., bool]) -> Callable[..., Binding]:
    """Return a function that makes the term for a condition on the auction and letters' suits."""

    def bind(context: RuleContext, *suits: Suit) -> Bound:
        return ALWAYS if holds(context.state, *suits) else NEVER

    return lambda *letters: for_suits(letters, bind)


def is_new(state: State, suit: Suit) -> bool:
    return max(state.own.least(suit), state.partner.least(suit)) < 4


def at_level(text: str) -> Binding:
    low, high = numbers(text, 7)
    return lambda context: ALWAYS if low <= context.call.level <= high else NEVER


def was_last(letter: str) -> Binding:
    def bind(context: RuleContext) -> Bound:
        bid = context.state.bid
        if bid < FIRST_BID:
            return NEVER
        named = bid.denomination.trump
        wanted = None if letter == "NT" else context.suit(letter)
        return ALWAYS if named == wanted and (letter == "NT" or wanted is not None) else NEVER

    return bind


def in_seat(text: str) -> Binding:
    return circumstance(lambda state: len(state.calls) == int(text) - 1)()


# The texts of the terms.


@lru_cache(maxsize=1000)
def parse(text: str) -> Binding:
    """Return the term of a text, or raise ValueError if the text is no term."""
    if text.startswith("!"):
        return _contrary(parse(text[1:]))
    for pattern, make in _TERMS:
        match = pattern.fullmatch(text)
        if match is not None and all(
            len(given) > 1 or not given.isalpha() or given in _LETTERS for given in match.groups()
        ):
            try:
                return make(*match.groups())
            except ValueError as error:
                raise ValueError(f"{text!r} is not a term: {error}") from None
    raise ValueError(f"{text!r} is not a term")


def heeds_vulnerability(text: str) -> bool:
    return text.lstrip("!") in ("vul", "nonvul")


def _contrary(binding: Binding) -> Binding:
    if isinstance(binding, HandTerm):
        return HandTerm(binding.letters, lambda *suits: contrary(binding.bound(*suits)))

    def bind(context: RuleContext) -> Bound:
        bound = binding(context)
        return NEVER if bound is None else contrary(bound)

    return bind


_LETTERS = "CDHSMmOoxyzTERY"  # the letters that may stand for a suit

_RANGE = r"(\d+-\d+|\d+\+|-\d+|\d+)"

# In these patterns # stands for a range of numbers, and @ for a letter.
_TERMS: tuple[tuple[re.Pattern[str], Callable[..., Binding]], ...] = tuple(
    (re.compile(pattern.replace("#", _RANGE).replace("@", "([A-Za-z])")), make)
    for pattern, make in (
        (r"#", high_cards),
        (r"pts#", points),
        (r"sup#", support),
        (r"(all|exp|max)(T?)#", together),
        (r"@#", cards),
        (r"@(>=|>)@", longer),
        (r"more\(@\)", more_than_shown),
        (r"new\(@\)", circumstance(is_new)),
        (r"unbid\(@\)", circumstance(lambda state, suit: suit not in state.shown_by_others)),
        (r"level#", at_level),
        (r"fit\(@\)#", fit),
        (r"long\(@\)", of_suit(is_longest, lambda suit: with_length(suit, 4, 13))),
        (
            r"short\(@\)",
            of_suit(lambda facts, suit: facts.lengths[suit] <= 1, lambda s: with_length(s, 0, 1)),
        ),
        (r"good\(@\)", of_suit(Facts.is_good)),
        (r"top\(@\)#", top_honours),
        (r"stop\(@\)", of_suit(Facts.stops, lambda suit: with_length(suit, 1, 13))),
        (r"stop", about_theirs(stopped)),
        (r"stops#", stoppers),
        (r"bal", plain(lambda facts: facts.balanced, 2, 5)),
        (r"semi", plain(lambda facts: facts.semibalanced, 2, 7)),
        (r"qt#", quick_tricks),
        (r"aces#", aces),
        (r"keys([\d,]+)", key_cards),
        (r"queen\(@\)", of_suit(Facts.has_queen)),
        (r"missing#", missing_keys),
        (r"law(\d?)", law),
        (r"takeout", about_theirs(takeout)),
        (r"above\(@,@\)", circumstance(lambda _, one, other: one > other)),
        (r"last\(([A-Za-z]|NT)\)", was_last),
        (r"seat([1-4])", in_seat),
        (r"passed", circumstance(lambda state: state.passed)),
        (r"vul", circumstance(lambda state: state.vulnerable[state.turn % 2])),
        (r"nonvul", circumstance(lambda state: not state.vulnerable[state.turn % 2])),
    )
)
