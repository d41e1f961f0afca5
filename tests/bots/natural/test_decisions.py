"""The system makes, alerts and explains the same calls as before."""

from __future__ import annotations

import pytest

from bridge_arena.bots.natural.system import Natural
from tests.bots.natural.decisions import STRANGERS, digest

DIGESTS = {
    "four players of the system": (
        "01d39ec175ac68906d17c8baa1a9e5be12c15772ada180284d8477e266ab6668"
    ),
    "opponents who make any legal call": (
        "836c49dd5312db0f7a8152cfb7d7dbd8c38d170199b4ba1fa1e3e20883e46c0e"
    ),
    "four players who make any legal call now and then": (
        "859c7696c6918c6479cdcbb9bd54f884ac1ee8e45a4be744992ef07a8244c7c9"
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
