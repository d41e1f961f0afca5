"""The SDK: a bot's end of the dialogue, with the server's end played by the test."""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.http11 import Request
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bots.sdk import tables
from bridge_arena.bots.sdk.client import Bot, run
from bridge_arena.bots.sdk.connection import Connection, ConnectionFailedError
from bridge_arena.bots.sdk.tables import Stay, play_table
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import CALL_TEXTS, PASS, Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import ModelUse
from bridge_arena.bridge.seats import Seat
from bridge_arena.bridge.seeds import seat_seed
from bridge_arena.protocol.codec import decode_client, encode, frame
from bridge_arena.protocol.decision import LeavingError, NoActionError
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import (
    SUBPROTOCOL,
    BoardEnd,
    BoardStart,
    Error,
    Goodbye,
    Hello,
    Leave,
    MakeCall,
    Message,
    NoAction,
    Snapshot,
    Thought,
    Welcome,
    YourTurn,
)
from bridge_arena.protocol.view import View
from tests.patience import PATIENCE

URL = "ws://server"


class Script:
    """Stands for `Connection` and gives each connection its frames: token `a` gets those of `a`,
    then those of `a2`, and so on; without frames it cannot connect.
    """

    def __init__(self, frames: dict[str, list[list[Message]]]) -> None:
        self._frames = frames
        self._lock = threading.Lock()
        self._attempts: Counter[str] = Counter()
        # Whether the server has closed the connections: they can be read, but not written to.
        self.is_closed = False
        # What was sent over each connection.
        self.sent: dict[str, list[Message]] = {name: [] for name in frames}

    def __call__(self, url: str, token: str, *, is_sure: bool) -> Script._Seat:
        del is_sure
        assert url == URL
        with self._lock:
            self._attempts[token] += 1
            attempt = self._attempts[token]
        name = token if attempt == 1 else f"{token}{attempt}"
        if name not in self._frames:
            is_final = attempt == 1
            raise ConnectionFailedError(f"{name} is no token", is_final=is_final)
        self.is_closed = False
        return Script._Seat(self, self._frames[name], self.sent[name])

    class _Seat:
        def __init__(
            self, script: Script, frames: list[list[Message]], sent: list[Message]
        ) -> None:
            self._script = script
            self._frames = iter(frames)
            self._sent = sent

        def __enter__(self) -> Script._Seat:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def send(self, data: bytes) -> None:
            if self._script.is_closed:
                raise ConnectionFailedError("nobody hears")
            self._sent.extend(decode_client(data))

        def receive(self) -> bytes:
            messages = next(self._frames, None)
            if messages is None:
                raise ConnectionFailedError("connection lost")
            return frame([encode(message) for message in messages])


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Script:
    made = Script(request.param)
    monkeypatch.setattr(tables, "Connection", made)
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


PLAYED = BoardEnd(table="t", board=1, seq=9, score=0)


def ended_boards(*numbers: int) -> list[list[Message]]:
    """A session in which each board ends at once, passed out."""
    ended: list[list[Message]] = [
        [start(number), PLAYED.model_copy(update={"board": number})] for number in numbers
    ]
    return [[WELCOME], *ended, [GOODBYE]]


def at_three(session: list[list[Message]]) -> list[list[Message]]:
    """The session of a bot that is to play at three tables."""
    return [[WELCOME.model_copy(update={"tables": 3})], *session[1:]]


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


class Thinker(Passer):
    """Says what it thinks of each turn."""

    def call(self, view: View) -> Call:
        self.think(
            f"{view.number}:\n\x1b[1mpass\x1b[0m" + "♠" * 600,
            candidates={PASS: 1, Call("7NT"): -13.123456},
            layouts=20,
            depth=1,
            seconds=0.5,
        )
        return super().call(view)


