"""Declarer play by αµ; everything else is done as `montecarlo:advice=0` does it."""

from __future__ import annotations

from statistics import fmean

from bridge_arena.bots.alphamu.search import choose_card
from bridge_arena.bots.alphamu.worlds import State, Worlds
from bridge_arena.bots.library.bidding_systems import SystemName
from bridge_arena.bots.library.sampling.beliefs import beliefs
from bridge_arena.bots.library.sampling.sampler import Sampler
from bridge_arena.bots.montecarlo.bot import MonteCarloBot
from bridge_arena.bridge.cards import Card
from bridge_arena.protocol.view import View


class AlphaMuBot(MonteCarloBot):
    """A declarer that searches for one plan that makes the contract in the most sampled worlds.

    `montecarlo` assumes that declarer will know later where the cards lie; αµ does not (Cazenave
    and Ventos, The αµ Search Algorithm for the Game of Bridge, 2019). The bot bids, leads and
    defends exactly as `montecarlo:advice=0` does, because αµ cannot express a plan of two defenders
    who do not see each other's hands.

    Args:
        depth: How many cards of declarer's side the search looks ahead; a depth of 1 is Monte Carlo
            search for the contract.
        worlds: Layouts of the hidden cards drawn for each card of declarer.
        bidding: The bidding system.
    """

    name = "alphamu"

    def __init__(self, depth: int = 2, worlds: int = 20, bidding: SystemName = "natural") -> None:
        super().__init__(bidding=bidding, advice=0)
        if depth < 1:
            raise ValueError(f"a depth of {depth} looks at no card: at least 1 is needed")
        if worlds < 1:
            raise ValueError(f"{worlds} worlds decide nothing: at least 1 is needed")
        self._depth = depth
        self._layouts = worlds

    def play(self, view: View) -> Card:
        """Choose declarer's card by αµ, or a defender's as `montecarlo:advice=0` does."""
        play = view.play
        if play is None or play.player != play.declarer:
            return super().play(view)
        hand = view.held(play.turn)
        state = State.of(play)
        if hand is not None and len(choices := state.choices(hand.mask)) == 1:
            return choices[0]
        layouts = Sampler(view, beliefs(view, self.system)).draw(self._layouts, self.rng)
        worlds = Worlds(layouts, play.trump, play.declarer, state)
        card = choose_card(worlds, state, self._depth)
        if len(worlds.choices(state)) > 1:
            tricks = worlds.tricks(state)
            means = {choice: fmean(world[choice] for world in tricks) for choice in tricks[0]}
            in_order = sorted(means, key=lambda choice: (-means[choice], choice))
            self.think(
                f"plan: {card}; tricks to come on average, double dummy",
                candidates={choice: means[choice] for choice in in_order},
                layouts=len(tricks),
                depth=self._depth,
            )
        return card
