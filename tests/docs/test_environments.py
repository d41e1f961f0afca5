"""The pages on environments, adapters and datasets show what there is."""

from __future__ import annotations

import re

import pytest

from bridge_arena.bots.library.spaces import AUCTION_SIZE, LAYOUT, SIZE, SLICES
from bridge_arena.recorded.datasets.rows import MEANINGS, TRICKS, Kind
from tests.data import DOCS


def test_the_layout_is_in_the_page() -> None:
    page = (DOCS / "environments.md").read_text()
    rows = re.findall(r"^\| `\w+` \| \d+ to \d+ \|.*$", page, re.M)
    assert rows == [
        f"| `{part.name}` | {SLICES[part.name].start} to {SLICES[part.name].stop - 1} "
        f"| {' × '.join(map(str, part.shape))} | {part.meaning} |"
        for part in LAYOUT
    ]
    assert f"uint8, {SIZE} numbers" in page
    assert f"the first {AUCTION_SIZE} of them" in page


@pytest.mark.parametrize("kind", Kind)
def test_the_columns_are_in_the_page(kind: Kind) -> None:
    page = (DOCS / "datasets.md").read_text()
    for name, meaning in MEANINGS[kind].items():
        assert name in TRICKS or f"| `{name}` | {meaning} |\n" in page


@pytest.mark.parametrize(
    ("page", "example"),
    [
        ("environments", "random_episodes"),
        ("environments", "bid_many"),
        ("environments", "own_deals"),
        ("environments", "imitation"),
        ("adapters", "adapters/policy_bot"),
        ("adapters", "adapters/openspiel_bot"),
        ("adapters", "adapters/function_bot"),
    ],
)
def test_examples_are_shown_as_they_are(page: str, example: str) -> None:
    source = (DOCS / "examples" / f"{example}.py").read_text()
    assert f"```python\n{source}```" in (DOCS / f"{page}.md").read_text()
