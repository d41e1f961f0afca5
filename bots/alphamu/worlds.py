"""The state of the play that all worlds share, and the worlds: who holds what in each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bridge_arena.bots.library.double_dummy import lowest_of_equals
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bots.montecarlo.parallel import map_in_time
from bridge_arena.bridge.cards import CARDS, SUIT_MASK, Card, Hand, Suit
from bridge_arena.bridge.play import Play, winning_index
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values, cards_taking


class State(NamedTuple):
    """A node of the search: the trick in progress, and what declarer's side still needs."""

    # The mask of all cards that have been played, those of the trick in progress included.
    gone: int
    leader: Seat  # the seat that led to the trick in progress
    trick: tuple[Card, ...]  # the cards of the trick in progress, in order
    # The tricks that declarer's side needs from here on, the one in progress included; 0 or less
    # once the target is reached.
    need: int

    @classmethod
    def of(cls, play: Play) -> State:
        """Return the state that a play has reached; the target is to make the contract."""
        gone = Hand.of(play.cards).mask
        need = play.contract.tricks_needed - play.declarer_tricks
        return cls(gone, play.leader, tuple(play.trick), need)

    @property
    def turn(self) -> Seat:
        return SEATS[(self.leader + len(self.trick)) & 3]

    def after(self, card: Card, trump: Suit | None, side: Side) -> State:
        """Return the state after a card; a trick that `side`, declarer's, takes lowers `need`."""
        gone = self.gone | 1 << card
        trick = (*self.trick, card)
        if len(trick) < 4:
            return State(gone, self.leader, trick, self.need)
        winner = SEATS[(self.leader + winning_index(trick, trump)) & 3]
        return State(gone, winner, (), self.need - (winner.side == side))

    @property
    def alive(self) -> int:
        """The mask of the cards that still count: those in a hand or in the trick in progress."""
        mask = ~self.gone
        for card in self.trick:
            mask |= 1 << card
        return mask

    def choices(self, hand: int) -> list[Card]:
        """Return the lowest card of each set of equals that may be played from a hand."""
        held = hand & ~self.gone
        if self.trick:
            held = held & SUIT_MASK << 13 * (self.trick[0] // 13) or held
        return [CARDS[card] for card in lowest_of_equals(held, self.alive & ~held)]


class Worlds:
    """Layouts that agree in the two hands of declarer's side.

    A set of worlds is an int with one bit for each of the given layouts. A layout that is given
    twice has two bits, which always go together, and is solved once.
    """

    def __init__(
        self, layouts: Sequence[Hands], trump: Suit | None, declarer: Seat, state: State
    ) -> None:
        self.trump = trump
        self.side = declarer.side
        self.all = (1 << len(layouts)) - 1  # the set of all worlds
        # The worlds that have each different layout; and its hands as masks, with the cards
        # of the trick in progress in the hands that played them.
        copies_of: dict[Hands, int] = {}
        for number, layout in enumerate(layouts):
            copies_of[layout] = copies_of.get(layout, 0) | 1 << number
        self._copies = list(copies_of.values())
        self._hands = [[hand.mask for hand in layout] for layout in copies_of]
        for masks in self._hands:
            for offset, card in enumerate(state.trick):
                masks[(state.leader + offset) & 3] |= 1 << card
        self._single = set(self._copies)
        # The worlds in which a defender has a card, by seat and card.
        self._holders = [[0] * 52 for _ in SEATS]
        for masks, copies in zip(self._hands, self._copies, strict=True):
            for seat in (declarer.next, declarer.previous):
                for card in Hand(masks[seat]):
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
        """Return a defender's cards, of equals the lowest, and the worlds that allow each."""
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
        """Return in which worlds of `among` each choice takes `state.need` tricks, double dummy."""
        reached = dict.fromkeys(self.choices(state), 0)
        for index, copies in enumerate(self._copies):
            if copies & among:
                taking = self._taking(index, state)
                for card in reached:
                    if taking >> card & 1:
                        reached[card] |= copies
        return reached

    def tricks(self, state: State) -> list[dict[Card, int]]:
        """Return the double-dummy tricks of declarer's choices, this one included, by world."""
        if state not in self._tricks:
            positions = [self._position(index, state) for index in range(len(self._hands))]
            solved = map_in_time(card_values, positions)
            self._tricks[state] = [
                next(
                    values
                    for copies, values in zip(self._copies, solved, strict=True)
                    if values and copies >> world & 1
                )
                for world in range(self.all.bit_length())
            ]
        return self._tricks[state]

    def _taking(self, index: int, state: State) -> int:
        """Return the mask of the cards with which declarer's side takes what it needs."""
        state = self._lowered(index, state)
        taking = self._solved.get((index, state))
        if taking is None:
            taking = cards_taking(self._position(index, state), state.need).mask
            self._solved[index, state] = taking
        return taking

    def _lowered(self, index: int, state: State) -> State:
        """Return the state with each defender's card of the trick replaced by its lowest equal."""
        # That is worth the same in this world, and many states then share one solution.
        gone, trick = state.gone, list(state.trick)
        alive = state.alive
        for offset, card in enumerate(state.trick):
            seat = (state.leader + offset) & 3
            if seat & 1 == self.side:
                continue
            hand = self._hands[index][seat] & ~gone | 1 << card
            lowest = max(low for low in lowest_of_equals(hand, alive & ~hand) if low <= card)
            if lowest != card:
                gone ^= 1 << card | 1 << lowest
                trick[offset] = CARDS[lowest]
        return State(gone, state.leader, tuple(trick), state.need)

    def _position(self, index: int, state: State) -> Position:
        left = ~state.gone
        north, east, south, west = (Hand(mask & left) for mask in self._hands[index])
        return Position((north, east, south, west), self.trump, state.leader, state.trick)
