"""The sampled worlds of one decision: who holds what in each, solved double dummy."""

from __future__ import annotations

from collections.abc import Sequence

from bridge_arena.bots.alphamu.state import State
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bots.montecarlo.parallel import map_in_time
from bridge_arena.bridge.cards import CARDS, SUIT_MASK, Card, Hand, Suit
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values, cards_taking


class Worlds:
    """Layouts that agree in the hands of declarer's side.

    A set of worlds is an int with one bit for each of the given layouts. A layout given
    twice has two bits, which go together everywhere, and is solved once.
    """

    def __init__(
        self, layouts: Sequence[Hands], trump: Suit | None, declarer: Seat, state: State
    ) -> None:
        self.trump = trump
        self.side = declarer.side
        # All worlds together.
        self.all = (1 << len(layouts)) - 1
        # The hands of each distinct layout, as masks, with the cards of the trick in
        # progress in the hand that they came from; and the worlds that have this layout.
        self._hands: list[tuple[int, ...]] = []
        self._copies: list[int] = []
        places: dict[Hands, int] = {}
        for number, layout in enumerate(layouts):
            place = places.setdefault(layout, len(places))
            if place == len(self._hands):
                masks = [hand.mask for hand in layout]
                for offset, card in enumerate(state.trick):
                    masks[(state.leader + offset) & 3] |= 1 << card
                self._hands.append(tuple(masks))
                self._copies.append(0)
            self._copies[place] |= 1 << number
        self._single = set(self._copies)
        # By seat and card, the worlds in which that defender has that card.
        self._holders = [[0] * 52 for _ in SEATS]
        for masks_of, copies in zip(self._hands, self._copies, strict=True):
            for seat in (declarer.next, declarer.previous):
                for card in Hand(masks_of[seat]):
                    self._holders[seat][card] |= copies
        self._solved: dict[tuple[int, State], int] = {}
        self._tricks: dict[State, list[dict[Card, int]]] = {}

    def is_one_layout(self, among: int) -> bool:
        return among in self._single

    def choices(self, state: State) -> list[Card]:
        """What declarer's side may play; of cards worth the same, the lowest."""
        return state.choices(self._hands[0][state.turn])

    def replies(self, state: State, among: int) -> list[tuple[Card, int]]:
        """What a defender may play, with the worlds of `among` where that is possible;
        of cards worth the same, and held in the same worlds, the lowest."""
        holders = self._holders[state.turn]
        alive = state.alive
        led = state.trick[0] // 13 if state.trick else None
        void = among
        if led is not None:
            for card in range(13 * led, 13 * led + 13):
                if not state.gone >> card & 1:
                    void &= ~holders[card]
        replies: list[tuple[Card, int]] = []
        for suit in range(4):
            allowed = among if led is None or suit == led else void
            if not allowed:
                continue
            # Where the next lower card that counts could be played.
            below = 0
            for card in range(13 * suit, 13 * suit + 13):
                if not alive >> card & 1:
                    continue
                where = 0 if state.gone >> card & 1 else holders[card] & allowed
                if where and where != below:
                    replies.append((CARDS[card], where))
                below = where
        return replies

    def reached(self, state: State, among: int) -> dict[Card, int]:
        """For each of declarer's choices, the worlds of `among` in which it takes what is
        needed, double dummy."""
        reached = dict.fromkeys(self.choices(state), 0)
        for place, copies in enumerate(self._copies):
            if copies & among:
                taking = self._taking(place, state)
                for card in reached:
                    if taking >> card & 1:
                        reached[card] |= copies
        return reached

    def tricks(self, state: State) -> list[dict[Card, int]]:
        """For each world, the double-dummy tricks of each of declarer's choices, from the
        trick in progress on."""
        if state not in self._tricks:
            self._tricks[state] = self._count_tricks(state)
        return self._tricks[state]

    def _count_tricks(self, state: State) -> list[dict[Card, int]]:
        positions = [self._position(place, state) for place in range(len(self._hands))]
        solved = map_in_time(card_values, positions)
        worlds = range(self.all.bit_length())
        return [
            next(
                values
                for copies, values in zip(self._copies, solved, strict=True)
                if values and copies >> world & 1
            )
            for world in worlds
        ]

    def _taking(self, place: int, state: State) -> int:
        """The mask of the cards with which declarer's side takes what it needs."""
        state = self._lowered(place, state)
        taking = self._solved.get((place, state))
        if taking is None:
            taking = cards_taking(self._position(place, state), state.need).mask
            self._solved[place, state] = taking
        return taking

    def _lowered(self, place: int, state: State) -> State:
        """The state with each defender's card of the trick exchanged for the lowest that
        is worth the same in this world: many states then have one solution."""
        gone, trick = state.gone, list(state.trick)
        alive = state.alive
        for offset, card in enumerate(state.trick):
            seat = (state.leader + offset) & 3
            if seat & 1 == self.side:
                continue
            hand = self._hands[place][seat]
            lowest: int = card
            lower = alive & ((1 << card) - 1) & SUIT_MASK << 13 * (card // 13)
            while lower:
                below = lower.bit_length() - 1
                lower ^= 1 << below
                if gone >> below & 1 or not hand >> below & 1:
                    break
                lowest = below
            if lowest != card:
                gone ^= 1 << card | 1 << lowest
                trick[offset] = CARDS[lowest]
        return State(gone, state.leader, tuple(trick), state.need)

    def _position(self, place: int, state: State) -> Position:
        left = ~state.gone
        north, east, south, west = (Hand(mask & left) for mask in self._hands[place])
        return Position((north, east, south, west), self.trump, state.leader, state.trick)
