"""Run the benchmarks on little data, and once more from the kept results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.data import data_path
from tests.printed import printed

weekly = pytest.mark.weekly(part="benchmarks")


def benchmark(name: str, *words: object) -> str:
    """Return what a command prints."""
    return printed(f"benchmarks.{name}", *words)


@weekly
def test_the_benchmark_of_strength_runs(tmp_path: Path) -> None:
    """Figures of other bots stay, and what was played is not played again."""
    words: list[object] = [data_path("wbridge5", "games-1-8000.pbn"), "--first", 3, "--boards", 2]
    words += ["--deals", data_path("dd", "deals-0056.txt"), "--out", tmp_path]
    figures = tmp_path / "strength.json"
    words += ["--figures", figures, "--only"]
    told = benchmark("strength", *words, "natural", "qplay")
    assert told.count("\n| WBridge5 | ") == 2
    assert told.count("\n| `natural` | ") == 4  # matches, doubled, beside par, pairs
    assert told.count("\n| `qplay` | ") == 2
    assert len((tmp_path / "tables.txt").read_text().splitlines()) == 2
    played = (tmp_path / "played.jsonl").read_bytes()
    before = json.loads(figures.read_text())
    assert set(before["digests"]) == {"natural", "qplay"}
    assert told == benchmark("strength", *words, "qplay")
    assert (tmp_path / "played.jsonl").read_bytes() == played
    assert json.loads(figures.read_text()) == before


@weekly
def test_the_benchmark_of_ladders_runs(tmp_path: Path) -> None:
    words = ("proof", "--ladders", 9, "--boards", 2000, "--out", tmp_path)
    told = benchmark("ladder", *words)
    assert told.count("\n") == 7
    kept = (tmp_path / "proof.jsonl").read_bytes()
    assert told == benchmark("ladder", *words)
    assert (tmp_path / "proof.jsonl").read_bytes() == kept
    assert benchmark("ladder", "pairing", "--ladders", 2, "--out", tmp_path).count("\n| 16, ") == 4


@weekly
def test_the_benchmark_of_frames_runs() -> None:
    told = benchmark("frames")
    assert told.startswith("| frame | without bounds | as the gateway reads it |")
    assert told.count("\n") == 7


@weekly
def test_the_benchmark_of_the_solver_runs() -> None:
    told = benchmark("double_dummy", "--deals", 6, "--rounds", 2, "--kept", 300)
    assert "\n| `SolveBoard`, a side | " in told
    assert "\n| `oracle.contract_tricks`, " in told
    assert "\n12 solves in 2 rounds\n" in told
    assert "\n300 deals in " in told


@weekly
def test_the_benchmark_of_racing_runs() -> None:
    told = benchmark("racing", "montecarlo:worlds=16", "--games", 2, "--first", 3)
    assert told.startswith("| bot | tricks | cards | ms, all layouts | times as fast | same card |")
    assert told.count("\n| `montecarlo:worlds=16` | ") == 4


@weekly
def test_the_benchmark_of_a_round_robin_and_a_gauntlet_runs(tmp_path: Path) -> None:
    words = ("--boards", 2, "--out", tmp_path, "fastplay", "plain=baseline", "random")
    told = benchmark("round_robin", *words)
    assert told.startswith("|  | fastplay | plain | random | ms an action |")
    told = benchmark("round_robin", "--gauntlet", *words)
    assert told.startswith("fastplay on 2 boards in two rooms\n")
    assert told == benchmark("round_robin", "--gauntlet", *words)
    with pytest.raises(
        AssertionError, match="holds another match: fastplay - plain=baseline, 2 boards, seed 1"
    ):
        benchmark("round_robin", *words, "--seed", 2)
