"""The SDK: a bot's end of the dialogue, with the server's end played by the test."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from random import Random

import pytest

from bots import client
from bots.client import Bot, play_table, run
from bots.connection import Connection, ConnectionFailedError
from bots.random.bot import RandomBot
from bridge.board import Board, seat_seed
from bridge.calls import CALL_TEXTS, PASS, Call
from bridge.cards import Card
from bridge.seats import Seat
from protocol.codec import decode_client, encode, frame
from protocol.messages import (
    BoardEnd,
    BoardStart,
    Delivery,
    Error,
    ErrorCode,
    Goodbye,
    Hello,
    MakeCall,
    Message,
    Snapshot,
    Welcome,
    YourTurn,
)
from protocol.view import View

URL = "ws://server"


class Script:
    """Stands for `Connection`: gives each seat the frames meant for its token."""

    def __init__(self, frames: dict[str, list[list[Message]]]) -> None:
        self._frames = frames
        # What each seat has sent.
        self.sent: dict[str, list[Message]] = {token: [] for token in frames}

    def __call__(self, url: str, token: str) -> Script._Seat:
        assert url == URL
        if token not in self._frames:
            raise ConnectionFailedError(f"{token} is no token")
        return Script._Seat(self._frames[token], self.sent[token])

    class _Seat:
        def __init__(self, frames: list[list[Message]], sent: list[Message]) -> None:
            self._frames = iter(frames)
            self._sent = sent

        def __enter__(self) -> Script._Seat:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def send(self, data: bytes) -> None:
            self._sent.extend(decode_client(data))

        def receive(self) -> bytes:
            messages = next(self._frames, None)
            if messages is None:
                raise ConnectionFailedError("connection lost")
            return frame([encode(message) for message in messages])


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Script:
    made = Script(request.param)
    monkeypatch.setattr(client, "Connection", made)
    return made


WELCOME = Welcome(table="t", seat=Seat.NORTH, action_seconds=1)
GOODBYE = Goodbye(reason="the match is over")


def start(number: int) -> BoardStart:
    board = Board.dealt(1, number)
    return BoardStart(
        table="t",
        board=number,
        seq=1,
        dealer=Seat.NORTH,
        vulnerability=board.vulnerability,
        hand=board.deal[Seat.NORTH],
        seed=seat_seed(1, number, Seat.NORTH),
    )


def turn(number: int, seq: int = 2) -> YourTurn:
    return YourTurn(
        table="t",
        board=number,
        seq=seq,
        player=Seat.NORTH,
        seat=Seat.NORTH,
        legal=list(CALL_TEXTS),
        seconds=1,
    )


def boards(*numbers: int) -> list[list[Message]]:
    """A session in which the seat opens the bidding of each board."""
    played: list[list[Message]] = [[start(number), turn(number)] for number in numbers]
    return [[WELCOME], *played, [GOODBYE]]


class Passer(Bot):
    name = "passer"
    version = "1.2"

    def call(self, view: View) -> Call:
        del view
        return PASS

    def play(self, view: View) -> Card:
        raise AssertionError(f"there is no play on board {view.number}")


def calls(sent: Sequence[Message]) -> dict[int, str]:
    return {message.board: str(message.call) for message in sent if isinstance(message, MakeCall)}


class TestPlayTable:
    @pytest.mark.parametrize("script", [{"a": boards(1, 2)}], indirect=True)
    def test_it_says_hello_answers_and_leaves(self, script: Script) -> None:
        play_table(Passer(), URL, "a")
        hello, *actions = script.sent["a"]
        assert hello == Hello(name="passer", bot_version="1.2", delivery=Delivery.TURN)
        assert actions == [MakeCall(table="t", board=number, seq=2, call=PASS) for number in (1, 2)]

    @pytest.mark.parametrize(
        "script", [{"a": [[WELCOME], [start(1), turn(1), turn(1, 3)], [GOODBYE]]}], indirect=True
    )
    def test_it_answers_only_the_last_of_two_turns(self, script: Script) -> None:
        play_table(Passer(), URL, "a")
        assert [each.seq for each in script.sent["a"] if isinstance(each, MakeCall)] == [3]

    @pytest.mark.parametrize(
        "script",
        [{"a": [[WELCOME], [start(1), BoardEnd(table="t", board=1, seq=9, score=50)], [GOODBYE]]}],
        indirect=True,
    )
    def test_it_is_told_when_boards_begin_and_end(self, script: Script) -> None:
        told: list[str] = []

        class Listener(Passer):
            def board_started(self, view: View) -> None:
                told.append(f"start {view.number} {view.hand}")

            def board_ended(self, view: View) -> None:
                told.append(f"end {view.result and view.result.score}")

        play_table(Listener(), URL, "a")
        assert told == [f"start 1 {Board.dealt(1, 1).deal[Seat.NORTH]}", "end 50"]
        assert len(script.sent["a"]) == 1

    @pytest.mark.parametrize(
        "script",
        [{"a": [[WELCOME], [Error(code=ErrorCode.STALE, text="too late")], [GOODBYE]]}],
        indirect=True,
    )
    @pytest.mark.usefixtures("script")
    def test_errors_are_printed(self, capsys: pytest.CaptureFixture[str]) -> None:
        play_table(Passer(), URL, "a")
        assert capsys.readouterr().err == "passer: stale: too late\n"

    @pytest.mark.parametrize("script", [{"a": [[WELCOME]]}], indirect=True)
    @pytest.mark.usefixtures("script")
    def test_a_lost_connection(self) -> None:
        with pytest.raises(ConnectionFailedError, match="connection lost"):
            play_table(Passer(), URL, "a")

    @pytest.mark.parametrize(
        "script", [{"a": boards(1, 2, 3), "b": boards(3, 1, 2), "c": boards(2)}], indirect=True
    )
    def test_the_order_of_boards_does_not_matter(self, script: Script) -> None:
        for token in "abc":
            play_table(RandomBot(), URL, token)
        choices = calls(script.sent["a"])
        assert len(set(choices.values())) > 1
        assert calls(script.sent["b"]) == choices
        assert calls(script.sent["c"]) == {2: choices[2]}

    @pytest.mark.parametrize(
        "script",
        [
            {
                "new": [[WELCOME], [Snapshot(events=[start(2), turn(2, 7)])], [GOODBYE]],
                "back": [
                    [WELCOME],
                    [start(2)],
                    [WELCOME, Snapshot(events=[start(2), turn(2, 7)])],
                    [GOODBYE],
                ],
                "waits": [[WELCOME], [Snapshot(events=[start(2)])], [GOODBYE]],
                "between": [[WELCOME], [Snapshot(events=[])], *boards(3)[1:]],
            }
        ],
        indirect=True,
    )
    def test_a_snapshot_is_a_board_to_go_on_with(self, script: Script) -> None:
        began: list[tuple[int, float]] = []

        class Lucky(Passer):
            def board_started(self, view: View) -> None:
                began.append((view.number, self.rng.random()))

        luck = Random(start(2).seed).random()
        for token, expected in [("new", {2: "Pass"}), ("back", {2: "Pass"}), ("waits", {})]:
            began.clear()
            play_table(Lucky(), URL, token)
            assert calls(script.sent[token]) == expected
            assert began == [(2, luck)]
        play_table(Lucky(), URL, "between")
        assert calls(script.sent["between"]) == {3: "Pass"}

    @pytest.mark.parametrize("script", [{"a": [[WELCOME], [GOODBYE]]}], indirect=True)
    def test_a_bot_without_a_name_has_its_classs(self, script: Script) -> None:
        class Nameless(Passer):
            name = ""

        play_table(Nameless(), URL, "a")
        assert script.sent["a"] == [
            Hello(name="Nameless", bot_version="1.2", delivery=Delivery.TURN)
        ]


class TestRun:
    @pytest.fixture(autouse=True)
    def bare(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("ARENA_URL", "ARENA_TOKEN"):
            monkeypatch.delenv(name, raising=False)

    @pytest.mark.parametrize(("url", "token"), [("", ""), (URL, ""), ("", "a"), (URL, ",")])
    def test_without_a_server_there_is_nothing_to_do(self, url: str, token: str) -> None:
        with pytest.raises(SystemExit, match="set ARENA_URL and ARENA_TOKEN"):
            run(Passer, url=url, token=token)

    @pytest.mark.parametrize(
        "script", [{"a": boards(1), "b": boards(2, 3), "c": boards(4)}], indirect=True
    )
    def test_each_token_has_its_own_bot_and_thread(
        self, script: Script, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ARENA_URL", URL)
        monkeypatch.setenv("ARENA_TOKEN", "a,b,c")
        seen: set[tuple[int, int]] = set()
        together = threading.Barrier(3, timeout=20)

        class Meeting(Passer):
            def board_started(self, view: View) -> None:
                seen.add((id(self), threading.get_ident()))
                if view.number != 3:
                    together.wait()  # none waits for another to end

        made: list[Bot] = []

        def make() -> Bot:
            made.append(Meeting())
            return made[-1]

        run(make)
        assert len(seen) == len(made) == 3
        assert [sorted(calls(script.sent[token])) for token in "abc"] == [[1], [2, 3], [4]]

    @pytest.mark.parametrize("script", [{"a": [[WELCOME], [GOODBYE]]}], indirect=True)
    @pytest.mark.usefixtures("script")
    def test_a_refused_token_ends_the_process(self) -> None:
        with pytest.raises(SystemExit, match="b is no token"):
            run(Passer, url=URL, token="a,b")

    @pytest.mark.parametrize("script", [{"a": boards(1)}], indirect=True)
    @pytest.mark.usefixtures("script")
    def test_a_bots_own_failure_is_shown(self, capsys: pytest.CaptureFixture[str]) -> None:
        class Broken(Passer):
            def call(self, view: View) -> Call:
                raise RuntimeError(f"lost my mind on board {view.number}")

        with pytest.raises(SystemExit) as caught:
            run(Broken, url=URL, token="a")
        assert caught.value.code == 1
        shown = capsys.readouterr().err
        assert "Traceback" in shown
        assert shown.endswith("RuntimeError: lost my mind on board 1\n")


@pytest.mark.parametrize("url", ["", "server", "http://server", "ws://127.0.0.1:1"])
def test_an_address_where_nobody_is(url: str) -> None:
    with pytest.raises(ConnectionFailedError, match="cannot connect to"):
        Connection(url, "token")
