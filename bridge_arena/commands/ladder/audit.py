"""`arena ladder audit`: whether players of a ladder see more than they should."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.commands.common.errors import complain, unusable
from bridge_arena.commands.common.options import MostTime, given_words, most_time
from bridge_arena.commands.ladder.backup import FolderOfUrl
from bridge_arena.commands.ladder.orders import LadderName, LadderPlace, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bridge_arena.oracle.pool import Oracle
    from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore


def audit(
    run: LadderPlace,
    time_: MostTime = "8h",
    workers: Annotated[
        int, typer.Option(min=1, help="solver processes, which take time from bots in play")
    ] = 1,
    out: FolderOfUrl = None,
    ladder: LadderName = None,
) -> None:
    """Audit the matches of a ladder that were not audited yet, the oldest first.

    It may run every night, while the ladder is played or not. Who is said to see more than it
    should is said so at every look and for ever: the chance that an honest player ever is, is at
    most 5 %. An interrupted audit has all matches that it ended.

    Examples:
        arena ladder audit runs/club --for 2h
    """
    from bridge_arena.base.masking import without_password
    from bridge_arena.commands.common.signals import going_on_with
    from bridge_arena.commands.ladder.from_afar import need_here
    from bridge_arena.oracle import DEADLINE
    from bridge_arena.oracle.dds import source
    from bridge_arena.oracle.errors import SolverError
    from bridge_arena.oracle.pool import Oracle
    from bridge_arena.tournaments.store.database import is_url

    need_here(run, "audit")
    end = time.monotonic() + most_time(time_).total_seconds()
    folder = out if is_url(run) else Path(run)
    again = ["arena", "ladder", "audit", without_password(run)]
    given = {"--for": (time_, "8h"), "--workers": (workers, 1), "--out": (out, None)}
    again += given_words({**given, "--ladder": (ladder, None)})
    with going_on_with(again), opened(run, ladder) as store:
        with unusable(SolverError):
            source()
        with Oracle(workers, DEADLINE) as oracle:
            _audit(store, partial(_tell, store, folder), oracle, end)
        print(audit_text(store))


def audit_text(store: LadderStore) -> str:
    """Say in one line how far the audit is, and what it shows. Raises StoreError."""
    from bridge_arena.base.wording import one_line, plural

    done, left = store.audits.audited(), len(store.audits.left())
    players, versions = store.players(), store.versions()
    accused = {versions[number].player: when for number, when in store.audits.accused().items()}
    named = [f"{players[number].name} (since {when[:10]})" for number, when in accused.items()]
    finding = ", ".join(named) if named else "nobody"
    return one_line(
        f"audited: {done} of {plural(done + left, 'match', 'matches')}; surely sees more than it "
        f"should: {finding}"
    )


def _audit(
    store: LadderStore, accuse: Callable[[str, str], object], oracle: Oracle, end: float
) -> None:
    """Audit matches until they are all done, or the time is over.

    `accuse` is called with the name of each player who surely sees more than it should, and with a
    line that says so.
    """
    from bridge_arena.commands.common.progress import LongWork
    from bridge_arena.oracle.errors import OracleError
    from bridge_arena.recorded.audit import Kind
    from bridge_arena.recorded.audit.anytime import deal_counts
    from bridge_arena.recorded.audit.engine import fair_kinds
    from bridge_arena.reports.common.tables import planned_matches, seated_tables

    with LongWork() as work:
        # What an audit that was killed had counted, and not looked at.
        _accuse(store, accuse, store.versions())
        left = store.audits.left()
        judging = work.begin("judging", len(left), "matches")
        for number in left:
            if time.monotonic() >= end:
                return
            judging.advance()
            results = store.archive.results(number)
            if results is None:
                continue  # its deals are not public yet
            versions = store.audits.versions_of(number)
            try:
                tables = seated_tables(results, planned_matches(results))
                kinds = fair_kinds(results.event, list(Kind))
                counts = deal_counts(tables, kinds, oracle)
            except (OracleError, ValueError) as error:
                complain(f"match {number} cannot be audited: {error}")
                continue
            names = (entrant.name for entrant in results.event.entries)
            of_version = {
                version: {kind.value: deals for kind, deals in counts[name].items()}
                for version, name in zip(versions, names, strict=True)
                if name in counts
            }
            if store.audits.add(number, of_version):
                _accuse(store, accuse, versions)


def _accuse(
    store: LadderStore, accuse: Callable[[str, str], object], versions: Iterable[int]
) -> None:
    """Say which of some versions surely see more than they should."""
    from bridge_arena.base.wording import one_line
    from bridge_arena.recorded.audit import Kind
    from bridge_arena.recorded.audit.anytime import needed, wealth

    counted, accused, known = store.audits.counts(), store.audits.accused(), store.versions()
    for version in versions:
        counts = {Kind(kind): deals for kind, deals in counted.get(version, {}).items()}
        if version in accused or wealth(counts, version) < needed(version):
            continue
        name = store.players()[known[version].player].name
        deals = max(int(of_kind.sum()) for of_kind in counts.values())
        accuse(
            name,
            one_line(
                f"{name} ({known[version].identity}) surely sees more than it should, by the audit "
                f"of {deals} boards"
            ),
        )
        store.audits.accuse(version)


def _tell(store: LadderStore, folder: Path | None, name: str, text: str) -> None:
    """Begin an alert, which the ladder tells itself while it is being played."""
    from bridge_arena.commands.ladder.playing import webhooks_of
    from bridge_arena.tournaments import LOG, EventLog
    from bridge_arena.tournaments.ladder.store.alert_store import Alert, Kind
    from bridge_arena.tournaments.ladder.store.rows import now
    from bridge_arena.tournaments.ladder.watch.alerts import Alerts

    if store.is_being_played():
        print(text)
        store.alerts.put(Kind.AUDIT, name, Alert(Kind.AUDIT, name, text, now()))
        return
    with (
        EventLog(None if folder is None else folder / LOG) as log,
        webhooks_of(store, store.definition()) as webhook,
    ):
        Alerts(store, log, print, webhook).begin(Kind.AUDIT, name, text)
