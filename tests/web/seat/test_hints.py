"""Hints, one at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import pytest

from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.messages import Snapshot, Welcome
from bridge_arena.protocol.visibility import Event, Viewer, visible
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.web.seat import hints
from tests.patience import PATIENCE
from tests.server.tables import NORTH, new_table, say_all


class Slow:
    """In place of `hint`: thinks until it is told to end."""

    def __init__(self) -> None:
        self.asked = 0
        self.end = threading.Event()

    def __call__(self, seat: Seat, snapshot: Snapshot | None) -> dict[str, object]:
        self.asked += 1
        assert self.end.wait(PATIENCE)
        return {"seat": seat, "snapshot": snapshot}


def tell(place: WebsocketPlayer, events: Sequence[Event]) -> None:
    for event in events:
        outgoing = visible(event, place.viewer)
        if outgoing is not None:
            place.tell(outgoing)


async def test_whoever_asks_again_waits_for_the_same_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow()
    monkeypatch.setattr(hints, "hint", slow)
    place = WebsocketPlayer(Viewer(NORTH), Welcome(table="A1"))
    table = new_table()
    tell(place, table.start(0.0))
    adviser = hints.Adviser()
    asking = [asyncio.create_task(adviser.advice(place)) for _ in range(50)]
    await asyncio.sleep(0)
    slow.end.set()
    first, *others = await asyncio.gather(*asking)
    assert slow.asked == 1
    assert all(each is first for each in others)
    assert await adviser.advice(place) is first
    tell(place, say_all(table, "1NT Pass Pass 2S"))
    assert await adviser.advice(place) != first
    assert slow.asked == 2
