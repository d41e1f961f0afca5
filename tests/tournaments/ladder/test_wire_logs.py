"""Tests of the messages of a ladder's players that are kept: which, how many, and for how long."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.codec import encode
from bridge_arena.protocol.messages import Leave
from bridge_arena.server.websocket_player import Direction
from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.ladder import wire_logs
from bridge_arena.tournaments.ladder.authors.author_records import own_messages
from bridge_arena.tournaments.ladder.players import Player, State
from bridge_arena.tournaments.ladder.wire_logs import MATCHES, MatchWireLogs, WireLogs
from bridge_arena.tournaments.play.seating.seats import EntrySeat
from tests.tournaments.ladder.test_remote_players import FILE, Team, open_store, played

MESSAGE = encode(Leave(reason="\N{SNOWMAN} or not"))


def player(number: int, name: str, author: str = "Ann", bot: str = "remote:a") -> Player:
    entrant = Entrant(bot=bot, name=name)
    return Player(number, entrant, author, State.ACTIVE)


def note(match: MatchWireLogs, player: Player, times: int = 1) -> bool:
    """Have North of a player say something; return whether it was noted."""
    log = match.of_seat(EntrySeat(player.entrant.known_players[0], Seat.NORTH))
    if log is not None:
        for _ in range(times):
            log(Direction.RECEIVED, MESSAGE)
    match.close()
    return log is not None


def kept(logs: WireLogs, player: int, matches: Iterable[int]) -> list[int]:
    return [match for match in matches if logs.is_kept(player, match)]


@pytest.mark.slow
async def test_the_messages_of_a_match_are_kept_of_the_players_of_authors(tmp_path: Path) -> None:
    text = FILE.replace('"remote:one"', '"remote:one"\nauthor = "Ann"')
    open_store(tmp_path, text).close()
    await played(tmp_path, [Team("one"), Team("other")], 2)
    assert [path.name for path in (tmp_path / "wire").iterdir()] == ["1"]
    with closing(open_store(tmp_path)) as store:
        one, other = store.players().values()
        messages = own_messages(store, tmp_path, one, 1)
        assert own_messages(store, tmp_path, other, 1) is None
        assert own_messages(store, tmp_path, one, 2) is None
    assert messages is not None
    lines: list[dict[str, Any]] = [json.loads(line) for line in "".join(messages).splitlines()]
    assert {line["seat"] for line in lines} == set("NESW")
    assert [line["time"] for line in lines] == sorted(line["time"] for line in lines)
    kinds = {(line["direction"], line["message"]["type"]) for line in lines}
    assert {("sent", "YourTurn"), ("sent", "BoardEnd"), ("received", "PlayCard")} <= kinds
    for seat in "NESW":
        # Two boards, in the room where the team has the seat; each begins with the own hand alone.
        own = [line["message"] for line in lines if line["seat"] == seat]
        starts = [message for message in own if message["type"] == "BoardStart"]
        assert len(starts) == 2
        assert not any("deal" in start for start in starts)


def test_who_has_no_author_has_no_messages_and_a_bot_of_both_neither(tmp_path: Path) -> None:
    logs = WireLogs(tmp_path)
    nobodys, mine, other = player(1, "x", ""), player(2, "Both / a"), player(3, "y", "Bo")
    assert not note(logs.of_match(1, [nobodys, mine]), nobodys)
    assert note(logs.of_match(1, [nobodys, mine]), mine)
    assert note(logs.of_match(2, [mine, other]), other)
    assert (kept(logs, 2, [1, 2]), kept(logs, 3, [1, 2])) == ([1], [2])
    # As an earlier release let it come.
    for author in ("Bo", ""):
        twin = player(4, "Both", author, "remote:a & remote:b")
        assert mine.entrant.known_players[0] == twin.entrant.known_players[0]
        for one in (mine, twin):
            assert not note(logs.of_match(3, [mine, twin]), one)


def test_messages_are_read_as_they_were_and_by_their_owner_alone(tmp_path: Path) -> None:
    logs, mine = WireLogs(tmp_path), player(1, "a")
    note(logs.of_match(7, [mine]), mine)
    note(logs.of_match(7, [mine]), mine)  # the match goes on
    (line, _) = (json.loads(line) for line in logs.lines(1, 7))
    assert line["message"] == {"type": "Leave", "reason": "\N{SNOWMAN} or not"}
    assert (line["seat"], line["direction"]) == ("N", "received")
    (file,) = (tmp_path / "wire" / "1").iterdir()
    for path in (file, file.parent, file.parent.parent):
        assert path.stat().st_mode & 0o077 == 0


def test_a_bot_that_floods_fills_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire_logs, "MOST_BYTES", 1000)
    logs, mine = WireLogs(tmp_path), player(1, "a")
    for _ in range(2):
        note(logs.of_match(1, [mine]), mine, 1000)
    assert 1000 <= (tmp_path / "wire" / "1" / "1.msgpack").stat().st_size < 1100
    for match in range(2, 2 * MATCHES):
        note(logs.of_match(match, [mine]), mine)
    assert kept(logs, 1, range(2 * MATCHES)) == [*range(MATCHES, 2 * MATCHES)]


def test_messages_are_read_in_parts_as_they_may_be_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs, mine = WireLogs(tmp_path), player(1, "a")
    note(logs.of_match(1, [mine]), mine, 100)
    lines = list(logs.lines(1, 1))
    monkeypatch.setattr(wire_logs, "PART", 5 * len(lines[0]))
    parts = list(logs.parts(1, 1))
    assert "".join(parts) == "".join(lines)
    assert max(map(len, parts)) == 5 * len(lines[0])


def test_messages_that_cannot_be_written_keep_nobody_from_playing(tmp_path: Path) -> None:
    (tmp_path / "wire").write_text("in the way")
    logs, mine = WireLogs(tmp_path), player(1, "a")
    assert note(logs.of_match(1, [mine]), mine)
    assert not logs.is_kept(1, 1)


def test_messages_that_cannot_be_looked_at_keep_nobody_from_playing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(path: Path, **_: object) -> os.stat_result:
        raise OSError(errno.EIO, "Input/output error", str(path))

    logs, mine = WireLogs(tmp_path), player(1, "a")
    note(logs.of_match(1, [mine]), mine)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "stat", broken)
        assert note(logs.of_match(1, [mine]), mine)
    assert logs.is_kept(1, 1)


def test_what_a_power_cut_left_incomplete_ends_the_messages(tmp_path: Path) -> None:
    logs, mine = WireLogs(tmp_path), player(1, "a")
    note(logs.of_match(1, [mine]), mine, 3)
    path = tmp_path / "wire" / "1" / "1.msgpack"
    os.truncate(path, path.stat().st_size - 5)
    assert len(list(logs.lines(1, 1))) == 2
    with path.open("ab") as file:
        file.write(b"\xc1\x00" * 9)
    assert len(list(logs.lines(1, 1))) == 2


def test_old_messages_are_deleted_like_thoughts(tmp_path: Path) -> None:
    logs, mine = WireLogs(tmp_path), player(1, "a")
    assert not logs.delete_next("2026-11-01T00:00:00+00:00")
    for match in (1, 2):
        note(logs.of_match(match, [mine]), mine)
    os.utime(tmp_path / "wire" / "1" / "1.msgpack", (0, 0))
    assert [logs.delete_next("2026-11-01T00:00:00+00:00") for _ in range(2)] == [True, False]
    assert kept(logs, 1, [1, 2]) == [2]
