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
        "96257bf53ad18e0634b9de6b04a50439a9daea686fbde981729c8eaca2ae8af7"
    ),
    "four players who make any legal call now and then": (
        "82e834fb3fb88c191a56261069e2b545353ab47a1eebc7067fc16ae19627c6b9"
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
