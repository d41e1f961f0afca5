"""Fails where the own tests of a room leave more of its branches untried than they may.

Reads what `coverage json -o -` writes.
"""

from __future__ import annotations

import json
import sys
from pathlib import PurePath

ROOMS = ("board_files", "bridge", "lin", "pbn", "protocol", "server")

FLOOR = 95.0


def main() -> int:
    """Print the branches of each room; 1 where there are too few."""
    files = json.load(sys.stdin)["files"]
    shares = {}
    for room in ROOMS:
        sums = [file["summary"] for name, file in files.items() if room in PurePath(name).parts]
        tried = sum(each["covered_branches"] for each in sums)
        shares[room] = 100 * tried / sum(each["num_branches"] for each in sums)
        print(f"{room}: {shares[room]:.1f} % of branches, at least {FLOOR:.0f} %")
    return int(min(shares.values()) < FLOOR)


if __name__ == "__main__":
    sys.exit(main())
