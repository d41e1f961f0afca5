"""Each deal has one split, the same everywhere."""

from __future__ import annotations

from collections import Counter

from bridge_arena.bridge.board import random_deal, redeal
from bridge_arena.recorded.datasets.rows import SHARES, split_of


def test_splits_have_their_shares_of_the_deals() -> None:
    found = Counter(split_of(random_deal(1, number)) for number in range(4000))
    assert sum(SHARES.values()) == 100
    for split, share in SHARES.items():
        assert abs(found[split] / 40 - share) < 3


def test_layouts_of_a_deal_are_together() -> None:
    for number in range(20):
        assert len({split_of(redeal(3, number, layout)) for layout in range(4)}) == 1


def test_the_split_of_a_deal_never_changes() -> None:
    """Whoever has trained on a deal must not find it in a later test split."""
    found = [split_of(random_deal(7, number)) for number in range(1, 25)]
    assert (
        "".join(split[1] for split in found) == "rrrrrrrrrarreerrrrrrrrrr"
    )  # tRain, vAlidation, tEst
