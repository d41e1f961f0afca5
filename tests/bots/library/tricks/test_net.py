"""The estimate of tricks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge_arena.bots.library.learning.arrays import ArraysError
from bridge_arena.bots.library.learning.hands import (
    denominations_reordered,
    random_pairs,
    reordered,
    suit_orders,
)
from bridge_arena.bots.library.tricks.data import MeansError, read_means
from bridge_arena.bots.library.tricks.net import Estimate, TricksNet, shipped
from tests.data import data_path

HEADER = ";N;S;NC;ND;NH;NS;NNT;SC;SD;SH;SS;SNT"
PAIR = "A72.K7.AQJ74.A94;J.J852.T9.KQ6532"


def test_a_distribution_is_one_of_whole_tricks() -> None:
    mean = np.array([-0.4, 0.2, 6.5, 9.0, 13.6], np.float32).reshape(1, 5, 1).repeat(2, axis=2)
    likely = Estimate(mean, np.full_like(mean, 0.8)).distribution()
    assert likely.shape == (1, 5, 2, 14)
    assert np.allclose(likely.sum(axis=-1), 1, atol=1e-6)
    assert (likely >= 0).all()
    assert list(likely[0, :, 0].argmax(axis=-1)) == [0, 0, 6, 9, 13]
    # A mean between two whole numbers makes both as likely.
    assert likely[0, 2, 0, 6] == pytest.approx(likely[0, 2, 0, 7], abs=1e-6)


@pytest.mark.slow
def test_the_estimate_is_alike_whichever_hand_is_named_first() -> None:
    hands, partners = random_pairs(np.random.default_rng(4), 700)
    one, other = shipped().estimate(hands, partners), shipped().estimate(partners, hands)
    assert np.allclose(one.mean, other.mean[:, :, ::-1], atol=1e-4)
    assert np.allclose(one.deviation, other.deviation[:, :, ::-1], atol=1e-4)


def test_suits_that_change_places_change_nothing_else() -> None:
    rng = np.random.default_rng(5)
    hands, partners = random_pairs(rng, 50)
    orders = suit_orders(rng, 50)
    one = shipped().estimate(hands, partners)
    other = shipped().estimate(reordered(hands, orders), reordered(partners, orders))
    assert np.allclose(other.mean, denominations_reordered(one.mean, orders), atol=1e-4)
    assert np.allclose(other.deviation, denominations_reordered(one.deviation, orders), atol=1e-4)


@pytest.mark.slow
def test_the_estimate_is_close_to_means_over_ten_layouts(tmp_path: Path) -> None:
    lines = data_path("hand2vec", "hands-validate-50000.csv").read_text().splitlines()
    (tmp_path / "some.csv").write_text("\n".join(lines[:5001]))
    known = read_means(tmp_path / "some.csv")
    assert len(known) == 5000
    off = np.abs(shipped().estimate(known.hands, known.partners).mean - known.tricks)
    assert (off[:, :4] <= 0.5).mean() > 0.89
    assert (off[:, 4] <= 0.5).mean() > 0.8


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("0;AKQ.;32.2.2.2;1;1;1;1;1;1;1;1;1;1", "'AKQ.' is not a hand"),
        (f"0;{PAIR};x;1;1;1;1;1;1;1;1;1", "'x' is no number of tricks"),
        (f"0;{PAIR};nan;1;1;1;1;1;1;1;1;1", "'nan' is no number of tricks"),
        (f"0;{PAIR};1;1;1;1;1;1;1;1;1;99", "'99' is no number of tricks"),
        (f"0;{PAIR};1;1;1;1;1;1;1;1;1;-1", "'-1' is no number of tricks"),
        (f"0;{PAIR};1;1;1", "None is no number of tricks"),
        ("0;A72.K7.AQJ74.A94", "'' is not a hand"),
        ("0;A72.K7.AQJ74.A9;J.J852.T9.KQ6532;1;1;1;1;1;1;1;1;1;1", "a hand of 12 cards, not 13"),
        ("0;A72.K7.AQJ74.A94;A.J852.T9.KQ6532;1;1;1;1;1;1;1;1;1;1", "both hands hold the same"),
        ("\0ÿ", ""),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "means.csv"
    path.write_text(f"{HEADER}\n{line}\n", encoding="latin-1")
    with pytest.raises(MeansError, match=f"means.csv, line 2: .*{said}"):
        read_means(path)


def test_a_column_that_is_missing_is_named(tmp_path: Path) -> None:
    path = tmp_path / "means.csv"
    path.write_text(f";N;S;NC\n0;{PAIR};1\n")
    with pytest.raises(MeansError, match="no column 'SC'"):
        read_means(path)


@pytest.mark.parametrize("text", ["", f"{HEADER}\n"])
def test_a_file_of_no_pairs_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "means.csv"
    path.write_text(text)
    with pytest.raises(MeansError, match=r"means\.csv: there are no pairs of hands"):
        read_means(path)


def of_width(width: int) -> dict[str, np.ndarray[Any, Any]]:
    """Return the arrays of a net that expects 7 tricks of every pair."""
    arrays: dict[str, np.ndarray[Any, Any]] = {"correlation": np.eye(5)}
    for name, inputs, outputs in (
        ("first", 26, width),
        ("steps.0.mix", width, width),
        ("suits", width, 4),
    ):
        arrays[f"{name}.own.weight"] = arrays[f"{name}.all.weight"] = np.zeros((outputs, inputs))
        arrays[f"{name}.own.bias"] = np.zeros(outputs)
    for name, outputs in (("steps.0.out", width), ("notrump.0", width), ("notrump.1", 4)):
        arrays[f"{name}.weight"], arrays[f"{name}.bias"] = (
            np.zeros((outputs, width)),
            np.zeros(outputs),
        )
    return arrays


def test_a_net_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    np.savez(path, **of_width(3))  # type: ignore[arg-type]
    net = TricksNet.read(path)
    assert net.between == 1
    found = net.estimate(*random_pairs(np.random.default_rng(1), 4))
    assert found.mean.shape == found.deviation.shape == (4, 5, 2)
    assert (found.mean == 7).all()
    assert (found.deviation == 1).all()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"suits.own.bias": np.zeros(3)}, "suits.own.bias is 3, expected 4"),
        ({"first.own.weight": np.zeros((8, 25))}, "first.own.weight is 8 × 25, expected n × 26"),
        ({"notrump.0.weight": np.zeros((7, 8))}, "notrump.0.weight is 7 × 8, expected 8 × 8"),
        ({"steps.1.mix.own.bias": np.zeros(8)}, "there is no array steps.1.mix.own.weight"),
        ({"correlation": np.full((5, 5), np.nan)}, "correlation holds something"),
        ({"steps.0.mix.own.bias": None}, r"steps\.0\.mix\.all\.weight is no part of such a net"),
        ({"correlation": None}, "there is no array correlation"),
        ({"first.own.weight": None}, "there is no array first.own.weight"),
    ],
)
def test_a_file_of_other_arrays_is_refused_as_a_net(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    arrays = of_width(8)
    path = tmp_path / "weights.npz"
    kept = {name: each for name, each in (arrays | changes).items() if each is not None}
    np.savez(path, **kept)
    with pytest.raises(ArraysError, match=rf"weights\.npz: {said}"):
        TricksNet.read(path)
