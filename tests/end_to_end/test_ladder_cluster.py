"""`arena ladder --dask`: a ladder whose matches go to the workers of a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.arena import end_of, is_alive, log_of, order_stop, started, wait_until
from tests.end_to_end.dask import cluster
from tests.end_to_end.test_ladder import teams_of_matches
from tests.tournaments.ladder.ladders import check_sums

BOARDS = 4

FILE = f"""\
[ladder]
name = "Club"
boards = {BOARDS}
concurrency = 2
""" + "".join(
    f'\n[[player]]\nbot = "{bot}"\n' for bot in ("baseline", "random", "natural", "neural")
)


def matches_in_play(folder: Path) -> int:
    names = [line["event"] for line in log_of(folder)]
    return names.count("match_drawn") - names.count("match_ended")


def bots_started_here(folder: Path) -> list[dict[str, Any]]:
    return [line for line in log_of(folder) if line["event"] == "bot_started"]


@pytest.mark.slow
def test_a_ladder_goes_on_when_a_machine_is_lost(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    (tmp_path / "club.toml").write_text(FILE)
    run = tmp_path / "run"
    with cluster(tmp_path, workers=2) as (address, (first, second)):
        command = ["ladder", "club.toml", "--out", "run", "--dask", address]
        # The end of this context kills the ladder, while a match is at play.
        with started(tmp_path, *command):
            wait_until(lambda: len(teams_of_matches(run)) > 1, "two matches")
        with started(tmp_path, *command) as process:
            before = len(teams_of_matches(run))
            wait_until(lambda: len(teams_of_matches(run)) > before, "another match")
            assert bots_started_here(run) == []
            assert matches_in_play(run)
            first.kill()
            lost = len(teams_of_matches(run))
            # The other thread, and a table here in place of the one that is gone.
            wait_until(lambda: len(teams_of_matches(run)) > lost + 2, "matches without it")
            order_stop(process)
            assert end_of(process).status == 3
        assert is_alive(second.pid)
    check_sums(run / "results.sqlite", BOARDS)
