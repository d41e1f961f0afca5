"""Boards to learn from, with the cost of every card, and the files that keep them.

`natural` bids the boards, and players of several kinds play them. Each card is chosen in one of
three ways: the best card double dummy, the card that `baseline`'s rules play when all hands are
seen, or any legal card. So there are good positions and bad ones. The solver says what each card
costs. It solves only some of the opening leads, because a lead takes it longer than all later cards
of the board together.

A file is a numpy archive NAME.npz of the arrays of `Plays`, whose players are numbered as in
`bots.fastplay.net`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.baseline.play import card_on_layout
from bridge_arena.bots.fastplay.net import NOTRUMP, Positions, numbers_of
from bridge_arena.bots.library.bidding_systems import System
from bridge_arena.bots.library.double_dummy import lowest_of_equals
from bridge_arena.bots.library.hand_ranges import HandRanges
from bridge_arena.bots.library.learning.arrays import (
    Arrays,
    ArraysError,
    Rows,
    joined,
    write_arrays,
)
from bridge_arena.bots.library.learning.layers import Array
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import CARDS, Card, Hand
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Vulnerability
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values

UNKNOWN = -1  # stands for the cost of a card that was not legal or not looked at
SHARD = 250  # boards in a file
LEADS_SOLVED = 0.25  # the share of opening leads that are solved

_BEST, _BY_RULES = 0.45, 0.4
"""The shares of cards that are the best ones and that the rules choose; the others are random."""


@dataclass(frozen=True, slots=True)
class Plays(Rows):
    """n boards and their play."""

    owner: NDArray[np.uint8]  # the player who was dealt each card, n×52
    trump: NDArray[np.uint8]  # the trump suit, or `NOTRUMP`, n
    # What the auction told of each player, n×4×5×2: the lowest and the highest of his high-card
    # points and of his lengths in clubs, diamonds, hearts and spades, as dealt.
    promised: NDArray[np.uint8]
    cards: NDArray[np.uint8]  # the cards in the order of play, n×52
    # The tricks that the player's side loses, double dummy, at each card of the play by each of the
    # thirteen cards that he was dealt, in ascending order, n×52×13, or `UNKNOWN`.
    losses: NDArray[np.int8]

    def turn(self, place: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the player of the card at a place of each board, n."""
        rows = np.arange(len(self))
        return np.asarray(self.owner[rows, self.cards[rows, place]], np.int64)

    def positions(self, place: NDArray[np.integer]) -> Positions:
        """Return the position of each board before the card at a place."""
        return Positions(self.owner, self.trump, self.promised, self.cards, place, self.turn(place))

    def costs(self, place: NDArray[np.integer]) -> Array:
        """Return cards' costs in tricks at a place, 0 to 51, of each board, n×52, or `UNKNOWN`."""
        costs = np.full((len(self), 52), UNKNOWN, np.float32)
        held = self.owner == self.turn(place)[:, None]
        costs[held] = self.losses[np.arange(len(self)), place].reshape(-1)
        return costs


def write_plays(path: Path, plays: Plays) -> None:
    """Write a whole file or nothing."""
    arrays = {field.name: getattr(plays, field.name) for field in fields(plays)}
    write_arrays(path, arrays, compress=True)


def read_plays(path: Path) -> Plays:
    """Read boards from a file that `write_plays` has made, or raise ArraysError or OSError."""
    arrays = Arrays(path)
    owner = arrays.numbers("owner", None, 52)
    boards = len(owner)
    cards = arrays.numbers("cards", boards, 52)
    plays = Plays(
        owner,
        arrays.numbers("trump", boards),
        arrays.numbers("promised", boards, 4, 5, 2),
        cards,
        arrays.numbers("losses", boards, 52, 13),
    )
    for field in fields(plays):
        if getattr(plays, field.name).dtype.kind not in "ui":
            raise ArraysError(f"{path}: {field.name} has values that are not whole numbers")
    if not boards:
        raise ArraysError(f"{path}: there are no boards")
    _check(path, "owner", _all(np.sort(owner, axis=1) == np.repeat(np.arange(4), 13)))
    _check(path, "cards", _all(np.sort(cards, axis=1) == np.arange(52)))
    _check(path, "trump", (plays.trump >= 0) & (plays.trump <= NOTRUMP))
    low, high = plays.promised[..., 0], plays.promised[..., 1]
    _check(path, "promised", _all((low <= high) & (low >= 0) & (high <= 37)))
    _check(path, "losses", _all((plays.losses >= UNKNOWN) & (plays.losses <= 13)))
    _check(path, "losses", plays.losses.reshape(boards, -1).max(axis=1) >= 0)
    for place in range(52):
        lost = plays.costs(np.full(boards, place))
        # Where costs are known at a place, the cost of the card played is one of them.
        played = lost[np.arange(boards), cards[:, place]]
        _check(path, "cards", (lost.max(axis=1) < 0) | (played >= 0))
    return plays


def _all(right: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether everything is right, for each board."""
    return np.asarray(right.reshape(len(right), -1).all(axis=1))


def _check(path: Path, name: str, right: NDArray[np.bool_]) -> None:
    """Raise ArraysError if a board is wrong, and name the first such board."""
    for board in np.flatnonzero(~right)[:1]:
        raise ArraysError(f"{path}: {name}, board {board}: there is something that cannot be")


def shard_paths(folder: Path, seed: int, boards: int) -> list[Path]:
    """Return the files that hold the first `boards` boards of a seed, rounded up to whole files."""
    return [folder / f"plays-{seed}-{shard:05d}.npz" for shard in range(-(-boards // SHARD))]


def make_shard(path: Path) -> None:
    """Make the boards of a file and write it; its name gives the seed and its number."""
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
    return played(rng, auction.contract, dealt, promises_of(system, auction, vulnerability))


def promises_of(system: System, auction: Auction, vulnerability: Vulnerability) -> list[HandRanges]:
    """Return what an auction told of each hand, indexed by Seat."""
    promises = [HandRanges()] * 4
    for place, explanation in enumerate(system.explain(auction, vulnerability)):
        promises[(auction.dealer + place) % 4] = HandRanges.of(explanation)
    return promises


def played(
    rng: np.random.Generator, contract: Contract, dealt: list[Hand], promises: list[HandRanges]
) -> Plays:
    """Play one board and return it with what its cards cost; `promises` are indexed by Seat."""
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
