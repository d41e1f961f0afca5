"""How much of a corpus of PBN files is read, and how fast, beside endplay's parser.

    python -m benchmarks.pbn [--corpus FOLDER] [--repeat 3]

Every file below the folder that its MANIFEST.csv names is read by each reader, in turn
and in this process. `structure` is games with tags, sections and comments; `meaning`
has auction, play, result and score interpreted as well; `verdict` is the strict
reading. Rates are games per second of CPU time, the best of all repeats.
"""

from __future__ import annotations

import argparse
import csv
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from endplay.parsers import pbn as endplay_pbn

from bridge_arena.pbn.read.meaning import meaning_of
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.strict.verdict import verdict_of

Read = Callable[[Path], int]
"""Reads a file; the number of its games. Raises whatever it raises."""


@dataclass(frozen=True)
class Measured:
    """One reader over the corpus."""

    name: str
    files: int
    games: int
    seconds: float

    def line(self, files: int, games: int) -> str:
        rate = self.games / self.seconds
        return (
            f"| {self.name} | {self.files}/{files} | {self.games} "
            f"({self.games / games:.1%}) | {rate:,.0f} |"
        )


def structure(path: Path) -> int:
    return sum(1 for _ in read_games(path))


def meaning(path: Path) -> int:
    count = 0
    for game in read_games(path):
        meaning_of(game)
        count += 1
    return count


def verdict(path: Path) -> int:
    return verdict_of(path).games


def endplay(path: Path) -> int:
    """Its decoder takes text; these files are UTF-8 or Latin-1."""
    data = path.read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return len(endplay_pbn.loads(text))


def measure(name: str, read: Read, paths: Iterable[Path]) -> Measured:
    files = games = 0
    seconds = 0.0
    for path in paths:
        start = time.process_time()
        try:
            count = read(path)
        except Exception:
            continue  # what a reader raises is what is measured; its time is not counted
        seconds += time.process_time() - start
        files += 1
        games += count
    return Measured(name, files, games, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--corpus", type=Path, default=Path("../shared/data/pbn/corpus"))
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    with (options.corpus / "MANIFEST.csv").open(newline="", encoding="utf-8") as stream:
        paths = [options.corpus / row["path"] for row in csv.DictReader(stream)]
    readers: dict[str, Read] = {
        "structure": structure,
        "meaning": meaning,
        "verdict": verdict,
        "endplay": endplay,
    }
    best: dict[str, Measured] = {}
    for _ in range(options.repeat):
        for name, read in readers.items():
            measured = measure(name, read, paths)
            if name not in best or measured.seconds < best[name].seconds:
                best[name] = measured
    print("| reader | files | games | games per CPU-second |\n| --- | --- | --- | --- |")
    for measured in best.values():
        print(measured.line(len(paths), best["structure"].games))


if __name__ == "__main__":
    main()
