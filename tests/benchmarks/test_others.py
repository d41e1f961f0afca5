"""A robot of others against bots of ours: the table, and a run against a robot that listens."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.others import Match, figures_of, main
from tests.bots.http_robot import stand_in as misdeed
from tests.bots.http_robot.stand_in import StandIn
from tests.data import ROOT
from tests.end_to_end.arena import wait_until

weekly = pytest.mark.weekly(part="benchmarks")

ROLES = ("opening_lead", "declarer_play", "defence")


def mean(value: float, error: float = 0.5) -> dict[str, float]:
    return {"n": 2, "mean": value, "standard_error": error}


def bot(faults: dict[str, int], *lost: float) -> dict[str, Any]:
    return {
        "ledger": {"tricks_lost_per_board": dict(zip(ROLES, map(mean, lost), strict=True))},
        "conduct": {"faults": {"illegal": 0, "timeout": 0} | faults},
        "timing": {"mean_ms": 150.4},
    }


def summary(ours: str, *bots: dict[str, Any], imps: float, p: float | None) -> dict[str, Any]:
    return {
        "names": ["robot", ours],
        "imps_per_board": mean(imps),
        "p_value": p,
        "bots": bots,
        "board_results": [
            {
                "split": {
                    "auction": auction,
                    "first": dict(zip(ROLES, (-1.0, -2.0, 0.0), strict=True)),
                    "second": dict(zip(ROLES, (0.0, third, 4.0), strict=True)),
                }
            }
            for auction, third in ((3, 0.0), (5, 2.0))
        ],
    }


def test_the_table_of_a_robot_tells_its_imps_the_tricks_of_each_role_and_its_faults() -> None:
    quiet, faulty = bot({}, 0, 0, 0), bot({"timeout": 2, "illegal": 1}, 0.25, 0.5, 1)
    bidding = Match(summary("neural", quiet, quiet, imps=-1.5, p=0.0004), 0)
    other = bot({"timeout": 9}, 0.125, 2, 3)
    whole = Match(summary("fastplay", faulty, other, imps=6, p=None), 7)
    heads, _, *rows = figures_of(bidding, whole).splitlines()
    told = {name: cells for name, *cells in map(_cells, rows)}
    assert _cells(heads)[3:5] == ["tricks lost by the robot", "by ours"]
    imps = ("-1.50 ± 0.50", "+6.00 ± 0.50")
    assert told == {
        "bidding alone against `neural` (2)": [imps[0], "p < 0.001", "", "", "none", "0", "150"],
        "whole boards against `fastplay` (2)": [
            *(imps[1], "", "", "", "illegal 1, timeout 2", "7", "150")
        ],
        "auction": ["+4.00 ± 1.00", *[""] * 6],
        "opening lead": ["-1.00 ± 0.00", "", "0.25 ± 0.50", "0.12 ± 0.50", *[""] * 3],
        "declarer play": ["-1.00 ± 1.00", "", "0.50 ± 0.50", "2.00 ± 0.50", *[""] * 3],
        "defence": ["+4.00 ± 0.00", "", "1.00 ± 0.50", "3.00 ± 0.50", *[""] * 3],
    }


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.split("|")[1:-1]]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["nonsense"], "'nonsense' is no address of a robot (http://HOST:PORT)"),
        (["http://a,speed=9"], "a robot takes timeout=SECONDS"),
        (["http://a", "--boards", "1"], "a standard error needs 2 boards"),
    ],
)
def test_a_robot_s_address_and_boards_that_make_no_sense_are_refused(
    words: list[str],
    complaint: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["others.py", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert complaint in capsys.readouterr().err


# As processes.


@pytest.fixture
def robot() -> Iterator[StandIn]:
    with StandIn().listening() as listening:
        yield listening


def started(robot: StandIn, out: Path, *words: str) -> subprocess.Popen[str]:
    """Start a run of two boards in a group of its own, as a terminal does."""
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "benchmarks.others", robot.url, *words),
            *("--boards", "2", "--out", str(out)),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@weekly
def test_a_run_that_is_interrupted_goes_on_and_its_table_is_printed_again(
    robot: StandIn, tmp_path: Path
) -> None:
    running = started(robot, tmp_path, "--bidder", "natural")
    wait_until(lambda: any(len(asked.get("played", "")) > 4 for _, asked in robot.asked), "cards")
    robot.misdeeds.append(misdeed.garbage)
    wait_until(lambda: not robot.misdeeds, "an answer that is not JSON")
    os.killpg(running.pid, signal.SIGINT)
    printed, told = running.communicate()
    assert (running.returncode, printed) == (3, "")
    assert "interrupted: the same command goes on from here" in told
    running = started(robot, tmp_path, "--bidder", "natural")
    printed, told = running.communicate()
    assert running.returncode == 0, told
    # The stand-in bids by the system of its opponent.
    assert "| bidding alone against `natural` (2) | +0.00 ± 0.00 |" in printed
    assert re.search(
        r"(?m)^\| whole boards against `fastplay` \(2\) \| .* \| none \| 1 \| \d+ \|$", printed
    )
    asked = len(robot.asked)
    assert started(robot, tmp_path, "--bidder", "natural").communicate()[0] == printed
    assert len(robot.asked) == asked


@weekly
def test_a_robot_that_answers_nonsense_ends_the_run(robot: StandIn, tmp_path: Path) -> None:
    robot.misdeeds.extend([misdeed.garbage] * 99)
    running = started(robot, tmp_path)
    printed, told = running.communicate()
    assert (running.returncode, printed) == (1, "")
    assert "decides nothing: /bid: its answer is not JSON" in told
    assert told.endswith("neural: arena match ended with status 2\n")
