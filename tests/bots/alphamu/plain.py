"""The αµ algorithm as the paper defines it, with nothing left out and nothing merged."""

from __future__ import annotations

from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bridge.cards import Card, Hand, Suit
from bridge_arena.bridge.play import followers, winning_index
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import best_tricks
from tests.bots.alphamu.endings import Ending

Vector = frozenset[int]


def plain_fronts(ending: Ending, depth: int) -> dict[Card, set[Vector]]:
    """Return the front after each legal card of the root, which is the first of `depth` cards."""
    layouts = dict(enumerate(ending.layouts))
    turn = SEATS[(ending.leader + len(ending.trick)) % 4]
    legal = followers(layouts[0][turn], ending.trick[0].suit if ending.trick else None)
    return {card: _after(layouts, ending, turn, card, depth - 1) for card in legal}


def _after(
    layouts: dict[int, Hands], ending: Ending, turn: Seat, card: Card, depth: int
) -> set[Vector]:
    return _play(layouts, ending.trump, ending.leader, ending.trick, ending.need, depth, turn, card)


def _front(
    layouts: dict[int, Hands],
    trump: Suit | None,
    leader: Seat,
    trick: tuple[Card, ...],
    need: int,
    depth: int,
) -> set[Vector]:
    if need <= 0:
        return {frozenset(layouts)}
    turn = SEATS[(leader + len(trick)) % 4]
    if not next(iter(layouts.values()))[turn]:
        return {frozenset()}
    if depth == 0:
        return {frozenset(w for w in layouts if _solves(layouts[w], trump, leader, trick, need))}
    led = trick[0].suit if trick else None
    legal = {world: followers(layout[turn], led) for world, layout in layouts.items()}
    moves = {card for hand in legal.values() for card in hand}
    if turn in (Seat.NORTH, Seat.SOUTH):
        union: set[Vector] = set()
        for card in moves:
            union |= _play(layouts, trump, leader, trick, need, depth - 1, turn, card)
        return _pareto(union)
    product: set[Vector] | None = None
    for card in moves:
        possible = {w: layout for w, layout in layouts.items() if card in legal[w]}
        front = _play(possible, trump, leader, trick, need, depth, turn, card)
        extended = {vector | (layouts.keys() - possible.keys()) for vector in front}
        if product is None:
            product = extended
        else:
            product = _pareto({one & other for one in product for other in extended})
    assert product is not None
    return product


def _play(
    layouts: dict[int, Hands],
    trump: Suit | None,
    leader: Seat,
    trick: tuple[Card, ...],
    need: int,
    depth: int,
    turn: Seat,
    card: Card,
) -> set[Vector]:
    after: dict[int, Hands] = {}
    for world, layout in layouts.items():
        hands: list[Hand] = list(layout)
        hands[turn] = hands[turn].without(card)
        after[world] = (hands[0], hands[1], hands[2], hands[3])
    trick = (*trick, card)
    if len(trick) == 4:
        leader = SEATS[(leader + winning_index(trick, trump)) % 4]
        need -= leader in (Seat.NORTH, Seat.SOUTH)
        trick = ()
    return _front(after, trump, leader, trick, need, depth)


def _solves(
    layout: Hands, trump: Suit | None, leader: Seat, trick: tuple[Card, ...], need: int
) -> bool:
    position = Position(layout, trump, leader, trick)
    best = best_tricks(position)
    if position.turn in (Seat.NORTH, Seat.SOUTH):
        return best >= need
    return len(layout[position.turn]) - best >= need


def _pareto(vectors: set[Vector]) -> set[Vector]:
    return {vector for vector in vectors if not any(vector < other for other in vectors)}
