"""`python -m bridge_arena.bots.minimax.learn FILE.pbn... [--out FILE]`: count the table of bids.

The exit status is 0 on success, and 1 if some games were left out; each of them is named on
standard error. It is 2 if a file cannot be read or written, or if no game is left; nothing is
written then.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from bridge_arena.base.recorded_text import Problem, RecordedTextError
from bridge_arena.bots.minimax.bid_frequencies import count
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.pbn.read.records import read_records

DONE, FAILED, UNUSABLE = range(3)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line, by default the process's, and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bridge_arena.bots.minimax.learn",
        description="Count how often suits are bid, by the cards and honours held in them.",
        allow_abbrev=False,
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="PBN games")
    parser.add_argument("--out", type=Path, help="where the table goes (default: printed)")
    options = parser.parse_args(arguments)
    problems: list[Problem] = []
    records: list[BoardRecord] = []
    try:
        for path in options.files:
            # Games without an auction are no evidence.
            records += [record for record in read_records(path, problems) if record.calls]
    except RecordedTextError as error:
        return _complain(str(error), UNUSABLE)
    for problem in problems:
        _complain(f"{problem} (left out)", FAILED)
    if not records:
        return _complain("no game with an auction", UNUSABLE)
    table = count(records, _source(options.files, records), date.today().isoformat())
    if options.out is None:
        sys.stdout.write(table.dumps())
    else:
        try:
            options.out.write_text(table.dumps(), encoding="utf-8")
        except OSError as error:
            reason = error.strerror or error
            return _complain(f"{options.out}: cannot be written: {reason}", UNUSABLE)
    return FAILED if problems else DONE


def _source(files: Sequence[Path], records: Sequence[BoardRecord]) -> str:
    """Return how many auctions were counted, with their files and most frequent events."""
    names = ", ".join(path.name for path in files)
    events = [event for event, _ in Counter(r.event for r in records).most_common(3) if event]
    of_events = f" ({', '.join(events)})" if events else ""
    return f"{len(records)} auctions of {names}{of_events}"


def _complain(text: str, status: int) -> int:
    print(f"learn: {' '.join(text.split())}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
