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
        "e366ea2656a3dd44b5e5c5cc152b207fbcd086aefbdd0ff1994e3276eb19058f"
    ),
    "four players who make any legal call now and then": (
        "1968fd8f257296ef641a041af6afcc20e6b0e1bc2984f7c7cedde640782ca1de"
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
