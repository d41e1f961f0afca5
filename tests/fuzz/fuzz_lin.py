"""Fuzzes the tolerant reader of LIN.

python tests/fuzz/fuzz_lin.py -max_total_time=60 [CORPUS]
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.fuzz.harness import fuzz

    fuzz("lin")
