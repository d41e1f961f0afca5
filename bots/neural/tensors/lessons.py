"""The lessons of `bots.neural.selfplay` on a device: tens of thousands of boards at a time."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from bridge_arena.bots.library.learning.device import quick, quickly
from bridge_arena.bots.neural.modules import CallsNet
from bridge_arena.bots.neural.net import FORBIDDEN
from bridge_arena.bots.neural.selfplay import BOLD, BOLDLY, CLOSE, ELSEWHERE, VARIETY
from bridge_arena.bots.neural.tensors.auctions import Auctions
from bridge_arena.bots.neural.tensors.boards import Boards, imps

_BOARD, _SIDE, _ORIGIN = range(3)
"""The labels of an auction: its board, the learner's side, and the number of the auction."""


class Player:
    """A network that has read the hands of a batch."""

    def __init__(self, net: CallsNet, hands: Tensor) -> None:
        self._net = net
        self._held: Tensor = net.hand(hands)

    def ratings(self, hand: Tensor, seen: Tensor) -> Tensor:
        """Return the ratings in IMPs of all calls, n×38."""
        ratings, _ = self._net.forward(self._held[hand], seen.to(quick()))
        return ratings.float()


@dataclass(frozen=True, slots=True)
class Lesson:
    """m turns of the learner; see `bots.neural.selfplay.Lesson`.

    Attributes:
        features: The features of the hands, 4 for each board.
        hand: The rows of the hands, m.
        seen: What is public to the learner, m×PUBLIC.
        tried: The calls that were tried, m×k.
        won: The IMPs that they led to, m×k.
        is_tried: 1 for each call that was tried, 0 where a turn had fewer, m×k.
        level: The mean of the learner's IMPs at all its tables.
    """

    features: Tensor
    hand: Tensor
    seen: Tensor
    tried: Tensor
    won: Tensor
    is_tried: Tensor
    level: float

    def __len__(self) -> int:
        return len(self.hand)

    def loss(self, net: CallsNet, turns: Tensor, level: float) -> Tensor:
        """Return how far ratings and values of some turns are from what the calls led to."""
        with quickly():
            held = net.hand(self.features[self.hand[turns]])
            ratings, value = net.forward(held, self.seen[turns].to(quick()))
        won, tried = self.won[turns], self.is_tried[turns]
        off = (ratings.float().gather(1, self.tried[turns]) - won) * tried
        off = (off - off.sum(dim=1, keepdim=True) / tried.sum(dim=1, keepdim=True)) * tried
        squares = (value.float() - won[:, 0]).square().mean()
        return off.square().sum() / tried.sum() + level * squares


@torch.no_grad()
def lesson(
    learner: CallsNet,
    opponent: CallsNet,
    boards: Boards,
    *,
    temperature: float,
    candidates: int,
    astray: float,
) -> Lesson:
    """Bid boards in two rooms and return what was learned, as `bots.neural.selfplay.lesson` does.

    Args:
        temperature: The temperature of the learner's calls, in IMPs.
        astray: The probability that a player makes a call that nobody expects.
    """
    number = len(boards)
    features = boards.features()
    players = Player(learner, features), Player(opponent, features)
    tables = begun = 2 * number
    board, side = torch.arange(number).repeat(2), torch.arange(2).repeat_interleave(number)
    auctions = Auctions(torch.stack([board, side, torch.arange(tables)], dim=1))
    ended: list[tuple[Tensor, Tensor]] = []
    turns: list[tuple[Tensor, Tensor, Tensor, Tensor]] = []
    while len(auctions):
        seat = auctions.turn
        board, side, origin = auctions.labels.unbind(dim=1)
        seen = auctions.public(boards.vulnerable[board], seat)
        is_mine, at_table = side == seat % 2, origin < tables
        ratings = _ratings(players, auctions, 4 * board + seat, seen, is_mine)
        warmth = torch.where(is_mine, temperature, 0.0)
        warmth = torch.where(at_table & (torch.rand(len(auctions)) < astray), BOLD, warmth)
        calls = (ratings + warmth[:, None] * _gumbel(ratings)).argmax(dim=1)
        looked_at = _rows(is_mine & at_table & _in_doubt(ratings))
        if len(looked_at):
            tried, is_tried = _tried(ratings[looked_at], calls[looked_at], candidates)
            others = is_tried.clone()
            others[:, 0] = False
            more = auctions.rows(looked_at[:, None].expand_as(tried)[others])
            more.labels[:, _ORIGIN] = torch.arange(begun, begun + len(more))
            numbers = torch.full_like(tried, -1)
            numbers[:, 0] = origin[looked_at]
            numbers[others] = more.labels[:, _ORIGIN]
            begun += len(more)
            turns.append((4 * board[looked_at] + seat, seen[looked_at], tried, numbers))
            auctions, calls = auctions.joined(more), torch.cat([calls, tried[others]])
        auctions.push(calls)
        over = auctions.over
        done = auctions.rows(_rows(over))
        ended.append((done.labels, boards.points(done.labels[:, _BOARD], done)))
        auctions = auctions.rows(_rows(~over))
    won = _won(ended, number)
    hand, seen, tried, numbers = (torch.cat(each) for each in zip(*turns, strict=True))
    is_tried = numbers >= 0
    results = torch.where(is_tried, won[numbers.clamp(min=0)], 0).float()
    level = float(won[:tables].float().mean())
    return Lesson(features, hand, seen, tried, results, is_tried.float(), level)


