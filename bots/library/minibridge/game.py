"""A notrump contract in play, on ints: for playing thousands of games a second.

The rules are those of `bridge.play`, without its checks.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from bridge_arena.bridge.cards import SUIT_MASK

SUITS = tuple(SUIT_MASK << card - card % 13 for card in range(52))
"""The set of the cards of each card's suit."""


class Game:
    """A game in progress; places are those of `bots.library.minibridge.contracts`.

    Args:
        hands: The hands as 52-bit sets of cards, all of the same size, by place.
    """

    __slots__ = ("best", "hands", "leader", "past", "shown", "trick", "turn", "winner", "won")

    def __init__(self, hands: tuple[int, int, int, int]) -> None:
        # The cards still held, by place.
        self.hands = list(hands)
        # The place that leads (or led) the trick in progress, and the place whose turn it is.
        self.leader = 1
        self.turn = 1
        # The cards of the trick in progress, in playing order.
        self.trick: list[int] = []
        # The trick by place: card + 1 in six bits each, 0 for a place that has not played.
        self.shown = 0
        # The card that is winning the trick in progress, and its place, once a card is played.
        self.best = -1
        self.winner = 1
        # The set of all cards of the completed tricks.
        self.past = 0
        # Tricks that declarer's side has taken.
        self.won = 0

    @property
    def is_over(self) -> bool:
        """Whether all cards have been played."""
        return not self.hands[self.turn]

    def legal(self) -> int:
        """Return the set of cards that may be played."""
        hand = self.hands[self.turn]
        if self.trick:
            return hand & SUITS[self.trick[0]] or hand
        return hand

    def play(self, card: int) -> None:
        """Play a card, one of `legal()`."""
        turn, trick = self.turn, self.trick
        self.hands[turn] ^= 1 << card
        if not trick or (card > self.best and SUITS[card] == SUITS[trick[0]]):
            self.best, self.winner = card, turn
        trick.append(card)
        if len(trick) < 4:
            self.shown |= card + 1 << 6 * turn
            self.turn = (turn + 1) & 3
            return
        for each in trick:
            self.past |= 1 << each
        self.won += 1 - (self.winner & 1)
        self.leader = self.turn = self.winner
        self.trick = []
        self.shown = 0


Player = Callable[[Game, Random], int]
"""A function that chooses a card for the place whose turn it is."""


def random_card(game: Game, rng: Random) -> int:
    """Return a legal card, all equally likely."""
    return any_of(game.legal(), rng)


def any_of(cards: int, rng: Random) -> int:
    """Return a card of a set that is not empty, all equally likely."""
    for _ in range(int(rng.random() * cards.bit_count())):
        cards &= cards - 1
    return (cards & -cards).bit_length() - 1


def play_out(game: Game, declarer: Player, defender: Player, rng: Random) -> int:
    """Play a game to its end and return the tricks of declarer's side."""
    while not game.is_over:
        player = defender if game.turn & 1 else declarer
        game.play(player(game, rng))
    return game.won
