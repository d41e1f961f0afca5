"""The terms in which the rules state what a hand needs.

A term is bound to an auction: there it is a test of hands, and the box of all hands
that can pass it. Suits are letters (`bots.natural.situation`), or `T` the agreed trump,
`E` the suit the other side bid last, `R` partner's longest shown suit, `Y` one's own.

    12-14  12+  -9     high-card points
    pts10+             points: with one for each card over four in a suit
    sup10-12           points in support of the suit of the call, if partner may have it,
                       else of partner's longest: with short suits
    all25-31  allT25+  own points and the fewest that partner has shown, counted for the
                       contract that the call proposes, or with the agreed trump
    exp31+  max25+     own points and what partner may be expected to have, or the most
    S5+  M4  x-3       cards in a suit
    x>=y  x>y          one suit against another
    more(x)            more cards in a suit than shown
    new(x)             of the auction: a suit that neither partner has shown
    unbid(x)           of the auction: not a suit of the other side
    level-3            of the auction: the level of the call
    fit(x)8+           cards in a suit that partner has shown, with the fewest that he has
    long(x)            none longer, and of equals none higher-ranking
    short(x)           a singleton or void
    good(x)            two of the three top honours, or three of the five
    top(x)2+           of the three top honours
    stop(x)  stop      a stopper there, or in all suits bid by the other side
    stops4             stoppers, with suits that partner has shown, in so many suits
    bal  semi          no singleton and at most one doubleton; no singleton
    qt2+  aces2        quick tricks; aces
    keys0,3  queen(x)  key cards of the trump suit; its queen
    missing-1          key cards missing after partner's answer
    law  law1          trumps with partner enough for the level; one short of it
    takeout            three cards in each suit that the other side has not shown, but
                       for one minor with four in the others
    above(x,y)         of the auction: one suit ranks above the other
    last(x)            of the auction: the last bid named that suit, or notrump (NT)
    seat3  passed  vul  nonvul
                       of the auction: who has passed, whether one is vulnerable
    !term              the contrary
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bots.box import ANY, Box, with_length
from bots.natural.facts import Facts
from bots.natural.reading import State
from bots.natural.situation import MAJORS, Suits
from bridge.calls import FIRST_BID, Call
from bridge.cards import SUITS, Suit
from bridge.explanation import Range

Test = Callable[[Facts], bool]


@dataclass(frozen=True, slots=True)
class Bound:
    """A requirement in one auction. `box`: around the hands that pass the test; of those
    that count more than high cards, around nearly all."""

    test: Test
    box: Box = ANY


@dataclass(frozen=True, slots=True)
class Place:
    """Where a term is bound: the auction, the call that is to be made, the suits of the
    letters."""

    state: State
    call: Call
    suits: Suits

    def suit(self, letter: str) -> Suit | None:
        """The suit of a letter; None where there is none, so that the rule cannot hold."""
        return self.suits.get(letter)

    @property
    def strain(self) -> Suit | None:
        """The trump suit that the call proposes: its own, else the agreed one."""
        return self.call.denomination.trump if self.call >= FIRST_BID else self.state.trump


Binding = Callable[[Place], Bound | None]
"""Binds a term; None, or NEVER, where it cannot hold."""

ALWAYS = Bound(lambda _: True)
NEVER = Bound(lambda _: False)


def parse(text: str) -> Binding:
    """The term of that text. Raises ValueError."""
    if text.startswith("!"):
        return _contrary(parse(text[1:]))
    for pattern, make in _TERMS:
        found = pattern.fullmatch(text)
        if found is not None and all(
            len(given) > 1 or not given.isalpha() or given in _LETTERS for given in found.groups()
        ):
            return make(*found.groups())
    raise ValueError(f"{text!r} is not a term")


def _range(text: str, most: int) -> Range:
    """`5`, `5+`, `-5` or `5-7`."""
    if text.endswith("+"):
        return int(text[:-1]), most
    low, dash, high = text.partition("-")
    if not dash:
        return int(text), int(text)
    return int(low or 0), int(high)


def _contrary(binding: Binding) -> Binding:
    def bind(place: Place) -> Bound | None:
        bound = binding(place)
        if bound is None or bound is ALWAYS:
            return NEVER
        return ALWAYS if bound is NEVER else Bound(lambda facts: not bound.test(facts))

    return bind


def _hcp(text: str) -> Binding:
    low, high = _range(text, 37)
    bound = Bound(lambda facts: low <= facts.hcp <= high, Box(hcp=(low, high)))
    return lambda _: bound


def _points(text: str) -> Binding:
    low, high = _range(text, 50)
    box = _points_box(low, high, 2)
    bound = Bound(lambda facts: low <= facts.points <= high, box)
    return lambda _: bound


def _points_box(low: int, high: int, shape: int) -> Box:
    """The box of points that count at most `shape` more than high cards do."""
    return Box(hcp=(min(37, max(0, low - shape)), max(0, min(37, high))))


def _worth(place: Place, trump: Suit | None) -> tuple[Callable[[Facts], int], int]:
    """How a hand is counted for the contract that a call proposes; and how many points
    that mostly adds to its high cards at most."""
    if trump is None:
        return (lambda facts: facts.points), 1
    if place.state.partner.least(trump) >= 3:
        return (lambda facts: facts.support(trump)), 3
    return (lambda facts: facts.points), 2


def _support(text: str) -> Binding:
    low, high = _range(text, 50)

    def bind(place: Place) -> Bound | None:
        trump = place.strain
        shown = place.state.shown(place.state.partner)
        if shown and (trump is None or place.state.partner.least(trump) < 3):
            trump = shown[0]
        if trump is None:
            return None
        return Bound(lambda facts: low <= facts.support(trump) <= high, _points_box(low, high, 2))

    return bind


def _together(word: str, agreed: str, text: str) -> Binding:
    low, high = _range(text, 99)

    def bind(place: Place) -> Bound:
        lowest, highest = place.state.partner.hcp
        expected = lowest + min(3, (highest - lowest) // 3)
        theirs = {"all": lowest, "exp": expected, "max": highest}[word]
        worth, shape = _worth(place, place.state.trump if agreed else place.strain)
        least, most = low - theirs, high - theirs
        if most < 0:
            return NEVER
        return Bound(lambda facts: least <= worth(facts) <= most, _points_box(least, most, shape))

    return bind


def _length(letter: str, text: str) -> Binding:
    low, high = _range(text, 13)

    def bind(place: Place) -> Bound | None:
        suit = place.suit(letter)
        if suit is None:
            return None
        return Bound(lambda facts: low <= facts.lengths[suit] <= high, with_length(suit, low, high))

    return bind


def _compare(first: str, sign: str, second: str) -> Binding:
    margin = 0 if sign == ">=" else 1

    def bind(place: Place) -> Bound | None:
        one, other = place.suit(first), place.suit(second)
        if one is None or other is None:
            return None
        return Bound(lambda facts: facts.lengths[one] >= facts.lengths[other] + margin)

    return bind


def _fit(letter: str, text: str) -> Binding:
    low, high = _range(text, 26)

    def bind(place: Place) -> Bound | None:
        suit = place.suit(letter)
        if suit is None:
            return None
        theirs = place.state.partner.least(suit)
        least, most = max(0, low - theirs), min(13, high - theirs)
        if not theirs or most < 0:
            return NEVER
        return Bound(
            lambda facts: least <= facts.lengths[suit] <= most, with_length(suit, least, most)
        )

    return bind


def _more(letter: str) -> Binding:
    def bind(place: Place) -> Bound | None:
        suit = place.suit(letter)
        if suit is None:
            return None
        least = min(13, place.state.own.least(suit) + 1)
        return Bound(lambda facts: facts.lengths[suit] >= least, with_length(suit, least, 13))

    return bind


def _new(letter: str) -> Binding:
    def bind(place: Place) -> Bound | None:
        suit = place.suit(letter)
        if suit is None:
            return None
        shown = max(place.state.own.least(suit), place.state.partner.least(suit))
        return NEVER if shown >= 4 else ALWAYS

    return bind


def _unbid(letter: str) -> Binding:
    def bind(place: Place) -> Bound | None:
        suit = place.suit(letter)
        if suit is None:
            return None
        return NEVER if suit in bid_by_others(place.state) else ALWAYS

    return bind


def _level(text: str) -> Binding:
    low, high = _range(text, 7)
    return lambda place: ALWAYS if low <= place.call.level <= high else NEVER


def _of_suit(
    test: Callable[[Facts, Suit], bool], box: Callable[[Suit], Box]
) -> Callable[[str], Binding]:
    def make(letter: str) -> Binding:
        def bind(place: Place) -> Bound | None:
            suit = place.suit(letter)
            if suit is None:
                return None
            return Bound(lambda facts: test(facts, suit), box(suit))

        return bind

    return make


def _any(_suit: Suit) -> Box:
    return ANY


def _is_longest(facts: Facts, suit: Suit) -> bool:
    return all((facts.lengths[suit], suit) >= (facts.lengths[each], each) for each in SUITS)


def _tops(letter: str, text: str) -> Binding:
    low, high = _range(text, 3)
    return _of_suit(lambda facts, suit: low <= facts.tops(suit) <= high, _any)(letter)


def _stop() -> Binding:
    def bind(place: Place) -> Bound:
        suits = bid_by_others(place.state)
        return Bound(lambda facts: all(facts.stops(suit) for suit in suits))

    return bind


def bid_by_others(state: State) -> list[Suit]:
    """The suits that the other side has shown or bid naturally."""
    left, right = state.opponents
    return [suit for suit in SUITS if max(left.least(suit), right.least(suit)) >= 4]


def _stops(text: str) -> Binding:
    low, high = _range(text, 4)

    def bind(place: Place) -> Bound:
        partner = place.state.partner
        strong = [suit for suit in SUITS if partner.least(suit) >= 4 or partner.hcp[0] >= 15]

        def test(facts: Facts) -> bool:
            return low <= sum(suit in strong or facts.stops(suit) for suit in SUITS) <= high

        return Bound(test)

    return bind


_BALANCED = ((2, 5), (2, 5), (2, 5), (2, 5))
_NO_SINGLETON = ((2, 7), (2, 7), (2, 7), (2, 7))


def _plain(test: Test, box: Box = ANY) -> Callable[[], Binding]:
    bound = Bound(test, box)
    return lambda: lambda _: bound


def _quick(text: str) -> Binding:
    low, high = _range(text, 9)
    bound = Bound(lambda facts: low <= facts.quick_tricks <= high)
    return lambda _: bound


def _aces(text: str) -> Binding:
    low, high = _range(text, 4)
    bound = Bound(lambda facts: low <= facts.aces <= high)
    return lambda _: bound


def _keys(text: str) -> Binding:
    counts = tuple(map(int, text.split(",")))

    def bind(place: Place) -> Bound | None:
        trump = place.state.trump
        if trump is None:
            return None
        return Bound(lambda facts: facts.keycards(trump) in counts)

    return bind


def _missing(text: str) -> Binding:
    low, high = _range(text, 5)

    def bind(place: Place) -> Bound | None:
        answer, trump = place.state.last_by_partner, place.state.trump
        if answer is None or trump is None or not answer.keys:
            return None
        keys = answer.keys
        # Of the two numbers that an answer may mean, the higher where partner has shown
        # an opening's strength.
        strong = place.state.partner.hcp[0] >= 11

        def test(facts: Facts) -> bool:
            own = facts.keycards(trump)
            possible = [count for count in keys if own + count <= 5]
            if not possible:
                return False
            theirs = max(possible) if strong else min(possible)
            return low <= 5 - own - theirs <= high

        return Bound(test)

    return bind


def _law(short: str) -> Binding:
    """The law of total tricks (Cohen): a side is safe at the level of its trumps."""
    below = int(short or 0)

    def bind(place: Place) -> Bound | None:
        suit = place.strain
        if suit is None or place.call < FIRST_BID:
            return None
        theirs = place.state.partner.least(suit)
        if not theirs:
            return NEVER
        least = min(13, max(0, place.call.level + 6 - below - theirs))
        return Bound(lambda facts: facts.lengths[suit] >= least, with_length(suit, least, 13))

    return bind


def _circumstance(true: Callable[[State], bool]) -> Callable[[], Binding]:
    return lambda: lambda place: ALWAYS if true(place.state) else NEVER


def _above(first: str, second: str) -> Binding:
    def bind(place: Place) -> Bound | None:
        one, other = place.suit(first), place.suit(second)
        if one is None or other is None:
            return None
        return ALWAYS if one > other else NEVER

    return bind


def _last(letter: str) -> Binding:
    def bind(place: Place) -> Bound:
        bid = place.state.bid
        if bid < FIRST_BID:
            return NEVER
        named = bid.denomination.trump
        wanted = None if letter == "NT" else place.suit(letter)
        return ALWAYS if named == wanted and (letter == "NT" or wanted is not None) else NEVER

    return bind


def _takeout() -> Binding:
    def bind(place: Place) -> Bound:
        theirs = bid_by_others(place.state)
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

        ranges = [(2, 6) if suit in unbid else (0, 13) for suit in SUITS]
        return Bound(test, Box(lengths=(ranges[0], ranges[1], ranges[2], ranges[3])))

    return bind


def _seat(text: str) -> Binding:
    return _circumstance(lambda state: len(state.calls) == int(text) - 1)()


_LETTERS = "CDHSMmOoxyzTERY"
"""The letters that may stand for a suit."""

_RANGE = r"(\d+-\d+|\d+\+|-\d+|\d+)"
_TERMS: tuple[tuple[re.Pattern[str], Callable[..., Binding]], ...] = tuple(
    (re.compile(pattern.replace("#", _RANGE)), make)
    for pattern, make in (
        (r"#", _hcp),
        (r"pts#", _points),
        (r"sup#", _support),
        (r"(all|exp|max)(T?)#", _together),
        (r"([A-Za-z])#", _length),
        (r"([A-Za-z])(>=|>)([A-Za-z])", _compare),
        (r"more\((\w)\)", _more),
        (r"new\((\w)\)", _new),
        (r"unbid\((\w)\)", _unbid),
        (r"level#", _level),
        (r"fit\((\w)\)#", _fit),
        (r"long\((\w)\)", _of_suit(_is_longest, lambda suit: with_length(suit, 4, 13))),
        (
            r"short\((\w)\)",
            _of_suit(lambda facts, suit: facts.lengths[suit] <= 1, lambda s: with_length(s, 0, 1)),
        ),
        (r"good\((\w)\)", _of_suit(Facts.is_good, _any)),
        (r"top\((\w)\)#", _tops),
        (r"stop\((\w)\)", _of_suit(Facts.stops, lambda suit: with_length(suit, 1, 13))),
        (r"stop", _stop),
        (r"stops#", _stops),
        (r"bal", _plain(lambda facts: facts.balanced, Box(lengths=_BALANCED))),
        (r"semi", _plain(lambda facts: facts.semibalanced, Box(lengths=_NO_SINGLETON))),
        (r"qt#", _quick),
        (r"aces#", _aces),
        (r"keys([\d,]+)", _keys),
        (r"queen\((\w)\)", _of_suit(Facts.has_queen, _any)),
        (r"missing#", _missing),
        (r"law(\d?)", _law),
        (r"takeout", _takeout),
        (r"above\((\w),(\w)\)", _above),
        (r"last\((\w|NT)\)", _last),
        (r"seat(\d)", _seat),
        (r"passed", _circumstance(lambda state: state.passed)),
        (r"vul", _circumstance(lambda state: state.vulnerable[state.turn % 2])),
        (r"nonvul", _circumstance(lambda state: not state.vulnerable[state.turn % 2])),
    )
)