class TestThinking:
    @pytest.mark.parametrize("script", [{"a": boards(1, 2)}], indirect=True)
    def test_a_thought_goes_before_the_action_that_it_is_about(self, script: Script) -> None:
        play_table(Thinker(), URL, "a")
        _, first, call, second, _ = script.sent["a"]
        assert isinstance(first, Thought)
        assert isinstance(second, Thought)
        assert (first.table, first.board, first.seq) == ("t", 1, 2)
        assert isinstance(call, MakeCall)
        assert second.board == 2
        assert first.text.startswith("1:  [1mpass [0m♠"), "it is one line"
        assert len(first.text) == 500
        assert first.candidates == {"Pass": 1.0, "7NT": -13.1235}
        assert (first.layouts, first.depth, first.seconds) == (20, 1, 0.5)

    @pytest.mark.parametrize(
        "said",
        [
            {"candidates": {PASS: float("nan")}},
            {"candidates": {PASS: 1e7}},
            {"layouts": -1},
            {"depth": 2**53},
            {"seconds": float("inf")},
        ],
        ids=str,
    )
    def test_what_cannot_be_sent_is_the_authors_mistake(self, said: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match=next(iter(said))):
            Passer().think(**said)

    def test_a_bot_without_the_sdk_s_init_may_think(self) -> None:
        class Bare(Passer):
            def __init__(self) -> None:
                pass

        bot = Bare()
        bot.think("hm")
        assert [thought.text for thought in bot.thoughts] == ["hm"]
        assert Passer().thoughts == ()


class TestWithoutAnAction:
    class Raising(Passer):
        def __init__(self, error: Exception) -> None:
            super().__init__()
            self.error = error

        def call(self, view: View) -> Call:
            del view
            self.think("no idea", model=ModelUse(questions=3, failed=3))
            raise self.error

    @pytest.mark.parametrize("script", [{"a": boards(1)}], indirect=True)
    def test_the_table_acts_for_a_bot_without_an_action(self, script: Script) -> None:
        play_table(self.Raising(NoActionError("nobody answers")), URL, "a")
        _, thought, action = script.sent["a"]
        assert isinstance(thought, Thought)
        assert thought.model == ModelUse(questions=3, failed=3)
        assert action == NoAction(table="t", board=1, seq=2, reason="nobody answers")

    @pytest.mark.parametrize("script", [{"a": boards(1)}], indirect=True)
    def test_a_bot_that_gives_up_leaves_with_a_word(self, script: Script) -> None:
        play_table(self.Raising(LeavingError("all is\nspent")), URL, "a")
        _, thought, action = script.sent["a"]
        assert isinstance(thought, Thought)
        assert action == Leave(reason="all is spent")


class TestPlayTable:
    @pytest.mark.parametrize("script", [{"a": boards(1, 2)}], indirect=True)
    def test_a_bot_says_hello_answers_and_leaves(self, script: Script) -> None:
        play_table(Passer(), URL, "a")
        hello, *actions = script.sent["a"]
        assert hello == Hello(name="passer", bot_version="1.2", delivery=Delivery.TURN)
        assert actions == [MakeCall(table="t", board=number, seq=2, call=PASS) for number in (1, 2)]

    @pytest.mark.parametrize(
        "script", [{"a": [[WELCOME], [start(1), turn(1), turn(1, 3)], [GOODBYE]]}], indirect=True
    )
    def test_a_bot_answers_only_the_last_of_two_turns(self, script: Script) -> None:
        play_table(Passer(), URL, "a")
        assert [each.seq for each in script.sent["a"] if isinstance(each, MakeCall)] == [3]

    @pytest.mark.parametrize(
        "script",
        [{"a": [[WELCOME], [start(1), BoardEnd(table="t", board=1, seq=9, score=50)], [GOODBYE]]}],
        indirect=True,
    )
    def test_a_bot_is_told_when_boards_begin_and_end(self, script: Script) -> None:
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
    def test_errors_are_logged(self, caplog: pytest.LogCaptureFixture) -> None:
        play_table(Passer(), URL, "a")
        (logged,) = caplog.records
        assert (logged.levelname, logged.getMessage()) == ("WARNING", "passer: stale: too late")

    @pytest.mark.parametrize("script", [{"a": [[WELCOME]]}], indirect=True)
    @pytest.mark.usefixtures("script")
    def test_a_lost_connection_is_an_error(self) -> None:
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


BACK = WELCOME.model_copy(update={"session": "abc", "grace_seconds": 30.0})
"""The welcome of a server where a lost connection may come back."""


class Watch:
    """Stands for `time`: tells the seconds that were slept."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return sum(self.slept)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    made = Watch()
    monkeypatch.setattr(tables, "time", made)
    return made


class Diary(Passer):
    """Writes down what it is told of boards."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    def board_started(self, view: View) -> None:
        self.told.append(f"start {view.number}")

    def board_ended(self, view: View) -> None:
        self.told.append(f"end {view.number}")


