"""A director rules on an event that a process plays, which is killed between two rulings."""

from __future__ import annotations

import json
import re
import signal
from bisect import bisect_right
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest

from bridge_arena.bridge.record import Room
from bridge_arena.commands.common.loading import Extent, load
from bridge_arena.tournaments import Director, Store
from bridge_arena.tournaments.events.boards import substitute
from bridge_arena.tournaments.schedule.rulings import (
    Adjust,
    Annul,
    Appeal,
    ChangeClock,
    ChangeGrace,
    Decision,
    Forfeit,
    GoOn,
    Pause,
    Penalty,
    Readmit,
    Replay,
    TakeBack,
    Waive,
    Withdraw,
)
from bridge_arena.tournaments.schedule.standings import standings
from tests.end_to_end.arena import (
    arena,
    interrupt,
    log_of,
    started,
    units_played,
    wait_until,
    write_bot,
)

NAMES = "ABCDEF"
BOARDS, ROUNDS = 3, 3

CUP = f"""
[event]
name = "Cup"
format = "swiss"
scoring = "imps"
mode = "bidding"
deals = "fresh"
rounds = {ROUNDS}
boards = {BOARDS}
[policies]
grace = 0.05
"""

# It is lost on its first board in the closed room, and for good, as it has no restarts.
CRASHING = """
    import os
    from pathlib import Path
    from bridge_arena.bots.sdk.client import run
    from bridge_arena.bots.random.bot import RandomBot

    class Crashing(RandomBot):
        def call(self, view):
            if view.seat.letter in "EW" and not (mark := Path("crashed")).exists():
                mark.touch()
                os._exit(5)
            return super().call(view)

    run(Crashing)
"""

PLAY = ("tournament", "cup.toml", "--out", "out", "--concurrency", "1", "--no-control")

STEPS = [20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500]
STEPS += [1750, 2000, 2250, 2500, 3000, 3500, 4000]
"""The least differences in points for one IMP, two and so on (Law 78B)."""


@pytest.mark.slow
def test_rulings_of_all_kinds_hold_through_a_kill_and_give_the_standings(tmp_path: Path) -> None:
    crashing = write_bot(tmp_path, "crashing", CRASHING)
    entries = [f'name = "A"\nbot = {json.dumps(crashing)}\nrestarts = 0\n']
    entries += [f'name = "{name}"\nbot = "random"\n' for name in NAMES[1:]]
    (tmp_path / "cup.toml").write_text("".join([CUP, *(f"[[entry]]\n{one}" for one in entries)]))
    out = tmp_path / "out"

    def rule(*decisions: Decision) -> None:
        for decision in decisions:
            with closing(Store.open(out / "results.sqlite")) as store:
                director = Director(store)
                now = datetime.now(UTC)
                made = director.ruling(decision, author="Dirk", reason="as it was", time=now)
                assert director.rule(made)

    def rulings_taken_up() -> int:
        return sum(line["event"] == "ruling" for line in log_of(out))

    # At this pace nobody rules too late.
    with started(tmp_path, *PLAY, "--pace", "0.05") as playing:
        wait_until(
            lambda: any(line["event"] == "withdrawn" for line in log_of(out)), "A loses a board"
        )
        # So that the round does not end.
        rule(Pause(match="1/2", room=Room.CLOSED), Forfeit(match="1/3", entry=5))
        rule(Waive(match="1/1", board=1, room=Room.CLOSED))
        whole = {f"1/1/{board}/{room}" for board in (1, 2, 3) for room in ("open", "closed")}
        wait_until(lambda: whole <= set(units_played(out)), "match 1/1 is played")
        rule(Replay(match="1/1", board=2))
        anew = f"1/1/{substitute(4, 2)}/open"
        wait_until(lambda: anew in units_played(out), "a substitute is played")
        rule(Pause(), Annul(match="1/1", board=3), ChangeClock(clock="30 board=300", entry=1))
        wait_until(lambda: rulings_taken_up() == 7, "the event pauses")
        before = units_played(out)
        interrupt(playing, signal.SIGKILL)
    rule(Adjust(match="1/1", board=1, room=Room.CLOSED, ns="4SN=", ew="60% 420, 40% -50"))
    rule(ChangeGrace(seconds=20), Penalty(entry=1, amount=50), Penalty(entry=2, amount=9))
    rule(Appeal(ruling=9), TakeBack(ruling=11), Withdraw(entry=3, round=2))
    rule(Readmit(entry=3, round=3), GoOn())
    ruled = arena(tmp_path, "direct", "out", "go-on", "--match", "1/2", "--room", "closed", *WHY)
    assert ruled.status == 0, ruled
    assert units_played(out) == before
    ended = arena(tmp_path, *PLAY, "--resume")
    assert ended.status == 0, ended
    assert "Rulings of the director" in ended.output
    (stored,), (alone,) = (load(str(path), [], Extent.RECORDS) for path in (out, out / "event.pbn"))
    assert len({one.decision.kind for one in alone.rulings}) == len(get_args(Decision))
    ranked = standings(alone.event, alone.so_far)
    assert ranked == standings(stored.event, stored.so_far)
    scores = {NAMES[one.entry]: one.score for one in ranked.entries}
    assert scores == recomputed((out / "event.pbn").read_text("latin-1"))
    assert arena(tmp_path, "deal", "--verify", "out/event.pbn").status == 0


