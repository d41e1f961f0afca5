"""Thousands of auctions at once, in numpy: each begins anew when it is over.

All tables are in step: at each step the same seat calls at all of them. When an auction is over,
its table gets a new board, which the seat in turn deals. The observations are those that
`envs.aec` gives of the same boards and calls.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards, Contracts, Whole, imps
from bridge_arena.bots.library.spaces import AUCTION_SIZE, FIRST_CARD, SLICES, Observation
from bridge_arena.bots.neural.net import public
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.oracle.par import par
from bridge_arena.oracle.solved_deals import SolvedDeals

_UNKNOWN = -(10**6)
"""The par of a board whose par was not asked for yet."""

_PUBLIC = slice(SLICES["calls"].start, SLICES["vulnerable"].stop)


class Step(NamedTuple):
    """What came of a call at each of n tables.

    Attributes:
        observations: What the seat in turn sees, n×`AUCTION_SIZE`.
        action_masks: Its legal calls, n×38.
        over: Whether the auction ended, n; the observation is then that of the next board.
        points: North-South's points, double dummy, n; 0 where the auction goes on.
        imps: The IMPs by which they are better than par for North-South, n; 0 where the auction
            goes on. Those of East-West are their opposite.
    """

    observations: Observation
    action_masks: NDArray[np.bool_]
    over: NDArray[np.bool_]
    points: Whole
    imps: Whole


class BiddingEnvs:
    """n tables at which boards are bid, and scored double dummy.

    Args:
        deals: The solved deals to draw the boards from; any seat deals, and each side is vulnerable
            or not with equal probability.
        tables: The number of tables.
        seed: The seed of the boards.

    Attributes:
        turn: The seat that calls next, at all tables.
        deals: The solved deals.

    Raises:
        ValueError: There are no deals or no tables.
    """

    def __init__(self, deals: SolvedDeals, tables: int = 1024, seed: int = 0) -> None:
        if not len(deals) or tables < 1:
            raise ValueError(f"{tables} tables for {len(deals)} deals: both must be at least 1")
        self.deals = deals
        # North-South's points at par, by deal, dealer and vulnerability; as far as they are known.
        self._par: Whole = np.full((len(deals), 4, 2, 2), _UNKNOWN)
        self._tables = np.arange(tables)
        self.reset(seed)

    def __len__(self) -> int:
        return len(self._tables)

    def reset(self, seed: int) -> tuple[Observation, NDArray[np.bool_]]:
        """Begin again at all tables.

        Args:
            seed: The seed of the boards from now on.

        Returns:
            What the seat in turn sees, n×`AUCTION_SIZE`, and its legal calls, n×38.
        """
        self._rng = np.random.default_rng(seed)
        self._auctions = _Renewed(len(self))
        # The deal of each table, and whether North-South and East-West are vulnerable.
        self._deal = np.zeros(len(self), np.int64)
        self._vulnerable = np.zeros((len(self), 2), np.bool_)
        # North's, East's, South's and West's cards at each table.
        self._hands = np.zeros((len(self), 4, 52), np.bool_)
        self._begin(self._tables)
        return self._observation(), self._auctions.legal()

    @property
    def turn(self) -> Seat:
        """The seat that calls next, at all tables."""
        return SEATS[self._auctions.turn]

    @property
    def dealers(self) -> NDArray[np.int64]:
        """The dealer at each table, n."""
        return self._auctions.dealers

    def step(self, calls: NDArray[np.integer]) -> Step:
        """Make a call at each table.

        Args:
            calls: The calls, n, 0 to 37.

        Returns:
            What came of them.

        Raises:
            ValueError: There is not a whole number for each table, or a call is not legal; the
                message names the table.
        """
        chosen = np.asarray(calls)
        if chosen.shape != (len(self),) or not np.issubdtype(chosen.dtype, np.integer):
            raise ValueError(f"{chosen.dtype} calls of shape {chosen.shape} for {len(self)} tables")
        in_range = (chosen >= 0) & (chosen < FIRST_CARD)
        legal = in_range & self._auctions.legal()[self._tables, np.where(in_range, chosen, 0)]
        if not legal.all():
            table = int(np.flatnonzero(~legal)[0])
            raise ValueError(f"call {chosen[table]} at table {table} is not legal")
        self._auctions.push(chosen)
        over = self._auctions.over
        points, worth = np.zeros((2, len(self)), np.int64)
        ended = np.flatnonzero(over)
        if len(ended):
            points[ended] = self._points(ended)
            worth[ended] = imps(points[ended] - self._pars(ended))
            self._auctions.renew(ended)
            self._begin(ended)
        return Step(self._observation(), self._auctions.legal(), over, points, worth)

    def _begin(self, tables: NDArray[np.integer]) -> None:
        """Draw the boards of tables whose auctions begin."""
        self._deal[tables] = self._rng.integers(len(self.deals), size=len(tables))
        self._vulnerable[tables] = self._rng.random((len(tables), 2)) < 0.5
        seats = self.deals.seats[self._deal[tables]]
        self._hands[tables] = seats[:, None] == np.arange(4)[:, None]

    def _observation(self) -> Observation:
        """Return what the seat in turn sees."""
        turn, auctions = self._auctions.turn, self._auctions
        features = np.zeros((len(self), AUCTION_SIZE), np.uint8)
        features[:, SLICES["hand"]] = self._hands[:, turn]
        features[:, _PUBLIC] = public(auctions, self._vulnerable, turn)
        places = (turn + np.arange(4) - auctions.dealers[:, None]) % 4
        features[:, SLICES["passed"]] = auctions.opening_passes[:, None] > places
        features[:, SLICES["dealer"]] = (auctions.dealers[:, None] - turn) % 4 == np.arange(4)
        return features

    def _points(self, tables: NDArray[np.integer]) -> Whole:
        """Return North-South's points of auctions that are over."""
        auctions = self._auctions
        bid, risk, declarer = auctions.last, auctions.risk, auctions.declarer
        contracts = Contracts(bid[tables], risk[tables], declarer[tables])
        boards = Boards(self._hands[tables], self._vulnerable[tables])
        return contracts.points(boards, self.deals.tricks[self._deal[tables]])

    def _pars(self, tables: NDArray[np.integer]) -> Whole:
        """Return North-South's points at par."""
        ns, ew = self._vulnerable[tables].T.astype(np.int64)
        places = self._deal[tables], self._auctions.dealers[tables], ns, ew
        pars: Whole = self._par[places]
        for row in np.flatnonzero(pars == _UNKNOWN):
            deal, dealer, *vulnerable = (int(place[row]) for place in places)
            vulnerability = _VULNERABILITIES[vulnerable[0] + 2 * vulnerable[1]]
            table = self.deals.table(deal)
            pars[row] = par(table, SEATS[dealer], vulnerability).score
        self._par[places] = pars
        return pars


_VULNERABILITIES = (Vulnerability.NONE, Vulnerability.NS, Vulnerability.EW, Vulnerability.ALL)


class _Renewed(Auctions):
    """Auctions each of which begins anew when it is over; the seat in turn then deals.

    Seats are those of the table, 0 to 3 for North to West. The calls are not kept.
    """

    __slots__ = ("dealers",)

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.dealers: NDArray[np.int64] = np.zeros(number, np.int64)

    def push(self, calls: NDArray[np.integer]) -> None:
        super().push(calls)
        if self.made == 4:  # whose turn it is follows from the rest
            self.calls = self.calls[:, 4:]

    def renew(self, rows: NDArray[np.integer]) -> None:
        """Begin new auctions in place of some."""
        for state in (self.marks, self.last, self.risk, self.passes, self.opening_passes):
            state[rows] = 0
        self.named[rows] = -1
        self.dealers[rows] = self.turn
