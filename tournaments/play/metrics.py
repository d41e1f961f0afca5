"""The health and the Prometheus metrics of a running event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from bridge_arena.bridge.record import BoardRecord, FaultKind
from bridge_arena.server.gateway import Gateway, Page
from bridge_arena.server.table import Timing

_BOARDS = ("finished", "given up")
_NEWS = ("lost", "back")

_SECONDS = (0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120)
"""The upper bounds of the histogram of the time that actions took."""


class Metrics:
    """The metrics of a venue."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._boards = self._counter("boards", "boards that ended", "how", _BOARDS)
        self._faults = self._counter("faults", "faults of players", "kind", FaultKind)
        self._news = self._counter("connections", "seats that lost or regained one", "news", _NEWS)
        self.tables = self._gauge("tables", "tables in play")
        self._actions = Histogram(
            "arena_action_seconds",
            "how long players took for a call or card",
            buckets=_SECONDS,
            registry=self._registry,
        )

    def watch(self, gateway: Gateway, seated: Callable[[], int]) -> None:
        """Add the numbers of a gateway."""
        waiting = self._gauge("waiting", "connections that have not sat down")
        waiting.set_function(lambda: gateway.limits.waiting)
        players = self._gauge("players", "seats with a connection")
        players.set_function(seated)
        refused = self._gauge("refused", "connections refused so far, by token or Hello")
        refused.set_function(lambda: gateway.refused)
        turned_away = self._gauge("turned_away", "connections cut so far, as too many waited")
        turned_away.set_function(lambda: gateway.limits.turned_away)

    def connection(self, *, back: bool) -> None:
        """Count that a seat lost its connection, or has one again."""
        self._news.labels(_NEWS[back]).inc()

    def board(self, record: BoardRecord, timings: list[Timing]) -> None:
        """Count a board that ended."""
        self._boards.labels(_BOARDS[not record.is_finished]).inc()
        for fault in record.faults:
            self._faults.labels(str(fault.kind)).inc()
        for timing in timings:
            self._actions.observe(timing.milliseconds / 1000)

    def pages(self) -> Mapping[str, Page]:
        """Return the pages that a gateway serves, by path."""
        return {
            "/health": lambda: ("text/plain; charset=utf-8", "ok\n"),
            "/metrics": lambda: (
                CONTENT_TYPE_PLAIN_0_0_4,
                generate_latest(self._registry).decode(),
            ),
        }

    def _counter(self, name: str, help_: str, label: str, values: Iterable[str]) -> Counter:
        """Return a counter with one count for each value of a label, from 0."""
        counter = Counter(f"arena_{name}", help_, [label], registry=self._registry)
        for value in values:
            counter.labels(value)
        return counter

    def _gauge(self, name: str, help_: str) -> Gauge:
        return Gauge(f"arena_{name}", help_, registry=self._registry)