@torch.no_grad()
def bid_out(boards: Boards, dealers: CallsNet, others: CallsNet) -> tuple[Tensor, Tensor, Tensor]:
    """Have two networks bid boards.

    Returns:
        The points of the dealer's side, n; what is public to the dealer's side after each of its
        calls, m×PUBLIC; and the rows of the hands that made them, m.
    """
    features = boards.features()
    players = Player(dealers, features), Player(others, features)
    auctions = Auctions(torch.arange(len(boards))[:, None])
    points = torch.zeros(len(boards), dtype=torch.long)
    seen: list[Tensor] = []
    hands: list[Tensor] = []
    while len(auctions):
        seat, board = auctions.turn, auctions.labels[:, 0]
        public = auctions.public(boards.vulnerable[board], seat)
        ratings = players[seat % 2].ratings(4 * board + seat, public)
        auctions.push(ratings.masked_fill(~auctions.legal(), float(FORBIDDEN)).argmax(dim=1))
        if seat % 2 == 0:
            seen.append(auctions.public(boards.vulnerable[board], seat))
            hands.append(4 * board + seat)
        over = auctions.over
        done = auctions.rows(_rows(over))
        points[done.labels[:, 0]] = boards.points(done.labels[:, 0], done)
        auctions = auctions.rows(_rows(~over))
    return points, torch.cat(seen), torch.cat(hands)


def match(boards: Boards, first: CallsNet, second: CallsNet) -> Tensor:
    """Return the IMPs of one network against another on each board, in two rooms, n."""
    return imps(bid_out(boards, first, second)[0] - bid_out(boards, second, first)[0]).float()


def _ratings(
    players: tuple[Player, Player],
    auctions: Auctions,
    hand: Tensor,
    seen: Tensor,
    is_mine: Tensor,
) -> Tensor:
    """Return the ratings of all calls; those of illegal ones are `FORBIDDEN`."""
    legal = auctions.legal()
    ratings = torch.empty(legal.shape)
    for player, rows in zip(players, (_rows(is_mine), _rows(~is_mine)), strict=True):
        ratings[rows] = player.ratings(hand[rows], seen[rows])
    return ratings.masked_fill_(~legal, float(FORBIDDEN))


def _in_doubt(ratings: Tensor) -> Tensor:
    """Return where other calls are tried, n."""
    best, second = ratings.topk(2, dim=1).values.unbind(dim=1)
    anywhere = torch.rand(len(ratings)) < ELSEWHERE
    return (best - second < CLOSE) | (anywhere & (second > float(FORBIDDEN)))


def _tried(ratings: Tensor, chosen: Tensor, number: int) -> tuple[Tensor, Tensor]:
    """Return the calls to try, n×number, the chosen one first, and whether they are legal."""
    variety = torch.where(torch.rand(len(ratings), 1) < BOLDLY, BOLD, VARIETY)
    noisy = ratings + variety * _gumbel(ratings)
    tried = noisy.scatter(1, chosen[:, None], math.inf).topk(number, dim=1).indices
    return tried, ratings.gather(1, tried) > float(FORBIDDEN)


def _won(ended: list[tuple[Tensor, Tensor]], number: int) -> Tensor:
    """Return the learner's IMPs of all auctions, by their numbers."""
    labels, scores = (torch.cat(each) for each in zip(*ended, strict=True))
    order = labels[:, _ORIGIN].argsort()
    board, side, _ = labels[order].unbind(dim=1)
    points = scores[order]
    # The table in the other room has the same board, with the learner on the other side.
    elsewhere = points[board + torch.where(side == 0, number, 0)]
    return imps(points - elsewhere) * torch.where(side == 0, 1, -1)


def _gumbel(like: Tensor) -> Tensor:
    return -torch.empty_like(like).exponential_().log()


def _rows(mask: Tensor) -> Tensor:
    return mask.nonzero()[:, 0]
