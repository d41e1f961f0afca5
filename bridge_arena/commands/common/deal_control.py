"""The work of an event's stand-ins, once its boards are played."""

from __future__ import annotations

import sys
import time
from concurrent.futures import as_completed

from bridge_arena.bridge.seeds import DealKey
from bridge_arena.commands.common.progress import LongWork
from bridge_arena.lab.deal_values import Part, deal_values, parts
from bridge_arena.oracle.errors import OracleError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.reports.common.tables import planned_matches, seated_tables, team_matches
from bridge_arena.tournaments import EventLog, EventResults, Store
from bridge_arena.tournaments.events.deal_control import FEWEST_BOARDS
from bridge_arena.tournaments.events.sealed_deals import source_of

Work = dict[Part, list[tuple[tuple[int, int], int]]]
"""Parts of deals, each with what it is for: the places of two entries, the lower first, and the
series. Pairs of slow bots may have the same stand-ins."""


def value_deals(store: Store, log: EventLog, long_work: LongWork) -> None:
    """Have stand-ins play the deals of an event, and others, as far as they have not.

    Each part is kept at once, so that an interrupted event goes on where it stopped. If a stand-in
    fails, the event has no controlled estimates. Raises StoreError.
    """
    work = _left(store)
    if not work:
        return
    boards = sum(part.stop - part.start for part in work)
    started = time.monotonic()
    # No part has a deadline: deals that take long differ from the others.
    with Oracle(deadline=None) as workers:
        playing = long_work.begin("beside the match, for the controlled estimate", boards, "boards")
        running = {workers.submit(deal_values, part): part for part in work}
        try:
            for future in as_completed(running):
                part = running[future]
                for places, series in work[part]:
                    store.save_deal_values(places, series, future.result())
                playing.advance(part.stop - part.start)
        except OracleError as error:
            print(f"arena: no controlled estimate: {error}", file=sys.stderr)
            return
    log.write("deals_valued", boards=boards, seconds=round(time.monotonic() - started, 3))


def _left(store: Store) -> Work:
    """Return the parts that are still to be played."""
    results = store.event_results()
    known, key = results.control, source_of(results.event, store.sealing())
    if known is None or not isinstance(key, DealKey):
        return {}
    work: Work = {}
    for places, boards in _met(results).items():
        pair = known.control.pair(*places)
        if pair is None or len(boards) < FEWEST_BOARDS:
            continue
        for series in range(1 + pair.others):
            deals, plays = (key.another("deals", series), 1) if series else (key, pair.plays)
            left = boards - known.values.get(places, {}).get(series, {}).keys()
            for part in parts(pair, deals, sorted(left), plays):
                work.setdefault(part, []).append((places, series))
    return work


def _met(results: EventResults) -> dict[tuple[int, int], set[int]]:
    """Return the boards that count of each two entries that met, by their places in order."""
    event, planned = results.event, planned_matches(results)
    place = {entrant.name: number for number, entrant in enumerate(event.entries)}
    met: dict[tuple[int, int], set[int]] = {}
    for match in team_matches(results, planned, seated_tables(results, planned)):
        one, other = sorted(place[name] for name in match.names)
        counted = {board.board.number for board in match.boards if board.imps is not None}
        met.setdefault((one, other), set()).update(counted)
    return met
