"""Declarer's card: which number of tricks to play for, and the card to play for it."""

from __future__ import annotations

from bridge_arena.bots.alphamu.search import Search
from bridge_arena.bots.alphamu.state import State
from bridge_arena.bots.alphamu.worlds import Worlds
from bridge_arena.bridge.cards import Card


def choose_card(worlds: Worlds, state: State, depth: int) -> Card:
    """The card of declarer's side that makes the contract in the most worlds.

    `state.need`: the tricks that the contract needs from here on. `depth`: how many of
    declarer's cards are looked ahead, this one included.

    Where it is made in all worlds, the cards with which it is are tried for more tricks,
    and where it is made in none, all cards for fewer: for the number that is most in
    doubt, double dummy. Of equals the card that takes the most tricks on average double
    dummy, then the lowest.
    """
    choices = worlds.choices(state)
    if len(choices) == 1:
        return choices[0]
    tricks = worlds.tricks(state)
    # Sums over equally many worlds order as means do.
    choices.sort(key=lambda card: (-sum(each[card] for each in tricks), card.rank, card.suit))

    def reached(cards: list[Card], need: int) -> dict[Card, int]:
        return {
            card: sum(1 << world for world, each in enumerate(tricks) if each[card] >= need)
            for card in cards
        }

    def most_in_doubt(cards: list[Card], needs: range) -> int | None:
        """None where no world reaches any."""
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
