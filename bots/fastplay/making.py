"""Boards to learn from: `natural` bids them, and they are played by players of all kinds.

A card is now the best one double dummy, now what `baseline`'s rules play where all hands are
seen, now any: so there are good positions and bad ones. What each card costs is asked of the
solver; of an opening lead, which takes it longer than all cards after it, only now and then.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from bridge_arena.bots.baseline.play import card_on_layout
from bridge_arena.bots.fastplay.plays import UNKNOWN, Plays, numbers_of, write_plays
from bridge_arena.bots.library.bidding_systems import System
from bridge_arena.bots.library.box import Box
from bridge_arena.bots.library.equals import lowest_of_equals
from bridge_arena.bots.library.learning.arrays import joined
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import CARDS, Card, Hand
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Vulnerability
from bridge_arena.oracle.pool import Oracle
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values

SHARD = 250
"""Boards in a file."""

LEADS_SOLVED = 0.25
"""The share of opening leads that are."""

_BEST, _BY_RULES = 0.45, 0.4
"""How often a card is the best one, and how often that of the rules; else it is any."""


def shard_paths(folder: Path, seed: int, boards: int) -> list[Path]:
    """The files of the first so many boards of a seed, whole files."""
    return [folder / f"plays-{seed}-{shard:05d}.npz" for shard in range(-(-boards // SHARD))]


def make_shard(path: Path) -> None:
    """Make the boards of a file, whose name says which. Raises OSError."""
    _, seed, shard = path.stem.split("-")
    rng = np.random.default_rng([int(seed), int(shard)])
    system = Natural()
    write_plays(path, joined(_played_board(rng, system) for _ in range(SHARD)))


def _played_board(rng: np.random.Generator, system: Natural) -> Plays:
    """The next random board that is not passed out."""
    while True:
        order = rng.permutation(52)
        dealt = [Hand.of(CARDS[card] for card in order[13 * n : 13 * n + 13]) for n in range(4)]
        vulnerability = list(Vulnerability)[rng.integers(4)]
        auction = Auction(SEATS[rng.integers(4)])
        while not auction.is_over:
            auction.push(system.choose(dealt[auction.turn], auction, vulnerability).call)
        if auction.contract is not None:
            break
    return played(rng, auction.contract, dealt, told(system, auction, vulnerability))


def told(system: System, auction: Auction, vulnerability: Vulnerability) -> list[Box]:
    """What an auction told of each hand, indexed by Seat."""
    boxes = [Box()] * 4
    for place, explanation in enumerate(system.explain(auction, vulnerability)):
        boxes[(auction.dealer + place) % 4] = Box.of(explanation)
    return boxes


def played(
    rng: np.random.Generator, contract: Contract, dealt: list[Hand], boxes: list[Box]
) -> Plays:
    """One board played, its losses looked at. `dealt`, `boxes`: indexed by Seat."""
    from_declarer = [(contract.declarer + n) % 4 for n in range(4)]
    owner = np.zeros((1, 52), np.uint8)
    for n, seat in enumerate(from_declarer):
        owner[0, list(dealt[seat])] = n
    promised = [numbers_of(boxes[seat]) for seat in from_declarer]
    losses = np.full((1, 52, 13), UNKNOWN, np.int8)
    play = Play(contract)
    hands = list(dealt)
    while not play.is_over:
        place, turn = len(play.cards), play.turn
        is_solved = place > 0 or rng.random() < LEADS_SOLVED
        lost = _losses(play, hands) if is_solved else {}
        for n, card in enumerate(sorted(dealt[turn])):
            losses[0, place, n] = lost.get(card, UNKNOWN)
        card = _chosen(rng, play, hands, lost)
        hands[turn] = hands[turn].without(card)
        play.push(card)
    trump, cards = contract.denomination, play.cards
    return Plays(
        owner,
        np.array([trump], np.uint8),
        np.array([promised], np.uint8),
        np.array([cards], np.uint8),
        losses,
    )


def _losses(play: Play, hands: list[Hand]) -> dict[Card, int]:
    """What each legal card costs; nothing where there is but one, or its equals."""
    legal = play.legal_cards(hands[play.turn])
    others = Hand.of(play.trick).mask
    for seat in SEATS:
        others |= hands[seat].mask if seat != play.turn else 0
    if len(lowest_of_equals(legal.mask, others)) == 1:
        return {}
    values = card_values(Position.of(play, hands))
    most = max(values.values())
    return {card: most - tricks for card, tricks in values.items()}


def _chosen(rng: np.random.Generator, play: Play, hands: list[Hand], lost: dict[Card, int]) -> Card:
    legal = play.legal_cards(hands[play.turn])
    kind = rng.random()
    if kind < _BEST and lost:
        legal = Hand.of(card for card in lost if not lost[card])
    elif kind >= _BEST + _BY_RULES:
        return sorted(legal)[rng.integers(len(legal))]
    return card_on_layout(play, hands, legal)


def make(paths: list[Path], workers: int | None, made: Callable[[int], None]) -> None:
    """Make what is missing of the files, in so many processes, one a processor if none. `made`:
    is told how many there are. Raises OracleError."""
    missing = [path for path in paths if not path.exists()]
    there = len(paths) - len(missing)
    made(there)
    if missing:
        missing[0].parent.mkdir(parents=True, exist_ok=True)
        # The solver's workers: who dies is noticed, and nobody is left behind.
        with Oracle(workers, deadline=None) as processes:
            for number, done in enumerate(
                [processes.submit(make_shard, each.resolve()) for each in missing]
            ):
                done.result()
                made(there + number + 1)
