"""Sessions that are kept in a file, and played back."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from bridge_arena.bots.sdk.client import REPLAY_LOG, run
from bridge_arena.bots.sdk.replay_log import print_replay, replay_log
from bridge_arena.bots.sdk.tables import play_table
from bridge_arena.bots.sdk.wire_log import WIRE_LOG, WireLog, WireLogError, read_wire_log
from bridge_arena.bridge.calls import Call
from bridge_arena.protocol.messages import Hello, Snapshot
from bridge_arena.protocol.view import View
from tests.bots.sdk.test_client import (
    GOODBYE,
    URL,
    WELCOME,
    Passer,
    Script,
    Thinker,
    boards,
    script,
    start,
    turn,
)

__all__ = ["script"]

SECRET = "what lets it come back"
"""The session that a bot may resume."""

BACK = WELCOME.model_copy(update={"session": SECRET, "grace_seconds": 30.0})

LOST = {
    "a": [[BACK], [start(1), turn(1)], [start(2), turn(2)]],
    "a2": [[BACK], [Snapshot(events=[start(2), turn(2, 7)])], [GOODBYE]],
}
"""A bot whose connection is lost, and who comes back."""


class Bidder(Passer):
    """Bids on the second board."""

    def call(self, view: View) -> Call:
        return Call("1NT") if view.number == 2 else super().call(view)


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file in which the sessions of the test are kept."""
    path = tmp_path / "wire.jsonl"
    monkeypatch.setenv(WIRE_LOG, str(path))
    return path


@pytest.mark.parametrize("script", [LOST], indirect=True)
def test_a_session_is_kept_message_by_message_without_what_opens_a_seat(
    script: Script, log: Path
) -> None:
    play_table(Passer(), URL, "a", patience=60.0)
    frames = list(read_wire_log(log))
    assert [frame.side for frame in frames if frame.messages[0]["type"] != "Hello"].count(
        "bot"
    ) == 3
    kinds = [message["type"] for frame in frames for message in frame.messages]
    once = ["Hello", "Welcome", "BoardStart", "YourTurn", "MakeCall", "BoardStart", "YourTurn"]
    assert kinds == [*once, "MakeCall", "Hello", "Welcome", "Snapshot", "MakeCall", "Goodbye"]
    assert len({frame.session for frame in frames}) == 1, "it is one session"
    times = [json.loads(line)["time"] for line in log.read_text().splitlines()]
    assert times == sorted(times)
    assert SECRET not in log.read_text()
    if os.name == "posix":
        assert log.stat().st_mode & 0o077 == 0, "its cards are nobody else's to read"
    assert [each.resume for each in script.sent["a2"] if isinstance(each, Hello)] == [SECRET]


@pytest.mark.parametrize("script", [LOST], indirect=True)
@pytest.mark.usefixtures("script")
def test_a_bot_is_asked_again_what_it_was_asked(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play_table(Passer(), URL, "a", patience=60.0)
    print_replay(Passer, log)
    assert capsys.readouterr().out == "3 turns, all as then\n"
    turns = list(replay_log(Bidder, log))
    assert [(each.board, each.now, each.then) for each in turns] == [
        (1, "Pass", "Pass"),
        (2, "1NT", "Pass"),
        (2, "1NT", "Pass"),
    ]
    print_replay(Bidder, log)
    told = capsys.readouterr().out.splitlines()
    assert told[-1] == "3 turns, 2 answered differently"
    assert told[0] == f"{log}:{turns[1].line}: board 2: 1NT now, Pass then"


@pytest.mark.parametrize("script", [{"a": boards(1, 2)}], indirect=True)
@pytest.mark.usefixtures("script")
def test_run_plays_a_log_back_and_connects_to_nobody(
    log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play_table(Thinker(), URL, "a")
    monkeypatch.setenv(REPLAY_LOG, str(log))
    with pytest.raises(SystemExit) as ended:
        run(Thinker)
    assert ended.value.code is None
    assert capsys.readouterr().out == "2 turns, all as then\n"
    monkeypatch.setenv(REPLAY_LOG, str(log.with_name("none")))
    with pytest.raises(SystemExit, match=r"none cannot be read: No such file"):
        run(Thinker)


@pytest.mark.parametrize("script", [{"a": boards(1), "b": boards(2)}], indirect=True)
@pytest.mark.usefixtures("script")
def test_bots_that_share_a_file_are_told_apart(log: Path) -> None:
    class Other(Passer):
        name = "other"

    play_table(Passer(), URL, "a")
    play_table(Other(), URL, "b")
    assert [each.board for each in replay_log(Passer, log)] == [1]
    assert [each.board for each in replay_log(Other, log)] == [2]
    Other.name = "nobody"
    with pytest.raises(WireLogError, match="has no session of nobody: sessions of other, passer"):
        list(replay_log(Other, log))


@pytest.mark.parametrize("script", [{"a": boards(1)}], indirect=True)
@pytest.mark.usefixtures("script")
def test_a_bug_is_met_again(log: Path) -> None:
    class Broken(Passer):
        def call(self, view: View) -> Call:
            raise RuntimeError(f"lost my mind on board {view.number}")

    with pytest.raises(RuntimeError):
        play_table(Broken(), URL, "a")
    with pytest.raises(RuntimeError, match="on board 1"):
        list(replay_log(Broken, log))


@pytest.mark.parametrize(
    "line",
    [
        "no JSON",
        "[]",
        '{"time": 1}',
        '{"time": 1, "session": "1-1", "from": "server", "messages": 3}',
        '{"time": 1, "session": "1-1", "from": "nobody", "messages": []}',
    ],
)
def test_what_is_no_log_is_named_by_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "log"
    good = '{"time": 0, "session": "1-1", "from": "server", "messages": []}'
    path.write_text(f"{good}\n{line}\n")
    with pytest.raises(WireLogError, match=f"{path}:2: expected a line of a wire log"):
        list(read_wire_log(path))


def test_a_message_that_is_none_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "log"
    said = {"bot": {"type": "Hello", "name": "passer"}, "server": {"type": "Wellcome"}}
    lines = ({"session": "1", "from": side, "messages": [each]} for side, each in said.items())
    path.write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(WireLogError, match=f"{path}:2: .*Wellcome"):
        list(replay_log(Passer, path))


def test_what_is_no_frame_is_kept_as_it_came(tmp_path: Path) -> None:
    log = WireLog(tmp_path / "log")
    log.received(b"\xc1")
    (line,) = (tmp_path / "log").read_text().splitlines()
    assert json.loads(line)["bytes"] == "c1"


@pytest.mark.parametrize("script", [{"a": boards(1)}], indirect=True)
def test_a_disk_that_is_full_ends_the_log_and_not_the_bot(
    script: Script, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(WIRE_LOG, "/dev/full")
    play_table(Passer(), URL, "a")
    assert len(script.sent["a"]) == 2
    (logged,) = caplog.records
    assert "the wire log ends here" in logged.getMessage()


@pytest.mark.parametrize("script", [{"a": boards(1)}], indirect=True)
@pytest.mark.usefixtures("script")
def test_a_file_that_cannot_be_written_to_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(WIRE_LOG, str(tmp_path))
    with pytest.raises(SystemExit, match=r"cannot keep a wire log: .*Is a directory"):
        run(Passer, url=URL, token="a")
