"""What memory a PBN file of 200 MB takes, beside a small one.

    python -m benchmarks.pbn_large [--played FILE] [--sizes 4 50 200]

Each file is made of the games of one, over and over, in a temporary folder; a process of its
own reads it with all meanings and tells the most memory that it held.
"""

from __future__ import annotations

import argparse
import resource
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.markdown_table import table
from benchmarks.pbn import meaning
from benchmarks.timing import timed


def read(path: Path) -> tuple[int, float, int]:
    """Games, seconds of CPU time, and the process's peak memory in KiB."""
    games, seconds = timed(lambda: meaning(path))
    return games, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def row_of(games: bytes, size: int, folder: Path) -> list[str]:
    """A file of at least `size` MB, read by a new process."""
    path = folder / f"{size}.pbn"
    with path.open("wb") as stream:
        while stream.tell() < size * 1_000_000:
            stream.write(games + b"\n")
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        count, seconds, peak = process.submit(read, path).result()
    length = path.stat().st_size
    path.unlink()
    rates = [f"{count / seconds:,.0f}", f"{length / seconds / 1e6:.1f}"]
    return [f"{length / 1e6:.0f}", str(count), *rates, f"{peak / 1024:.0f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--played", type=Path, default=Path("../shared/data/wbridge5/games-1-8000.pbn")
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[4, 50, 200])
    options = parser.parse_args()
    games = options.played.read_bytes()
    with TemporaryDirectory() as folder:
        rows = [row_of(games, size, Path(folder)) for size in options.sizes]
    print(table(["MB", "games", "games per CPU-second", "MB per CPU-second", "peak MiB"], rows))


if __name__ == "__main__":
    main()
