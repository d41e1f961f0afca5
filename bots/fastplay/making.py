"""Boards to learn from: `natural` bids them, and players of several kinds play them.

Each card is chosen in one of three ways: the best card double dummy, the card that `baseline`'s
rules play when all hands are seen, or any legal card. So there are good positions and bad ones. The
solver says what each card costs. It solves only some of the opening leads, because a lead takes it
longer than all later cards of the board together.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from bridge_arena.bots.baseline.play import card_on_layout
from bridge_arena.bots.fastplay.plays import UNKNOWN, Plays, numbers_of, write_plays
from bridge_arena.bots.library.bidding_systems import System
from bridge_arena.bots.library.double_dummy import lowest_of_equals
from bridge_arena.bots.library.hand_ranges import HandRanges
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
"""The share of opening leads that are solved."""

_BEST, _BY_RULES = 0.45, 0.4
"""The shares of cards that are the best ones and that the rules choose; the others are random."""


def shard_paths(folder: Path, seed: int, boards: int) -> list[Path]:
    """Return the files that hold the first `boards` boards of a seed, rounded up to whole files."""
    return [folder / f"plays-{seed}-{shard:05d}.npz" for shard in range(-(-boards // SHARD))]


def make_shard(path: Path) -> None:
    """Make the boards of a file and write it.

    Args:
        path: The file; its name gives the seed and the number of the file.

    Raises:
        OSError: The file cannot be written.
    """
    _, seed, shard = path.stem.split("-")
    rng = np.random.default_rng([int(seed), int(shard)])
    system = Natural()
    write_plays(path, joined(_played_board(rng, system) for _ in range(SHARD)))


def _played_board(rng: np.random.Generator, system: Natural) -> Plays:
    """Return the next random board that is not passed out."""
    while True:
        order = rng.permutation(52)
        dealt = [Hand.of(CARDS[card] for card in order[13 * n : 13 * n + 13]) for n in range(4)]
        vulnerability = list(Vulnerability)[rng.integers(4)]
        auction = Auction(SEATS[rng.integers(4)])
        while not auction.is_over:
            auction.push(system.call(dealt[auction.turn], auction, vulnerability))
        if auction.contract is not None:
            break
    return played(rng, auction.contract, dealt, told(system, auction, vulnerability))


def told(system: System, auction: Auction, vulnerability: Vulnerability) -> list[HandRanges]:
    """Return what an auction told of each hand, indexed by Seat."""
    promises = [HandRanges()] * 4
    for place, explanation in enumerate(system.explain(auction, vulnerability)):
        promises[(auction.dealer + place) % 4] = HandRanges.of(explanation)
    return promises


def played(
    rng: np.random.Generator, contract: Contract, dealt: list[Hand], promises: list[HandRanges]
) -> Plays:
    """Play one board and return it with what its cards cost.

    Args:
        rng: The generator that chooses the cards.
        contract: The contract.
        dealt: The hands, indexed by Seat.
        promises: What the auction told of each hand, indexed by Seat.

    Returns:
        The one board.
    """
    from_declarer = [(contract.declarer + n) % 4 for n in range(4)]
    owner = np.zeros((1, 52), np.uint8)
    for n, seat in enumerate(from_declarer):
        owner[0, list(dealt[seat])] = n
    promised = [numbers_of(promises[seat]) for seat in from_declarer]
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


def _chosen(rng: np.random.Generator, play: Play, hands: list[Hand], lost: dict[Card, int]) -> Card:
    legal = play.legal_cards(hands[play.turn])
    kind = rng.random()
    if kind < _BEST and lost:
        legal = Hand.of(card for card in lost if not lost[card])
    elif kind >= _BEST + _BY_RULES:
        return sorted(legal)[rng.integers(len(legal))]
    return card_on_layout(play, hands, legal)


def make(paths: list[Path], workers: int | None, made: Callable[[int], None]) -> None:
    """Make the files that are missing, in several processes.

    Args:
        paths: All files that are wanted.
        workers: The number of processes; one for each processor if None.
        made: Called with the number of files that exist, at the start and after each file.

    Raises:
        OracleError: A process died or could not be started.
    """
    missing = [path for path in paths if not path.exists()]
    there = len(paths) - len(missing)
    made(there)
    if missing:
        missing[0].parent.mkdir(parents=True, exist_ok=True)
        # The solver's worker processes: a dead one is noticed, and all end with the block.
        with Oracle(workers, deadline=None) as processes:
            for number, done in enumerate(
                [processes.submit(make_shard, each.resolve()) for each in missing]
            ):
                done.result()
                made(there + number + 1)
