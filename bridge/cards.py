"""Suits, ranks, cards, hands and deals.

A card is an int from 0 to 51 (13 x suit + rank - 2, suits in bidding order) and a hand is a set of
cards in one 52-bit mask. The classes are thin layers over these ints, so that search code may work
on the ints alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum

from bridge_arena.bridge.errors import IllegalDealError, NotationError
from bridge_arena.bridge.seats import SEATS, Seat

SUIT_MASK = 0x1FFF
"""The thirteen bits of one suit's holding, bit 0 the two, bit 12 the ace."""


class Suit(IntEnum):
    """The four suits, in bidding order."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """The suit's letter: C, D, H or S."""
        return "CDHS"[self]

    @property
    def symbol(self) -> str:
        """The suit's symbol: ♣, ♦, ♥ or ♠."""
        return "♣♦♥♠"[self]

    def __str__(self) -> str:
        return self.letter


SUITS: tuple[Suit, ...] = tuple(Suit)
"""The four suits, indexed by their number."""

SUITS_DOWN: tuple[Suit, ...] = tuple(reversed(Suit))
"""Spades, hearts, diamonds, clubs: the order in which hands are written."""


class Rank(IntEnum):
    """The thirteen ranks, from 2 to 14 for the ace."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """The rank's letter, from 2 to 9, T, J, Q, K, A."""
        return RANK_LETTERS[self - 2]

    def __str__(self) -> str:
        return self.letter


RANK_LETTERS = "23456789TJQKA"
"""The letter of each rank, lowest first."""

_RANK_BITS = {
    letter: 1 << bit
    for bit, letters in enumerate(zip(RANK_LETTERS, RANK_LETTERS.lower(), strict=True))
    for letter in letters
}


def _sets(letters: str) -> dict[str, int]:
    """Return the bits of each set of these ranks, by its text from the highest rank down."""
    sets = {"": 0}
    for letter in letters:
        sets |= {f"{letter}{text}": _RANK_BITS[letter] | bits for text, bits in sets.items()}
    return sets


_HOLDINGS = _sets(RANK_LETTERS)

_HOLDING_TEXTS = list(_HOLDINGS)
"""The text of each holding, indexed by its bits: the order in which `_sets` makes them."""

RANKS: tuple[Rank, ...] = tuple(Rank)
"""The thirteen ranks, lowest first."""


