"""Boards to learn from: they are bid, played, and solved at every card.

The network that is to learn plays most boards, with errors, so that it learns from positions like
those that it will meet. Strangers play the others: each of their cards is the best one double
dummy, the one that `baseline`'s rules play when all hands are seen, or any. Most auctions are
`natural`'s; some are of systems that say less or other things than what is read into their calls.

The solver says what each card costs. It solves few of the opening leads, and not all first tricks:
a lead takes it longer than all later cards of the board together, and the rest of the first trick
as long as all tricks after the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bridge_arena.bots.baseline.play import card_on_layout
from bridge_arena.bots.fastplay.net import LEADER, PlayNet, Positions, numbers_of, shipped
from bridge_arena.bots.fastplay.playing import Playing
from bridge_arena.bots.fastplay.plays import UNKNOWN, Plays, write_plays
from bridge_arena.bots.library.bidding_systems import System, SystemName, system
from bridge_arena.bots.library.double_dummy import lowest_of_equals
from bridge_arena.bots.library.hand_ranges import HandRanges
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import CARDS, Card, Hand
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Vulnerability
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values

SHARD = 250  # boards in a file
LEADS_SOLVED = 0.06  # the share of boards that are solved from the opening lead on
FIRST_TRICKS_SOLVED = 0.33  # the share that is solved from the second card on; others from trick 2

_BIDDERS: tuple[SystemName, ...] = (*6 * ("natural",), "neural", "deepq")
"""Each of them bids as many boards. All auctions are read as if they were `natural`'s."""

_ERRORS = (0.0, 0.03, 0.08)
"""On each board, the scale of the network's errors, in tricks, is one of these."""

_AT_RANDOM = 0.04
"""The share of the network's cards in place of which any card is played."""

_BY_STRANGERS = 0.2
"""The share of boards that strangers play."""

_BEST, _BY_RULES = 0.45, 0.4
"""The shares of their cards that are the best ones, and that the rules choose; others are any."""


@dataclass(frozen=True, slots=True)
class Bidden:
    """A board after its auction."""

    contract: Contract
    hands: list[Hand]  # as dealt, indexed by Seat
    promises: list[HandRanges]  # what the auction told of each hand, indexed by Seat


