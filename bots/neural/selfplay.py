"""The lessons of a batch of boards: calls that were tried, and what they led to.

Each board is bid in two rooms. In each, the learner has the cards of one side and its opponent
those of the other. At the learner's turns, other calls are tried as well: the same players continue
the auction from each to its end. The result of a call is the IMPs against the other room. The calls
of one turn differ only in what followed them, so little is left to chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bridge_arena.bots.library.learning.device import array, quick, tensor
from bridge_arena.bots.library.learning.hands import features, points_and_lengths
from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bots.library.many_auctions.boards import (
    Boards,
    Caller,
    Contracts,
    Tricks,
    Whole,
    imps,
)
from bridge_arena.bots.neural.modules import CallsNet
from bridge_arena.bots.neural.net import FORBIDDEN, public

CLOSE = 3.0
"""Other calls are always tried if the second-best call is rated lower by at most these IMPs."""

ELSEWHERE = 0.2
"""The probability of trying other calls if it is rated lower still."""

VARIETY = 1.5
"""The temperature, in IMPs, at which calls are picked to be tried."""

BOLD = 5.0
"""The temperature at which calls are picked that nobody expects."""

_UNTHINKABLE = np.float32(-1e6)
"""The rating of the calls that a partnership without ratings does not make."""

BOLDLY = 0.4
"""The probability that the calls to be tried at a turn are picked so."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """m turns of the learner.

    Attributes:
        hand: The rows of the boards' hands, 4 for each board, m.
        seen: What is public to the learner, m×PUBLIC.
        tried: The calls that were tried, m×k.
        won: The IMPs that they led to, m×k.
        is_tried: 1 for each call that was tried, 0 where a turn had fewer, m×k.
        level: The mean of the learner's IMPs at all its tables.
    """

    hand: Whole
    seen: NDArray[np.uint8]
    tried: Whole
    won: NDArray[np.float32]
    is_tried: NDArray[np.float32]
    level: float


class Player:
    """A network that has read the hands of a batch."""

    def __init__(self, net: CallsNet, boards: Boards) -> None:
        self._net = net
        cards = tensor(features(boards.hands.reshape(-1, 52)))
        self._held: Tensor = net.hand(cards.to(quick()))

    def ratings(self, hand: Whole, seen: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the ratings of all calls.

        Returns:
            The ratings in IMPs, n×38.
        """
        held = self._held[tensor(hand)]
        found, _ = self._net.forward(held, tensor(seen).to(quick()))
        ratings: NDArray[np.float32] = array(found.float())
        return ratings


@torch.no_grad()
def lesson(
    learner: CallsNet,
    opponent: CallsNet | Caller,
    boards: Boards,
    tricks: Tricks,
    rng: np.random.Generator,
    *,
    temperature: float,
    candidates: int,
    astray: float,
) -> Lesson:
    """Bid boards and return what was learned.

    Args:
        temperature: The temperature of the learner's calls, in IMPs.
        astray: The probability that a player makes a call that nobody expects. What follows it is
            learned too.
    """
    number = len(boards)
    mine = Player(learner, boards)
    theirs = Player(opponent, boards) if isinstance(opponent, CallsNet) else opponent
    tables = 2 * number
    # The tables come first, then the auctions that tried calls have begun. Each has its
    # board, the learner's side, and the number that it was given when it began.
    auctions = Auctions(tables)
    board = np.tile(np.arange(number), 2)
    side = np.repeat([0, 1], number)
    origin = np.arange(tables)
    begun = tables
    ended: list[tuple[Whole, Whole, Whole, Auctions]] = []
    turns: list[tuple[Whole, NDArray[np.uint8], Whole, Whole, Whole]] = []
    while len(auctions):
        seat = auctions.turn
        seen = public(auctions, boards.vulnerable[board], seat)
        is_mine = side == seat % 2
        ratings = _ratings(mine, theirs, boards, auctions, seen, board, is_mine)
        warmth = np.where(is_mine, temperature, 0.0)[:, None]
        warmth[(origin < tables) & (rng.random(len(origin)) < astray)] = BOLD
        calls = (ratings + warmth * rng.gumbel(size=ratings.shape)).argmax(axis=1)
        own = np.flatnonzero(is_mine & (origin < tables))
        looked_at = own[_in_doubt(ratings[own], rng)]
        if len(looked_at):
            tried, is_tried = _tried(ratings[looked_at], calls[looked_at], rng, candidates)
            numbers = np.full(tried.shape, -1)
            numbers[:, 0] = origin[looked_at]
            others = is_tried.copy()
            others[:, 0] = False
            numbers[others] = np.arange(begun, begun + others.sum())
            begun += int(others.sum())
            hand = 4 * board[looked_at] + seat
            turns.append((hand, seen[looked_at], tried, numbers, looked_at))
            rows = np.repeat(looked_at, others.sum(axis=1))
            auctions = Auctions.joined([auctions, auctions.rows(rows)])
            board, side = np.append(board, board[rows]), np.append(side, side[rows])
            origin = np.append(origin, numbers[others])
            calls = np.append(calls, tried[others])
        auctions.push(calls)
        over = auctions.over
        rows = np.flatnonzero(over)
        ended.append((origin[rows], board[rows], side[rows], auctions.rows(rows)))
        rows = np.flatnonzero(~over)
        auctions = auctions.rows(rows)
        board, side, origin = board[rows], side[rows], origin[rows]
    won = _won(ended, boards, tricks, begun, tables)
    return _lesson(turns, won, float(won[:tables].mean()))


