"""The sampled worlds of one decision: who holds which cards in each, solved double dummy."""

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
    """Layouts that agree in the two hands of declarer's side.

    A set of worlds is an int with one bit for each of the given layouts. A layout that is given
    twice has two bits, which always go together, and is solved once.

    Args:
        layouts: The sampled layouts: the cards that each seat holds now.
        trump: The trump suit, or None at notrump.
        declarer: Declarer's seat.
        state: The state of the play at the decision.

    Attributes:
        trump: The trump suit, or None at notrump.
        side: Declarer's side.
        all: The set of all worlds.
    """

    def __init__(
        self, layouts: Sequence[Hands], trump: Suit | None, declarer: Seat, state: State
    ) -> None:
        self.trump = trump
        self.side = declarer.side
        # The set of all worlds.
        self.all = (1 << len(layouts)) - 1
        # The hands of each different layout as masks, with the cards of the trick in
        # progress in the hands that played them; and the worlds that have this layout.
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
        # The worlds in which a defender has a card, by seat and card.
        self._holders = [[0] * 52 for _ in SEATS]
        for masks_of, copies in zip(self._hands, self._copies, strict=True):
            for seat in (declarer.next, declarer.previous):
                for card in Hand(masks_of[seat]):
                    self._holders[seat][card] |= copies
        self._solved: dict[tuple[int, State], int] = {}
        self._tricks: dict[State, list[dict[Card, int]]] = {}

    def is_one_layout(self, among: int) -> bool:
        """Return whether a set of worlds is exactly the worlds of one layout."""
        return among in self._single

    def choices(self, state: State) -> list[Card]:
        """Return the cards that declarer's side may play, the lowest of each set of equals."""
        return state.choices(self._hands[0][state.turn])

    def replies(self, state: State, among: int) -> list[tuple[Card, int]]:
        """Return the cards that a defender may play, each with the worlds where it is possible.

        Of cards that are worth the same and are held in the same worlds, only the lowest is
        returned.

        Args:
            state: The state of the play, with a defender to play.
            among: The worlds to look at.

        Returns:
            Pairs of a card and the worlds of `among` in which it may be played.
        """
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
            # The worlds in which the next lower card that counts may be played.
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
        """Return the worlds in which each of declarer's choices reaches the target.

        Args:
            state: The state of the play, with declarer's side to play.
            among: The worlds to look at.

        Returns:
            For each choice, the worlds of `among` in which it takes `state.need` tricks, double
            dummy.
        """
        reached = dict.fromkeys(self.choices(state), 0)
        for place, copies in enumerate(self._copies):
            if copies & among:
                taking = self._taking(place, state)
                for card in reached:
                    if taking >> card & 1:
                        reached[card] |= copies
        return reached

    def tricks(self, state: State) -> list[dict[Card, int]]:
        """Return the double-dummy tricks of each of declarer's choices, for each world.

        The trick in progress is included.

        Args:
            state: The state of the play, with declarer's side to play.

        Returns:
            For each world, the tricks of declarer's side by card.
        """
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
        """Return the mask of the cards with which declarer's side takes what it needs."""
        state = self._lowered(place, state)
        taking = self._solved.get((place, state))
        if taking is None:
            taking = cards_taking(self._position(place, state), state.need).mask
            self._solved[place, state] = taking
        return taking

    def _lowered(self, place: int, state: State) -> State:
        """Return the state with each defender's card of the trick replaced by its lowest equal.

        A card is replaced only by one that is worth the same in this world. Many states then share
        one solution.

        Args:
            place: The index of the layout.
            state: The state of the play.

        Returns:
            The state to solve.
        """
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