class TestComingBack:
    @pytest.mark.parametrize(
        "script",
        [
            {
                "a": [[BACK], [start(1), turn(1)]],
                "a2": [[BACK, Snapshot(events=[start(1), turn(1)])], [PLAYED]],
                "a3": [[BACK, Snapshot(events=[start(1), PLAYED])], *boards(2)[1:]],
            }
        ],
        indirect=True,
    )
    def test_a_lost_connection_is_replaced_at_once(self, script: Script, watch: Watch) -> None:
        bot = Diary()
        assert play_table(bot, URL, "a") == Stay(1, GOODBYE.reason)
        hellos = [hello for hello, *_ in script.sent.values() if isinstance(hello, Hello)]
        assert [hello.resume for hello in hellos] == ["", "abc", "abc"]
        assert [hello.seat for hello in hellos] == [None, Seat.NORTH, Seat.NORTH]
        assert calls(script.sent["a"]) == calls(script.sent["a2"]) == {1: "Pass"}
        assert bot.told == ["start 1", "end 1", "start 2"]
        assert watch.slept == [0.0, 0.0]

    @pytest.mark.parametrize(
        "script",
        [
            {
                "a": [[BACK], [start(1), turn(1)]],
                "a2": [[BACK, Snapshot(events=[start(1), PLAYED])], [GOODBYE]],
            }
        ],
        indirect=True,
    )
    @pytest.mark.usefixtures("script", "watch")
    def test_the_end_of_a_board_that_was_missed_is_told(self) -> None:
        bot = Diary()
        assert play_table(bot, URL, "a").boards == 1
        assert bot.told == ["start 1", "end 1"]

    @pytest.mark.parametrize(
        "script",
        [
            {
                "a": [[BACK], [start(1), turn(1)]],
                "a2": [[BACK, Snapshot(events=[start(2).model_copy(update={"board": 1})])]],
            }
        ],
        indirect=True,
    )
    @pytest.mark.usefixtures("script", "watch")
    def test_another_board_of_the_same_number_is_another_board(self) -> None:
        bot = Diary()
        with pytest.raises(ConnectionFailedError):
            play_table(bot, URL, "a")
        assert bot.told == ["start 1", "start 1"]
        assert bot.rng.random() == Random(start(2).seed).random()

    @pytest.mark.parametrize("script", [{"a": [[WELCOME]]}, {"a": [[BACK]]}], indirect=True)
    @pytest.mark.usefixtures("script")
    def test_without_patience_there_is_one_attempt_where_there_is_a_way_back(
        self, request: pytest.FixtureRequest, watch: Watch
    ) -> None:
        with pytest.raises(ConnectionFailedError):
            play_table(Passer(), URL, "a")
        welcome = request.node.callspec.params["script"]["a"][0][0]
        assert watch.slept == ([0.0] if welcome is BACK else [])

    @pytest.mark.parametrize("script", [{"a": [[BACK]]}], indirect=True)
    @pytest.mark.usefixtures("script")
    def test_with_patience_the_connection_is_tried_again_and_again(self, watch: Watch) -> None:
        with pytest.raises(ConnectionFailedError, match="is no token"):
            play_table(Passer(), URL, "a", patience=4.0)
        assert watch.slept == [0.0, 0.05, 0.2, 1.0, 1.0, 1.0]

    @pytest.mark.parametrize(
        "script",
        [
            {
                "a": [[Error(code=ErrorCode.TAKEN, text="no seat is free", fatal=True)]],
                "a2": boards(1),
                "b": [[Error(code=ErrorCode.VERSION, text="expected version 9", fatal=True)]],
                "b2": boards(1),
            }
        ],
        indirect=True,
    )
    def test_who_is_refused_tries_again_where_that_may_help(
        self, script: Script, watch: Watch
    ) -> None:
        play_table(Passer(), URL, "a", patience=1.0)
        assert calls(script.sent["a2"]) == {1: "Pass"}
        with pytest.raises(ConnectionFailedError, match=r"^version: expected version 9$"):
            play_table(Passer(), URL, "b", patience=1.0)
        assert watch.slept == [0.05]

    @pytest.mark.parametrize(
        "script",
        [{"a": [[WELCOME.model_copy(update={"seat": None})]], "b": [[start(1)]]}],
        indirect=True,
    )
    @pytest.mark.usefixtures("script", "watch")
    def test_a_server_that_speaks_otherwise_ends_the_bot_in_one_line(self) -> None:
        with pytest.raises(ConnectionFailedError, match=f"cannot play on {URL}: .*kibitzer's"):
            play_table(Passer(), URL, "a", patience=1.0)
        with pytest.raises(ConnectionFailedError, match="expected Welcome, received BoardStart"):
            play_table(Passer(), URL, "b", patience=1.0)


