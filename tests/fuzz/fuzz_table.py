"""Fuzzes a table with one seat that sends what it likes.

python tests/fuzz/fuzz_table.py -max_total_time=60 [CORPUS]
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.fuzz.harness import fuzz

    fuzz("table")
