"""The search for what declarer's plans reach over all worlds, against defenders who see all cards.

At declarer's nodes the fronts of the choices are united. At a defender's node they meet: each reply
is possible in some worlds only, and changes nothing in the others. After `depth` cards of
declarer's side, double dummy decides in which worlds the target is reached.

Every node is given the worlds in which double dummy still reaches the target there. The other
worlds are lost with any plan, so they are neither searched nor solved again. One call of the solver
at a declarer's node finds these worlds for all its choices. A defender's card cannot take such a
world away, so nothing else needs solving.

The search leaves out only what cannot change the result at the root: `known` holds vectors that the
root has already or can have, and `floor` is a number of worlds that a plan must exceed to matter.

What a plan reaches is a vector, an int with one bit for each world: 1 where the plan reaches its
target. A (Pareto) front is a list of vectors of which none contains another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bridge_arena.bots.alphamu.worlds import State, Worlds
from bridge_arena.bridge.cards import Card


def is_within(vector: int, front: Iterable[int]) -> bool:
    """Return whether some vector of the front is at least as good in every world."""
    return any(vector & ~other == 0 for other in front)


def insert(front: list[int], vector: int) -> None:
    """Add a vector, unless one as good is there, and remove the vectors that it contains."""
    if not is_within(vector, front):
        front[:] = [other for other in front if other & ~vector]
        front.append(vector)


def meet(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Return the front that is left when the opponents choose between two lines of play."""
    # A plan against each, combined, reaches its target in the worlds where both do.
    front: list[int] = []
    # Largest vectors first: this keeps the list short while it grows.
    both = {one & other for one in first for other in second}
    for vector in sorted(both, key=int.bit_count, reverse=True):
        if not is_within(vector, front):
            front.append(vector)
    return front


class Search:
    """The searches of one decision, which share what they learn about good moves."""

    def __init__(self, worlds: Worlds) -> None:
        self._worlds = worlds
        # For each state, the best move at a smaller depth: the card of declarer's that
        # reached the most worlds, or the card of a defender that ended the search.
        self._first: dict[State, Card] = {}

    def best(self, state: State, depth: int, reached: Mapping[Card, int]) -> tuple[Card, int]:
        """Return the card of declarer's side that reaches the target in the most worlds, and these.

        The search deepens step by step, up to `depth` cards of declarer's side. Of equal cards, the
        one that was best at a smaller depth is returned, and then the first in the order of
        `reached`: these are the choices, each with the worlds in which it reaches the target double
        dummy, its value at depth 1.
        """
        # The most worlds that each choice can reach, as far as the search knows.
        most = {card: worlds.bit_count() for card, worlds in reached.items()}
        best = max(reached, key=most.__getitem__)
        vector = reached[best]
        for deeper in range(2, depth + 1):
            bound = most[best]
            order = sorted(most, key=lambda card: -most[card])
            floor = -1
            for card in order:
                if most[card] <= floor:
                    continue
                front = self.front(self._after(state, card), deeper - 1, reached[card], floor)
                top = max(front, key=int.bit_count, default=0)
                most[card] = top.bit_count() if front else floor
                if most[card] > floor:
                    best, vector, floor = card, top, most[card]
                # A greater depth never reaches more worlds than a smaller one.
                if floor == bound:
                    break
        return best, vector

    def is_safe(self, state: State, depth: int, card: Card) -> bool:
        """Return whether a card of declarer's side reaches the target in all worlds."""
        everywhere = self._worlds.all
        floor = everywhere.bit_count() - 1
        return bool(self.front(self._after(state, card), depth - 1, everywhere, floor))

    def front(
        self, state: State, depth: int, among: int, floor: int = -1, known: Iterable[int] = ()
    ) -> list[int]:
        """Return the front of the plans of `depth` more cards of declarer's side.

        `among` are the worlds in which the target is reached double dummy. A vector of at most
        `floor` worlds may be left out, and one that lies within a vector of `known`.
        """
        if depth == 0 or state.need <= 0 or self._worlds.is_one_layout(among):
            return [among]
        known = list(known)
        if among.bit_count() <= floor or is_within(among, known):
            return []
        if state.turn.side == self._worlds.side:
            return self._declare(state, depth, among, floor, known)
        return self._defend(state, depth, among, floor, known)

    def _declare(
        self, state: State, depth: int, among: int, floor: int, known: list[int]
    ) -> list[int]:
        choices = self._worlds.choices(state)
        if len(choices) == 1:
            return self.front(self._after(state, choices[0]), depth - 1, among, floor, known)
        reached = self._worlds.reached(state, among)
        first = self._first.get(state)
        front: list[int] = []
        most = -1
        for card in sorted(choices, key=lambda card: (card != first, -reached[card].bit_count())):
            where = reached[card]
            if where.bit_count() <= floor or is_within(where, front) or is_within(where, known):
                continue
            after = self._after(state, card)
            for vector in self.front(after, depth - 1, where, floor, [*known, *front]):
                insert(front, vector)
                if vector.bit_count() > most:
                    most = vector.bit_count()
                    self._first[state] = card
            if front == [among]:
                break
        return front

    def _defend(
        self, state: State, depth: int, among: int, floor: int, known: list[int]
    ) -> list[int]:
        replies = self._worlds.replies(state, among)
        first = self._first.get(state)
        replies.sort(key=lambda reply: (reply[0] != first, -reply[1].bit_count()))
        plans = [among]
        for card, where in replies:
            if self._worlds.is_one_layout(where):
                continue
            # A plan keeps what it reaches in the worlds where this reply is impossible.
            rest = among & ~where
            spared = max((plan & rest).bit_count() for plan in plans)
            within = [vector & where for vector in known if not rest & ~vector]
            front = self.front(self._after(state, card), depth, where, floor - spared, within)
            if front == [where]:
                continue
            plans = [
                plan
                for plan in meet(plans, [vector | rest for vector in front])
                if plan.bit_count() > floor and not is_within(plan, known)
            ]
            if not plans:
                self._first[state] = card
                return []
        return plans

    def _after(self, state: State, card: Card) -> State:
        return state.after(card, self._worlds.trump, self._worlds.side)