class TestLateAnswers:
    """The server closes the connection while the bot thinks: its answer cannot be sent."""

    class Late(Diary):
        def __init__(self, script: Script) -> None:
            super().__init__()
            self.script = script

        def call(self, view: View) -> Call:
            self.told.append(f"thinks {view.number}")
            self.script.is_closed = True
            return super().call(view)

    @pytest.mark.parametrize(
        "script",
        [{"a": [[BACK], [start(1), turn(1)], [turn(1, 3)], [PLAYED], [GOODBYE]]}],
        indirect=True,
    )
    def test_a_late_answer_is_followed_by_the_goodbye_that_has_come(
        self, script: Script, watch: Watch
    ) -> None:
        bot = self.Late(script)
        assert play_table(bot, URL, "a") == Stay(1, GOODBYE.reason)
        assert bot.told == ["start 1", "thinks 1", "end 1"]
        assert calls(script.sent["a"]) == {}
        assert watch.slept == []

    @pytest.mark.parametrize(
        "script",
        [
            {
                "a": [[BACK], [start(1), turn(1)], [turn(1, 3)]],
                "a2": [[BACK, Snapshot(events=[start(1), PLAYED])], [GOODBYE]],
            }
        ],
        indirect=True,
    )
    def test_a_bot_with_a_late_answer_and_no_goodbye_comes_back(
        self, script: Script, watch: Watch
    ) -> None:
        bot = self.Late(script)
        assert play_table(bot, URL, "a") == Stay(1, GOODBYE.reason)
        assert bot.told == ["start 1", "thinks 1", "end 1"]
        assert watch.slept == [0.0]


