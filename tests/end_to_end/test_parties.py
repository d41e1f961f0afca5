"""Entries of different players by seat, in matches and events of real processes."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.arena import arena, end_of, records_of, started, untimed, wait_until
from tests.end_to_end.serving import served, token_of, visitors

PAIRS = """\
[event]
name = "Mixed pairs"
format = "pairs"
boards = 1
seed = 3

[[entry]]
bot = "baseline & random"

[[entry]]
bot = "baseline"

[[entry]]
bot = "random & baseline"
name = "turned"

[[entry]]
bot = "random"
"""

VISITORS = """\
[event]
name = "A visitor as a partner"
format = "match"
boards = 1

[[entry]]
bot = "random & remote:far"
name = "mixed"

[[entry]]
bot = "random"
name = "near"
"""


def log(folder: Path, what: str) -> list[dict[str, Any]]:
    lines = map(json.loads, (folder / "log.jsonl").read_text().splitlines())
    return [line for line in lines if line["event"] == what]


def is_begun(folder: Path) -> bool:
    """Whether a board is over."""
    return (folder / "log.jsonl").exists() and bool(log(folder, "board_ended"))


def seats(folder: Path) -> dict[str, str]:
    """Return the spec of each process that was started, by its player and seat."""
    return {line["bot"]: line["command"][-1] for line in log(folder, "bot_started")}


@pytest.mark.slow
def test_a_team_of_four_plays_a_team_of_two(tmp_path: Path) -> None:
    four = "four=baseline & random & random & baseline"
    ended = arena(
        tmp_path, *("match", four, "baseline & random", "--boards", "1", "--seed", "2"),
        *("--out", "out", "--concurrency", "1"),
    )  # fmt: skip
    assert ended.status == 0, ended
    two = "baseline & random"
    assert seats(tmp_path / "out") == {
        "four / baseline (N)": "baseline",
        "four / random (S)": "random",
        "four / random (E)": "random",
        "four / baseline (W)": "baseline",
        f"{two} / baseline (N)": "baseline",
        f"{two} / baseline (E)": "baseline",
        f"{two} / random (S)": "random",
        f"{two} / random (W)": "random",
    }
    open_room, closed = records_of(tmp_path / "out" / "match.pbn")
    assert open_room.players == ("four", two, "four", two)
    assert closed.players == (two, "four", two, "four")
    assert '"bot":"' + four in (tmp_path / "out" / "match.pbn").read_text("latin-1").replace(
        "\r\n% ArenaEvent ", ""
    )


@pytest.mark.slow
def test_an_event_of_pairs_goes_on_with_the_same_players(tmp_path: Path) -> None:
    (tmp_path / "pairs.toml").write_text(PAIRS)
    checked = arena(tmp_path, "tournament", "pairs.toml", "--check")
    assert "baseline & random" in checked.output
    assert arena(tmp_path, "tournament", "pairs.toml", "--out", "whole").status == 0
    command = ("tournament", "pairs.toml", "--out", "out", "--concurrency", "1")
    with started(tmp_path, *command) as process:
        wait_until(lambda: is_begun(tmp_path / "out"), "a board")
        process.send_signal(signal.SIGINT)
        assert end_of(process).status == 3
    assert arena(tmp_path, *command, "--resume").status == 0
    assert untimed(tmp_path / "out" / "event.pbn") == untimed(tmp_path / "whole" / "event.pbn")
    players = seats(tmp_path / "out")
    assert players["turned / random (N)"] == "random"
    assert players["turned / baseline (S)"] == "baseline"
    assert players["baseline & random / baseline (N)"] == "baseline"


@pytest.mark.slow
def test_a_player_from_elsewhere_has_a_token_for_its_own_seats(tmp_path: Path) -> None:
    (tmp_path / "event.toml").write_text(VISITORS)
    missing = arena(tmp_path, "serve", "event.toml").complaint(2)
    assert missing == "mixed / far has no token: arena token event.toml 'mixed / far'"
    wrong = arena(tmp_path, "token", "event.toml", "mixed").complaint(2)
    assert "no remote entry 'mixed' (there are: mixed / far)" in wrong
    token = token_of(tmp_path, "mixed / far")
    with served(tmp_path, "--concurrency", "1") as server:
        with visitors(tmp_path, "random", server.url, token, "N", ARENA_PATIENCE="0") as (bot,):
            assert bot.wait() == 1, "that seat is its partner's"
        with visitors(tmp_path, "random", server.url, token, "SW"):
            assert server.end() == 0
    waiting = "waiting for mixed / far in seats S W: one process of the bot for each seat"
    assert waiting in server.lines
    assert set(seats(tmp_path / "out")) == {
        *("mixed / random (N)", "mixed / random (E)"),
        *(f"near ({seat})" for seat in "NESW"),
    }
