"""Declarer's decision: the number of tricks to play for, and the card that gets them."""

from __future__ import annotations

from bridge_arena.bots.alphamu.search import Search
from bridge_arena.bots.alphamu.state import State
from bridge_arena.bots.alphamu.worlds import Worlds
from bridge_arena.bridge.cards import Card


def choose_card(worlds: Worlds, state: State, depth: int) -> Card:
    """Return the card of declarer's side that makes the contract in the most worlds.

    If some cards make the contract in every world, these are compared again by a higher number of
    tricks. If no card makes it in any world, all are compared by a lower number. In both cases the
    target is the number of tricks that is most in doubt, double dummy. Of equal cards, the one with
    the most tricks on average (double dummy) is chosen, then the lowest.

    Args:
        worlds: The sampled worlds.
        state: The state of the play; `state.need` is the number of tricks that the contract still
            needs.
        depth: How many cards of declarer's side the search looks ahead, this one included.

    Returns:
        A card that may be played from the hand whose turn it is.
    """
    choices = worlds.choices(state)
    if len(choices) == 1:
        return choices[0]
    tricks = worlds.tricks(state)
    # All sums are over the same worlds, so they have the order of the means.
    choices.sort(key=lambda card: (-sum(each[card] for each in tricks), card.rank, card.suit))

    def reached(cards: list[Card], need: int) -> dict[Card, int]:
        return {
            card: sum(1 << world for world, each in enumerate(tricks) if each[card] >= need)
            for card in cards
        }

    def most_in_doubt(cards: list[Card], needs: range) -> int | None:
        """Return the target that is most in doubt, or None if no world reaches any."""
        best = [max(each[card] for card in cards) for each in tricks]
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
