"""The play: whose turn it is, which cards are legal, and who wins each trick.

It follows Laws 41 to 45 of the 2017 Laws of Duplicate Bridge. The state knows the cards played but
no hands, so that the same class serves the table, which knows all four hands, a player, who knows
two, and a file that may record any cards. An illegal card is refused, so there is no revoke and no
penalty for one (Laws 61 to 64).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import CARDS, SUIT_MASK, SUITS, Card, Hand, Suit
from bridge_arena.bridge.errors import IllegalCardError
from bridge_arena.bridge.seats import SEATS, Seat


class Trick(NamedTuple):
    """A completed trick."""

    leader: Seat
    cards: tuple[Card, Card, Card, Card]  # clockwise, the leader's first
    winner: Seat

    def card_of(self, seat: Seat) -> Card:
        """Return the card that a seat played."""
        return self.cards[(seat - self.leader) % 4]


def winning_index(cards: Sequence[Card], trump: Suit | None) -> int:
    """Return the index of the winning card of a trick (Law 44E, 44F).

    Args:
        cards: The cards in playing order, at least one; the trick need not be complete.
        trump: The trump suit; None at notrump.

    Returns:
        The index in `cards`.
    """
    best = 0
    winner = cards[0]
    suit = winner // 13
    for index in range(1, len(cards)):
        card = cards[index]
        if card // 13 == suit:
            if card > winner:
                best, winner = index, card
        elif card // 13 == trump:
            best, winner, suit = index, card, card // 13
    return best


def followers(hand: Hand, led: Suit | None) -> Hand:
    """Return the cards of a hand that may be played to a trick (Law 44C): all if none is `led`."""
    if led is None:
        return hand
    following = hand.mask & SUIT_MASK << 13 * led
    return Hand(following) if following else hand


_SUIT_OF = bytes(card // 13 for card in range(256))
_BIT_OF = [1 << card for card in CARDS]
_ALL_FOLLOW = [bytes([suit] * 4) for suit in SUITS]


class Play:
    """The play of one contract."""

    __slots__ = (
        "_leaders",
        "_tricks",
        "cards",
        "contract",
        "declarer",
        "dummy",
        "leader",
        "trick",
        "trump",
        "won",
    )

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.trump = contract.denomination.trump  # None at notrump
        self.declarer = contract.declarer
        self.dummy = contract.declarer.partner
        self.cards: list[Card] = []  # every card played, in order
        self.leader = contract.declarer.next  # of the trick in progress
        self.trick: list[Card] = []  # the cards of the trick in progress, none to three
        self.won = [0, 0]  # the number of tricks won, indexed by Side
        # The leader of each trick, the one in progress included, and the tricks as built so far.
        self._leaders = [self.leader]
        self._tricks: list[Trick] = []

    @property
    def tricks(self) -> list[Trick]:
        """The tricks that are complete."""
        tricks, leaders = self._tricks, self._leaders
        for number in range(len(tricks), len(leaders) - 1):
            first, second, third, fourth = self.cards[4 * number : 4 * number + 4]
            cards = first, second, third, fourth
            tricks.append(Trick(leaders[number], cards, leaders[number + 1]))
        return tricks

    @property
    def turn(self) -> Seat:
        """The seat whose hand the next card comes from; meaningless once the play is over."""
        return SEATS[(self.leader + len(self.trick)) & 3]

    @property
    def player(self) -> Seat:
        """The seat that chooses the next card: declarer plays dummy's (Law 45B)."""
        turn = self.turn
        return self.declarer if turn == self.dummy else turn

    @property
    def seats(self) -> list[Seat]:
        """The seat whose hand each card came from, in playing order."""
        leaders = self._leaders
        return [SEATS[(leaders[card >> 2] + card) & 3] for card in range(len(self.cards))]

    @property
    def players(self) -> list[Seat]:
        """The seat that chose each card, in playing order: declarer plays dummy's (Law 45B)."""
        return [self.declarer if seat is self.dummy else seat for seat in self.seats]

    @property
    def is_over(self) -> bool:
        """Whether all 52 cards have been played."""
        return len(self.cards) == 52

    @property
    def led(self) -> Suit | None:
        """The suit led to the trick in progress; None if the next card is a lead."""
        return self.trick[0].suit if self.trick else None

    @property
    def declarer_tricks(self) -> int:
        """The number of tricks that declarer's side has won."""
        return self.won[self.declarer.side]

    def legal_cards(self, hand: Hand) -> Hand:
        """Return the cards that may be played from `hand`, which `turn` still holds."""
        return followers(hand, self.led)

    def allows(self, card: Card, mask: int) -> bool:
        """Return whether a card may be played now from a mask that `turn` still holds (Law 44C)."""
        if not mask >> card & 1:
            return False
        if not self.trick:
            return True
        led = self.trick[0] // 13
        return card // 13 == led or not mask >> 13 * led & SUIT_MASK

    def check(self, card: Card, hand: Hand) -> None:
        """Raise IllegalCardError if a card may not be played now from what `turn` still holds."""
        if self.is_over:
            raise IllegalCardError(f"{card} is illegal: the play is over")
        if card not in hand:
            raise IllegalCardError(f"{card} is illegal: {self.turn} does not hold it")
        if card not in self.legal_cards(hand):
            raise IllegalCardError(
                f"{card} is illegal: {self.turn} can follow suit to {self.trick[0]} (Law 44C)"
            )

    def push(self, card: Card) -> Trick | None:
        """Play a card for the seat whose turn it is; return the trick if this card completes it.

        The play does not know the hands: `check` the card first where the hand is known.
        """
        self.cards.append(card)
        self.trick.append(card)
        if len(self.trick) < 4:
            return None
        winner = SEATS[(self.leader + winning_index(self.trick, self.trump)) & 3]
        self._leaders.append(winner)
        self.won[winner & 1] += 1
        self.leader = winner
        self.trick = []
        return self.tricks[-1]

    def push_all(self, cards: Iterable[Card]) -> None:
        """Play cards one after the other, in half of the time of `push`."""
        self.cards += cards
        for start in range(4 * len(self._leaders) - 4, len(self.cards) - 3, 4):
            trick = self.cards[start : start + 4]
            winner = SEATS[(self.leader + winning_index(trick, self.trump)) & 3]
            self._leaders.append(winner)
            self.won[winner & 1] += 1
            self.leader = winner
        self.trick = self.cards[4 * len(self._leaders) - 4 :]

    def push_rows(self, cards: Sequence[Card], first: Seat, hands: list[int]) -> bool:
        """Play the first tricks at once, from rows of four cards in columns of seats.

        If any card is illegal, nothing changes; `allows` and `push`, card by card, find which one.

        Args:
            cards: The rows, one after the other; in each the card of `first` and then of the seats
                clockwise from it.
            first: The seat of the first column.
            hands: The masks of N, E, S and W, from which the played cards are removed.

        Returns:
            Whether all cards are legal and were played.
        """
        numbers = bytes(cards)
        suits = numbers.translate(_SUIT_OF)
        seats = SEATS[first:] + SEATS[:first]
        held = hands[first:] + hands[:first]
        # The sum has one bit for each card, unless a card comes twice.
        played = [sum(map(_BIT_OF.__getitem__, numbers[column::4])) for column in range(4)]
        for hand, mask in zip(held, played, strict=True):
            if mask & ~hand or mask.bit_count() * 4 != len(numbers):
                return False
        order: list[Card] = []
        leaders: list[Seat] = []
        column = (self.leader - first) & 3
        for start in range(0, len(numbers), 4):
            order += cards[start + column : start + 4]
            order += cards[start : start + column]
            row = numbers[start : start + 4]
            following = suits[start : start + 4]
            led = following[column]
            if following == _ALL_FOLLOW[led]:
                column = row.index(max(row))
            else:
                for other, suit in enumerate(following):
                    # A seat that does not follow must have played all its cards of the suit.
                    if suit != led:
                        count = (held[other] >> 13 * led & SUIT_MASK).bit_count()
                        if count > suits[other:start:4].count(led):
                            return False
                winner = winning_index(order[start:], self.trump)
                column = (column + winner) & 3
            leaders.append(seats[column])
        for seat, mask in zip(seats, played, strict=True):
            hands[seat] ^= mask
        self.cards += order
        self._leaders += leaders
        self.leader = self._leaders[-1]
        for leader in leaders:
            self.won[leader & 1] += 1
        return True

    def __repr__(self) -> str:
        return f"<Play of {self.contract} by {self.declarer}: {len(self.cards)} cards>"
