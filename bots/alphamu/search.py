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
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bridge_arena.bots.alphamu.front import insert, is_within, meet
from bridge_arena.bots.alphamu.state import State
from bridge_arena.bots.alphamu.worlds import Worlds
from bridge_arena.bridge.cards import Card


class Search:
    """The searches of one decision, which share what they learn about good moves.

    Args:
        worlds: The sampled worlds of the decision.
    """

    def __init__(self, worlds: Worlds) -> None:
        self._worlds = worlds
        # For each state, the best move at a smaller depth: the card of declarer's that
        # reached the most worlds, or the card of a defender that ended the search.
        self._first: dict[State, Card] = {}

    def best(self, state: State, depth: int, reached: Mapping[Card, int]) -> tuple[Card, int]:
        """Return the card that reaches the target in the most worlds, and these worlds.

        The search deepens step by step. Of equal cards, the one that was best at a smaller depth is
        returned, and then the first in the order of `reached`.

        Args:
            state: The state of the play, with declarer's side to play.
            depth: How many cards of declarer's side to look ahead.
            reached: The choices, each with the worlds in which it reaches the target double dummy.
                This is its value at depth 1.

        Returns:
            The card, and the set of worlds as a vector.
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
        """Return whether a card of declarer's side reaches the target in all worlds.

        Args:
            state: The state of the play, with declarer's side to play.
            depth: How many cards of declarer's side to look ahead, this one included.
            card: The card to try.

        Returns:
            True if some plan that begins with this card reaches the target in every world.
        """
        everywhere = self._worlds.all
        floor = everywhere.bit_count() - 1
        return bool(self.front(self._after(state, card), depth - 1, everywhere, floor))

    def front(
        self, state: State, depth: int, among: int, floor: int = -1, known: Iterable[int] = ()
    ) -> list[int]:
        """Return the front of the plans of `depth` more cards of declarer's side.

        Args:
            state: The state of the play.
            depth: How many more cards of declarer's side to look ahead.
            among: The worlds in which the target is reached double dummy.
            floor: A vector of at most this many worlds may be left out.
            known: A vector that lies within one of these may be left out.

        Returns:
            The vectors of the plans, none of which contains another.
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
