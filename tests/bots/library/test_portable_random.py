"""Random choices: uniform, and the same everywhere."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

from bridge_arena.bots.library.portable_random import pick, shuffled


def test_choices_are_the_same_on_every_machine_and_version() -> None:
    """The values are fixed: another version or machine must choose the same."""
    rng = Random(2024)
    assert [pick(rng, range(10)) for _ in range(12)] == KNOWN_PICKS
    assert "".join(shuffled(rng, "abcdefgh")) == KNOWN_ORDER


KNOWN_PICKS = [4, 7, 3, 8, 4, 7, 2, 2, 8, 4, 4, 7]
KNOWN_ORDER = "gbdcehaf"


def test_each_item_is_equally_likely() -> None:
    rng = Random(1)
    counts = Counter(pick(rng, "abcde") for _ in range(20_000))
    assert set(counts) == set("abcde")
    assert all(abs(count - 4000) < 4 * 57 for count in counts.values())  # four deviations


def test_each_order_is_equally_likely() -> None:
    rng = Random(1)
    counts = Counter("".join(shuffled(rng, "abcd")) for _ in range(24_000))
    assert set(counts) == {"".join(order) for order in permutations("abcd")}
    assert all(abs(count - 1000) < 4.5 * 31 for count in counts.values())


def test_nothing_is_lost_or_changed() -> None:
    items = [3, 1, 2, 1]
    assert sorted(shuffled(Random(5), items)) == [1, 1, 2, 3]
    assert items == [3, 1, 2, 1]
    assert shuffled(Random(5), []) == []


def test_items_need_no_order_of_their_own() -> None:
    class Still(Random):
        def random(self) -> float:
            return 0.5

    assert shuffled(Still(), [object, int, str]) == [object, int, str]


def test_the_last_item_is_the_utmost() -> None:
    class High(Random):
        def random(self) -> float:
            return 1 - 2**-53

    assert pick(High(), "abc") == "c"
