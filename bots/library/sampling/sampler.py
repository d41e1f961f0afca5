"""Random layouts of the hidden hands, as a seat may believe them to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from random import Random

from bridge_arena.bots.library.hand_ranges import HandRanges
from bridge_arena.bots.library.sampling.layouts import NOBODY, HandToFill, Layouts, Masks
from bridge_arena.bridge.cards import SUITS, Hand, Suit
from bridge_arena.bridge.evaluation import hcp
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.view import View

Hands = tuple[Hand, Hand, Hand, Hand]  # four hands, indexed by Seat: the cards still held
PATIENCE = 2000  # how many layouts in a row may be refused before the beliefs are loosened

# The factors of a hand's weight for each point that its HCP, and for each card that the length of a
# suit, lies outside its range.
POINT_FACTOR, CARD_FACTOR = 0.25, 0.1
# The most points and cards that they may lie outside it.
POINT_MARGIN, CARD_MARGIN = 3, 2


class Degree(IntEnum):
    """How far the beliefs had to be loosened before any layout agreed with them."""

    BELIEVED = 0
    """The beliefs stand: hands may lie a little outside their ranges, with a lower weight."""
    POINTS_STRETCHED = 1
    """HCP may lie any number of points outside their range, at the same factor for each."""
    ALL_STRETCHED = 2
    """Suit lengths may lie any number of cards outside their ranges too."""
    CARDS_ONLY = 3
    """Promised points and lengths are ignored; only cards, their numbers and voids count."""

    def points(self, belief: HandRanges) -> list[float]:
        """Return the weight of a dealt hand by its HCP, from 0 to 40, the total of the pack."""
        if self is Degree.CARDS_ONLY:
            return [1.0] * 41
        margin = POINT_MARGIN if self is Degree.BELIEVED else 40
        return [_weight(hcp, belief.hcp, POINT_FACTOR, margin) for hcp in range(41)]

    def lengths(self, belief: HandRanges) -> list[list[float]]:
        """Return the weight of a dealt hand by its length, 0 to 13, in each suit."""
        if self is Degree.CARDS_ONLY:
            return [[1.0] * 14 for _ in SUITS]
        margin = CARD_MARGIN if self < Degree.ALL_STRETCHED else 13
        return [
            [_weight(length, belief.lengths[suit], CARD_FACTOR, margin) for length in range(14)]
            for suit in SUITS
        ]


class Sampler:
    """A source of layouts for one moment of a board, by beliefs of each hand, indexed by Seat.

    A layout agrees with every card that the seat can see, with the number of cards in each hand,
    and with the suits in which it has shown out. Among these, each is drawn with probability
    proportional to its weight. The weight is the product over the hidden hands of POINT_FACTOR for
    each point and CARD_FACTOR for each card outside the ranges believed of the thirteen cards
    dealt. `degree` says what happens if no layout, or hardly any, is near these ranges.

    Raises ValueError if no layout agrees with the cards that were played.
    """

    degree: Degree  # how far the beliefs had to be loosened; `draw` may loosen them further

    def __init__(self, view: View, beliefs: Sequence[HandRanges]) -> None:
        self._held = [view.held(seat) for seat in SEATS]
        self._unseen = view.unseen.mask
        self._hidden = [
            _Hidden(
                seat, beliefs[seat], view.played[seat], view.voids(seat) if view.play else set()
            )
            for seat in SEATS
            if self._held[seat] is None
        ]
        self._loosen(Degree.BELIEVED)

    def draw(self, count: int, rng: Random) -> list[Hands]:
        """Return `count` layouts, each drawn independently of the others."""
        drawn: list[Masks] = []
        patience = PATIENCE
        while len(drawn) < count:
            masks = self._layouts.attempt(rng)
            if masks is not None:
                drawn.append(masks)
                patience = PATIENCE
            elif patience:
                patience -= 1
            else:  # what was drawn agreed with stricter beliefs
                self._loosen(Degree(self.degree + 1))
                drawn.clear()
                patience = PATIENCE
        return [self._hands(masks) for masks in drawn]

    def _loosen(self, degree: Degree) -> None:
        """Go to `degree` or the next one that admits a layout, or raise ValueError."""
        for self.degree in list(Degree)[degree:]:
            hands = [hidden.to_fill(self.degree) for hidden in self._hidden]
            hands += [NOBODY] * (3 - len(hands))
            self._layouts = Layouts(self._unseen, hands)
            if self._layouts.are_any:
                return
        raise ValueError("no layout agrees with the cards that were played")

    def _hands(self, masks: Masks) -> Hands:
        hands = [held or Hand() for held in self._held]
        for hidden, mask in zip(self._hidden, masks, strict=False):
            hands[hidden.seat] = Hand(mask)
        north, east, south, west = hands
        return north, east, south, west


@dataclass(frozen=True, slots=True)
class _Hidden:
    """A hidden hand: what is believed of it, the cards it has played, its known voids."""

    seat: Seat
    belief: HandRanges
    played: Hand
    voids: set[Suit]

    def to_fill(self, degree: Degree) -> HandToFill:
        """Return the cards that it may still hold, as a hand to fill."""
        lengths: list[list[float]] = []
        for suit, factors in zip(SUITS, degree.lengths(self.belief), strict=True):
            gone = self.played.length(suit)
            rest = factors[gone : gone + 1] if suit in self.voids else factors[gone:]
            lengths.append(rest + [0.0] * (14 - len(rest)))
        gone = hcp(self.played)
        points = degree.points(self.belief)[gone:] + [0.0] * gone
        return HandToFill(13 - len(self.played), points, lengths)


def _weight(value: int, believed: tuple[int, int], factor: float, margin: int) -> float:
    outside = max(believed[0] - value, value - believed[1], 0)
    return 0.0 if outside > margin else factor**outside
