"""A director rules on an event that a process plays, which is killed between two rulings."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from bridge_arena.commands.common.loading import Extent, load
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.standings import standings
from tests.end_to_end.arena import (
    arena,
    interrupt,
    log_of,
    started,
    units_played,
    wait_until,
)

CUP = """
[event]
name = "Cup"
format = "swiss"
rounds = 2
boards = 2
seed = 7
""" + "".join(f'[[entry]]\nbot = "random"\nname = "{name}"\n' for name in "ABCD")

PLAY = ("tournament", "cup.toml", "--out", "out", "--concurrency", "1", "--no-control")


@pytest.mark.slow
def test_rulings_hold_through_a_kill_and_the_pbn_file_alone_gives_the_standings(
    tmp_path: Path,
) -> None:
    (tmp_path / "cup.toml").write_text(CUP)
    out = tmp_path / "out"

    def rule(*words: str) -> str:
        ended = arena(tmp_path, "direct", "out", *words, "--reason", "as it was")
        assert ended.status == 0, ended
        return ended.output

    def rulings_taken_up() -> int:
        return sum(line["event"] == "ruling" for line in log_of(out))

    # At this pace nobody rules too late.
    with started(tmp_path, *PLAY, "--pace", "0.1") as playing:
        wait_until(lambda: len(units_played(out)) > 1, "a board is played in both rooms")
        rule("pause")
        wait_until(lambda: rulings_taken_up() == 1, "the event pauses")
        before = units_played(out)
        rule("withdraw", "D", "--round", "2")
        wait_until(lambda: rulings_taken_up() == 2, "the withdrawal is taken up")
        assert units_played(out) == before
        interrupt(playing, signal.SIGKILL)
    first = before[0].split("/")
    board = load(str(out), [], Extent.RECORDS)[0].played[0].board.number
    rule("annul", "/".join(first[:2]), str(board))
    assert "rounds up to 1 are drawn" in rule("penalty", "A", "50")
    rule("go-on")
    ended = arena(tmp_path, *PLAY, "--resume")
    assert ended.status == 0, ended
    assert "Rulings of the director" in ended.output
    (stored,), (alone,) = (load(str(path), [], Extent.RECORDS) for path in (out, out / "event.pbn"))
    assert [one.decision.kind for one in alone.rulings] == [
        "pause",
        "withdraw",
        "annul",
        "penalty",
        "go-on",
    ]
    ranked = standings(alone.event, alone.so_far)
    assert ranked == standings(stored.event, stored.so_far)
    assert {one.entry for one in ranked.entries if one.withdrawn} == {3}
    (_, second) = plan(alone.event, alone.so_far)
    assert 3 not in {entry for match in second.matches for entry in match.entries}
    assert arena(tmp_path, "deal", "--verify", "out/event.pbn").status == 0
