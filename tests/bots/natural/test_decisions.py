"""The system makes, alerts and explains the same calls as before."""

from __future__ import annotations

import pytest

from bridge_arena.bots.natural.system import Natural
from tests.bots.natural.decisions import STRANGERS, digest

DIGESTS = {
    "four players of the system": (
        "b0fa6685f1b04d179f98273017f8ea0f3e268aa02ac1d7a5a8c43149fa5289c4"
    ),
    "opponents who make any legal call": (
        "c7a67bbba4fa4cdc90dac929d7ea60717bad78ea7c35896efaf8c2b0cbc5ebdb"
    ),
    "four players who make any legal call now and then": (
        "a78afcc1d4392d058375c201319b31d396c0e6f375c691f67e5b78f8dae87333"
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
