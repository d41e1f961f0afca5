"""The double-dummy tricks of many contracts, each solved once.

Only the denominations and declarers that are asked for are solved, by all workers of a pool. What
is known is taken from its store on disk, and what is solved is kept there, also if the caller is
interrupted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from bridge_arena.base.bounded_work import AHEAD, as_completed
from bridge_arena.bridge.calls import Denomination
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle import solver
from bridge_arena.oracle.double_dummy_table import Cell, PartialTable
from bridge_arena.oracle.errors import DeadlineError, WorkerError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.oracle.table_store import TableStore

Request = tuple[Deal, Seat, Denomination]
"""A deal, and the declarer and denomination whose tricks are wanted."""

_PAGE = 2000
"""The number of deals that are looked for in the store at once."""


def tricks(
    oracle: Oracle,
    requests: Sequence[Request],
    on_solved: Callable[[int], None] = lambda _count: None,
) -> list[int | None]:
    """Return declarer's double-dummy tricks for each request.

    It blocks until all are there. The requests of a deal are one task of the pool, which has a
    deadline; only a few tasks wait in the pool at a time.

    Args:
        on_solved: Called with the number of requests that have got their answers, each time that
            some have; those that the store knows are among them.

    Returns:
        The tricks, 0 to 13, in the order of the requests, of which a deal may have any number; None
        if the solver took longer than the deadline.

    Raises:
        OracleError: The solver failed, or a worker died twice of the same deal.
    """
    wanted = _by_deal(requests)
    known: dict[Deal, PartialTable] = {}
    for page in _pages(wanted):
        known.update(zip(page, oracle.store.find(page), strict=True))
        on_solved(sum(wanted[deal].total() for deal in page if known[deal].knows(wanted[deal])))
    units = ((deal, (deal, cells)) for deal, cells in _missing(wanted, known))
    try:
        for answers in as_completed(
            units,
            lambda unit: oracle.submit(solver.partial_table, *unit),
            lambda: AHEAD * oracle.workers,
            retried=WorkerError,
        ):
            for deal, answer in answers:
                try:
                    table = answer.result()
                except DeadlineError:
                    continue
                oracle.store.keep(deal, table)
                known[deal] = known[deal].joined(table)
            on_solved(sum(wanted[deal].total() for deal, _ in answers))
    finally:
        oracle.store.flush()
    return [known[deal].tricks(denomination, declarer) for deal, declarer, denomination in requests]


def tricks_here(store: TableStore, requests: Sequence[Request]) -> list[int]:
    """Return declarer's double-dummy tricks, 0 to 13, for each request, solved in this process.

    For a worker whose task is more than to solve; there is no deadline. Raises SolverError.
    """
    wanted = _by_deal(requests)
    known: dict[Deal, PartialTable] = {}
    for page in _pages(wanted):
        known.update(zip(page, store.find(page), strict=True))
    try:
        for deal, cells in _missing(wanted, known):
            table = solver.partial_table(deal, cells)
            store.keep(deal, table)
            known[deal] = known[deal].joined(table)
    finally:
        store.flush()
    return [_known(known[deal], seat, denomination) for deal, seat, denomination in requests]


def _known(table: PartialTable, declarer: Seat, denomination: Denomination) -> int:
    tricks = table.tricks(denomination, declarer)
    assert tricks is not None
    return tricks


def _by_deal(requests: Sequence[Request]) -> dict[Deal, Counter[Cell]]:
    """Return how often each result of each deal is wanted."""
    wanted: dict[Deal, Counter[Cell]] = {}
    for deal, declarer, denomination in requests:
        wanted.setdefault(deal, Counter())[denomination, declarer] += 1
    return wanted


def _pages(wanted: Iterable[Deal]) -> Iterator[list[Deal]]:
    """Yield the deals, some at a time."""
    deals = list(wanted)
    for start in range(0, len(deals), _PAGE):
        yield deals[start : start + _PAGE]


def _missing(
    wanted: Mapping[Deal, Iterable[Cell]], known: Mapping[Deal, PartialTable]
) -> Iterator[tuple[Deal, list[Cell]]]:
    """Yield the deals with results that are not known, and these."""
    for deal, cells in wanted.items():
        if missing := [cell for cell in cells if not known[deal].knows([cell])]:
            yield deal, missing
