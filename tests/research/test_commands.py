"""Run the experiments on little data, and once more from the kept results."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

from tests.data import data_path
from tests.pairs import pairs_file
from tests.printed import printed
from tests.server.sandbox.sandboxes import needs_sandbox

weekly = pytest.mark.weekly(part="research")


def measure(name: str, *words: object) -> str:
    """Return what a command prints."""
    return printed(f"research.{name}", *words)


@weekly
def test_the_measurement_of_yeh_runs_without_solved_pairs(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra train")
    words = ("--quick", "--only", "III", "VII", "--seeds", 1, "--out", tmp_path / "yeh.jsonl")
    told = measure("papers.yeh", *words)
    for heading in ("Table III", "Table VII", "Differences", "Table VI", "Table VIII"):
        assert f"\n{heading}\n" in told
    assert told == measure("papers.yeh", *words, "--report")


@weekly
def test_the_measurement_of_yeh_runs_on_solved_deals(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra train")
    words = ("--quick", "--only", "III", "--bids", 2, "--seeds", 1, "--out", tmp_path / "yeh.jsonl")
    told = measure("papers.yeh", *words, "--deals", data_path("dd", "deals-0000.txt"))
    assert " on 2,000 solved pairs" in told


@weekly
def test_the_measurement_of_controls_on_a_ladder_runs() -> None:
    assert measure("ladder_controls", "--pairs", 1).count("\n| ") == 6


@weekly
def test_the_measurement_of_deepq_runs(tmp_path: Path) -> None:
    told = measure("deepq", pairs_file(tmp_path / "pairs.npz", 40), "--worlds", 20)
    assert "\n| always Pass | 0.000 ± 0.000 |" in told
    assert "| `deepq`, the first to call searching | " in told


@weekly
def test_the_measurement_of_silent_opponents_runs(tmp_path: Path) -> None:
    some = data_path("dd", "deals-0056.txt").read_text().splitlines(keepends=True)[:30]
    (tmp_path / "deals.txt").write_text("".join(some))
    told = measure("silent_opponents", tmp_path / "deals.txt")
    assert told.startswith("30 pairs\n")
    assert "\n| 0 to 40 | 100 % | " in told


@weekly
def test_the_measurement_of_prorok_runs(tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="needs the extra train")
    data = data_path("dd")
    # It learned from these deals, which only flatters it here.
    with resources.as_file(
        resources.files("bridge_arena.bots.library.tricks") / "weights.npz"
    ) as estimate:
        words = ("--quick", "--tricks", estimate, "--data", data, "--out", tmp_path / "out.jsonl")
        told = measure("papers.prorok", *words)
        assert "| faithful, " in told
        assert told == measure("papers.prorok", *words)
    assert "1C" in (tmp_path / "out" / "responses.txt").read_text()


@weekly
def test_the_measurement_of_prorok_readings_runs(tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="needs the extra train")
    words = ("--quick", "--data", data_path("dd"), "--out", tmp_path / "out.jsonl")
    told = measure("papers.prorok_readings", *words)
    assert told.count("\n| tenths of points | ") == 4
    assert told == measure("papers.prorok_readings", *words)


@weekly
def test_the_measurement_of_hadjur_runs(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra train")
    words = ("--quick", "--out", tmp_path / "out.jsonl")
    told = measure("papers.hadjur", *words)
    assert "\n| Q-learning, known | " in told
    assert "\n| double dummy, all four | 4 | " in told
    assert "\n| ε = 1.0, won, backward | first | " in told
    assert (tmp_path / "out.html").read_text().count("<svg") == 4
    assert told == measure("papers.hadjur", *words, "--report")


@weekly
def test_the_measurement_of_hand2vec_runs(tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason="needs the extra dev")
    pytest.importorskip("torch", reason="needs the extra train")
    assert data_path("hand2vec").exists()
    words = ("--quick", "--out", tmp_path)
    told = measure("papers.hand2vec", *words)
    for heading in ("Tricks", "The space", "Openings", "Contracts from one hand"):
        assert f"## {heading}\n" in told
    assert "| `hand2vec`, 8 numbers | " in told
    assert "<svg" in (tmp_path / "hand2vec.html").read_text()
    assert told == measure("papers.hand2vec", *words)


@weekly
def test_the_measurement_of_fastplay_runs() -> None:
    games = data_path("wbridge5", "games-1-8000.pbn")
    told = measure("fastplay", games, "--games", 4)
    assert told.startswith("4 games\n")
    assert "\n| played out by the net | " in told
    assert "\n| double dummy | " in told


@weekly
def test_the_measurement_of_the_scoring_bracket_runs() -> None:
    assert data_path("wbridge5", "games-1-8000.pbn").exists()
    told = measure("lab_bracket", "--games", 4, "--boards", 8, "--matches", 3)
    assert told.count("| `neural` - `natural` | ") == 1
    for players in ("WBridge5", "`fastplay` against `baseline`", "`montecarlo:worlds=10`"):
        assert told.count(f"\n| {players} | all | ") == 2
    assert told.count("| as played | ") == 2


@weekly
def test_the_measurement_of_the_cost_of_cards_runs() -> None:
    told = measure("card_cost", "--deals", 1, "fastplay", "baseline")
    assert told.startswith("deals: 1, of 26 cards each\n")
    assert "\n| `fastplay` | " in told
    assert "| 1.00 |\n| `baseline` | " in told


@weekly
def test_the_measurement_of_calls_runs() -> None:
    file = data_path("wbridge5", "games-1-8000.pbn")
    words = ("--boards", 2, "--layouts", 4, "--solved", 1, "--file", file)
    told = measure("calls", *words)
    assert "\n2 boards bid by natural\n" in f"\n{told}"
    assert "\n| neural | " in told
    assert "\n| games-1-8000.pbn | " in told
    assert "| other calls | estimate - solver | " in told


@weekly
@needs_sandbox
def test_the_measurement_of_whispers_in_sandboxes_runs() -> None:
    told = measure("sandbox_whispers", "--bits", 20)
    assert re.fullmatch(r"(?:(?:load|numbers): \d+ bits a second, \d+ of 20 wrong\n){2}", told)
