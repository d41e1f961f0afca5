"""Tests of whole events: their files, the price of a lost bot, and resuming."""

from __future__ import annotations

import json
import re
import shlex
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import text

from bridge_arena.bridge.record import FaultKind
from bridge_arena.bridge.seats import Side
from bridge_arena.tournaments.store.database import connect
from tests.data import DOCS
from tests.end_to_end.arena import (
    Ended,
    arena,
    bot_pids,
    end_of,
    interrupt,
    is_alive,
    log_of,
    order_stop,
    records_of,
    started,
    summary_of,
    units_played,
    untimed,
    wait_until,
    write_bot,
)
from tests.end_to_end.conftest import Here
from tests.tournaments.store.contents import contents

# On the second board it crashes as East, as long as a file is not there.
CRASHING = """
    import os
    from pathlib import Path
    from bridge_arena.bots.baseline.bot import BaselineBot
    from bridge_arena.bots.sdk.client import run

    class Crashing(BaselineBot):
        def call(self, view):
            crashed = Path(os.environ["CRASHED"])
            if view.number == 2 and str(view.seat) == "E" and not crashed.exists():
                if crashed.parent.exists():
                    crashed.touch()
                raise RuntimeError("lost my mind")
            return super().call(view)

    run(Crashing)
"""

# From the second board on it waits for a file before it bids.
HESITANT = """
    import os, time
    from pathlib import Path
    from bridge_arena.bots.random.bot import RandomBot
    from bridge_arena.bots.sdk.client import run

    class Hesitant(RandomBot):
        def call(self, view):
            while view.number >= 2 and not Path(os.environ["GREEN_LIGHT"]).exists():
                time.sleep(0.01)
            return super().call(view)

    run(Hesitant)
"""


def write_event(folder: Path, bots: dict[str, str], **settings: object) -> None:
    """An event file; a setting `policies_NAME` is one of its policies."""
    lines = ["[event]", 'name = "Cup"', "seed = 5"]
    policies = ["[policies]"]
    for key, value in settings.items():
        part, name = (policies, key.removeprefix("policies_")) if "_" in key else (lines, key)
        part.append(f"{name} = {json.dumps(value)}")
    for name, bot in bots.items():
        policies += ["[[entry]]", f"bot = {json.dumps(bot)}", f"name = {json.dumps(name)}"]
    (folder / "cup.toml").write_text("\n".join([*lines, *policies]) + "\n")


def tournament(folder: Path, *options: str, **environment: str) -> Ended:
    command = ("tournament", "cup.toml", "--out", "out", *options)
    return arena(folder, *command, environment=environment)


def board_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "leaderboard.json").read_text())
    return found


@dataclass(frozen=True, slots=True)
class Played:
    place: Path
    ended: Ended

    @property
    def out(self) -> Path:
        return self.place / "out"


