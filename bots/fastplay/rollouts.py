"""Boards played out by the network, many at once: what contracts make at a table of such players.

Each of the four players sees only what a player may see. Unlike the solver's, a result is therefore
one that declarer and defenders reach without knowing where the cards are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.fastplay.net import PlayNet
from bridge_arena.bots.fastplay.playing import Playing
from bridge_arena.bots.fastplay.seen import Positions
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bots.montecarlo.card_choice import Evaluation
from bridge_arena.bridge.cards import CARDS
from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol.view import View


def play_out(
    net: PlayNet, positions: Positions, next_card: NDArray[np.integer] | None = None
) -> NDArray[np.int64]:
    """Return the tricks that declarer's side takes when all four players continue by the network.

    All hands must be known, and the same number of cards played, in all positions.

    Args:
        net: The network that plays.
        positions: The n positions to play out.
        next_card: The next card of each position, n; the network chooses it if None.

    Returns:
        The tricks in the whole play, n.
    """
    playing = Playing(positions)
    if next_card is not None:
        playing.play(next_card)
    while playing.place < 52:
        playing.play(net.cheapest(playing.now, playing.legal()))
    return playing.tricks


def evaluate(
    net: PlayNet, view: View, position: Positions, cards: Sequence[int], worlds: Sequence[Hands]
) -> Evaluation:
    """Return the tricks that each card leads to in some worlds, played out by the network.

    `bots.montecarlo.evaluation` does the same with solved worlds.

    Args:
        net: The network that plays.
        view: What the player sees.
        position: The position of the view.
        cards: The cards to try.
        worlds: The layouts of the hidden cards.

    Returns:
        The tricks of the player's side, by card and world.
    """
    play = view.playing
    drawn = Counter(worlds)
    owner = position.owner.repeat(len(drawn), axis=0)
    for row, world in zip(owner, drawn, strict=True):
        for seat in SEATS:
            row[list(world[seat])] = (seat - play.declarer) % 4
    number = len(cards) * len(drawn)
    positions = Positions(
        np.tile(owner, (len(cards), 1)),
        position.trump.repeat(number),
        position.promised.repeat(number, axis=0),
        position.cards.repeat(number, axis=0),
        position.place.repeat(number),
        position.turn.repeat(number),
    )
    tricks = play_out(net, positions, np.repeat(cards, len(drawn)))
    if play.turn.side != play.declarer.side:
        tricks = 13 - tricks
    by_card = tricks.reshape(len(cards), -1).tolist()
    return Evaluation(
        tuple(drawn.values()),
        {CARDS[card]: tuple(found) for card, found in zip(cards, by_card, strict=True)},
    )
