"""The system makes, alerts and explains the same calls as before."""

from __future__ import annotations

import pytest

from bridge_arena.bots.natural.system import Natural
from tests.bots.natural.decisions import STRANGERS, digest

DIGESTS = {
    "four players of the system": (
        "41afc38c8b6276240661ab1f90d41093b42aa94ea74fe66c208180b60ba7b4cd"
    ),
    "opponents who make any legal call": (
        "1f593328af0be131b696a8870dadd0bfd13d747d8f082d53fff71799cd254e92"
    ),
    "four players who make any legal call now and then": (
        "87d1dd42ccf349f92438c352e86885c448722c8143ecee81da53c1dfb92ed4c2"
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