class Card(int):
    """One of the 52 cards, written suit then rank: `Card("SA")`, `Card("D7")`.

    Cards compare as ints: by suit in bidding order, then by rank.

    Args:
        text: The suit's letter and the rank's, in any case.

    Raises:
        NotationError: The text is not a card.
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Card:
        """Return the card that a text names."""
        card = _CARD_OF.get(text) or _CARD_OF.get(text.upper())
        if card is None:
            raise NotationError(f"{text!r} is not a card (suit then rank, like SA or D7)")
        return card

    @classmethod
    def of(cls, suit: Suit, rank: Rank) -> Card:
        """Return the card of a suit and a rank."""
        return CARDS[13 * suit + rank - 2]

    @property
    def suit(self) -> Suit:
        """The card's suit."""
        return SUITS[self // 13]

    @property
    def rank(self) -> Rank:
        """The card's rank."""
        return RANKS[self % 13]

    def __str__(self) -> str:
        return CARD_TEXTS[self]

    def __format__(self, spec: str) -> str:
        return format(CARD_TEXTS[self], spec)

    def __repr__(self) -> str:
        return f"Card('{self}')"

    def __bool__(self) -> bool:
        return True  # the two of clubs is a card, though its int is 0

    def __getnewargs__(self) -> tuple[str]:  # type: ignore[override]
        return (str(self),)


CARD_TEXTS = tuple(suit.letter + rank for suit in Suit for rank in RANK_LETTERS)
"""The text of each card, indexed by its int."""

CARDS: tuple[Card, ...] = tuple(int.__new__(Card, number) for number in range(52))
"""The 52 cards, indexed by their int."""

_CARD_OF = dict(zip(CARD_TEXTS, CARDS, strict=True))


@dataclass(frozen=True, slots=True)
class Hand:
    """A set of cards, at most 52, as a bit mask.

    It iterates and prints as hands are written: spades first, each suit from the top.

    Attributes:
        mask: The cards: bit n is set if the hand holds the card whose int is n.
    """

    mask: int = 0

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Hand:
        """Return the hand of the given cards."""
        mask = 0
        for card in cards:
            mask |= 1 << card
        return cls(mask)

    @classmethod
    def parse(cls, text: str) -> Hand:
        """Read a hand.

        Args:
            text: `spades.hearts.diamonds.clubs`, with the ranks of a suit in any order.

        Returns:
            The hand.

        Raises:
            NotationError: The text is not a hand, or names a card twice.
        """
        holdings = text.split(".")
        if len(holdings) != 4:
            raise NotationError(f"{text!r} is not a hand (four suits divided by dots)")
        mask = 0
        try:
            for holding in holdings:
                mask = mask << 13 | _HOLDINGS[holding]
        except KeyError:
            mask = 0
            for suit, holding in zip(SUITS_DOWN, holdings, strict=True):
                mask = mask << 13 | _bits(holding, suit, text)
        return cls(mask)

    def holding(self, suit: Suit) -> int:
        """Return the 13 bits of one suit: bit 0 is the two, bit 12 the ace."""
        return self.mask >> 13 * suit & SUIT_MASK

    def suit(self, suit: Suit) -> Hand:
        """Return the cards of one suit."""
        return Hand(self.mask & SUIT_MASK << 13 * suit)

    def length(self, suit: Suit) -> int:
        """Return the number of cards of one suit."""
        return (self.mask >> 13 * suit & SUIT_MASK).bit_count()

    @property
    def lengths(self) -> tuple[int, int, int, int]:
        """The numbers of clubs, diamonds, hearts and spades, indexed by Suit."""
        mask = self.mask
        return (
            (mask & SUIT_MASK).bit_count(),
            (mask >> 13 & SUIT_MASK).bit_count(),
            (mask >> 26 & SUIT_MASK).bit_count(),
            (mask >> 39).bit_count(),
        )

    def __contains__(self, card: Card) -> bool:
        return self.mask >> card & 1 == 1

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __iter__(self) -> Iterator[Card]:
        mask = self.mask
        while mask:
            top = mask.bit_length() - 1
            mask ^= 1 << top
            yield CARDS[top]

    def __or__(self, other: Hand) -> Hand:
        return Hand(self.mask | other.mask)

    def __and__(self, other: Hand) -> Hand:
        return Hand(self.mask & other.mask)

    def __sub__(self, other: Hand) -> Hand:
        return Hand(self.mask & ~other.mask)

    def without(self, card: Card) -> Hand:
        """Return the hand without one card."""
        return Hand(self.mask & ~(1 << card))

    def __str__(self) -> str:
        return ".".join(_HOLDING_TEXTS[self.holding(suit)] for suit in SUITS_DOWN)

    def __repr__(self) -> str:
        return f"Hand.parse('{self}')"


def _bits(holding: str, suit: Suit, hand: str) -> int:
    """Return the 13 bits of a holding of a hand whose ranks are in any order and case."""
    mask = 0
    for letter in holding:
        bit = _RANK_BITS.get(letter, 0)
        if not bit:
            raise NotationError(f"{letter!r} in hand {hand!r} is not a rank")
        if mask & bit:
            raise NotationError(f"hand {hand!r} names {suit}{letter.upper()} twice")
        mask |= bit
    return mask


_PACK = (1 << 52) - 1

PACK = Hand(_PACK)
"""All 52 cards."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The 52 cards dealt to the four seats, thirteen to each (Law 1, Law 6).

    Attributes:
        hands: The hands of N, E, S and W.

    Raises:
        IllegalDealError: The cards are no deal; the message names the wrong seat or card.
    """

    hands: tuple[Hand, Hand, Hand, Hand]

    def __post_init__(self) -> None:
        masks = [hand.mask for hand in self.hands]
        if sum(masks) == _PACK and [mask.bit_count() for mask in masks] == [13, 13, 13, 13]:
            return
        dealt = 0
        for seat, hand in zip(SEATS, self.hands, strict=True):
            for card in Hand(dealt & hand.mask):
                raise IllegalDealError(f"{card} is dealt twice, the second time to {seat}")
            if len(hand) != 13:
                raise IllegalDealError(f"{seat} has {len(hand)} cards, not 13")
            dealt |= hand.mask

    @classmethod
    def parse(cls, text: str) -> Deal:
        """Read a deal in PBN's form.

        Args:
            text: The first hand's seat, a colon, and four hands clockwise.

        Returns:
            The deal.

        Raises:
            NotationError: The text has not this form.
            IllegalDealError: A card is missing or dealt twice, or a seat has not 13 cards.
        """
        first, colon, rest = text.strip().partition(":")
        hands = rest.split()
        if not colon or len(hands) != 4:
            raise NotationError(f"{text!r} is not a deal (N: and four hands)")
        seat = Seat.parse(first)
        by_turn = [Hand.parse(hand) for hand in hands]
        north, east, south, west = by_turn[-seat:] + by_turn[:-seat]
        return cls((north, east, south, west))

    def __hash__(self) -> int:
        # Three hands tell the fourth. This is four times as quick as the hash of the tuple.
        north, east, south, _ = self.hands
        return hash((north.mask, east.mask, south.mask))

    def __getitem__(self, seat: Seat) -> Hand:
        return self.hands[seat]

    def holder(self, card: Card) -> Seat:
        """Return the seat that a card was dealt to."""
        return next(seat for seat in SEATS if card in self.hands[seat])

    def format(self, first: Seat) -> str:
        """Return PBN's form of the deal, beginning with the hand of `first`."""
        hands = " ".join(str(self.hands[(first + offset) % 4]) for offset in range(4))
        return f"{first}:{hands}"

    def __str__(self) -> str:
        return self.format(Seat.NORTH)

    def __repr__(self) -> str:
        return f"Deal.parse('{self}')"
