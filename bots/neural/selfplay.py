"""Self-play on one device: lessons of tens of thousands of boards, and matches.

Each board is bid in two rooms. In each, the learner has the cards of one side and its opponent
those of the other. At the learner's turns, other calls are tried as well: the same players continue
the auction from each to its end. The result of a call is the IMPs against the other room. The calls
of one turn differ only in what followed them, so little is left to chance. Against opponents who
always pass the other room tells nothing: there the result is the IMPs against the table itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations, product
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from bridge_arena.bots.library.learning.arrays import Rows
from bridge_arena.bots.library.learning.device import array, quick, quickly, tensor
from bridge_arena.bots.library.learning.hands import LONGEST, MOST_POINTS, POINTS
from bridge_arena.bots.library.learning.scores import imps_of, risks_table
from bridge_arena.bots.library.many_auctions.auctions import BIDS, ArrayAuctions
from bridge_arena.bots.library.many_auctions.boards import Boards, Caller, Tricks
from bridge_arena.bots.library.tables.net import TablesNet
from bridge_arena.bots.library.tables.training import Tables
from bridge_arena.bots.neural.modules import CallsNet
from bridge_arena.bots.neural.net import FORBIDDEN, public
from bridge_arena.bridge.calls import PASS
from bridge_arena.oracle.solved_deals import SolvedDeals

CLOSE = 3.0
"""Other calls are always tried if the second-best call is rated lower by at most these IMPs."""

ELSEWHERE = 0.2
"""The probability of trying other calls if it is rated lower still."""

VARIETY = 1.5
"""The temperature, in IMPs, at which calls are picked to be tried."""

BOLD = 5.0
"""The temperature at which calls are picked that nobody expects."""

BOLDLY = 0.4
"""The probability that the calls to be tried at a turn are picked so."""

_UNTHINKABLE = -1e6
"""The rating of the calls that a partnership without ratings does not make."""

_AT_ONCE = 8192
"""Deals whose tables are estimated at once."""

_MOST_POINTS = 4000
"""The points that give the most IMPs."""

_BOARD, _SIDE, _NUMBER = range(3)
"""The labels of an auction: its board, the learner's side, and its own number."""


@dataclass(frozen=True, slots=True)
class Batch(Rows):
    """n boards to be bid, on the device; seats are counted from the dealer."""

    hands: Tensor  # the hands, n×4×52, clockwise from the dealer
    vulnerable: Tensor  # whether the dealer's side and the other side are vulnerable, n×2
    # The double-dummy tricks, n×5×4: denominations from clubs, declarers from the dealer.
    tricks: Tensor

    @classmethod
    def of(cls, boards: Boards, tricks: Tricks) -> Batch:
        """Return boards that are arrays."""
        return cls(tensor(boards.hands), tensor(boards.vulnerable), tensor(tricks.astype(np.int64)))

    def arrays(self, chosen: Tensor) -> Boards:
        """Return some of the boards as arrays."""
        return Boards(array(self.hands[chosen]), array(self.vulnerable[chosen]))

    def measures(self) -> Tensor:
        """Return the points of each hand, then its cards in each suit, clubs first, 4n×5."""
        hands = self.hands.reshape(-1, 52).float()
        points = hands @ tensor(POINTS.astype(np.float32))
        return torch.cat([points[:, None], hands.reshape(-1, 4, 13).sum(dim=2)], dim=1).long()

    def features(self) -> Tensor:
        """Return the features of the hands (`bots.library.learning.hands`), 4n×`FEATURES`."""
        measures = self.measures()
        long = measures[:, 1:, None] > torch.arange(LONGEST)
        strong = measures[:, :1] > torch.arange(MOST_POINTS)
        return torch.cat([self.hands.reshape(-1, 52), long.flatten(1), strong], dim=1).to(quick())

    def points(self, board: Tensor, auctions: ArrayAuctions[Tensor]) -> Tensor:
        """Return the points of the dealer's side for auctions that are over, on these boards, n."""
        declarer, last = auctions.declarer, auctions.last
        taken = self.tricks[board, (last - 1) % 5, declarer]
        vulnerable = self.vulnerable[board, declarer % 2].long()
        made = _scores()[vulnerable, auctions.risk, last, taken]
        return torch.where(declarer % 2 == 0, made, -made)

    def best(self) -> Tensor:
        """Return the points of the dealer's side in its best contract, or of a pass, n."""
        best = torch.zeros(len(self.hands), dtype=torch.long)
        for bid, declarer in product(range(1, BIDS + 1), (0, 2)):
            taken = self.tricks[:, (bid - 1) % 5, declarer]
            best = torch.maximum(best, _scores()[self.vulnerable[:, 0].long(), 0, bid, taken])
        return best


