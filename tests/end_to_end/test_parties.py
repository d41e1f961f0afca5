"""Entries of different players by seat, in matches and events of real processes."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.data import DOCS
from tests.end_to_end.arena import arena, records_of
from tests.end_to_end.conftest import Here
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


def test_players_are_told_by_their_own_names(here: Here, tmp_path: Path) -> None:
    (tmp_path / "pairs.toml").write_text(PAIRS)
    assert "baseline & random" in here("tournament", "pairs.toml", "--check").output
    (tmp_path / "event.toml").write_text(VISITORS)
    missing = here("serve", "event.toml").complaint(2)
    assert missing == "mixed / far has no token: arena token event.toml 'mixed / far'"
    wrong = here("token", "event.toml", "near").complaint(2)
    assert "no remote entry 'near' (there are: mixed / far)" in wrong


@pytest.mark.slow
def test_in_one_seat_a_machine_each_process_has_the_token_of_one_seat(tmp_path: Path) -> None:
    """Each plays its own seat, as it would on a machine of its own."""
    event = (DOCS / "examples" / "events" / "one-seat-a-machine.toml").read_text()
    (tmp_path / "event.toml").write_text(event.replace("boards = 16", "boards = 1"))
    places = {"N": "north", "S": "south", "E": "east", "W": "west"}
    tokens = {
        (team, seat): token_of(tmp_path, f"{team} / {team.lower()}-{place}")
        for team in ("Home", "Away")
        for seat, place in places.items()
    }
    with ExitStack() as running, served(tmp_path) as server:
        for (_, seat), token in tokens.items():
            running.enter_context(visitors(tmp_path, "random", server.url, token, seat))
        assert server.end() == 0
    assert len(records_of(tmp_path / "out" / "match.pbn")) == 2
    assert {line["bot"] for line in log(tmp_path / "out", "seated")} == {
        f"{team} / {team.lower()}-{places[seat]} ({seat})" for team, seat in tokens
    }