def shard_paths(folder: Path, seed: int, boards: int) -> list[Path]:
    """Return the files that hold the first `boards` boards of a seed, rounded up to whole files."""
    return [folder / f"plays-{seed}-{shard:05d}.npz" for shard in range(-(-boards // SHARD))]


def make_shard(path: Path, start: Path | None = None) -> None:
    """Make the boards of a file and write it; its name gives the seed and its number.

    `start` is the file of the network that plays them; None stands for the one that ships.
    """
    net = shipped() if start is None else PlayNet.read(start)
    _, seed, shard = path.stem.split("-")
    rng = np.random.default_rng([int(seed), int(shard)])
    bidders = {name: system(name) for name in _BIDDERS}
    bidden = [bid(rng, bidders[_BIDDERS[kind]]) for kind in rng.integers(len(_BIDDERS), size=SHARD)]
    write_plays(path, solved(rng, bidden, by_net(rng, bidden, net)))


def bid(rng: np.random.Generator, bidder: System) -> Bidden:
    """Bid the next random board that is not passed out."""
    while True:
        order = rng.permutation(52)
        hands = [Hand.of(CARDS[card] for card in order[13 * n : 13 * n + 13]) for n in range(4)]
        vulnerability = list(Vulnerability)[rng.integers(4)]
        auction = Auction(SEATS[rng.integers(4)])
        while not auction.is_over:
            auction.push(bidder.call(hands[auction.turn], auction, vulnerability))
        if auction.contract is not None:
            break
    promises = promises_of(system("natural"), auction, vulnerability)
    return Bidden(auction.contract, hands, promises)


def promises_of(system: System, auction: Auction, vulnerability: Vulnerability) -> list[HandRanges]:
    """Return what an auction told of each hand, indexed by Seat."""
    promises = [HandRanges()] * 4
    for place, explanation in enumerate(system.explain(auction, vulnerability)):
        promises[(auction.dealer + place) % 4] = HandRanges.of(explanation)
    return promises


def by_net(rng: np.random.Generator, bidden: Sequence[Bidden], net: PlayNet) -> Positions:
    """Play boards by a network that errs, and return their ends."""
    playing = Playing(_opening_leads(bidden))
    number = len(bidden)
    errors = rng.choice(_ERRORS, (number, 1))
    while playing.place < 52:
        distinct = playing.distinct()
        costs = net.costs(playing.now) + errors * rng.gumbel(size=(number, 52))
        any_card = rng.random((number, 1)) < _AT_RANDOM
        costs = np.where(any_card, rng.random((number, 52)), costs)
        playing.play(np.where(distinct, costs, np.inf).argmin(axis=1))
    return playing.now


def _opening_leads(bidden: Sequence[Bidden]) -> Positions:
    """Return boards before their opening leads."""
    number = len(bidden)
    owner = np.zeros((number, 52), np.uint8)
    promised = np.empty((number, 4, 5, 2), np.uint8)
    for row, board in enumerate(bidden):
        for player in range(4):
            seat = (board.contract.declarer + player) % 4
            owner[row, list(board.hands[seat])] = player
            promised[row, player] = numbers_of(board.promises[seat])
    trump = np.array([board.contract.denomination for board in bidden], np.uint8)
    cards, first = np.zeros((number, 52), np.int64), np.zeros(number, np.int64)
    return Positions(owner, trump, promised, cards, first, np.full(number, LEADER))


def solved(rng: np.random.Generator, bidden: Sequence[Bidden], played: Positions) -> Plays:
    """Return boards, `played` to the end, with what their cards cost; strangers play some anew."""
    owner, trump, promised, cards = (
        part.astype(np.uint8)
        for part in (played.owner, played.trump, played.promised, played.cards)
    )
    losses = np.full((len(bidden), 52, 13), UNKNOWN, np.int8)
    # The solver is twice as fast if it gets the positions of one board after another.
    for row, board in enumerate(bidden):
        by_strangers = rng.random() < _BY_STRANGERS
        solved_from = _solved_from(rng.random())
        play, hands = Play(board.contract), list(board.hands)
        while not play.is_over:
            place, turn = len(play.cards), play.turn
            lost = _losses(play, hands) if place >= solved_from else {}
            for n, card in enumerate(sorted(board.hands[turn])):
                losses[row, place, n] = lost.get(card, UNKNOWN)
            if by_strangers:
                cards[row, place] = _strangers_card(rng, play, hands, lost)
            card = CARDS[cards[row, place]]
            hands[turn] = hands[turn].without(card)
            play.push(card)
    return Plays(owner, trump, promised, cards, losses)


def _solved_from(chance: float) -> int:
    """Return the place of the first card of a board that is solved."""
    if chance < LEADS_SOLVED:
        return 0
    return 1 if chance < LEADS_SOLVED + FIRST_TRICKS_SOLVED else 4


def _losses(play: Play, hands: list[Hand]) -> dict[Card, int]:
    """Return what each legal card costs in tricks, or nothing if all of them are equal."""
    legal = play.legal_cards(hands[play.turn])
    others = Hand.of(play.trick).mask
    for seat in SEATS:
        others |= hands[seat].mask if seat != play.turn else 0
    if len(lowest_of_equals(legal.mask, others)) == 1:
        return {}
    values = card_values(Position.of(play, hands))
    most = max(values.values())
    return {card: most - tricks for card, tricks in values.items()}


def _strangers_card(
    rng: np.random.Generator, play: Play, hands: list[Hand], lost: dict[Card, int]
) -> Card:
    legal = play.legal_cards(hands[play.turn])
    kind = rng.random()
    if kind < _BEST and lost:
        legal = Hand.of(card for card in lost if not lost[card])
    elif kind >= _BEST + _BY_RULES:
        return sorted(legal)[rng.integers(len(legal))]
    return card_on_layout(play, hands, legal)