def _ratings(
    mine: Player,
    theirs: Player | Caller,
    boards: Boards,
    auctions: Auctions,
    seen: NDArray[np.uint8],
    board: Whole,
    is_mine: NDArray[np.bool_],
) -> NDArray[np.float32]:
    """Return the ratings of all calls by those whose turn it is, in auctions on some boards."""
    ratings = np.empty((len(auctions), 38), np.float32)
    hand = 4 * board + auctions.turn
    own, others = np.flatnonzero(is_mine), np.flatnonzero(~is_mine)
    ratings[own] = mine.ratings(hand[own], seen[own])
    if isinstance(theirs, Player):
        ratings[others] = theirs.ratings(hand[others], seen[others])
    elif len(others):
        made = theirs.calls(boards.rows(board[others]), auctions.rows(others))
        ratings[others] = np.where(np.arange(38) == made[:, None], 0.0, _UNTHINKABLE)
    ratings[~auctions.legal()] = FORBIDDEN
    return ratings


def _lesson(
    turns: list[tuple[Whole, NDArray[np.uint8], Whole, Whole, Whole]], won: Whole, level: float
) -> Lesson:
    """Return the turns that were looked at, with the IMPs of the auctions by their numbers."""
    width = max(len(each[2][0]) for each in turns)
    numbers = np.concatenate([_wide(each[3], width) for each in turns])
    return Lesson(
        np.concatenate([each[0] for each in turns]),
        np.concatenate([each[1] for each in turns]),
        np.concatenate([_wide(each[2], width) for each in turns]).clip(0),
        np.where(numbers < 0, 0, won[numbers]).astype(np.float32),
        (numbers >= 0).astype(np.float32),
        level,
    )


def _wide(array: Whole, width: int) -> Whole:
    return np.pad(array, ((0, 0), (0, width - array.shape[1])), constant_values=-1)


def _in_doubt(ratings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return where other calls are tried, n."""
    second, best = np.partition(ratings, -2, axis=1)[:, -2:].T
    anywhere = rng.random(len(ratings)) < ELSEWHERE
    found: NDArray[np.bool_] = (best - second < CLOSE) | (anywhere & (second > FORBIDDEN))
    return found


def _tried(
    ratings: NDArray[np.float32], chosen: Whole, rng: np.random.Generator, number: int
) -> tuple[Whole, NDArray[np.bool_]]:
    """Return the calls to try, n×number, the chosen one first, and whether they are legal."""
    variety = np.where(rng.random((len(ratings), 1)) < BOLDLY, BOLD, VARIETY)
    noisy = ratings + variety * rng.gumbel(size=ratings.shape)
    np.put_along_axis(noisy, chosen[:, None], np.inf, axis=1)
    tried = np.argsort(-noisy, axis=1)[:, :number]
    return tried, np.take_along_axis(ratings, tried, axis=1) > FORBIDDEN


def _won(
    ended: list[tuple[Whole, Whole, Whole, Auctions]],
    boards: Boards,
    tricks: Tricks,
    begun: int,
    tables: int,
) -> Whole:
    """Return the learner's IMPs of all auctions, by their numbers."""
    contracts = Contracts.unknown(begun)
    board, side = np.zeros(begun, np.int64), np.zeros(begun, np.int64)
    for origin, its_board, its_side, auctions in ended:
        contracts.put(origin, auctions)
        board[origin], side[origin] = its_board, its_side
    points = contracts.points(boards.rows(board), tricks[board])
    # The table in the other room has the same board, with the learner on the other side.
    elsewhere = points[board + np.where(side == 0, tables // 2, 0)]
    return imps(points - elsewhere) * np.where(side == 0, 1, -1)


@torch.no_grad()
def shown(
    one: CallsNet, other: CallsNet, boards: Boards
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return what is public after the calls of a network, and the hands that made them.

    Returns:
        What is public to the caller after each call, m×PUBLIC, and the points and lengths of his
        hand, m×5.
    """
    players = Player(one, boards), Player(other, boards)
    hands = boards.hands.reshape(-1, 52)
    measures = points_and_lengths(hands)
    side = (np.arange(len(boards)) >= len(boards) // 2).astype(np.int64)
    auctions, on = Auctions(len(boards)), np.arange(len(boards))
    found: list[NDArray[np.uint8]] = []
    held: list[NDArray[np.uint8]] = []
    while len(on):
        seat = auctions.turn
        seen = public(auctions, boards.vulnerable[on], seat)
        is_one = side[on] == seat % 2
        ratings = np.empty((len(on), 38), np.float32)
        for player, rows in zip(players, map(np.flatnonzero, (is_one, ~is_one)), strict=True):
            if len(rows):
                ratings[rows] = player.ratings(4 * on[rows] + seat, seen[rows])
        ratings[~auctions.legal()] = FORBIDDEN
        auctions.push(ratings.argmax(axis=1))
        rows = np.flatnonzero(is_one)
        after = public(auctions.rows(rows), boards.vulnerable[on[rows]], seat)
        found.append(after)
        held.append(measures[4 * on[rows] + seat])
        going = np.flatnonzero(~auctions.over)
        auctions, on = auctions.rows(going), on[going]
    return np.concatenate(found), np.concatenate(held)
