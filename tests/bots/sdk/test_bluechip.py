"""A bot under a table manager that the test plays, word for word, over a socket."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bots.sdk.bluechip import MOST_STRANGE, play_bluechip
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bots.sdk.connection import ConnectionFailedError
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.seats import Seat
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.protocol.bluechip.lines import Timing
from bridge_arena.protocol.bluechip.spelling import Quirks
from bridge_arena.protocol.view import View
from tests.patience import PATIENCE

SEATING = [
    'North ("passer") seated',
    "< North ready for teams",
    'Teams : N/S : "passer" E/W : "B"',
    "< North ready to start",
]
BOARD = [
    "Start of Board",
    "< North ready for deal",
    "Board number 7. Dealer North. Both vulnerable.",
    "< North ready for cards",
    "North's cards : S 5 2. H J 7 6. D K Q J 8 7 4. C T 9.",
]
PASSES = [
    "< North passes",
    "< North ready for East's bid",
    "East passes",
    "< North ready for South's bid",
    "South passes",
    "< North ready for West's bid",
    "West passes",
]
END = ["End of session"]


class Passer(Bot):
    """Passes, and keeps what it was told."""

    name = "passer"

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    def call(self, view: View) -> Call:
        return view.legal_calls()[0]

    def play(self, view: View) -> Card:
        raise AssertionError(f"there is no play on board {view.number}")

    def board_started(self, view: View) -> None:
        self.told.append(f"start {view.number} {view.seed}")

    def board_ended(self, view: View) -> None:
        self.told.append(f"end {view.result and view.result.score}")


@contextmanager
def manager(
    *script: str, first: str = 'Connecting "passer" as North using protocol version 18'
) -> Iterator[tuple[tuple[str, int], list[str]]]:
    """A manager that says the lines of its script, and waits for those that begin with `<`.
    Where it listens, and what it has heard; `first`: what it hears first."""
    heard: list[str] = []

    def serve(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        connection.settimeout(PATIENCE)
        with connection, connection.makefile("rw", newline="") as lines:
            for line in (f"< {first}", *script):
                if line.startswith("< "):
                    heard.append(f"< {lines.readline().strip()}")
                else:
                    lines.write(f"{line}\r\n")
                    lines.flush()
            connection.shutdown(socket.SHUT_WR)
            heard.extend(f"< {line.strip()}" for line in lines)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        yield listener.getsockname()[:2], heard
        thread.join(PATIENCE)
        assert not thread.is_alive()


def heard_in(*script: str) -> list[str]:
    """Return what a manager hears if its script is followed."""
    return [line for line in script if line.startswith("< ")]


def test_a_bot_sits_down_plays_and_leaves() -> None:
    passer = Passer()
    timing = str(Timing(1, 1, 1, 1))
    script = [*SEATING, *BOARD, *PASSES, timing, *BOARD, *PASSES, *END]
    with manager(*script) as (address, heard):
        play_bluechip(passer, address, seat=Seat.NORTH, seed=3)
    assert heard[1:] == heard_in(*script)
    assert passer.told == [f"start 7 {DealKey.of_seed(3).seat_seed(7, Seat.NORTH)}", "end 0"] * 2


def test_a_bot_may_sit_for_another_team_in_another_manner() -> None:
    script = ["NORTH T seated", "< NORTH ready for teams", *END]
    first = 'Connecting "T" as ANYPL using protocol version 18'
    with manager(*script, first=first) as (address, heard):
        play_bluechip(Passer(), address, team="T", quirks=Quirks(letters="upper"))
    assert heard == [f"< {first}", "< NORTH ready for teams"]


def test_a_bot_chooses_alike_with_the_same_seed() -> None:
    def first_call(seed: int) -> str:
        with manager(*SEATING, *BOARD, "< call", *END) as (address, heard):
            play_bluechip(RandomBot(), address, seed=seed)
        return next(line for line in heard if line.startswith(("< North bids", "< North passes")))

    assert first_call(1) == first_call(1)
    assert len({first_call(seed) for seed in range(6)}) > 1


def test_what_the_manager_says_is_passed_on(capsys: pytest.CaptureFixture[str]) -> None:
    with manager(*SEATING, "Error: tea time", "West shrugs", *END) as (address, _):
        play_bluechip(Passer(), address)
    assert capsys.readouterr().err.splitlines() == [
        "passer: the manager says: Error: tea time",
        "passer: ignored: 'West shrugs' is not understood",
    ]


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        (["Error Team name mismatch"], "the manager says: Error Team name mismatch"),
        (["HTTP/1.1 400 Bad Request"], "the manager's lines make no sense: 'HTTP/1.1 400 Bad"),
        (['South ("passer") seated'], "make no sense: asked for seat N, was given S"),
        ([*SEATING, *BOARD], "the manager closed the connection"),
        (["x" * 2000], "does not speak Blue Chip: expected lines of at most 1024 bytes"),
        ([*SEATING, *["West shrugs"] * (MOST_STRANGE + 1)], "the manager's lines make no sense"),
    ],
)
def test_what_cannot_go_on_is_said_in_a_line(script: list[str], complaint: str) -> None:
    def sit() -> None:
        with manager(*script) as (address, _):
            play_bluechip(Passer(), address, seat=Seat.NORTH)

    assert complaint in message_of(sit)


def message_of(act: Callable[[], None]) -> str:
    with pytest.raises(ConnectionFailedError) as caught:
        act()
    return str(caught.value)


def test_an_address_where_nobody_listens_is_told_in_a_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = free.getsockname()[:2]
    with pytest.raises(ConnectionFailedError, match=f"cannot connect to 127.0.0.1:{address[1]}"):
        play_bluechip(Passer(), address)
    with pytest.raises(ConnectionFailedError, match=r"cannot connect to a\.\.b:2000"):
        play_bluechip(Passer(), ("a..b", 2000))
