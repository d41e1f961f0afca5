"""The folder of an experiment, as the command opens it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.base.stopping import Stop
from bridge_arena.commands.common.errors import InterruptedCommandError, UnusableError
from bridge_arena.commands.lab.bidding import bid, open_experiment
from bridge_arena.lab.bidders import Bidder
from bridge_arena.lab.experiment import DealFile, Experiment, Folder

MINE = """
from bridge_arena.bots.natural.bot import NaturalBot


class Mine(NaturalBot):
    pass
"""


@pytest.mark.parametrize("place", ["arm", "opponent", "leader"])
def test_an_experiment_does_not_go_on_with_another_version_of_a_bot(
    tmp_path: Path, place: str
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    mine, natural = Bidder.parse(f"{file}:Mine"), Bidder.parse("natural")
    arm, opponent, leader = (
        mine if place == each else natural for each in ("arm", "opponent", "leader")
    )
    experiment = Experiment((arm,), opponent, boards=10, seed=1, leader=leader)
    folder = tmp_path / "lab"
    Folder.new(folder, experiment)
    assert open_experiment(folder).experiment == experiment
    file.write_text(MINE + "    # changed\n")
    with pytest.raises(UnusableError, match=r"mine\.py:Mine has changed since .*lab was begun"):
        open_experiment(folder)


def test_an_experiment_does_not_go_on_with_other_deals(tmp_path: Path) -> None:
    file, folder = tmp_path / "some.deals", tmp_path / "lab"
    file.write_bytes(b"before")
    natural = Bidder.parse("natural")
    experiment = Experiment((natural,), natural, boards=10, seed=1, deals=(DealFile.of(file),))
    Folder.new(folder, experiment)
    assert open_experiment(folder).experiment == experiment
    file.write_bytes(b"after")
    with pytest.raises(UnusableError, match=r"some\.deals has changed since .*lab was begun"):
        open_experiment(folder)
    file.unlink()
    with pytest.raises(UnusableError, match=r"some\.deals has changed since .*lab was begun"):
        open_experiment(folder)


def test_a_definition_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "experiment.json").mkdir()
    with pytest.raises(UnusableError, match=r"cannot read .*experiment\.json: Is a directory"):
        open_experiment(tmp_path)


def test_an_experiment_that_is_stopped_says_how_to_go_on(tmp_path: Path) -> None:
    natural = Bidder.parse("natural")
    folder = Folder.new(tmp_path / "lab", Experiment((natural,), natural, boards=10, seed=1))
    stop = Stop()
    stop.order()
    with pytest.raises(InterruptedCommandError, match=r"^stopped; go on with: arena again$"):
        bid(folder, 1, "", "arena again", stop)
    assert folder.boards_done() == 0
