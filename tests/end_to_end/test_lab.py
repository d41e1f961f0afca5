"""`arena lab` as a user runs it."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.end_to_end.arena import (
    bot_pids,
    interrupt,
    is_alive,
    order_stop,
    started,
    summary_of,
    wait_until,
    write_bot,
)
from tests.end_to_end.conftest import Here
from tests.end_to_end.dask import cluster
from tests.end_to_end.solvers import stopping_after
from tests.end_to_end.test_http_robot import served
from tests.reports.pages import check_site, words

BIDDER = """
from bridge_arena.bots.natural.bot import NaturalBot


class Mine(NaturalBot):
    name = "mine"
"""


def imps_of(folder: Path, arm: int = 0) -> list[int]:
    """The IMPs of an arm on each board, by the parts in the folder of an experiment."""
    parts = [np.load(path) for path in sorted((folder / "parts").iterdir())]
    return [int(imps) for part in parts for imps in part[f"{arm}.imps"]]


@pytest.mark.slow
def test_the_boards_of_a_match_end_as_in_the_match(here: Here, tmp_path: Path) -> None:
    boards = ("--boards", "12", "--seed", "5")
    ended = here("match", "neural", "natural", "--mode", "bidding", *boards, "--out", "m")
    assert ended.status == 0, ended
    (tmp_path / "bot.py").write_text(BIDDER)
    ended = here("lab", "neural", "bot.py:Mine", "natural", *boards, "--out", "lab")
    assert ended.status == 0, ended
    assert ended.output.startswith(
        "neural, Mine against natural: 12 boards in both rooms, seed 5\n"
    )
    expected = [row["imps"] for row in summary_of(tmp_path / "m")["board_results"]]
    assert imps_of(tmp_path / "lab") == expected
    # The same system in another class bids as its opponent does.
    assert imps_of(tmp_path / "lab", 1) == [0] * 12
    told = json.loads((tmp_path / "lab" / "lab.json").read_text(encoding="utf-8"))
    assert [arm["imps"] for arm in told["arms"]] == [sum(expected), 0]
    assert [each["imps"] for each in told["differences"]] == [-sum(expected)]
    assert "Mine" in words(check_site(tmp_path / "lab")["lab.html"])


@pytest.mark.slow
def test_an_experiment_is_told_with_the_scoring_bracket(here: Here, tmp_path: Path) -> None:
    words = ("lab", "qtable", "natural", "--boards", "8", "--seed", "5")
    for leader, asked in (("fastplay", ("--bracket",)), ("baseline", ("--leads", "baseline"))):
        ended = here(*words, *asked, "--out", leader)
        assert ended.status == 0, ended
        assert "Scoring bracket: qtable compared with natural" in ended.output
        told = json.loads((tmp_path / leader / "lab.json").read_text(encoding="utf-8"))
        assert told["leader"] == leader
        (bracket,) = told["bracket"]
        plain = bracket["columns"]["double_dummy"]["imps_per_board"]
        assert plain == told["arms"][0]["imps_per_board"]


@pytest.mark.slow
def test_an_experiment_goes_on_where_it_was_interrupted(here: Here, tmp_path: Path) -> None:
    words = ("lab", "natural", "baseline", "--boards", "600", "--seed", "1", "--workers", "1")
    held = stopping_after(1, tmp_path)
    with started(tmp_path, *words, "--out", "cut", environment=held) as process:
        wait_until((tmp_path / "cut" / "parts" / "00000.npz").exists, "the first part is done")
        order_stop(process)
        complaint = interrupt(process).complaint(3)
    before, again = complaint.split("go on with: ")
    assert before == "interrupted; "
    assert again == "arena lab --resume cut --workers 1"
    kept = (tmp_path / "cut" / "parts" / "00000.npz").read_bytes()
    assert len(list((tmp_path / "cut" / "parts").iterdir())) < 3
    ended = here(*shlex.split(again)[1:])
    assert ended.status == 0, ended
    assert (tmp_path / "cut" / "parts" / "00000.npz").read_bytes() == kept
    assert len(imps_of(tmp_path / "cut")) == 600


# It passes, and waits on a board of the second part until it may go on. It tells when it waits.
WAITING = """
    import time
    from pathlib import Path
    from bridge_arena import Bot, run

    class Waiting(Bot):
        def call(self, view):
            while view.number > 20 and not Path("go").exists():
                Path("waiting").touch()
                time.sleep(0.05)
            return view.legal_calls()[0]

    run(Waiting)
