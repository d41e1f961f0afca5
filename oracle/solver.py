"""Double-dummy answers, computed by DDS in the calling process, which they block.

The functions are safe to call from several threads: every call has a DDS thread index of its own
(two calls on one index kill the process), and the GIL is released meanwhile. DDS checks nothing and
answers impossible input with wrong numbers or a crash, so everything is validated here first. It
has no time-out either: a rare deal takes minutes. Callers that cannot wait use `oracle.pool`.

Everything is exact: the result if all four players see all cards. Whatever asks the solver raises
SolverError if it is missing or fails.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bridge_arena.bridge.calls import DENOMINATIONS, Contract
from bridge_arena.bridge.cards import CARDS, SUITS, Card, Deal, Hand, Suit
from bridge_arena.bridge.errors import IllegalCardError
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.dds import (
    Dds,
    FutureTricks,
    PlayTrace,
    SolvedPlay,
    TableDeals,
    TablesResults,
    denomination_code,
    holding_code,
    load,
    suit_code,
    trump_code,
)
from bridge_arena.oracle.dds import Deal as DdsDeal
from bridge_arena.oracle.double_dummy_table import Cell, DoubleDummyTable, PartialTable
from bridge_arena.oracle.errors import ImpossibleError, SolverError
from bridge_arena.oracle.position import Position

BATCH = 40
"""The most tables per call of the solver: its arrays hold 200 strains, five for a table."""

_ANY_TARGET = -1
_ONE_CARD = 1
_ENOUGH_CARDS = 2
_ALL_CARDS = 3
# Search even if only one card can be played; otherwise its value is -2.
_ALWAYS_SEARCH = 1
# After 48 cards the last trick is forced, and DDS gives no values within it.
_LAST_TRICK = 48


def tables(deals: Sequence[Deal]) -> list[DoubleDummyTable]:
    """Return the double-dummy table of every deal, in the same order.

    Only a call with several deals uses several processors; it makes all other callers in this
    process wait.

    Raises:
        SolverError: The solver is missing or failed.
    """
    engine = _engine()
    results: list[DoubleDummyTable] = []
    for start in range(0, len(deals), BATCH):
        results += engine.tables(deals[start : start + BATCH])
    return results


def double_dummy_table(deal: Deal) -> DoubleDummyTable:
    """Return the double-dummy table of one deal.

    Args:
        deal: The deal.

    Returns:
        The tricks of each declarer in each denomination.

    Raises:
        SolverError: The solver is missing or failed.
    """
    return tables([deal])[0]


def partial_table(deal: Deal, cells: Iterable[Cell]) -> PartialTable:
    """Return some results of the double-dummy table of a deal.

    One result takes about an eighth of the time of the whole table. Those of one denomination are
    found together, as the solver goes on with what it knows of the deal: a partner's result takes a
    quarter of the first one's time, an opponent's half.
    """
    wanted = sorted(set(cells))
    if len(wanted) == len(DENOMINATIONS) * len(SEATS):
        return PartialTable.of(double_dummy_table(deal).results)
    results = {
        (denomination, declarer): 13
        - best_tricks(Position(deal.hands, denomination.trump, declarer.next))
        for denomination, declarer in wanted
    }
    return PartialTable.of(
        results.get((denomination, seat)) for denomination in DENOMINATIONS for seat in SEATS
    )


def card_values(position: Position) -> dict[Card, int]:
    """Return, for each card that `position.turn` may play, the tricks that its side then takes.

    The tricks are counted from the trick in progress, which is included, to the end (0 to 13);
    those already won do not count. The best card is first.
    """
    values = _engine().solve(position, _ANY_TARGET, _ALL_CARDS)
    if Hand.of(values) != position.legal_cards:
        raise SolverError(f"the solver left out or added cards in {position}")
    return values


def cards_taking(position: Position, tricks: int) -> Hand:
    """Return the cards with which the side of `position.turn` takes at least so many tricks.

    It is faster than `card_values`, which gives these cards as many tricks or more. The tricks are
    counted in the same way.
    """
    if tricks <= 0:
        return position.legal_cards
    if tricks > len(position.hands[position.turn]):
        return Hand()
    values = _engine().solve(position, tricks, _ENOUGH_CARDS)
    return Hand.of(card for card, score in values.items() if score >= tricks)


def best_tricks(position: Position) -> int:
    """Return the maximum of `card_values`, found faster."""
    return max(_engine().solve(position, _ANY_TARGET, _ONE_CARD).values())


def play_values(deal: Deal, contract: Contract, cards: Sequence[Card]) -> tuple[int, ...]:
    """Return declarer's double-dummy tricks along a line of play.

    Args:
        cards: The cards in playing order, dummy's included, 0 to 52.

    Returns:
        len(cards) + 1 values, 0 to 13, of the whole board: before the opening lead, then after each
        card.

    Raises:
        ImpossibleError: The play breaks the rules; the error names the card.
    """
    check_play(deal, contract, cards)
    engine = _engine()
    trace = PlayTrace()
    analysed = cards[:_LAST_TRICK]
    trace.number = len(analysed)
    for number, card in enumerate(analysed):
        trace.suit[number] = suit_code(card.suit)
        trace.rank[number] = card.rank
    solved = SolvedPlay()
    board = engine.board(deal.hands, contract.denomination.trump, contract.declarer.next, ())
    with engine.index() as index:
        engine.dds.analyse_play(board, trace, solved, index)
    if solved.number != len(analysed) + 1:
        raise SolverError(f"the solver gave {solved.number} values for {len(analysed)} cards")
    values = solved.tricks[: solved.number]
    return (*values, *values[-1:] * (len(cards) - len(analysed)))


def check_play(deal: Deal, contract: Contract, cards: Sequence[Card]) -> None:
    """Check that a play keeps to the rules."""
    play = Play(contract)
    hands = list(deal.hands)
    for number, card in enumerate(cards):
        turn = play.turn
        try:
            play.check(card, hands[turn])
        except IllegalCardError as error:
            raise ImpossibleError(f"card {number} (from 0) of the play: {error}") from None
        hands[turn] = hands[turn].without(card)
        play.push(card)


def limit_threads(count: int) -> None:
    """Limit DDS to some threads in this process, before the first question.

    Each thread takes 15 to 160 MB once it is used. By default DDS has a thread for every processor.
    Raises ValueError if `count` is below 1, or the solver is already in use.
    """
    if count < 1:
        raise ValueError(f"the solver cannot work with {count} threads")
    global _the_engine  # noqa: PLW0603
    with _starting:
        if _the_engine is not None:
            raise ValueError("the solver's threads cannot change once it is in use")
        _the_engine = _Engine(count)


class _Engine:
    """The DDS of this process and its thread indices."""

    def __init__(self, threads: int) -> None:
        self.dds: Dds = load()
        self.dds.set_max_threads(threads)
        # The indices that no call is using. The last returned is used first, so that an index that
        # is never needed takes no memory.
        self._free: queue.LifoQueue[int] = queue.LifoQueue()
        self._count = self._granted(threads)
        for index in reversed(range(self._count)):
            self._free.put(index)
        # Held by a call that uses every index, while it collects them.
        self._collecting = threading.Lock()

    def tables(self, deals: Sequence[Deal]) -> list[DoubleDummyTable]:
        """Return at most BATCH tables; DDS spreads the work over all its own threads."""
        request = TableDeals()
        request.noOfTables = len(deals)
        for number, deal in enumerate(deals):
            self._fill(request.deals[number].cards, deal.hands)
        answer = TablesResults()
        with self._every_index():
            self.dds.calc_all_tables(request, answer)
        return [self._table(answer.results[number].resTable) for number in range(len(deals))]

    def solve(self, position: Position, target: int, which: int) -> dict[Card, int]:
        """Return the cards that are wanted, `_ONE_CARD` and so on, best first, with their tricks.

        The answer is -1 if the target, tricks or `_ANY_TARGET`, is out of reach.
        """
        future = FutureTricks()
        board = self.board(position.hands, position.trump, position.leader, position.trick)
        with self.index() as index:
            self.dds.solve_board(board, target, which, _ALWAYS_SEARCH, future, index)
        count = future.cards
        values: dict[Card, int] = {}
        for suit, rank, equals, score in zip(
            future.suit[:count],
            future.rank[:count],
            future.equals[:count],
            future.score[:count],
            strict=True,
        ):
            base = 13 * (3 - suit) - 2
            # The bits of `equals` are lower cards of the same value.
            for lower in range(14, 1, -1):
                if lower == rank or equals >> lower & 1:
                    values[CARDS[base + lower]] = score
        return values

    def board(
        self, hands: Sequence[Hand], trump: Suit | None, leader: Seat, trick: Sequence[Card]
    ) -> DdsDeal:
        """Return a position as DDS's structure."""
        board = DdsDeal()
        board.trump = trump_code(trump)
        board.first = leader
        for number, card in enumerate(trick):
            board.currentTrickSuit[number] = suit_code(card.suit)
            board.currentTrickRank[number] = card.rank
        self._fill(board.remainCards, hands)
        return board

    @contextmanager
    def index(self) -> Iterator[int]:
        """Wait for a thread index that no other call has."""
        index = self._free.get()
        try:
            yield index
        finally:
            self._free.put(index)

    @contextmanager
    def _every_index(self) -> Iterator[None]:
        with self._collecting:
            indices = [self._free.get() for _ in range(self._count)]
        try:
            yield
        finally:
            for index in sorted(indices, reverse=True):
                self._free.put(index)

    def _granted(self, threads: int) -> int:
        """Return the number of indices that DDS accepts.

        It limits them by processors and memory without reporting it, so each is tried on an ending
        of one card.
        """
        aces = [Hand.of((CARDS[13 * suit + 12],)) for suit in SUITS]
        for index in range(threads):
            board = self.board(aces, None, Seat.NORTH, ())
            try:
                self.dds.solve_board(
                    board, _ANY_TARGET, _ALL_CARDS, _ALWAYS_SEARCH, FutureTricks(), index
                )
            except SolverError:
                return max(1, index)
        return threads

    @staticmethod
    def _fill(remaining: Any, hands: Sequence[Hand]) -> None:
        for seat, hand in enumerate(hands):
            row = remaining[seat]
            for suit in SUITS:
                row[suit_code(suit)] = holding_code(hand, suit)

    @staticmethod
    def _table(rows: Any) -> DoubleDummyTable:
        return DoubleDummyTable(
            tuple(
                rows[denomination_code(denomination)][seat]
                for denomination in DENOMINATIONS
                for seat in SEATS
            )
        )


# DDS keeps its threads' memory in global variables of the shared library, so the
# process has one engine, made at the first question.
_the_engine: _Engine | None = None
_starting = threading.Lock()


def _engine() -> _Engine:
    global _the_engine  # noqa: PLW0603
    with _starting:
        if _the_engine is None:
            _the_engine = _Engine(os.cpu_count() or 1)
        return _the_engine
