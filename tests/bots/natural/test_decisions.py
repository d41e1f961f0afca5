"""The system makes, alerts and explains the same calls as before."""

from __future__ import annotations

import pytest

from bridge_arena.bots.natural.system import Natural
from tests.bots.natural.decisions import STRANGERS, digest

DIGESTS = {
    "four players of the system": (
        "b0740996e305f19fa3bb503cdf8c8cd81132278127dfe5c4ac911563f8e46f34"
    ),
    "opponents who make any legal call": (
        "c537acac51637f5afa064415bc2a26a86bb1a0e466fe6fd803106ff57ba60fc3"
    ),
    "four players who make any legal call now and then": (
        "30d9057920007db2876d12d1731c98e284eeba7e0a747bf745a4d0e866f6056d"
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
