"""Measure the memory that reading a PBN file of 200 MB takes, against a small one.

    python -m benchmarks.pbn_large [--played FILE] [--sizes 4 50 200]

Each file repeats the games of one file, and is written to a temporary folder. A separate process
reads it with all meanings, and reports its peak memory.
"""

from __future__ import annotations

import argparse
import resource
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import table, timed
from benchmarks.pbn import meaning


def read(path: Path) -> tuple[int, float, int]:
    """Return games, seconds of processor time, and the peak memory of the process in KiB."""
    games, seconds = timed(lambda: meaning(path))
    return games, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def row_of(games: bytes, size: int, folder: Path) -> list[str]:
    """Return the row of a file of at least `size` MB, read by a new process."""
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
        "--played",
        type=Path,
        default=Path("../shared/data/wbridge5/games-1-8000.pbn"),
        help="file of recorded games, which the large files repeat; default: %(default)s",
    )
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="+",
        default=[4, 50, 200],
        help="sizes of the files, in MB; default: 4 50 200",
    )
    options = parser.parse_args()
    games = options.played.read_bytes()
    with TemporaryDirectory() as folder:
        rows = [row_of(games, size, Path(folder)) for size in options.sizes]
    print(table(["MB", "games", "games per CPU-second", "MB per CPU-second", "peak MiB"], rows))


if __name__ == "__main__":
    main()
