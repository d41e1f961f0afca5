"""What the page of an analysis shows of fields: data and texts for `field.html`."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from bridge_arena.recorded.field.overview import FieldOverview
from bridge_arena.recorded.field.pairs import Ranked
from bridge_arena.recorded.field.terminal import (
    board_texts,
    end_text,
    imps_text,
    pair_text,
    percentage_text,
    swing_text,
    title_of,
)

TEMPLATES = Path(__file__).parent

_RANKINGS = 20
_PAIRS = 100
"""The most rankings, and pairs of each, that are shown; `pairs` has all."""


TEXTS = {
    "boards": board_texts,
    "swing": swing_text,
    "end": end_text,
    "title": title_of,
    "pair": pair_text,
    "percentage": percentage_text,
    "imps": imps_text,
}
"""The functions that make texts, by the names that the template uses."""


def rankings_of(overview: FieldOverview) -> list[list[Ranked]]:
    """Return the rankings of pairs that are shown."""
    return [pairs[:_PAIRS] for pairs in islice(overview.pairs.rankings(), _RANKINGS)]