def choose_card(worlds: Worlds, state: State, depth: int) -> Card:
    """Return the card of declarer's side that makes the contract in the most worlds.

    If some cards make the contract in every world, these are compared again by a higher number of
    tricks. If no card makes it in any world, all are compared by a lower number. In both cases the
    target is the number of tricks that is most in doubt, double dummy. Of equal cards, the one with
    the most tricks on average (double dummy) is chosen, then the lowest.

    `depth` counts the cards of declarer's side that the search looks ahead, this one included.
    """
    choices = worlds.choices(state)
    if len(choices) == 1:
        return choices[0]
    tricks = worlds.tricks(state)
    # All sums are over the same worlds, so they have the order of the means.
    choices.sort(key=lambda card: (-sum(world[card] for world in tricks), card.rank, card.suit))

    def reached(cards: list[Card], need: int) -> dict[Card, int]:
        return {
            card: sum(1 << world for world, taken in enumerate(tricks) if taken[card] >= need)
            for card in cards
        }

    def most_in_doubt(cards: list[Card], needs: range) -> int | None:
        """Return the target that is most in doubt, or None if no world reaches any."""
        best = [max(world[card] for card in cards) for world in tricks]
        counts = {need: sum(most >= need for most in best) for need in needs}
        possible = [need for need in needs if counts[need]]
        return min(possible, key=lambda n: (abs(2 * counts[n] - len(best)), -n), default=None)

    search = Search(worlds)
    made = reached(choices, state.need)
    if any(made.values()):
        card, where = search.best(state, depth, made)
        if where != worlds.all:
            return card
        choices = [
            card
            for card in choices
            if made[card] == worlds.all and search.is_safe(state, depth, card)
        ]
        need = most_in_doubt(choices, range(max(state.need, 0) + 1, 14))
    else:
        need = most_in_doubt(choices, range(1, state.need))
    if need is None or len(choices) == 1:
        return choices[0]
    return search.best(state._replace(need=need), depth, reached(choices, need))[0]