def imps(differences: Tensor) -> Tensor:
    """Return the IMPs, -24 to 24, of differences in points."""
    return differences.sign() * _imps()[differences.abs().clamp(max=_MOST_POINTS)]


@torch.no_grad()
def dealt(number: int, estimate: Tables | None) -> Batch:
    """Return random boards with tricks drawn by their estimated odds.

    Partners have the same luck in a denomination: one seldom takes more than the other.
    """
    # An estimate takes longer than the auctions: without one, all tricks are 0.
    order = torch.rand(number, 52).argsort(dim=1)
    holder = (torch.arange(52) // 13).expand(number, 52)
    seats = torch.empty_like(order).scatter_(1, order, holder)
    hands = seats[:, None] == torch.arange(4)[:, None]
    if estimate is None:
        tricks = torch.zeros(number, 5, 4, dtype=torch.long)
        return Batch(hands, torch.rand(number, 2) < 0.5, tricks)
    parts = []
    for part in torch.split(hands, _AT_ONCE):
        luck = torch.rand(len(part), 5, 2).tile(1, 1, 2)[..., None]
        parts.append((_odds(part, estimate)[..., :-1].cumsum(dim=-1) < luck).sum(dim=-1))
    return Batch(hands, torch.rand(number, 2) < 0.5, torch.cat(parts))


def estimate_of(net: TablesNet) -> Tables:
    """Return the estimate of tables with the weights of one in numpy."""
    layers = sum(name.endswith("looking.weight") for name in net.weights)
    made = Tables(len(net.weights["notrump"]), layers)
    made.load_state_dict({name: tensor(value) for name, value in net.weights.items()})
    return made.requires_grad_(requires_grad=False)


def _odds(hands: Tensor, estimate: Tables) -> Tensor:
    """Return the odds of 0..13 tricks, n×5×4×14, the mean of all four turns of the table."""
    suits = hands.reshape(-1, 4, 4, 13).transpose(1, 2).float()
    turns = [
        torch.softmax(estimate(suits.roll(-turn, dims=2)), dim=-1).roll(turn, dims=2)
        for turn in range(4)
    ]
    return torch.stack(turns).mean(dim=0)


def drawn(solved: SolvedDeals, number: int) -> Batch:
    """Return boards of solved deals, with random dealer, vulnerability and order of suits."""
    seats, tricks = tensor(solved.seats), tensor(solved.tricks)
    deals, dealers = torch.randint(len(seats), (number,)), torch.randint(4, (number,))
    orders = torch.tensor(list(permutations(range(4))))
    order = orders[torch.randint(len(orders), (number,))]
    rows = torch.arange(number)[:, None]
    holders = seats[deals].reshape(number, 4, 13)[rows, order].reshape(number, 52).long()
    from_dealer = (holders - dealers[:, None]) % 4
    denominations = torch.cat([order, torch.full((number, 1), 4)], dim=1)
    declarers = ((dealers[:, None] + torch.arange(4)) % 4)[:, None].expand(-1, 5, -1)
    return Batch(
        from_dealer[:, None] == torch.arange(4)[:, None],
        torch.rand(number, 2) < 0.5,
        tricks[deals].long()[rows, denominations].gather(2, declarers),
    )


class Player(Protocol):
    """A partnership at turns on the boards of a batch."""

    def ratings(
        self, auctions: ArrayAuctions[Tensor], board: Tensor, known: Tensor, rows: Tensor
    ) -> Tensor:
        """Return the ratings in IMPs of all calls, legal or not, in the auctions `rows`, m×38.

        `board` is the board of each auction, n; `known` what the player knows without his cards.
        """
        ...


class NetPlayer:
    """A network, in the type of `quick`."""

    def __init__(self, net: CallsNet, features: Tensor) -> None:
        self._net = net
        # The first layer reads each hand of the batch once, however many turns it has.
        self._held: Tensor = net.hand(features)

    def ratings(
        self, auctions: ArrayAuctions[Tensor], board: Tensor, known: Tensor, rows: Tensor
    ) -> Tensor:
        """See `Player`."""
        hand = 4 * board[rows] + auctions.turn
        ratings, _ = self._net.forward(self._held[hand], known[rows].to(quick()))
        return ratings.float()


class SystemPlayer:
    """A partnership that makes calls, but does not rate them."""

    def __init__(self, caller: Caller, batch: Batch) -> None:
        self._caller, self._batch = caller, batch

    def ratings(
        self, auctions: ArrayAuctions[Tensor], board: Tensor, known: Tensor, rows: Tensor
    ) -> Tensor:
        """See `Player`."""
        del known
        boards = self._batch.arrays(board[rows])
        calls = tensor(self._caller.calls(boards, auctions.rows(rows).moved(array, np)))
        return torch.where(torch.arange(38) == calls[:, None], 0.0, _UNTHINKABLE)


class Silent:
    """A partnership that always passes."""

    def ratings(
        self, auctions: ArrayAuctions[Tensor], board: Tensor, known: Tensor, rows: Tensor
    ) -> Tensor:
        """See `Player`."""
        del auctions, board, known
        return torch.where(torch.arange(38) == PASS, 0.0, _UNTHINKABLE).expand(len(rows), -1)


Opponent = CallsNet | Caller | Silent


def _players(
    batch: Batch, features: Tensor, learner: CallsNet, opponent: Opponent
) -> tuple[Player, Player]:
    if isinstance(opponent, CallsNet):
        return NetPlayer(learner, features), NetPlayer(opponent, features)
    if isinstance(opponent, Silent):
        return NetPlayer(learner, features), opponent
    return NetPlayer(learner, features), SystemPlayer(opponent, batch)


def _ratings(
    players: tuple[Player, Player],
    auctions: ArrayAuctions[Tensor],
    board: Tensor,
    known: Tensor,
    is_mine: Tensor,
) -> Tensor:
    """Return the ratings of all calls, n×38; those of illegal ones are `FORBIDDEN`."""
    legal = auctions.legal()
    ratings = torch.empty(legal.shape)
    for player, rows in zip(players, (_rows(is_mine), _rows(~is_mine)), strict=True):
        if len(rows):
            ratings[rows] = player.ratings(auctions, board, known, rows)
    return ratings.masked_fill_(~legal, float(FORBIDDEN))


@dataclass(frozen=True, slots=True)
class Lesson:
    """m turns of the learner."""

    features: Tensor  # the features of the hands, 4 for each board
    hand: Tensor  # the rows of the hands, m
    known: Tensor  # what is public to the learner, m×`PUBLIC`
    tried: Tensor  # the calls that were tried, m×k
    won: Tensor  # the IMPs that they led to, m×k
    is_tried: Tensor  # 1 for each call that was tried, 0 where a turn had fewer, m×k
    level: float  # the mean of the learner's IMPs at all its tables

    def __len__(self) -> int:
        return len(self.hand)

    def loss(self, net: CallsNet, turns: Tensor, level: float) -> Tensor:
        """Return how far ratings, and values by weight `level`, are from what the calls led to."""
        with quickly():
            held = net.hand(self.features[self.hand[turns]])
            ratings, value = net.forward(held, self.known[turns].to(quick()))
        won, tried = self.won[turns], self.is_tried[turns]
        off = (ratings.float().gather(1, self.tried[turns]) - won) * tried
        # Only the differences between the calls of a turn count: the luck of the deal is the same
        # for all of them, and would drown what a call is worth.
        off = (off - off.sum(dim=1, keepdim=True) / tried.sum(dim=1, keepdim=True)) * tried
        squares = (value.float() - won[:, 0]).square().mean()
        return off.square().sum() / tried.sum() + level * squares


@torch.no_grad()
def lesson(
    learner: CallsNet,
    opponent: Opponent,
    batch: Batch,
    *,
    temperature: float,
    candidates: int,
    astray: float,
) -> Lesson:
    """Bid boards in two rooms and return what was learned; networks are in the type of `quick`.

    The temperature of the learner's calls is in IMPs. At most `candidates` calls are tried at a
    turn. With the probability `astray` a network makes a call that nobody expects. What follows it
    is learned too: without it, no one would know what to do after a strange call.
    """
    number = len(batch)
    features = batch.features()
    players = _players(batch, features, learner, opponent)
    # The auctions of the tables come first, then those that calls have begun that were tried.
    tables = begun = 2 * number
    board, side = torch.arange(number).repeat(2), torch.arange(2).repeat_interleave(number)
    labels = torch.stack([board, side, torch.arange(tables)], dim=1)
    auctions: ArrayAuctions[Tensor] = ArrayAuctions(tables, torch)
    ended: list[tuple[Tensor, Tensor]] = []
    turns: list[tuple[Tensor, Tensor, Tensor, Tensor]] = []
    while len(auctions):
        seat = auctions.turn
        board, side, origin = labels.unbind(dim=1)
        known = public(auctions, batch.vulnerable[board], seat)
        is_mine, at_table = side == seat % 2, origin < tables
        ratings = _ratings(players, auctions, board, known, is_mine)
        # Gumbel noise at a temperature picks calls by a softmax of their ratings. Nobody goes
        # astray after a call that is tried: its result would be that of the stray call.
        warmth = torch.where(is_mine, temperature, 0.0)
        warmth = torch.where(at_table & (torch.rand(len(auctions)) < astray), BOLD, warmth)
        calls = (ratings + warmth[:, None] * _gumbel(ratings)).argmax(dim=1)
        # Calls are tried at the tables only: in the other auctions the tree would grow with
        # every turn, and their turns are those of the tables in all but one call.
        doubtful = _rows(is_mine & at_table & _in_doubt(ratings))
        if len(doubtful):
            tried, is_tried = _tried(ratings[doubtful], calls[doubtful], candidates)
            # The table itself goes on with the first call; the others begin auctions of their own.
            others = is_tried.clone()
            others[:, 0] = False
            branched = doubtful[:, None].expand_as(tried)[others]
            numbers = torch.full_like(tried, -1)
            numbers[:, 0] = origin[doubtful]
            numbers[others] = torch.arange(begun, begun + len(branched))
            begun += len(branched)
            turns.append((4 * board[doubtful] + seat, known[doubtful], tried, numbers))
            rows = torch.cat([torch.arange(len(auctions)), branched])
            auctions, labels = auctions.rows(rows), labels[rows]
            labels[len(calls) :, _NUMBER] = numbers[others]
            calls = torch.cat([calls, tried[others]])
        auctions.push(calls)
        over = _rows(auctions.over)
        points = batch.points(labels[over, _BOARD], auctions.rows(over))
        ended.append((labels[over], points))
        going = _rows(~auctions.over)
        auctions, labels = auctions.rows(going), labels[going]
    won = _won(ended, number, at_own_table=isinstance(opponent, Silent))
    hand, known, tried, numbers = (torch.cat(parts) for parts in zip(*turns, strict=True))
    is_tried = numbers >= 0
    results = torch.where(is_tried, won[numbers.clamp(min=0)], 0).float()
    level = float(won[:tables].float().mean())
    return Lesson(features, hand, known, tried, results, is_tried.float(), level)


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


def _won(ended: list[tuple[Tensor, Tensor]], number: int, *, at_own_table: bool) -> Tensor:
    """Return the learner's IMPs of all auctions, by their numbers.

    They are IMPs against the table from which an auction began, or the one in the other room.
    """
    labels, scores = (torch.cat(parts) for parts in zip(*ended, strict=True))
    order = labels[:, _NUMBER].argsort()
    board, side, _ = labels[order].unbind(dim=1)
    points = scores[order]
    # The table in the other room has the same board, with the learner on the other side.
    table = side if at_own_table else 1 - side
    return imps(points - points[board + table * number]) * torch.where(side == 0, 1, -1)


@dataclass(frozen=True, slots=True)
class BidOut:
    """Boards that have been bid."""

    points: Tensor  # the points of the dealer's side, n
    known: Tensor  # what is public to the network's players after each of its calls, m×`PUBLIC`
    hand: Tensor  # the rows of the hands that made these calls, 4 for each board, m


@torch.no_grad()
def bid_out(batch: Batch, net: CallsNet, opponent: Opponent, side: Tensor) -> BidOut:
    """Bid boards once, by networks in the type of `quick` or other partnerships.

    `side` is the first one's side of each board, n: 0 is the dealer's, 1 the other.
    """
    players = _players(batch, batch.features(), net, opponent)
    board = torch.arange(len(batch))
    auctions: ArrayAuctions[Tensor] = ArrayAuctions(len(batch), torch)
    points = torch.zeros(len(batch), dtype=torch.long)
    after: list[Tensor] = []
    hands: list[Tensor] = []
    while len(auctions):
        seat = auctions.turn
        is_mine = side[board] == seat % 2
        known = public(auctions, batch.vulnerable[board], seat)
        auctions.push(_ratings(players, auctions, board, known, is_mine).argmax(dim=1))
        mine = _rows(is_mine)
        after.append(public(auctions.rows(mine), batch.vulnerable[board[mine]], seat))
        hands.append(4 * board[mine] + seat)
        over, going = _rows(auctions.over), _rows(~auctions.over)
        points[board[over]] = batch.points(board[over], auctions.rows(over))
        auctions, board = auctions.rows(going), board[going]
    return BidOut(points, torch.cat(after), torch.cat(hands))


def match(batch: Batch, net: CallsNet, opponent: Opponent) -> Tensor:
    """Return the IMPs of a network against an opponent on each board, in two rooms, n."""
    sides = torch.zeros(len(batch)), torch.ones(len(batch))
    open_room, closed_room = (bid_out(batch, net, opponent, side).points for side in sides)
    return imps(open_room - closed_room).float()


def below_best(batch: Batch, net: CallsNet) -> Tensor:
    """Return the IMPs that a network's contracts cost against silent opponents, n.

    The dealer's side bids, undoubled and not vulnerable. Its best contract, double dummy, would
    cost nothing.
    """
    calm = replace(batch, vulnerable=torch.zeros_like(batch.vulnerable))
    points = bid_out(calm, net, Silent(), torch.zeros(len(batch))).points
    return imps(calm.best() - points).float()


def _gumbel(like: Tensor) -> Tensor:
    return -torch.empty_like(like).exponential_().log()


def _rows(mask: Tensor) -> Tensor:
    return mask.nonzero()[:, 0]


@lru_cache(maxsize=1)
def _scores() -> Tensor:
    return tensor(risks_table())


@lru_cache(maxsize=1)
def _imps() -> Tensor:
    return tensor(imps_of(np.arange(_MOST_POINTS + 1, dtype=np.float64)))
