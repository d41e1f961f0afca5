"""Endings for the tests of the search: small, random, and with several worlds."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from bridge_arena.bots.alphamu.worlds import State, Worlds
from bridge_arena.bots.library.portable_random import pick, shuffled
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bridge.cards import PACK, Card, Hand, Suit
from bridge_arena.bridge.play import followers
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.errors import ImpossibleError
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import best_tricks


@dataclass(frozen=True)
class Ending:
    """A position in several worlds; declarer is South."""

    layouts: tuple[Hands, ...]
    trump: Suit | None
    leader: Seat
    trick: tuple[Card, ...]
    need: int

    @property
    def state(self) -> State:
        left = 0
        for hand in self.layouts[0]:
            left |= hand.mask
        return State(PACK.mask & ~left, self.leader, self.trick, self.need)

    @property
    def worlds(self) -> Worlds:
        return Worlds(self.layouts, self.trump, Seat.SOUTH, self.state)


def random_ending(rng: Random, cards: int, worlds: int) -> Ending:
    """Draw an ending of at most `cards` tricks with declarer's side to play, perhaps within a
    trick.
    """
    # Few suits make more finesses.
    suits = pick(rng, (2, 2, 3, 4))
    pack = shuffled(rng, (card for card in PACK if card.suit >= 4 - suits))
    hands = [Hand.of(pack[start : start + cards]) for start in range(0, 4 * cards, cards)]
    trump = pick(rng, (None, Suit.SPADES))
    leader = pick(rng, SEATS)
    trick: list[Card] = []
    length = int(rng.random() * 4)
    if (leader + length) % 2:
        length = (length + 1) % 4 if length != 3 else 2
    for offset in range(length):
        seat = (leader + offset) % 4
        card = pick(rng, list(followers(hands[seat], trick[0].suit if trick else None)))
        hands[seat] = hands[seat].without(card)
        trick.append(card)
    hidden = [card for seat in (Seat.EAST, Seat.WEST) for card in hands[seat]]
    layouts: list[Hands] = []
    while len(layouts) < worlds:
        order = shuffled(rng, hidden) if layouts else hidden
        size = len(hands[Seat.EAST])
        layout = (hands[0], Hand.of(order[:size]), hands[2], Hand.of(order[size:]))
        try:
            Position(layout, trump, leader, tuple(trick))
        except ImpossibleError:
            continue
        layouts.append(layout)
    # What the most are worth is what not all are.
    need = max(best_tricks(Position(each, trump, leader, tuple(trick))) for each in layouts)
    return Ending(tuple(layouts), trump, leader, tuple(trick), need)
