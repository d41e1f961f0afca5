"""Measure how much of real files of boards is read: files, boards, deviations, round trips.

    python -m research.board_files [FOLDER ...]

Every `.pbn` and `.lin` file below the folders is read by the functions that the commands use.
Files that raise anything but a refusal are counted, and named. Each record is written as LIN and
read again; it counts as the same if its board, calls, contract, cards, tricks and score are.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from benchmarks.figures import table
from bridge_arena.board_files.games import read_games
from bridge_arena.board_files.problems import BoardFileError
from bridge_arena.board_files.survey import Survey
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.lin.records import read_records
from bridge_arena.lin.writer import format_records


@dataclass
class Corpus:
    """The counts over the files of a format.

    `refused` counts the files that were refused with one clear line, and `raised` those that raised
    anything else.
    """

    survey: Survey = field(default_factory=Survey)
    refused: int = 0
    raised: int = 0
    same: int = 0
    seconds: float = 0

    def add(self, path: Path) -> None:
        """Read a file, and write its records as LIN and read them again."""
        start = time.process_time()
        try:
            for _ in self.survey.add_file(path):
                pass
            self.seconds += time.process_time() - start
            self.same += sum(map(_comes_back, _records(path)))
        except BoardFileError:
            self.refused += 1
        except Exception as error:
            self.raised += 1
            print(f"{path}: {error!r}", file=sys.stderr)


def _records(path: Path) -> Iterator[BoardRecord]:
    return (read.record for read in read_games(path, lambda _: None) if read.record is not None)


def _comes_back(record: BoardRecord) -> bool:
    text = "".join(format_records([record]))
    (again,) = read_records(BytesIO(text.encode()))
    return _told(again) == _told(record)


def _told(record: BoardRecord) -> tuple[object, ...]:
    calls = [(made.call, made.alert) for made in record.calls]
    return record.board, calls, record.contract, record.cards, record.tricks, record.score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    data = Path("../shared/data")
    parser.add_argument(
        "folders",
        nargs="*",
        type=Path,
        default=[data / "lin", data / "pbn"],
        help="folders with files of boards; default: lin and pbn in ../shared/data",
    )
    corpora = {".lin": Corpus(), ".pbn": Corpus()}
    for folder in parser.parse_args().folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() in corpora and path.is_file():
                corpora[path.suffix.lower()].add(path)
    for suffix, corpus in corpora.items():
        survey = corpus.survey
        figures = {
            "files": survey.files,
            "files refused": corpus.refused,
            "files that raised": corpus.raised,
            "boards": survey.games,
            "records": survey.records,
            "with errors": survey.errors,
            "the same after LIN": corpus.same,
            "boards a CPU-second": round(survey.games / corpus.seconds) if corpus.seconds else 0,
        }
        rows = [*figures.items(), *survey.by_kind()]
        print(table([suffix, ""], [[name, f"{value:,}"] for name, value in rows]) + "\n")


if __name__ == "__main__":
    main()
