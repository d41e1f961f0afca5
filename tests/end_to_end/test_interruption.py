"""Whatever ends a match early, its finished boards stand and it can be resumed."""

from __future__ import annotations

import shlex
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.bridge.cards import Deal
from tests.end_to_end.arena import (
    arena,
    bot_pids,
    children,
    end_of,
    interrupt,
    is_alive,
    log_of,
    order_stop,
    started,
    summary_of,
    units_played,
    untimed,
    wait_until,
    write_bot,
)

# From the third board on it waits for a file before it bids.
HESITANT = """
    import os, time
    from pathlib import Path
    from bridge_arena.bots.baseline.bot import BaselineBot
    from bridge_arena.bots.sdk.client import run

    class Hesitant(BaselineBot):
        def call(self, view):
            while view.number >= 3 and not Path(os.environ["GREEN_LIGHT"]).exists():
                time.sleep(0.01)
            return super().call(view)

    run(Hesitant)
"""

# A deal whose double-dummy analysis takes minutes.
FREAK = "N:.Q853.AJ962.KT74 Q853.AJ962.KT74. AJ962.KT74..Q853 KT74..Q853.AJ962"

BEFORE = [f"1/1/{position}/{room}" for position in (1, 2) for room in ("open", "closed")]
"""The units that are played when the hesitant bot begins to wait."""

BOARDS = 5


def match_command(spec: str) -> list[str]:
    options = f"--boards {BOARDS} --seed 3 --out out --concurrency 2"
    return ["match", "baseline", spec, *options.split()]


