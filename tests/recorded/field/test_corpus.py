"""Real files: the scores, IMPs and percentages that we count agree with those of their programs."""

from __future__ import annotations

from collections import Counter

import pytest

from research.field import Agreements, agreements_of
from tests.data import data_path


@pytest.mark.slow
def test_figures_of_real_files_are_counted_as_their_programs_counted_them() -> None:
    found: dict[str, Agreements] = {
        path.name: agreements
        for path in sorted(data_path("pbn", "corpus").rglob("*"))
        if (agreements := agreements_of(path)) is not None
    }
    assert sum(each.boards for each in found.values()) > 700
    figures = sum((each.figures for each in found.values()), Counter[str]())
    agreed = sum((each.agreed for each in found.values()), Counter[str]())
    assert sum(each.unusable for each in found.values()) == 0
    for kind, count in figures.items():
        # A file that was cut off has percentages of tables that it does not show.
        assert agreed[kind] / count > (0.9 if kind == "Percentage" else 0.99), kind
