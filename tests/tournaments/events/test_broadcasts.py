"""When those who watch an event are shown its tables, where it says so and where it does not."""

from __future__ import annotations

import pytest

from bridge_arena.server.feed import AFTER_BOARD, LIVE, Broadcast
from bridge_arena.tournaments.events.event import Entrant, Event, broadcast_of
from bridge_arena.tournaments.formats.rules import Format
from tests.tournaments.scores import event


def of(*bots: str, **settings: object) -> Event:
    entries = tuple(Entrant(bot=bot, name=f"e{at}") for at, bot in enumerate(bots))
    return event(Format.MATCH, 0, **{"seed": None, "entries": entries, **settings})


@pytest.mark.parametrize(
    "stranger", ["remote:far", "bluechip:WBridge5", "http:http://127.0.0.1:8085"]
)
def test_sealed_deals_that_are_played_elsewhere_are_shown_after_the_board(stranger: str) -> None:
    assert broadcast_of(of("natural", stranger)) == AFTER_BOARD
    assert broadcast_of(of(stranger, "natural", broadcast="live")) == LIVE
    assert broadcast_of(of("natural", stranger, broadcast="30")) == Broadcast(30.0)


def test_other_events_are_shown_live() -> None:
    assert broadcast_of(of("natural", "cmd:./mine")) == LIVE
    assert broadcast_of(of("natural", "remote:far", seed=1)) == LIVE
    assert broadcast_of(of("natural", "remote:far", boards_from="boards.pbn")) == LIVE
    assert broadcast_of(of("natural", "random", broadcast="board")) == AFTER_BOARD


def test_no_person_sees_in_another_window_what_the_others_hold() -> None:
    assert broadcast_of(of("natural", "human:Ann", seed=1)) == AFTER_BOARD
    assert broadcast_of(of("natural & human:Ann", "natural", seed=1)) == AFTER_BOARD
    assert broadcast_of(of("natural", "human:Ann", broadcast="live")) == LIVE
