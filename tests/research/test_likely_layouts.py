"""What the other players' actions tell of the hidden hands."""

from __future__ import annotations

from itertools import islice
from random import Random

import numpy as np
import pytest

from bridge_arena.pbn.read.records import read_records
from research.likely_layouts import CARDS_OF_A_BOARD, measured
from tests.data import data_path

pytestmark = pytest.mark.slow


def test_the_true_layout_is_weighed_among_those_drawn() -> None:
    records = list(islice(read_records(data_path("wbridge5", "games-1-8000.pbn")), 2))
    found = measured(records, 6, Random(2))
    told = np.array([each for kind in found.values() for each in kind])
    assert told.shape == (2 * CARDS_OF_A_BOARD, 3)
    assert np.isfinite(told).all()
    assert told[:, :2].any(axis=0).all()
