"""The search: what declarer's plans reach over all worlds, against defenders who see all.

At declarer's nodes the fronts of the choices unite. At a defender's node, where each
reply is possible in some worlds only, they meet: in the other worlds a reply changes
nothing. After `depth` cards of declarer's side, double dummy says what is reached.

Every node comes with the worlds in which double dummy still reaches the target there.
The others are lost whatever the plan, and are neither searched nor solved again. One
call of the solver at declarer's node finds these worlds for all of its choices, and a
defender's card cannot take such a world away, so no other solving is needed.

What is left out cannot change what the root reads off: `known` are vectors that it has
or can have already, `floor` is a number of worlds that a plan must pass to matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bridge_arena.bots.alphamu.front import insert, is_within, meet
from bridge_arena.bots.alphamu.state import State
from bridge_arena.bots.alphamu.worlds import Worlds
from bridge_arena.bridge.cards import Card


class Search:
    """The searches of one decision; they share what they learn about good moves."""

    def __init__(self, worlds: Worlds) -> None:
        self._worlds = worlds
        # By state, the move that was best at a shallower depth: declarer's that reached
        # most worlds, a defender's that ended the search.
        self._first: dict[State, Card] = {}

    def best(self, state: State, depth: int, reached: Mapping[Card, int]) -> tuple[Card, int]:
        """Declarer's card that reaches the target in the most worlds, `depth` of its side's
        cards ahead, and the worlds; the first of equals, by the depths in turn and then
        as they are given.

        `reached`: the choices, with the worlds where each reaches it double dummy, which
        is their value at depth 1.
        """
        # What each choice can reach at most, as far as it was searched.
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
                # No depth reaches more than the one before.
                if floor == bound:
                    break
        return best, vector

    def is_safe(self, state: State, depth: int, card: Card) -> bool:
        """Whether a card of declarer's side reaches the target in all worlds, `depth` of
        its side's cards ahead, this one included."""
        everywhere = self._worlds.all
        floor = everywhere.bit_count() - 1
        return bool(self.front(self._after(state, card), depth - 1, everywhere, floor))

    def front(
        self, state: State, depth: int, among: int, floor: int = -1, known: Iterable[int] = ()
    ) -> list[int]:
        """What plans of `depth` more cards of declarer's side reach, of the worlds `among`
        in which it is reached double dummy.

        Left out may be what contains at most `floor` worlds or lies within a vector of
        `known`.
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
