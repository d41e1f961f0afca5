"""The terms in which the rules state what a hand needs.

A term is bound to an auction. There it is a test of hands, with the ranges of all hands that can pass
it. Suits are letters (`bots.natural.situation`), or `T` the agreed trump, `E` the suit that the
other side bid last, `R` partner's longest shown suit, `Y` one's own longest shown suit.

    12-14  12+  -9     high-card points
    pts10+             points: with one for each card over four in a suit
    sup10-12           points with short suits, in support of the suit of the call if partner
                       may have it, else of partner's longest suit
    all25-31  allT25+  own points and the fewest that partner has shown, counted for the
                       contract that the call proposes, or with the agreed trump
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
from collections.abc import Callable
from functools import lru_cache

from bridge_arena.bots.library.hand_ranges import HandRanges, with_length
from bridge_arena.bots.natural.binding import NEVER, Binding, Bound, HandTerm, RuleContext, contrary
from bridge_arena.bots.natural.circumstances import (
    at_level,
    circumstance,
    in_seat,
    is_new,
    is_unbid,
    ranks_above,
    was_last,
)
from bridge_arena.bots.natural.facts import Facts
from bridge_arena.bots.natural.holdings import (
    BALANCED,
    NO_SINGLETON,
    anything,
    cards,
    fit,
    is_longest,
    law,
    longer,
    more_than_shown,
    of_suit,
    plain,
    stopped,
    stoppers,
    takeout,
    top_honours,
)
from bridge_arena.bots.natural.strength import (
    aces,
    high_cards,
    key_cards,
    missing_keys,
    points,
    quick_tricks,
    support,
    together,
)


@lru_cache(maxsize=1000)
def parse(text: str) -> Binding:
    """Return the term of a text, or raise ValueError if the text is no term."""
    if text.startswith("!"):
        return _contrary(parse(text[1:]))
    for pattern, make in _TERMS:
        found = pattern.fullmatch(text)
        if found is not None and all(
            len(given) > 1 or not given.isalpha() or given in _LETTERS for given in found.groups()
        ):
            try:
                return make(*found.groups())
            except ValueError as error:
                raise ValueError(f"{text!r} is not a term: {error}") from None
    raise ValueError(f"{text!r} is not a term")


def heeds_vulnerability(text: str) -> bool:
    """Return whether a term depends on the vulnerability."""
    return text.lstrip("!") in ("vul", "nonvul")


def _contrary(binding: Binding) -> Binding:
    if isinstance(binding, HandTerm):
        return HandTerm(binding.letters, lambda *suits: contrary(binding.bound(*suits)))

    def bind(place: RuleContext) -> Bound:
        bound = binding(place)
        return NEVER if bound is None else contrary(bound)

    return bind


_LETTERS = "CDHSMmOoxyzTERY"
"""The letters that may stand for a suit."""

_RANGE = r"(\d+-\d+|\d+\+|-\d+|\d+)"
_TERMS: tuple[tuple[re.Pattern[str], Callable[..., Binding]], ...] = tuple(
    (re.compile(pattern.replace("#", _RANGE)), make)
    for pattern, make in (
        (r"#", high_cards),
        (r"pts#", points),
        (r"sup#", support),
        (r"(all|exp|max)(T?)#", together),
        (r"([A-Za-z])#", cards),
        (r"([A-Za-z])(>=|>)([A-Za-z])", longer),
        (r"more\(([A-Za-z])\)", more_than_shown),
        (r"new\(([A-Za-z])\)", is_new),
        (r"unbid\(([A-Za-z])\)", is_unbid),
        (r"level#", at_level),
        (r"fit\(([A-Za-z])\)#", fit),
        (r"long\(([A-Za-z])\)", of_suit(is_longest, lambda suit: with_length(suit, 4, 13))),
        (
            r"short\(([A-Za-z])\)",
            of_suit(lambda facts, suit: facts.lengths[suit] <= 1, lambda s: with_length(s, 0, 1)),
        ),
        (r"good\(([A-Za-z])\)", of_suit(Facts.is_good, anything)),
        (r"top\(([A-Za-z])\)#", top_honours),
        (r"stop\(([A-Za-z])\)", of_suit(Facts.stops, lambda suit: with_length(suit, 1, 13))),
        (r"stop", stopped),
        (r"stops#", stoppers),
        (r"bal", plain(lambda facts: facts.balanced, HandRanges(lengths=BALANCED))),
        (r"semi", plain(lambda facts: facts.semibalanced, HandRanges(lengths=NO_SINGLETON))),
        (r"qt#", quick_tricks),
        (r"aces#", aces),
        (r"keys([\d,]+)", key_cards),
        (r"queen\(([A-Za-z])\)", of_suit(Facts.has_queen, anything)),
        (r"missing#", missing_keys),
        (r"law(\d?)", law),
        (r"takeout", takeout),
        (r"above\(([A-Za-z]),([A-Za-z])\)", ranks_above),
        (r"last\(([A-Za-z]|NT)\)", was_last),
        (r"seat([1-4])", in_seat),
        (r"passed", circumstance(lambda state: state.passed)),
        (r"vul", circumstance(lambda state: state.vulnerable[state.turn % 2])),
        (r"nonvul", circumstance(lambda state: not state.vulnerable[state.turn % 2])),
    )
)