class TestRun:
    @pytest.fixture(autouse=True)
    def bare(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("ARENA_URL", "ARENA_TOKEN", "ARENA_SEAT", "ARENA_PATIENCE", "ARENA_LOG"):
            monkeypatch.delenv(name, raising=False)

    @pytest.mark.parametrize(("url", "token"), [("", ""), (URL, ""), ("", "a")])
    def test_without_a_server_there_is_nothing_to_do(self, url: str, token: str) -> None:
        with pytest.raises(SystemExit, match="set ARENA_URL and ARENA_TOKEN"):
            run(Passer, url=url, token=token)

    @pytest.mark.parametrize(
        "script",
        [{"a": at_three(boards(1)), "a2": at_three(boards(2, 3)), "a3": at_three(boards(4))}],
        indirect=True,
    )
    def test_each_table_has_its_own_bot_and_thread(
        self, script: Script, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ARENA_URL", URL)
        monkeypatch.setenv("ARENA_TOKEN", "a")
        seen: set[tuple[int, int]] = set()
        together = threading.Barrier(3, timeout=PATIENCE)

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
        assert [sorted(calls(sent)) for sent in script.sent.values()] == [[1], [2, 3], [4]]
        # The first takes what is free; the others sit where the first does.
        seats = [hello.seat for hello, *_ in script.sent.values() if isinstance(hello, Hello)]
        assert seats == [None, Seat.NORTH, Seat.NORTH]

    @pytest.mark.parametrize(
        "script",
        [
            {
                "a": at_three(ended_boards(1)),
                "a2": at_three(ended_boards(2, 3)),
                "a3": at_three(ended_boards()),
            }
        ],
        indirect=True,
    )
    @pytest.mark.usefixtures("script")
    @pytest.mark.parametrize("seat", ["N", None])
    def test_the_user_is_told_of_the_seat_once_and_of_the_end(
        self, caplog: pytest.LogCaptureFixture, seat: str | None
    ) -> None:
        caplog.set_level(logging.INFO)
        run(Passer, url=URL, token="a", seat=seat)
        first, *hint, last = caplog.messages
        assert (
            first == f"passer: connected to {URL}: seat N at 3 tables; waiting for the first board"
        )
        assert last == "passer: the match is over; 3 boards played"
        assert ["no seat was asked for" in line for line in hint] == ([] if seat else [True])

    @pytest.mark.parametrize(
        "script",
        [{"a": [[Error(code=ErrorCode.VERSION, text="\x1b[2J\nno", fatal=True)]]}],
        indirect=True,
    )
    @pytest.mark.usefixtures("script")
    def test_a_servers_refusal_is_one_line(self) -> None:
        with pytest.raises(SystemExit, match=r"^version:  \[2J no$"):
            run(Passer, url=URL, token="a")

    @pytest.mark.parametrize("script", [{"a": [[WELCOME], [GOODBYE]]}], indirect=True)
    @pytest.mark.usefixtures("script")
    def test_the_token_does_not_stay_in_the_environment(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ARENA_URL", URL)
        monkeypatch.setenv("ARENA_TOKEN", "a")
        run(Passer)
        assert "ARENA_TOKEN" not in os.environ

    @pytest.mark.parametrize("script", [{"a": [[WELCOME], [GOODBYE]]}], indirect=True)
    @pytest.mark.usefixtures("script")
    def test_a_refused_token_ends_the_process(self) -> None:
        with pytest.raises(SystemExit, match="b is no token"):
            run(Passer, url=URL, token="b")

    @pytest.mark.parametrize(
        ("name", "value", "complaint"),
        [
            ("ARENA_PATIENCE", "soon", "ARENA_PATIENCE is 'soon', expected seconds"),
            ("ARENA_SEAT", "Q", "'Q'"),
            ("ARENA_LOG", "loud", "ARENA_LOG is 'loud', expected debug, info, warning or error"),
        ],
    )
    def test_a_setting_that_makes_no_sense_ends_in_one_line(
        self, monkeypatch: pytest.MonkeyPatch, name: str, value: str, complaint: str
    ) -> None:
        monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit, match=complaint):
            run(Passer, url=URL, token="a")

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
def test_an_address_where_nobody_listens_is_an_error(url: str) -> None:
    with pytest.raises(ConnectionFailedError, match="cannot connect to"):
        Connection(url, "token")


@pytest.mark.parametrize("host", ["a..b", "a" * 64, "a:99999", "[::1"])
def test_an_address_that_nobody_can_have_is_an_error(host: str) -> None:
    with pytest.raises(ConnectionFailedError, match="cannot connect to ws://") as caught:
        Connection(f"ws://{host}", "token")
    assert caught.value.is_final


@pytest.mark.parametrize("token", ["se\ncret", "se☃cret", "sécret"])
def test_a_token_that_is_none_is_not_repeated(token: str) -> None:
    with pytest.raises(ConnectionFailedError, match="the token has characters") as caught:
        Connection("ws://127.0.0.1:1", token)
    assert caught.value.is_final
    assert "cret" not in str(caught.value)


def test_a_token_may_end_its_line() -> None:
    requests: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(PATIENCE)

        def hear() -> None:
            connection, _ = listening.accept()
            with connection:
                requests.append(connection.recv(4096))

        server = threading.Thread(target=hear)
        server.start()
        with pytest.raises(ConnectionFailedError):
            Connection(f"ws://127.0.0.1:{listening.getsockname()[1]}", "token\r\n")
        server.join()
    assert b"\r\nAuthorization: Bearer token\r\n" in requests[0]


@pytest.mark.parametrize(
    ("status", "is_final"), [("401 Unauthorized", True), ("503 Service Unavailable", False)]
)
def test_a_proxy_without_its_server_is_tried_again(status: str, *, is_final: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode())

        proxy = threading.Thread(target=answer)
        proxy.start()
        with pytest.raises(ConnectionFailedError) as failed:
            Connection(f"ws://127.0.0.1:{listening.getsockname()[1]}", "token")
        proxy.join()
    assert failed.value.is_final is is_final


def test_what_came_before_the_server_closed_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though its close frame cannot be answered any more."""
    monkeypatch.chdir(tmp_path)  # the path of a Unix socket must be short
    server = ServerProtocol(subprotocols=[Subprotocol(SUBPROTOCOL)])
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        listening.listen()

        def shake_hands() -> socket.socket:
            peer, _ = listening.accept()
            server.receive_data(peer.recv(4096))
            (request,) = server.events_received()
            assert isinstance(request, Request)
            server.send_response(server.accept(request))
            peer.sendall(b"".join(server.data_to_send()))
            return peer

        with ThreadPoolExecutor() as threads:
            shaken = threads.submit(shake_hands)
            connection = Connection("ws+unix:socket", "token")
        with shaken.result() as peer:
            server.send_binary(b"goodbye")
            server.send_close(1000)
            peer.sendall(b"".join(server.data_to_send()))
    with connection:
        assert connection.receive() == b"goodbye"
        with pytest.raises(ConnectionFailedError, match="the server closed the connection"):
            connection.receive()
