"""The net of openings, and the one that ships."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.library.learning.arrays import ArraysError, write_arrays
from bridge_arena.bots.library.learning.hands import random_pairs
from bridge_arena.bots.library.openings.net import OpeningsNet, inputs, shipped
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import Hand


def test_what_is_seen_has_mean_0_and_deviation_1() -> None:
    found = inputs(np.concatenate(random_pairs(np.random.default_rng(2), 20_000)))
    assert found.shape == (40_000, 17)
    assert np.allclose(found.mean(axis=0), 0, atol=0.03)
    assert np.allclose(found.std(axis=0), 1, atol=0.03)


def test_the_shipped_net_gives_probabilities() -> None:
    found = shipped().probabilities(random_pairs(np.random.default_rng(3), 100)[0])
    assert found.shape == (100, len(shipped().calls))
    assert (found >= 0).all()
    assert np.allclose(found.sum(axis=1), 1)


@pytest.mark.parametrize(
    ("hand", "call"),
    [
        ("AK652.K3.AK4.AQ2", "1C"),
        ("KJ4.AQ5.QJ83.K92", "1NT"),
        ("AQJ42.K5.Q83.J92", "1S"),
        ("A2.KQ865.Q8.J932", "1H"),
        ("QJ97.42.K972.J83", "Pass"),
    ],
)
def test_the_shipped_net_bids_polish_club(hand: str, call: str) -> None:
    (first, _), *_ = shipped().likely(Hand.parse(hand))
    assert first == Call(call)


def test_a_file_of_other_arrays_is_refused_as_a_net(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    whole = shipped().weights | {"calls": np.array(shipped().calls)}
    write_arrays(path, whole)
    assert OpeningsNet.read(path).likely(Hand.parse("AK652.K3.AK4.AQ2"))[0][0] == Call("1C")
    write_arrays(path, whole | {"calls": np.full(len(shipped().calls), 38)})
    with pytest.raises(ArraysError, match="calls holds something that is no call"):
        OpeningsNet.read(path)
    write_arrays(path, whole | {"calls": np.array([PASS])})
    with pytest.raises(ArraysError, match="weight is 512"):
        OpeningsNet.read(path)
