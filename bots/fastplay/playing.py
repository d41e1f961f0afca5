"""Many boards in play at once, by the rules of `bridge.play` without its checks.

When the network plays boards out, each of the four players sees only what a player may see. Unlike
the solver's, a result is therefore one that declarer and defenders reach without knowing where the
cards are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.fastplay.net import NUMBERS, SUITS, PlayNet, Positions, strengths
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bots.montecarlo.card_choice import Evaluation
from bridge_arena.bridge.cards import CARDS
from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol.view import View


class Playing:
    """n boards, all hands known, whose play goes on from the same place."""

    def __init__(self, positions: Positions) -> None:
        self.place = int(positions.place[0])  # the number of cards played, the same in all
        # The cards in the order of play, n×52, and the player from whose hand the next comes, n; at
        # the end the winner of the last trick.
        self.cards, self.turn = positions.cards.copy(), positions.turn.copy()
        # The cards that no player has played, n×52.
        self.held = np.ones((len(self.turn), 52), np.bool_)
        played = self.cards[:, : self.place].astype(np.int64)
        np.put_along_axis(self.held, played, values=False, axis=1)
        self.tricks = np.zeros(len(self.turn), np.int64)  # of declarer's side, n
        self._begun = positions
        for start in range(0, self.place - self.place % 4, 4):
            self.tricks += self._winners(start) % 2 == 0

    @property
    def now(self) -> Positions:
        """The positions now; later plays change their cards."""
        place = np.full_like(self.turn, self.place)
        return replace(self._begun, cards=self.cards, place=place, turn=self.turn)

    def legal(self) -> NDArray[np.bool_]:
        """Return the cards that may be played, n×52 (Law 44C)."""
        own = np.asarray(self.held & (self._begun.owner == self.turn[:, None]))
        if self.place % 4 == 0:
            return own
        led = SUITS[self.cards[:, self.place - self.place % 4]]
        following = own & (led[:, None] == SUITS)
        return np.asarray(np.where(following.any(axis=1, keepdims=True), following, own))

    def distinct(self) -> NDArray[np.bool_]:
        """Return the lowest card of each group of equal ones that may be played, n×52."""
        legal = self.legal()
        # Cards of completed tricks are nobody's any more.
        gone = self.cards[:, : self.place - self.place % 4].astype(np.int64)
        left = np.ones(legal.shape, np.bool_)
        np.put_along_axis(left, gone, values=False, axis=1)
        # The next lower card of the suit that is left, if it may be played too, is equal.
        highest = np.maximum.accumulate(np.where(left, NUMBERS, -1).reshape(-1, 4, 13), axis=2)
        lower = np.full_like(highest, -1)
        lower[..., 1:] = highest[..., :-1]
        lower = lower.reshape(-1, 52)
        equal = (lower >= 0) & np.take_along_axis(legal, np.maximum(lower, 0), axis=1)
        return np.asarray(legal & ~equal)

    def play(self, chosen: NDArray[np.integer]) -> None:
        self.cards[:, self.place] = chosen
        self.held[np.arange(len(chosen)), chosen] = False
        self.place += 1
        if self.place % 4:
            self.turn = (self.turn + 1) & 3
        else:
            self.turn = self._winners(self.place - 4)
            self.tricks += self.turn % 2 == 0

    def _winners(self, start: int) -> NDArray[np.int64]:
        """Return the winners of the tricks that begin at a place (Law 44E, 44F)."""
        trick = self.cards[:, start : start + 4].astype(np.int64)
        strength = strengths(SUITS[trick[:, 0]], self._begun.trump)
        best = np.take_along_axis(strength, trick, axis=1).argmax(axis=1)
        winning = np.take_along_axis(trick, best[:, None], axis=1)
        winners = np.take_along_axis(self._begun.owner, winning, axis=1)[:, 0]
        return np.asarray(winners, np.int64)


def play_out(
    net: PlayNet, positions: Positions, next_card: NDArray[np.integer] | None = None
) -> NDArray[np.int64]:
    """Return the tricks of declarer's side, n, when all four players continue by the network.

    They are those of the whole play. In all positions all hands must be known, and the same number
    of cards played. The network chooses the `next_card` of each, n, too if it is None.
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

    `bots.montecarlo.card_choice` does the same with solved worlds. `position` is that of the view.
    """
    play = view.playing
    drawn = Counter(worlds)
    owner = position.owner.repeat(len(drawn), axis=0)
    for row, world in zip(owner, drawn, strict=True):
        for seat in SEATS:
            row[list(world[seat])] = (seat - play.declarer) % 4
    number = len(cards) * len(drawn)
    positions = replace(
        position.rows(np.zeros(number, np.int64)), owner=np.tile(owner, (len(cards), 1))
    )
    tricks = play_out(net, positions, np.repeat(cards, len(drawn)))
    if play.turn.side != play.declarer.side:
        tricks = 13 - tricks
    by_card = tricks.reshape(len(cards), -1).tolist()
    return Evaluation(
        tuple(drawn.values()),
        {CARDS[card]: tuple(of_card) for card, of_card in zip(cards, by_card, strict=True)},
    )
