"""The system makes, alerts and explains the same calls as before."""

from __future__ import annotations

import pytest

from bridge_arena.bots.natural.system import Natural
from tests.bots.natural.decisions import STRANGERS, digest

DIGESTS = {
    "four players of the system": (
        "6d24258ac115eebcaa11bebdc4439d2cbb1b16fcac8b031f8c9536c0e1ac3e0f"
    ),
    "opponents who make any legal call": (
        "7d0753e9ed38bd69963c486ee722a3f270753da3a0bf86c061f4ac9c82c33636"
    ),
    "four players who make any legal call now and then": (
        "d6daa59c283386fc7c10249b96a07df58f267172ae08ec6b005ff67242ce5cc2"
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
