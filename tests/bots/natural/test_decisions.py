"""The system makes, alerts and explains the same calls as before."""

from __future__ import annotations

import pytest

from bridge_arena.bots.natural.system import Natural
from tests.bots.natural.decisions import STRANGERS, digest

DIGESTS = {
    "four players of the system": (
        "a73fdd0b6a342392204d9d87e3a7e3a378c988963c7dc90aab1e81a0a96fabc9"
    ),
    "opponents who make any legal call": (
        "ff5498556fec11b86f14ee88c5af7cb862b397d9c85edb7a7e286865cd3916ba"
    ),
    "four players who make any legal call now and then": (
        "caa6d9065350a009aa4bb7dbfff0363aa2913c33c43baeb239789491934194ec"
    ),
}


@pytest.mark.parametrize("kind", STRANGERS)
def test_no_decision_has_changed(kind: str) -> None:
    number, seen = digest(Natural(), kind)
    assert number > 3500
    assert seen == DIGESTS[kind], (
        "natural makes or explains a call otherwise than before; if a change of its tables means "
        "it to, `python -m tests.bots.natural.decisions` prints the new digests"
    )
