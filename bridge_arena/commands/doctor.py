"""`arena doctor`: a check of what works on this machine, and what to install for the rest."""

from __future__ import annotations

import platform
import sys
import time
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum

from bridge_arena.base.concurrency import processors
from bridge_arena.base.extras import installing, missing_from
from bridge_arena.commands.common.errors import FailedError
from bridge_arena.commands.common.options import Json, print_json

OLDEST = (3, 11)
"""The oldest Python that the arena runs on."""

EXTRAS = {
    "arena": "matches and events",
    "train": "training of bots",
    "cluster": "work on several machines (--dask)",
    "http": "robots that are asked over HTTP (http:URL)",
    "mcp": "a seat for an agent (arena mcp)",
    "postgresql": "results in PostgreSQL (--store)",
    "parquet": "tables of results and datasets as Parquet",
    "envs": "environments for learning (PettingZoo)",
}
"""The extras, and what each is for."""


class State(StrEnum):
    """The result of a check."""

    OK = "ok"
    ABSENT = "absent"  # matches can be played without it
    BROKEN = "broken"  # no match can be played without it


@dataclass(frozen=True, slots=True)
class Finding:
    """The finding of a check: what works, or what to do."""

    what: str
    state: State
    text: str


def doctor(*, as_json: Json = False) -> None:
    """Check what works on this machine.

    It tries Python, the extras, the processors, the double-dummy solver and the cache of its
    answers, the connections, the sandbox and the browser, and says what to install where something
    does not work. Exit status: 0 if matches can be played, 1 if not.

    Examples:
        arena doctor
        arena doctor --json
    """
    findings = list(_findings())
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        width = max(len(finding.what) for finding in findings)
        for finding in findings:
            print(f"{finding.state:<7} {finding.what:<{width}}  {finding.text}")
    broken = [finding.what for finding in findings if finding.state is State.BROKEN]
    if broken:
        raise FailedError(f"no match can be played here: {', '.join(broken)}")


def _findings() -> Iterator[Finding]:
    import bridge_arena

    state = State.OK if sys.version_info >= OLDEST else State.BROKEN
    yield Finding("Python", state, f"{platform.python_version()} on {platform.system()}")
    yield Finding("Bridge Arena", State.OK, bridge_arena.__version__)
    for extra, purpose in EXTRAS.items():
        if missing := missing_from(extra):
            state = State.BROKEN if extra == "arena" else State.ABSENT
            text = f"{purpose}: {', '.join(missing)} not installed; {installing(extra)}"
            yield Finding(f"extra {extra}", state, text)
        else:
            yield Finding(f"extra {extra}", State.OK, purpose)
    number = processors()
    yield Finding("processors", State.OK, f"{number}: as many tables at once by default")
    yield _tried("solver", _solve, State.BROKEN)
    yield _tried("cache", _find_cache, State.ABSENT)
    yield _tried("connections", _connections, State.BROKEN)
    yield _tried("sandbox", _make_sandbox, State.ABSENT)
    yield _tried("browser", _find_browser, State.ABSENT)


def _tried(what: str, check: Callable[[], str], otherwise: State) -> Finding:
    """Run a check; an exception becomes the text of the finding."""
    try:
        return Finding(what, State.OK, check())
    except Exception as error:  # any error is a finding
        return Finding(what, otherwise, str(error) or type(error).__name__)


def _solve() -> str:
    """Solve a deal in a process of its own, as matches do."""
    from bridge_arena.bridge.board import random_deal
    from bridge_arena.oracle.pool import Oracle
    from bridge_arena.oracle.table_store import TableStore

    with Oracle(workers=1, store=TableStore(None)) as oracle:
        oracle.table(random_deal(1, 1)).result()
        began = time.perf_counter()
        oracle.table(random_deal(1, 2)).result()
        milliseconds = 1000 * (time.perf_counter() - began)
    return f"the double-dummy table of a deal takes {milliseconds:.0f} ms"


def _find_cache() -> str:
    """Find the store of double-dummy answers, and try it."""
    from bridge_arena.oracle.table_store import shared_store

    store = shared_store()
    if store.path is None:
        raise LookupError(
            "double-dummy answers are not kept: ARENA_CACHE is empty, or you have no home"
        )
    megabytes, most = store.check() / 2**20, store.size / 2**20
    return f"double-dummy answers are kept in {store.path}: {megabytes:.1f} of {most:.0f} MiB"


def _connections() -> str:
    """Count the connections that the server may have."""
    from bridge_arena.server.connection_limits import most_connections

    return f"{most_connections():,} at once"


def _make_sandbox() -> str:
    """Run a program in a sandbox."""
    import asyncio

    from bridge_arena.tournaments.play.seating.started_bots import sandbox

    with sandbox(()) as made:
        asyncio.run(made.check())
    users = "each with a user of its own" if made.gives_users else "all with the arena's user"
    return f"bots can be kept from files and network (--isolation sandbox), {users}"


def _find_browser() -> str:
    """Find the browser that opens the pages of `arena play` and `arena view`."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        raise LookupError(
            "none can be opened from here: arena play and arena view print their address with "
            "--no-browser"
        ) from None
    return f"{getattr(browser, 'name', '') or type(browser).__name__}"