WHY = ("--reason", "as it was")


def recomputed(pbn: str) -> dict[str, float]:
    """The standings by the text of the PBN file, worked out by other means than the arena's."""
    made: list[dict[str, Any]] = json.loads("".join(re.findall(r"(?m)^% ArenaRulings (.*)$", pbn)))
    back = {one["decision"]["ruling"] for one in made if one["decision"]["kind"] == "take-back"}
    rulings = [one["decision"] for one in made if one["number"] not in back]
    scores = dict.fromkeys(NAMES, 0.0)
    matches = {"1/3": Met("CF"), **played(pbn)}  # F forfeited before a board
    for match, met in matches.items():
        own = [one for one in rulings if one.get("match") == match]
        for team, gain in zip(met.teams, met.gains(own), strict=True):
            scores[team] += gain
    (away,) = (NAMES[one["entry"]] for one in rulings if one["kind"] == "withdraw")
    for number in range(1, ROUNDS + 1):
        of_round = [met.teams for match, met in matches.items() if match[0] == str(number)]
        meeting = {team for teams in of_round for team in teams}
        free = set(NAMES) - meeting
        assert (away in free) == (number == 2)
        for team in free - {away}:
            scores[team] += 3 * BOARDS
    for one in rulings:
        if one["kind"] == "penalty":
            scores[NAMES[one["entry"]]] -= one["amount"]
    return scores


@dataclass
class Met:
    """A match: its teams, and North-South's points on its boards, by room."""

    teams: Sequence[str]
    points: dict[int, dict[str, int | None]] = field(default_factory=dict)

    def gains(self, rulings: Sequence[dict[str, Any]]) -> tuple[float, float]:
        """The IMPs of home and visitors."""
        for one in rulings:
            if one["kind"] == "forfeit":
                return (3 * BOARDS, -3 * BOARDS) if one["entry"] == 5 else (0, 0)
        home = visitors = 0
        gone = {one["board"] for one in rulings if one["kind"] in ("annul", "replay")}
        for board in self.points.keys() - gone:
            in_open, in_closed = (self.points[board][room] for room in ("Open", "Closed"))
            assert in_open is not None
            if any(one["kind"] == "adjust" and one["board"] == board for one in rulings):
                # 4SN= in the closed room, where home is East-West and given it as 60% of 420.
                assert in_closed is None
                visitors -= imps(in_open - 420)
                home += whole(0.6 * imps(in_open - 420) + 0.4 * imps(in_open + 50))
            else:
                assert in_closed is not None
                home += imps(in_open - in_closed)
                visitors -= imps(in_open - in_closed)
        return home, visitors


def played(pbn: str) -> dict[str, Met]:
    matches: dict[str, Met] = {}
    for text in re.split(r"\n\n+", pbn):
        game = dict(re.findall(r'(?m)^\[(\w+) "(.*)"\]', text))
        if "Round" in game:
            score = re.fullmatch(r"(NS|EW) (-?\d+)", game.get("Score", ""))
            of_ns = None if score is None else int(score[2]) * (1 if score[1] == "NS" else -1)
            teams = game["HomeTeam"], game["VisitTeam"]
            met = matches.setdefault(f"{game['Round']}/{game['Table']}", Met(teams))
            met.points.setdefault(int(game["Board"]), {})[game["Room"]] = of_ns
    return matches


def imps(difference: int) -> int:
    size = bisect_right(STEPS, abs(difference))
    return size if difference > 0 else -size


def whole(value: float) -> int:
    """Round to a whole number, a half away from zero."""
    return int(abs(value) + 0.5) * (1 if value > 0 else -1)
