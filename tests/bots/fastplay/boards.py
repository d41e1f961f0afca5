"""Boards for the tests of the net that plays: dealt and played at random, their costs made up."""

from __future__ import annotations

import numpy as np

from bridge_arena.bots.fastplay.plays import UNKNOWN, Plays
from bridge_arena.bots.library.hand_ranges import HandRanges
from bridge_arena.bots.library.learning.arrays import joined
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol.view import View
from tests.bots.views import at_play

DENOMINATIONS = ("C", "D", "H", "S", "NT")


def random_play(seed: int) -> tuple[Plays, list[View]]:
    """A board played at random, and the view of who played each of its cards. Each card costs
    its number modulo 4."""
    rng = np.random.default_rng(seed)
    deal = random_deal(seed, 1)
    declarer = SEATS[rng.integers(4)]
    contract = f"1{DENOMINATIONS[rng.integers(5)]}"
    play = Play(Contract.parse(contract, declarer))
    hands = list(deal.hands)
    views: list[View] = []
    losses = np.full((1, 52, 13), UNKNOWN, np.int8)
    while not play.is_over:
        views.append(at_play(deal, contract, declarer, " ".join(map(str, play.cards))))
        legal = play.legal_cards(hands[play.turn])
        for n, card in enumerate(sorted(deal[play.turn])):
            losses[0, len(play.cards), n] = card % 4 if card in legal else UNKNOWN
        chosen = sorted(legal)[rng.integers(len(legal))]
        hands[play.turn] = hands[play.turn].without(chosen)
        play.push(chosen)
    owner = np.zeros((1, 52), np.uint8)
    for seat in SEATS:
        owner[0, list(deal[seat])] = (seat - declarer) % 4
    trump = DENOMINATIONS.index(contract[1:])
    promised = np.array([[[HandRanges().hcp, *HandRanges().lengths]] * 4], np.uint8)
    cards = np.array([play.cards], np.uint8)
    return Plays(owner, np.array([trump], np.uint8), promised, cards, losses), views


def random_plays(count: int) -> Plays:
    return joined(random_play(seed)[0] for seed in range(count))
