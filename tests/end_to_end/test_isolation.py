"""Tests of events in sandboxes: the play, what bots remember, and machines without sandboxes."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.end_to_end.arena import (
    arena,
    bot_pids,
    is_alive,
    log_of,
    records_of,
    write_bot,
)
from tests.end_to_end.conftest import FinishedMatch, Here
from tests.server.sandbox.sandboxes import needs_sandbox

# Knows a hand again that it has held before, as long as it can remember it.
REMEMBERING = """
    import tempfile
    from pathlib import Path
    from bridge_arena.bots.sdk.client import run
    from bridge_arena.bots.random.bot import RandomBot

    SEEN = Path({seen!r}) if {seen!r} else Path(tempfile.gettempdir(), "seen")
    here = set()

    class Remembering(RandomBot):
        def board_started(self, view):
            hand = str(view.hand)
            known = SEEN.read_text().splitlines() if SEEN.exists() else []
            if hand in known:
                print("on disk", flush=True)
            if hand in here:
                print("in memory", flush=True)
            here.add(hand)
            with SEEN.open("a") as file:  # whole, whoever else adds to it
                file.write(hand + "\\n")

    run(Remembering)
"""

EVENT = """\
[event]
name = "Cup"
format = "round-robin"
deals = "same"
boards = 3
isolation = "{isolation}"

[[entry]]
bot = "{bot}"
name = "bad"

[[entry]]
bot = "random"

[[entry]]
bot = "baseline"
"""


def remembered(place: Path, isolation: str, seen: str = "") -> list[str]:
    """Return how a bot remembers the deals of its second match, which are those of its first."""
    place.mkdir()
    (place / "bot").mkdir()
    bot = write_bot(place / "bot", "remembering", REMEMBERING.format(seen=seen))
    bot = bot.replace("remembering.py", "bot/remembering.py")
    (place / "cup.toml").write_text(EVENT.format(isolation=isolation, bot=bot))
    ended = arena(place, "tournament", "cup.toml", "--out", "out", "--concurrency", "2")
    assert ended.status == 0, ended
    assert len(records_of(place / "out" / "event.pbn")) == 18
    assert not any(map(is_alive, bot_pids(place / "out")))
    outputs = [line for line in log_of(place / "out") if line["event"] == "bot_output"]
    assert {line["bot"].partition(" ")[0] for line in outputs} == {"bad", "random", "baseline"}
    return [word for line in outputs for word in line["output"].splitlines()]


@needs_sandbox
@pytest.mark.slow
class TestMemory:
    def test_in_a_sandbox_a_deal_is_met_once(self, tmp_path: Path) -> None:
        assert remembered(tmp_path / "apart", "sandbox") == []
        log = log_of(tmp_path / "apart" / "out")
        started = [line["bot"] for line in log if line["event"] == "bot_started"]
        # Three matches, each of two entries with four processes.
        assert len(started) == len(set(started)) == 24
        assert "bad (N, match 2/1)" in started

    def test_a_trusted_bot_knows_the_deal_again(self, tmp_path: Path) -> None:
        words = remembered(tmp_path / "trusted", "none", str(tmp_path / "seen"))
        # North and South in one room, East and West in the other, three boards.
        assert words.count("in memory") == 12
        assert words.count("on disk") >= 12


@needs_sandbox
@pytest.mark.slow
class TestMatch:
    def test_a_match_in_sandboxes_is_the_same_match(
        self, here: Here, finished_match: FinishedMatch, tmp_path: Path
    ) -> None:
        command = f"match baseline random --boards {finished_match.boards} --seed 1 --out out"
        ended = arena(tmp_path, *command.split(), "--isolation", "sandbox")
        assert ended.status == 0, ended
        outside, inside = (
            [(record.calls, record.cards) for record in records_of(folder / "match.pbn")]
            for folder in (finished_match.folder, tmp_path / "out")
        )
        assert outside == inside
        again = here("match", "--resume", "out", "--isolation", "none")
        assert "--resume goes on with a match as it was set up" in again.complaint(2)

    def test_a_crash_in_a_sandbox_is_told_as_it_is_without(self, tmp_path: Path) -> None:
        (tmp_path / "bot").mkdir()
        (tmp_path / "bot" / "bot.py").write_text("import sys; sys.exit('lost my mind')")
        bot = f"bad=cmd:{sys.executable} bot/bot.py"
        command = ("match", bot, "random", "--boards", "1", "--isolation", "sandbox")
        complaint = arena(tmp_path, *command, "--out", "out").complaint(2)
        assert re.fullmatch(
            r"bot bad \([NESW]\) ended before it sat down: exit status 1: lost my mind "
            r"\(its output is in out/log.jsonl\)",
            complaint,
        )

    def test_a_bot_without_a_folder_of_its_own_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "bot.py").write_text("")
        command = ("match", f"cmd:{sys.executable} bot.py", "random", "--isolation", "sandbox")
        complaint = arena(tmp_path, *command, environment={"HOME": str(tmp_path)}).complaint(2)
        assert f"{tmp_path} is no folder of its own: put the bot into one" in complaint


class TestWithoutBubblewrap:
    def test_nothing_is_played_where_bubblewrap_is_missing(self, tmp_path: Path) -> None:
        """All programs are installed except that one."""
        (tmp_path / "bin").mkdir()
        for name in ("sh", "env"):
            (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)))
        command = ("match", "random", "baseline", "--isolation", "sandbox", "--out", "out")
        ended = arena(tmp_path, *command, environment={"PATH": str(tmp_path / "bin")})
        assert ended.complaint(2) == "a sandbox needs bubblewrap: apt-get install bubblewrap"
        assert not (tmp_path / "out").exists()


class TestEverywhere:
    """Tests that hold whether bots are trusted or not."""

    def test_results_are_for_nobody_elses_eyes(self, finished_match: FinishedMatch) -> None:
        assert finished_match.folder.stat().st_mode & 0o777 == 0o700
        for name in ("results.sqlite", "log.jsonl"):
            assert (finished_match.folder / name).stat().st_mode & 0o777 == 0o600