@pytest.fixture(scope="module")
def crashed_once(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A round robin of three bots, one of which crashes once."""
    place = tmp_path_factory.mktemp("crashed")
    bot = write_bot(place, "crashing", CRASHING)
    bots = {"one": "baseline", "two": "random", "bad": bot}
    # Nobody waits for it to come back to the board.
    write_event(place, bots, format="round-robin", boards=3, policies_grace=0)
    (place / "marks").mkdir()
    crashed = str(place / "marks" / "crashed")
    return Played(place, tournament(place, "--concurrency", "2", CRASHED=crashed))


@pytest.mark.slow
class TestCrashedOnce:
    def test_an_event_with_a_bot_that_crashed_once_succeeds(self, crashed_once: Played) -> None:
        ended = crashed_once.ended
        assert (ended.status, ended.errors) == (0, "")
        assert ended.output.startswith(
            "Cup: round-robin, 3 entries, 18 tables, seed 5 (reproducible, not sealed)\n"
        )
        assert ended.output.splitlines()[-1] == "results in out"

    def test_the_board_is_adjusted_and_all_others_are_played(self, crashed_once: Played) -> None:
        records = records_of(crashed_once.out / "event.pbn")
        assert len(records) == 18
        (adjusted,) = [record for record in records if not record.is_finished]
        (fault,) = adjusted.faults
        assert (adjusted.board.number, adjusted.adjusted) == (2, Side.EW)
        assert (fault.kind, str(fault.seat)) == (FaultKind.CRASH, "E")
        assert fault.detail == "exit status 1: RuntimeError: lost my mind"
        assert sorted(units_played(crashed_once.out)) == sorted(set(units_played(crashed_once.out)))

    def test_the_bot_is_started_again(self, crashed_once: Played) -> None:
        lines = log_of(crashed_once.out)
        starts = [line["bot"] for line in lines if line["event"] == "bot_started"]
        assert sorted(starts) == sorted(
            [f"{name} ({seat})" for name in ("one", "two", "bad") for seat in "NESW"] + ["bad (E)"]
        )
        assert [line["bot"] for line in lines if line["event"] == "bot_lost"] == ["bad (E)"]
        assert lines[-1]["event"] == "event_ended"
        assert not any(map(is_alive, bot_pids(crashed_once.out)))

    def test_the_report_of_the_pbn_file_alone_is_the_same(
        self, here: Here, crashed_once: Played, tmp_path: Path
    ) -> None:
        path = str(crashed_once.out / "event.pbn")
        ended = here("report", path, "--out", "alone")
        assert (ended.status, ended.errors) == (0, "")
        assert board_of(tmp_path / "alone") == board_of(crashed_once.out)
        assert (tmp_path / "alone" / "leaderboard.csv").read_bytes() == (
            crashed_once.out / "leaderboard.csv"
        ).read_bytes()

    @pytest.mark.slow
    def test_a_bot_may_crash_at_a_board_of_several_tables_at_once(
        self, crashed_once: Played, tmp_path: Path
    ) -> None:
        """With more tables other boards are lost together with it, and are played again."""
        (tmp_path / "cup.toml").write_text((crashed_once.place / "cup.toml").read_text())
        write_bot(tmp_path, "crashing", CRASHING)
        (tmp_path / "marks").mkdir()
        ended = tournament(
            tmp_path, "--concurrency", "9", CRASHED=str(tmp_path / "marks" / "crashed")
        )
        assert ended.status == 0, ended
        records = records_of(tmp_path / "out" / "event.pbn")
        assert len(records) == 18
        assert sum(record.adjusted is not None for record in records) == 1
        assert [line["event"] for line in log_of(tmp_path / "out")].count("bot_lost") == 1


@pytest.mark.slow
def test_an_entry_that_is_lost_too_often_is_withdrawn(tmp_path: Path) -> None:
    """It crashes on the second board of every match; the others play on."""
    bot = write_bot(tmp_path, "crashing", CRASHING)
    bots = {"one": "baseline", "two": "random", "bad": bot}
    write_event(tmp_path, bots, format="round-robin", boards=3, policies_restarts=1)
    ended = tournament(tmp_path, "--concurrency", "1", CRASHED=str(tmp_path / "nowhere" / "x"))
    line = ended.complaint(1)
    assert line.startswith("bad was withdrawn in round ")
    assert line.endswith(": crash: exit status 1: RuntimeError: lost my mind")
    assert "Traceback" not in ended.output
    out = tmp_path / "out"
    records = records_of(out / "event.pbn")
    unfinished = [record for record in records if not record.is_finished]
    assert [record.adjusted is not None for record in unfinished] in ([True, False], [False, True])
    others = [record for record in records if {record.home, record.visitors} == {"one", "two"}]
    assert len(others) == 6
    assert all(record.is_finished for record in others)
    entries = board_of(out)["entries"]
    withdrawn = {each["name"]: each["withdrawn"] for each in entries}
    assert withdrawn == {"one": False, "two": False, "bad": True}
    assert "bad (withdrawn)" in ended.output
    again = arena(tmp_path, "report", "out")
    assert (again.status, again.errors) == (0, "")


class TestResume:
    @pytest.mark.slow
    def test_an_interrupted_event_goes_on(self, tmp_path: Path) -> None:
        bot = write_bot(tmp_path, "hesitant", HESITANT)
        write_event(tmp_path, {"one": "random", "two": bot}, format="round-robin", boards=3)
        out, green_light = tmp_path / "out", tmp_path / "green"
        environment = {"GREEN_LIGHT": str(green_light)}
        command = ["tournament", "cup.toml", "--out", "out", "--concurrency", "1"]
        with started(tmp_path, *command, environment=environment) as process:
            wait_until(lambda: len(units_played(out)) == 2, "a board is played")
            order_stop(process)
            complaint = interrupt(process).complaint(3)
        go_on = "arena tournament cup.toml --out out --resume --concurrency 1"
        assert complaint == f"interrupted; go on with: {go_on}"
        assert len(records_of(out / "event.pbn")) == 2
        green_light.touch()
        refused = tournament(tmp_path, **environment).complaint(2)
        assert "out/results.sqlite exists already" in refused
        ended = arena(
            tmp_path,
            *shlex.split(complaint.partition("go on with: arena ")[2]),
            environment=environment,
        )
        assert ended.status == 0, ended
        assert len(units_played(out)) == len(set(units_played(out))) == 6
        write_event(tmp_path, {"one": "random", "two": bot}, format="round-robin", boards=4)
        changed = tournament(tmp_path, "--resume").complaint(2)
        assert changed == "cup.toml: boards changed since the event in out began"

    @pytest.mark.slow
    def test_an_event_that_was_not_begun_begins_with_resume(self, tmp_path: Path) -> None:
        write_event(tmp_path, {"one": "random", "two": "random"}, format="match", boards=1)
        ended = tournament(tmp_path, "--resume")
        assert ended.status == 0
        assert ended.output.startswith("there is nothing to go on with in out: the event begins")
        assert summary_of(tmp_path / "out")["boards"] == 1

    @pytest.mark.slow
    def test_a_bot_that_cannot_be_started_leaves_nothing(self, tmp_path: Path) -> None:
        write_event(tmp_path, {"one": "random", "two": "cmd:./nowhere"}, format="match", boards=1)
        assert "cannot start './nowhere'" in tournament(tmp_path).complaint(2)
        assert not (tmp_path / "out").exists()


class TestDatabase:
    @pytest.fixture
    def url(self, postgresql: Callable[[], str]) -> str:
        return postgresql().replace("postgresql+pg8000:", "postgresql:")

    @pytest.mark.slow
    def test_an_event_is_played_and_resumed_in_a_database(self, tmp_path: Path, url: str) -> None:
        bot = write_bot(tmp_path, "hesitant", HESITANT)
        write_event(tmp_path, {"one": "random", "two": bot}, format="round-robin", boards=3)
        out, green_light = tmp_path / "out", tmp_path / "green"
        environment = {"GREEN_LIGHT": str(green_light)}
        command = ["tournament", "cup.toml", "--out", "out", "--store", url, "--concurrency", "1"]
        with started(tmp_path, *command, environment=environment) as process:
            wait_until(lambda: len(units_played(out)) == 2, "a board is played")
            assert len(contents(url)["record"]) == 2
            # Bots may read it, and find a password there.
            assert url not in Path(f"/proc/{process.pid}/cmdline").read_text()
            order_stop(process)
            complaint = interrupt(process).complaint(3)
        go_on = shlex.split(complaint.partition("go on with: ")[2])
        assert go_on[1:-3] == [*command[:4], "--resume", "--store"]
        assert go_on[-2:] == ["--concurrency", "1"]
        again = arena(tmp_path, *command, environment=environment).complaint(2)
        assert "has an event 'Cup' already" in again
        green_light.touch()
        ended = arena(tmp_path, *go_on[1:], environment=environment)
        assert (ended.status, ended.errors) == (0, ""), ended
        assert len(contents(url)["record"]) == len(set(units_played(out))) == 6
        (query,) = re.findall(r"-c '(.*)'", (DOCS / "postgresql.md").read_text())
        engine = connect(url)
        with engine.connect() as connection:
            assert [tuple(row) for row in connection.execute(text(query))] == [("Cup", 6)]
        engine.dispose()
        assert not (out / "results.sqlite").exists()
        figures = board_of(out)

        assert arena(tmp_path, "leaderboard", url, "--out", "board").status == 0
        assert board_of(tmp_path / "board") == figures
        (out / "leaderboard.json").unlink()
        assert arena(tmp_path, "report", "out").status == 0
        assert board_of(out) == figures
        assert arena(tmp_path, "report", url, "--out", "other").status == 0
        assert board_of(tmp_path / "other") == figures

    @pytest.mark.slow
    def test_an_event_that_cannot_begin_leaves_nothing_in_the_database(
        self, tmp_path: Path, url: str
    ) -> None:
        write_event(tmp_path, {"one": "random", "two": "cmd:./nowhere"}, format="match", boards=1)
        ended = tournament(tmp_path, "--store", url, "--resume")
        assert "cannot start './nowhere'" in ended.complaint(2)
        assert not any(contents(url).values())
        assert not (tmp_path / "out").exists()

    def test_text_that_is_no_url_is_refused(self, here: Here, tmp_path: Path) -> None:
        write_event(tmp_path, {"one": "random", "two": "random"}, format="match")
        complaint = here("tournament", "cup.toml", "--store", "results.sqlite").complaint(2)
        assert complaint == "--store results.sqlite: expected the URL of a database"


class TestSequentialTest:
    TEST = ("imp0=0", "imp1=4", "alpha=0.05", "beta=0.05")

    @pytest.mark.slow
    def test_a_match_ends_early_at_the_same_board(self, tmp_path: Path) -> None:
        command = ["match", "baseline", "random", "--boards", "200", "--seed", "3"]
        quoted = [*command, "--sprt", " ".join(self.TEST), "--concurrency", "1", "--out", "one"]
        ended = arena(tmp_path, *quoted)
        assert (ended.status, ended.errors) == (0, ""), ended
        apart = [*command, "--sprt", *self.TEST, "--concurrency", "3", "--out", "three"]
        assert arena(tmp_path, *apart).status == 0

        summary = summary_of(tmp_path / "one")
        sprt = summary["sprt"]
        assert sprt["verdict"] == "H1"
        assert sprt["boards"] == summary["boards"] < 30
        assert sprt["llr"] >= sprt["bounds"][1] == pytest.approx(2.944439)
        assert (sprt["imp0"], sprt["imp1"], sprt["alpha"]) == (0, 4, 0.05)
        assert f"H1 accepted after {sprt['boards']} boards, LLR" in " ".join(ended.output.split())
        assert "H1 accepted after" in (tmp_path / "one" / "report.html").read_text()
        records = records_of(tmp_path / "one" / "match.pbn")
        assert [record.board.number for record in records[::2]] == [*range(1, sprt["boards"] + 1)]
        assert untimed(tmp_path / "three" / "match.pbn") == untimed(tmp_path / "one" / "match.pbn")
        assert summary_of(tmp_path / "three")["sprt"] == sprt
        assert arena(tmp_path, "report", "one/match.pbn", "--out", "alone").status == 0
        # A file of boards does not tell what stand-ins made of their deals.
        assert summary["control"] is not None
        assert summary_of(tmp_path / "alone") == summary | {"control": None}

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            ("--sprt imp0=2 imp1=1", "imp1=1 must be above imp0=2"),
            ("--sprt imp0=x imp1=1", "imp0='x' is not a number"),
            ("--sprt imp0=0 gamma=1", "gamma=1"),
            ("--sprt", "--sprt"),
        ],
    )
    def test_text_that_is_no_sequential_test_is_refused(
        self, here: Here, tmp_path: Path, words: str, told: str
    ) -> None:
        ended = here("match", "random", "random", *words.split())
        assert told in ended.complaint(2)
        assert list(tmp_path.iterdir()) == []


def kill_at_random(process: Any, out: Path, rng: Random) -> None:
    """SIGKILL a random moment after some progress, or at once, or when all is played; a real
    timer, as any moment may be the wrong one."""
    boards = len(units_played(out)) + rng.choice((0, 0, 1, 3))
    lines = rng.choice((0, 1)) if not boards else 0

    def is_time() -> bool:
        done = len(units_played(out)) >= boards and len(log_of(out)) >= lines
        return done or process.poll() is not None

    wait_until(is_time, "it goes on")
    timer = threading.Timer(rng.uniform(0, 1.2), process.kill)
    timer.start()
    end_of(process)
    timer.cancel()


@pytest.mark.slow
def test_eight_kills_leave_no_trace(tmp_path: Path) -> None:
    """The event is killed before the first board, while the store is created, in the play and in
    the last analysis, and resumed each time: database and PBN file equal those of an
    uninterrupted event.
    """
    bots = {"one": "random", "two": "random", "three": "baseline", "four": "baseline"}
    rng = Random(7)
    kills = 0
    write_event(tmp_path, bots, format="round-robin", boards=1)
    assert arena(tmp_path, "tournament", "cup.toml", "--out", "peace").status == 0
    peaceful = contents(tmp_path / "peace" / "results.sqlite", without=["timing"])
    event = untimed(tmp_path / "peace" / "event.pbn")
    out = tmp_path / "out"
    while kills < 8:
        command = ("tournament", "cup.toml", "--out", "out", "--resume", "--concurrency", "2")
        with started(tmp_path, *command) as process:
            kill_at_random(process, out, rng)
            assert process.returncode in (0, -signal.SIGKILL), process.stderr
            kills += process.returncode != 0
        if process.returncode == 0 and kills < 8:
            # It was over too soon: what is left of the kills is for another round of it.
            assert contents(out / "results.sqlite", without=["timing"]) == peaceful
            assert untimed(out / "event.pbn") == event
            out.rename(tmp_path / f"out {kills}")
    ended = tournament(tmp_path, "--resume")
    assert ended.status == 0, ended
    assert contents(out / "results.sqlite", without=["timing"]) == peaceful
    assert untimed(out / "event.pbn") == event
    # A board is kept before its line is written: a kill may cost the line, and never the board.
    assert len(units_played(out)) == len(set(units_played(out)))
    assert set(units_played(out)) <= set(units_played(tmp_path / "peace"))
    assert {path.name for path in out.iterdir()} == {
        *("boards", "event.pbn", "log.jsonl", "results.sqlite"),
        *(f"leaderboard.{kind}" for kind in ("csv", "html", "json")),
    }