"""


@pytest.mark.slow
def test_programs_in_an_experiment_end_with_it_and_it_goes_on_with_them(
    here: Here, tmp_path: Path
) -> None:
    words = ("lab", f"passes={write_bot(tmp_path, 'waiting', WAITING)}", "baseline")
    options = ("--boards", "22", "--seed", "1", "--workers", "1", "--out", "cut")
    with started(tmp_path, *words, *options) as process:
        wait_until((tmp_path / "waiting").exists, "the second part is in play")
        assert "the part in play (part 2)" in order_stop(process)
        complaint = interrupt(process).complaint(3)
    assert complaint == "interrupted; go on with: arena lab --resume cut --workers 1"
    assert not any(map(is_alive, bot_pids(tmp_path / "cut")))
    (tmp_path / "go").touch()
    ended = here("lab", "--resume", "cut", "--workers", "1")
    assert ended.status == 0, ended
    assert len(imps_of(tmp_path / "cut")) == 22
    assert not any(map(is_alive, bot_pids(tmp_path / "cut")))


@pytest.mark.slow
def test_programs_and_robots_bid_and_play_as_in_one_process(here: Here, tmp_path: Path) -> None:
    program = f"cmd:{shlex.quote(sys.executable)} -m bridge_arena.bots natural"
    with served(tmp_path, "natural") as (_, address):
        ended = here(
            *("lab", "natural", f"program={program}", f"robot=http:{address}", "baseline"),
            *("--boards", "4", "--seed", "3", "--out", "bid"),
        )
    assert ended.status == 0, ended
    one, *others = (imps_of(tmp_path / "bid", arm) for arm in range(3))
    assert others == [one, one]
    assert any(one)
    options = ("baseline", "--play", "--boards", "2", "--seed", "4")
    for name, bot in (("here", "natural"), ("there", f"natural={program}")):
        ended = here("lab", bot, *options, "--out", name)
        assert ended.status == 0, ended
    summaries = [summary_of(tmp_path / name)["board_results"] for name in ("here", "there")]
    assert summaries[0] == summaries[1]


@pytest.mark.slow
def test_a_cluster_gives_the_same_figures(here: Here, tmp_path: Path) -> None:
    words = ("lab", "natural", "baseline", "--boards", "20", "--seed", "2")
    with cluster(tmp_path, 1) as (address, _):
        ended = here(*words, "--dask", address, "--out", "there")
    assert ended.status == 0, ended
    assert here(*words, "--out", "here").status == 0
    assert imps_of(tmp_path / "there") == imps_of(tmp_path / "here")
    unreachable = ("--dask", "tcp://127.0.0.1:1", "--out", "nowhere")
    assert "no Dask scheduler" in here(*words, *unreachable).complaint(1)


@pytest.mark.slow
def test_card_play_is_stored_and_reported_as_a_match_is(here: Here, tmp_path: Path) -> None:
    """A match that is interrupted goes on; a bot of a file takes part."""
    (tmp_path / "bot.py").write_text(BIDDER)
    words = ("bot.py:Mine", "fastplay", "--boards", "6", "--seed", "4")
    ended = here("match", *words, "--mode", "play", "--out", "match")
    assert ended.status == 0, ended
    ended = here("lab", *words, "--play", "--out", "lab")
    assert ended.status == 0, ended
    one, other = (summary_of(tmp_path / name) for name in ("match", "lab"))
    for part in ("board_results", "bots"):
        assert [figures.get("ledger", figures.get("imps")) for figures in one[part]] == [
            figures.get("ledger", figures.get("imps")) for figures in other[part]
        ]
    again = here("lab", "--resume", "lab")
    assert again.status == 0, again
    assert summary_of(tmp_path / "lab") == other


@pytest.mark.slow
def test_a_bot_that_fails_at_cards_is_named(here: Here, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BIDDER + "    play = None\n")
    words = ("lab", "bad.py:Mine", "baseline", "--play", "--boards", "2", "--out", "out")
    complaint = here(*words).complaint(1)
    assert complaint.startswith("a table of Mine and baseline: TypeError: ")


def test_an_experiment_that_cannot_be_is_told_in_one_line(tmp_path: Path, here: Here) -> None:
    def complaint(*words: str) -> str:
        return here("lab", *words).complaint(2)

    assert "name two bots or more" in complaint("natural")
    assert "unknown bot 'naturel', did you mean natural" in complaint("naturel", "neural")
    assert "remote:far comes by itself" in complaint("remote:far", "neural")
    assert "--resume goes on with an experiment as it was" in complaint(
        "natural", "neural", "--resume", "x"
    )
    assert "x holds no experiment" in complaint("--resume", "x")
    assert "--play: name two bots" in complaint("natural", "--play")
    assert "--play takes no --deals" in complaint("natural", "neural", "--play", "--deals", "x")
    assert "--play takes no --deals, no --dask and no --bracket" in complaint(
        "natural", "neural", "--play", "--leads", "fastplay"
    )
    assert "unknown bot 'fastplayer'" in complaint("natural", "neural", "--leads", "fastplayer")
    assert "--leads oracle: a bot that ships" in complaint("natural", "neural", "--leads", "oracle")
    assert "only with --play" in complaint("natural", "neural", "--boards-from", "x.pbn")
    assert "x.pbn" in complaint("natural", "neural", "--play", "--boards-from", "x.pbn")
    assert "give one" in complaint("natural", "neural", "--dask", "tcp://x:1", "--workers", "1")
    assert "tells of one bot, or of two apart" in complaint(
        "natural", "natural", "natural", "neural", "--sprt", "imp1=1"
    )
    assert "imp2" in complaint("natural", "neural", "--sprt", "imp2=1")
    (tmp_path / "no.deals").write_text("nothing")
    assert "no.deals: no file of solved deals" in complaint(
        "natural", "neural", "--deals", "no.deals"
    )
    assert "cannot read no.deals2: No such file" in complaint(
        "natural", "neural", "--deals", "no.deals2"
    )
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "experiment.json").write_text(json.dumps({}))
    assert "out holds an experiment already" in complaint("natural", "neural", "--out", "out")
