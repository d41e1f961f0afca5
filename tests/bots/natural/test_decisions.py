"""The system makes, alerts and explains the same calls as before."""

from __future__ import annotations

import pytest

from bridge_arena.bots.natural.system import Natural
from tests.bots.natural.decisions import STRANGERS, digest

DIGESTS = {
    "four players of the system": (
        "6e78a6f2d7eb24d219e9cd86c77fe6b0002e6c11affbe42975fdb85c22c08b43"
    ),
    "opponents who make any legal call": (
        "61ff6ef2a116e9d9b06b51f277ef46d0cfa2bbb70865df9517bf0a8a972080db"
    ),
    "four players who make any legal call now and then": (
        "419d06d76a55d2b7cd579264617d77bc6081df1e8669b4259ebf54bb78f91d5e"
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