def stored(folder: Path) -> set[str]:
    """The units in the store, read as any other program would while the match goes on."""
    with closing(sqlite3.connect(folder / "results.sqlite")) as connection:
        rows = connection.execute("select round, match, position, room from record")
        return {"/".join(map(str, row)) for row in rows}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The PBN file of the match that nothing interrupts, without dates and times."""
    folder = tmp_path_factory.mktemp("undisturbed")
    spec = write_bot(folder, "hesitant", HESITANT)
    ended = arena(folder, *match_command(spec), environment={"GREEN_LIGHT": str(folder)})
    assert ended.status == 0, ended
    return untimed(folder / "out" / "match.pbn")


@pytest.mark.parametrize(
    "numbers",
    [
        (signal.SIGINT,),
        (signal.SIGINT, signal.SIGINT),
        (signal.SIGTERM, signal.SIGTERM),
        (signal.SIGKILL,),
    ],
    ids=["Ctrl-C", "Ctrl-C twice", "SIGTERM twice", "SIGKILL"],
)
@pytest.mark.slow
def test_a_match_that_is_stopped_or_interrupted_goes_on_where_it_stopped(
    tmp_path: Path, undisturbed: str, numbers: tuple[signal.Signals, ...]
) -> None:
    """After one Ctrl-C the boards in play are finished, and at once when the arena is killed."""
    out = tmp_path / "out"
    green_light = tmp_path / "green"
    environment = {"GREEN_LIGHT": str(green_light)}
    spec = write_bot(tmp_path, "hesitant", HESITANT)

    with started(tmp_path, *match_command(spec), environment=environment) as process:
        wait_until(lambda: len(units_played(out)) == 4, "four tables are played")
        assert stored(out) == set(BEFORE), "each result is in the store as soon as it is logged"
        pids = bot_pids(out)
        assert len(pids) == 8
        assert all(map(is_alive, pids))
        *others, number = numbers
        if number == signal.SIGINT or others:
            said = order_stop(process, numbers[0])
            assert "the 2 tables in play (board 3 open, board 3 closed)" in said
        if number == signal.SIGINT and not others:
            green_light.touch()
            ended = end_of(process)
        else:
            ended = interrupt(process, number)

    if number == signal.SIGKILL:
        assert ended.status == -signal.SIGKILL
        green_light.touch()
        wait_until(lambda: not any(map(is_alive, pids)), "the orphaned bots end by themselves")
        command = ["arena", "match", "--resume", "out"]
    else:
        complaint = ended.complaint(3)
        how = "interrupted" if others else "stopped"
        assert complaint == f"{how}; go on with: arena match --resume out --concurrency 2"
        assert not any(map(is_alive, pids))
        assert log_of(out)[-1]["event"] == "interrupted"
        dismissed = [line for line in log_of(out) if line["event"] == "bot_output"]
        assert len(dismissed) == (0 if others else 8)
        finished = untimed(out / "match.pbn")
        assert finished.count("[Room ") == (4 if others else 6)
        # The key is told when all is played, and not sooner.
        key = next(line for line in undisturbed.splitlines() if line.startswith("% ArenaKey "))
        assert key not in finished
        assert undisturbed.replace(f"{key}\n", "").startswith(finished.rstrip())
        command = shlex.split(complaint.partition("go on with: ")[2])
        green_light.touch()

    ended = arena(tmp_path, *command[1:], environment=environment)
    assert ended.status == 0, ended
    assert untimed(out / "match.pbn") == undisturbed
    units = units_played(out)
    assert set(units[:4]) == set(BEFORE)
    assert len(units) == len(set(units)) == 2 * BOARDS, "nothing is replayed"
    assert summary_of(out)["boards"] == BOARDS
    assert not any(map(is_alive, bot_pids(out)))


@pytest.mark.slow
def test_a_match_goes_on_after_as_many_boards_as_may_begin(tmp_path: Path) -> None:
    command = ["match", "random", "baseline", "--boards", "3", "--seed", "1", "--out", "out"]
    ended = arena(tmp_path, *command, "--concurrency", "1", "--max-boards", "2")
    again = "arena match --resume out --concurrency 1"
    assert ended.complaint(3) == f"stopped; go on with: {again}"
    assert stored(tmp_path / "out") == set(BEFORE)
    assert arena(tmp_path, *shlex.split(again)[1:], "--max-boards", "1").status == 0
    assert summary_of(tmp_path / "out")["boards"] == 3


@pytest.mark.slow
def test_a_match_may_be_interrupted_before_the_first_board(tmp_path: Path) -> None:
    """It is interrupted while the bots are on their way to their tables."""
    spec = write_bot(tmp_path, "absent", "import time; time.sleep(600)")
    out = tmp_path / "a folder"
    with started(
        tmp_path, "match", "baseline", spec, "--boards", "2", "--seed", "1", "--out", "a folder"
    ) as process:
        wait_until(lambda: "absent.py" in str(log_of(out)), "a bot that never comes is started")
        ended = interrupt(process)
    complaint = ended.complaint(3)
    assert complaint == "interrupted; go on with: arena match --resume 'a folder'"
    assert not any(map(is_alive, bot_pids(out)))

    (tmp_path / "absent.py").unlink()
    ended = arena(tmp_path, "match", "--resume", "a folder")
    assert "ended before it sat down: exit status 2" in ended.complaint(2)
    assert (out / "results.sqlite").exists(), "what was set up is still there to be gone on with"
    write_bot(
        tmp_path,
        "absent",
        "from bridge_arena.bots.sdk.client import run\n"
        "from bridge_arena.bots.random.bot import *\n"
        "run(RandomBot)",
    )
    assert arena(tmp_path, "match", "--resume", "a folder").status == 0
    assert summary_of(out)["boards"] == 2


@pytest.mark.slow
def test_a_match_may_be_interrupted_while_it_is_analysed(tmp_path: Path) -> None:
    """Played boards stay; no process that analyses is left running."""
    (tmp_path / "freak.pbn").write_text(
        f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{Deal.parse(FREAK)}"]\n'
    )
    spec = write_bot(
        tmp_path,
        "stubborn",
        """
        from bridge_arena.bots.sdk.client import Bot, run
        from bridge_arena.bridge.calls import Call, PASS

        class Stubborn(Bot):
            def call(self, view):
                return PASS if view.auction.calls else Call("1NT")

            def play(self, view):
                return next(iter(view.legal_cards()))

        run(Stubborn)
        """,
    )
    out = tmp_path / "out"
    with started(
        tmp_path, "match", spec, spec, "--boards-from", "freak.pbn", "--seed", "1", "--out", "out"
    ) as process:
        wait_until((out / "match.pbn").exists, "the boards are played")
        wait_until(lambda: bool(children(process.pid)), "the analysis has begun")
        workers = children(process.pid)
        ended = interrupt(process)
    assert ended.complaint(3) == "interrupted; go on with: arena match --resume out"
    assert not any(map(is_alive, workers))
    assert len(stored(out)) == 2

    with started(tmp_path, "report", "out") as process:
        wait_until(lambda: bool(children(process.pid)), "the analysis has begun")
        workers = children(process.pid)
        ended = interrupt(process)
    assert ended.complaint(3) == "interrupted; go on with: arena report out"
    assert not any(map(is_alive, workers))


def test_whoever_reads_the_output_may_stop_reading(tmp_path: Path) -> None:
    with started(tmp_path, "deal", "2000", "--seed", "1") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "% PBN 2.1\n"
        process.stdout.close()
        process.stdout = None
        ended = end_of(process)
    assert (ended.status, ended.errors) == (0, "")
