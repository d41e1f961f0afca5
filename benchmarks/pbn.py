"""Measure how much of PBN files is read, and how fast, against endplay's parser.

    python -m benchmarks.pbn [--corpus FOLDER] [--played FILE] [--repeat 5] [--memory]

Each reader reads every file that MANIFEST.csv names below the folder, and one file of games played
to the last card, in turn and in this process. `structure` reads games with tags, sections and
comments; `meaning` also interprets auction, play, result and score; `verdict` is the strict
reading. Rates are games per second of processor time, the best of each file. The ratio to endplay
is the median over the repeats, over the files that both read. Files are sorted by what most of
their games contain.

With `--memory` it is measured instead what memory large files take. Each repeats the games of the
file of played games; a separate process reads it with all meanings, and reports its peak.
"""

from __future__ import annotations

import argparse
import csv
import resource
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from endplay.parsers import pbn as endplay_pbn

from benchmarks.figures import table, timed
from bridge_arena.pbn.read.meaning import meaning_of
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.strict.verdict import verdict_of

Read = Callable[[Path], int]
"""Reads a file; the number of its games. Raises whatever it raises."""


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
    """Read a file with endplay, whose decoder takes text; these files are UTF-8 or Latin-1."""
    data = path.read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return len(endplay_pbn.loads(text))


READERS: tuple[Read, ...] = (structure, meaning, verdict, endplay)


@dataclass(frozen=True)
class Measured:
    """The measurements of one file.

    They are what most of its games contain, and for each reader that reads it the number of games
    and the seconds of each repeat.
    """

    kind: str
    games: dict[Read, int]
    seconds: dict[Read, list[float]]


def kind_of(path: Path) -> str:
    kinds: Counter[str] = Counter()
    for game in read_games(path):
        record = meaning_of(game).record
        if record is not None and len(record.cards) == 52:
            kinds["played to the end"] += 1
        elif "Play" in game.values:
            kinds["claimed or partly played"] += 1
        elif "Auction" in game.values:
            kinds["auctions"] += 1
        else:
            kinds["deals and results"] += 1
    return max(kinds, key=lambda kind: kinds[kind], default="no game")


def measure(path: Path, repeat: int) -> Measured:
    measured = Measured(kind_of(path), {}, defaultdict(list))
    for _ in range(repeat):
        for read in READERS:
            start = time.process_time()
            try:
                measured.games[read] = read(path)
            except Exception:
                continue  # what a reader raises is what is measured; its time is not counted
            measured.seconds[read].append(time.process_time() - start)
    return measured


def by_reader(files: Sequence[Measured]) -> list[list[str]]:
    """Return the rows of what each reader reads of all files, and how fast."""
    rows = []
    total = sum(file.games[structure] for file in files)
    for read in READERS:
        done = [file for file in files if read in file.games]
        games = sum(file.games[read] for file in done)
        rate = games / sum(min(file.seconds[read]) for file in done)
        share = f"{games} ({games / total:.1%})"
        rows.append([read.__name__, f"{len(done)}/{len(files)}", share, f"{rate:,.0f}"])
    return rows


def against_endplay(name: str, files: Sequence[Measured], repeat: int) -> list[str]:
    """Return the row of rates and ratios to endplay, over the files that both read."""
    both = [file for file in files if endplay in file.games]
    games = sum(file.games[structure] for file in both)
    row = [name, f"{len(both)}/{len(files)}", str(games)]
    row += [
        f"{games / sum(min(file.seconds[read]) for file in both):,.0f}"
        for read in (endplay, structure, meaning)
    ]
    for read in (structure, meaning):
        ratios = [
            sum(file.seconds[endplay][turn] for file in both)
            / sum(file.seconds[read][turn] for file in both)
            for turn in range(repeat)
        ]
        row.append(f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    return row


def peak_of(path: Path) -> tuple[int, float, int]:
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
        count, seconds, peak = process.submit(peak_of, path).result()
    length = path.stat().st_size
    path.unlink()
    rates = [f"{count / seconds:,.0f}", f"{length / seconds / 1e6:.1f}"]
    return [f"{length / 1e6:.0f}", str(count), *rates, f"{peak / 1024:.0f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--corpus",
        type=Path,
        default=Path("../shared/data/pbn/corpus"),
        help="folder of PBN files; default: %(default)s",
    )
    parser.add_argument(
        "--played",
        type=Path,
        default=Path("../shared/data/wbridge5/games-1-8000.pbn"),
        help="file of recorded games; default: %(default)s",
    )
    parser.add_argument(
        "--repeat", type=int, default=5, help="measurements of each reader; default: %(default)s"
    )
    parser.add_argument(
        "--memory", action="store_true", help="measure the memory for files of 4, 50 and 200 MB"
    )
    options = parser.parse_args()
    if options.memory:
        games = options.played.read_bytes()
        with TemporaryDirectory() as folder:
            rows = [row_of(games, size, Path(folder)) for size in (4, 50, 200)]
        print(table(["MB", "games", "games per CPU-second", "MB per CPU-second", "peak MiB"], rows))
        return
    warnings.simplefilter("ignore")
    with (options.corpus / "MANIFEST.csv").open(newline="", encoding="utf-8") as stream:
        paths = [options.corpus / row["path"] for row in csv.DictReader(stream)]
    corpus = [measure(path, options.repeat) for path in paths]
    print(table(["reader", "files", "games", "games per CPU-second"], by_reader(corpus)))
    print()
    kinds: dict[str, list[Measured]] = {"the corpus": corpus}
    for file in sorted(corpus, key=lambda file: file.kind):
        if endplay in file.games:
            kinds.setdefault(f"of it: {file.kind}", []).append(file)
    kinds[options.played.name] = [measure(options.played, options.repeat)]
    names = ["files", "both read", "games", "endplay", "structure", "meaning"]
    ratios = ["structure : endplay", "meaning : endplay"]
    rows = [against_endplay(name, files, options.repeat) for name, files in kinds.items()]
    print(table([*names, *ratios], rows))


if __name__ == "__main__":
    main()
