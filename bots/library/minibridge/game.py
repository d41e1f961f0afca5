"""MiniBridge at notrump on ints: deals, contracts, games of thousands a second, and defenders.

There is no auction: the side with more honour points declares; of its two hands, the one with more.
The contract is the notrump contract of Hadjur's table (Artificial Intelligence methods applied to
Contract Bridge, 2018, table 4.1). The four hands stand in the order of their turns, from declarer
on. The rules of the game are those of `bridge.play`, without its checks.

The defenders are after Hadjur's description of his (sections 4.1 and 5.2.1). "If an opponent plays
last and has a chance to win a trick, then he plays the right winning card"; "rules are limited and
random play is done when the situation is ambiguous (for instance, if winning at 100 % cannot be
achieved)". He says no more, so there are several readings; `follow` is the one against which a
random declarer wins as often as his. All defenders know only what a defender sees: their own hand,
dummy's once the first card is led, and the cards played.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from bridge_arena.bots.library.minibridge import Defence
from bridge_arena.bots.library.portable_random import shuffled
from bridge_arena.bridge.cards import SUIT_MASK, Hand
from bridge_arena.bridge.evaluation import hcp

DECLARER, DUMMY = 0, 2
"""Places at the table, clockwise: the leader of the first trick sits after declarer."""

LEAST_POINTS = 21
"""The fewest points of a side that declares: with twenty each, no side does."""

_TARGETS = ((37, 13), (33, 12), (29, 11), (27, 10), (25, 9), (23, 8), (LEAST_POINTS, 7))
"""The fewest points for each number of tricks at notrump; 29-30 and 31-32 are both 5NT."""

SUITS = tuple(SUIT_MASK << card - card % 13 for card in range(52))
"""The set of the cards of each card's suit."""

_PACK = (1 << 52) - 1

_PLAIN = sum(0x1FF << 13 * suit for suit in range(4))
"""The cards from the two to the ten."""

_OF_RANK = tuple(sum(1 << 13 * suit + rank for suit in range(4)) for rank in range(13))


@dataclass(frozen=True, slots=True)
class MiniDeal:
    """A deal with its contract."""

    hands: tuple[int, int, int, int]  # the hands as 52-bit sets of cards, by place from declarer on
    target: int  # the tricks that declarer needs, 7 to 13


def target_tricks(points: int) -> int:
    """Return the tricks of the notrump contract for the honour points of both hands."""
    for least, tricks in _TARGETS:
        if points >= least:
            return tricks
    raise ValueError(f"a side with {points} points does not declare: {LEAST_POINTS} are needed")


def as_declared(hands: tuple[int, int, int, int]) -> MiniDeal | None:
    """Return the four hands, clockwise from declarer; None if both sides have the same points."""
    # Of partners with equal points, the first declares.
    points = [hcp(Hand(hand)) for hand in hands]
    sides = points[0] + points[2], points[1] + points[3]
    if sides[0] == sides[1]:
        return None
    side = int(sides[1] > sides[0])
    declarer = side if points[side] >= points[side + 2] else side + 2
    first, second, third, fourth = (hands[(declarer + turn) % 4] for turn in range(4))
    return MiniDeal((first, second, third, fourth), target_tricks(sides[side]))


def random_deal(rng: Random) -> MiniDeal:
    """Return a random deal that some side declares, all equally likely."""
    while True:
        cards = shuffled(rng, range(52))
        first, second, third, fourth = (
            sum(1 << card for card in cards[start : start + 13]) for start in range(0, 52, 13)
        )
        deal = as_declared((first, second, third, fourth))
        if deal is not None:
            return deal


class Game:
    """A game in progress, from hands of one size, as 52-bit sets of cards, by place."""

    __slots__ = ("best", "hands", "leader", "past", "shown", "trick", "turn", "winner", "won")

    def __init__(self, hands: tuple[int, int, int, int]) -> None:
        self.hands = list(hands)  # the cards still held, by place
        self.leader = 1  # the place that leads (or led) the trick in progress
        self.turn = 1  # the place whose turn it is
        self.trick: list[int] = []  # the cards of the trick in progress, in playing order
        # The trick by place: card + 1 in six bits each, 0 for a place that has not played.
        self.shown = 0
        # The card that is winning the trick in progress, and its place, once a card is played.
        self.best, self.winner = -1, 1
        self.past = 0  # the set of all cards of the completed tricks
        self.won = 0  # the tricks that declarer's side has taken

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
        for played in trick:
            self.past |= 1 << played
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


def last_takes(game: Game, rng: Random) -> int:
    """Return the card of the defender `last`; see `Defence`."""
    legal = game.legal()
    if len(game.trick) == 3 and not game.winner & 1:
        takers = _above(legal & SUITS[game.best], game.best)
        if takers:
            return _lowest(takers)
    return any_of(legal, rng)


def follows(game: Game, rng: Random) -> int:
    """Return the card of the defender `follow`; see `Defence`."""
    legal = game.legal()
    winners = sure_winners(game, legal) if game.trick else 0
    return _lowest(winners) if winners else any_of(legal, rng)


def sure_takes(game: Game, rng: Random) -> int:
    """Return the card of the defender `sure`; see `Defence`."""
    legal = game.legal()
    winners = sure_winners(game, legal)
    if not winners:
        return any_of(legal, rng)
    return _lowest(winners) if game.trick else any_of(winners, rng)


def low_else(game: Game, rng: Random) -> int:
    """Return the card of the defender `low`; see `Defence`."""
    legal = game.legal()
    winners = sure_winners(game, legal)
    if winners:
        return _lowest(winners) if game.trick else any_of(winners, rng)
    cards = legal & _PLAIN or legal
    if not game.trick:
        return any_of(cards, rng)
    lowest = min(card % 13 for card in range(52) if cards >> card & 1)
    return any_of(cards & _OF_RANK[lowest], rng)


def sure_winners(game: Game, legal: int) -> int:
    """Return the cards that take the trick for sure, as far as the defender can know."""
    turn, number = game.turn, len(game.trick)
    own = game.hands[turn]
    dummy = game.hands[DUMMY] if number or game.past else 0
    known = own | dummy | game.past
    for card in game.trick:
        known |= 1 << card
    # Cards that declarer's side may still play to this trick.
    later = {(turn + ahead) & 3 for ahead in range(1, 4 - number)}
    threats = (_PACK & ~known if DECLARER in later else 0) | (dummy if DUMMY in later else 0)
    if not number:
        return _masters(legal, threats)
    if game.winner & 1 and not _above(threats & SUITS[game.best], game.best):
        return 0
    return _masters(_above(legal & SUITS[game.best], game.best), threats)


def _masters(cards: int, threats: int) -> int:
    """Return the cards of a set that no threat in their suit beats."""
    masters = 0
    for mask in SUITS[::13]:
        held, against = cards & mask, threats & mask
        if held:
            masters |= _above(held, against.bit_length() - 1) if against else held
    return masters


def _above(cards: int, card: int) -> int:
    """Return the cards of a set that are above a card in the order of the pack."""
    return cards >> card + 1 << card + 1


def _lowest(cards: int) -> int:
    """Return the lowest card of a set in the order of the pack."""
    return (cards & -cards).bit_length() - 1


DEFENCES: dict[Defence, Player] = {
    "random": random_card,
    "last": last_takes,
    "follow": follows,
    "sure": sure_takes,
    "low": low_else,
}
