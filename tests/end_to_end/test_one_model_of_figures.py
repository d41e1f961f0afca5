"""The report of a match and the leaderboard of the same folder tell the same figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.arena import arena, summary_of
from tests.end_to_end.conftest import FinishedMatch

SEEN_BY_THE_PLACE = ("event", "replay")
"""The keys that the leaderboard adds to a broken promise: the place of its replay."""


def leaderboard_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "leaderboard.json").read_text())
    for entry in found["entries"]:
        for told in entry["explanations"]["worst"]:
            for key in SEEN_BY_THE_PLACE:
                del told[key]
    return found


def shared(one: dict[str, Any], other: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    return {key: (one[key], other[key]) for key in one.keys() & other.keys()}


def check_is_one_model(folder: Path) -> None:
    summary, board = summary_of(folder), leaderboard_of(folder)
    entries = {entry["name"]: entry for entry in board["entries"]}
    assert summary["names"] == [bot["name"] for bot in summary["bots"]]
    for bot in summary["bots"]:
        assert bot.keys() <= entries[bot["name"]].keys(), "a bot is an entry"
        for key, (own, other) in shared(bot, entries[bot["name"]]).items():
            assert own == other, key
    (event,) = board["events"]
    (match,) = event["matches"]
    (meeting,) = board["head_to_head"]
    compared = shared(summary, {**event, **match})
    assert compared.keys() >= {"mode", "deals", "terms", "boards", "imps", "victory_points"}
    if meeting["first"] == summary["names"][0]:
        compared |= shared(summary, meeting)
    compared["p_value"] = summary["p_value"], meeting["p_value"]
    for key, (own, other) in compared.items():
        assert own == other, key


@pytest.mark.slow
def test_a_match_and_its_leaderboard_tell_the_same_figures(
    finished_match: FinishedMatch, tmp_path: Path
) -> None:
    games = (finished_match.folder / "match.pbn").read_text("latin-1").split("[Event ")
    for name, kept in (("whole", games), ("half", games[:-1])):
        (tmp_path / f"{name}.pbn").write_text("[Event ".join(kept), "latin-1")
        for command in ("report", "leaderboard"):
            ended = arena(tmp_path, command, f"{name}.pbn", "--out", name)
            assert ended.status == 0, ended
        check_is_one_model(tmp_path / name)
    whole, half = (summary_of(tmp_path / name) for name in ("whole", "half"))
    assert (half["boards"], half["single_table_boards"]) == (whole["boards"] - 1, 1)

    def declared(summary: dict[str, Any]) -> int:
        return sum(bot["tricks_vs_dd"]["declarer"]["n"] for bot in summary["bots"])

    # The last board has a table alone, which counts where it is of a player, not of a board.
    played = ['[Declarer ""]' not in game for game in games[1:]]
    assert (declared(whole), declared(half)) == (sum(played), sum(played[:-1]))
    assert half["bots"][0]["ledger"]["boards"] == whole["bots"][0]["ledger"]["boards"] - 1
