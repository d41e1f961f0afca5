"""The system makes, alerts and explains the same calls as before."""

from __future__ import annotations

import pytest

from bridge_arena.bots.natural.system import Natural
from tests.bots.natural.decisions import STRANGERS, digest

DIGESTS = {
    "four players of the system": (
        "30f33f46758863453b685a54e21fd171672c19726526b1318ea223849efad080"
    ),
    "opponents who make any legal call": (
        "88c8eb112abe865ca3877bc5d75c40977f0f8d80a5d39c4882e2710142130f97"
    ),
    "four players who make any legal call now and then": (
        "74ee0ab53a22e979cc2363eea139ebf97e5d732eaa718294b823598cd9544ef5"
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
