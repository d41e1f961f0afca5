"""`arena train` and `arena train evaluate`, as they are used."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.data import data_path
from tests.end_to_end.arena import arena, interrupt, started, wait_until
from tests.end_to_end.conftest import Here
from tests.pairs import pairs_file

ON_CPU = "torch computes on cpu\n"


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """Pairs that every contract costs its number."""
    return pairs_file(tmp_path / "pairs.npz", 40)


@pytest.mark.slow
def test_the_costs_of_contracts_are_printed(here: Here, tmp_path: Path, pairs: Path) -> None:
    ended = here("train", "evaluate", "deepq", "--pairs", str(pairs))
    assert (ended.status, ended.errors) == (0, "")
    name, mean, sign, error, *rest = ended.output.split()
    assert (name, sign) == ("deepq:", "±")
    assert 3 < float(mean) < 20  # between 1H and 4NT on average
    assert 0 < float(error) < 2
    assert rest == ["IMPs", "(mean", "±", "s.e.,", "40", "pairs)"]
    pairs_file(tmp_path / "few.npz", 16)
    command = "train evaluate deepq --pairs few.npz"
    searched = here(*command.split(), "--worlds", "20")
    assert searched.status == 0
    assert searched.output != here(*command.split()).output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("evaluate deepq --pairs none.npz", "cannot read none.npz: No such file"),
        ("evaluate deepq --pairs junk.npz", "junk.npz: no file of arrays"),
        (
            "evaluate deepq --pairs pairs.npz --weights junk.npz",
            "no networks of deepq: junk.npz",
        ),
        ("deepq --tricks junk.npz", "no estimate of tricks: junk.npz: no file of"),
        ("deepq --device nowhere", "torch cannot compute on nowhere: "),
        ("tricks --deals none --check none", "cannot read none: No such file"),
        ("nosuch", "No such command 'nosuch' (see arena train --help)"),
        ("tricks --deals . --check .", "there are no solved deals in ."),
        ("tricks --deals junk.npz --check junk.npz", "junk.npz"),
    ],
)
def test_mistakes_about_training_are_told_in_one_line(
    here: Here, tmp_path: Path, pairs: Path, words: str, said: str
) -> None:
    assert pairs.exists()
    if "--device" in words:
        pytest.importorskip("torch")
    (tmp_path / "junk.npz").write_text("junk")
    ended = here("train", *words.split())
    assert ended.status == 2
    assert said in ended.errors
    assert ended.errors.count("\n") == 1
    assert not (tmp_path / "runs").exists()


@pytest.mark.slow
def test_the_networks_are_trained_stopped_and_go_on(
    here: Here, tmp_path: Path, pairs: Path
) -> None:
    pytest.importorskip("torch")
    words = "train deepq --out nets --steps 40 --width 8 --calls 2 --device cpu".split()
    with started(tmp_path, *words) as process:
        wait_until((tmp_path / "nets" / "record.json").exists, "the training begins")
        ended = interrupt(process, signal.SIGINT)
    assert ended.status == 3
    assert ended.errors.endswith("--calls 2 --width 8 --device cpu --resume\n")
    again = here(*words)
    assert (again.status, again.errors) == (
        2,
        "arena: nets holds a training run: --resume, or another folder\n",
    )
    other = here(*words, "--seed", "2", "--resume")
    assert other.status == 2
    assert "other settings: seed" in other.errors
    done = arena(tmp_path, *words, "--resume")
    assert (done.status, done.output) == (0, f"{ON_CPU}the networks are in nets/weights.npz\n")
    record = json.loads((tmp_path / "nets" / "record.json").read_text())
    assert record["settings"]["steps"] == 40
    assert (tmp_path / "nets" / "curve.svg").exists()
    words = "train evaluate deepq --weights nets/weights.npz --pairs".split()
    judged = here(*words, str(pairs))
    assert judged.status == 0


@pytest.mark.weekly(part="trainings")
def test_the_estimate_of_tricks_is_trained(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    deals, check = (data_path("dd", f"deals-000{number}.txt") for number in range(2))
    means = data_path("hand2vec", "hands-train-50000.csv")
    ended = arena(
        tmp_path,
        *("train", "tricks", "--deals", str(deals), "--means", str(means)),
        *("--check", str(check), "--steps", "2", "--out", "estimate", "--device", "cpu"),
    )
    assert (ended.status, ended.output) == (
        0,
        f"{ON_CPU}the estimate of tricks is in estimate/weights.npz\n",
    )


@pytest.mark.weekly(part="trainings")
def test_the_net_that_plays_is_trained(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    words = "train fastplay --boards 1 --check 1 --workers 2 --out play --device cpu".split()
    ended = arena(tmp_path, *words, "--steps", "2")
    assert (ended.status, ended.output) == (0, f"{ON_CPU}the net is in play/weights.npz\n")
    assert len(list((tmp_path / "play" / "plays").iterdir())) == 2
