"""Tests of the measure of the house: the names that the glossary bans."""

from __future__ import annotations

from benchmarks.size import Module, banned_names
from tests.data import ROOT


def test_banned_words_are_told_with_their_places_and_kept_names_are_not() -> None:
    text = "found = 1\n\n\ndef tell(seenBefore, sees):\n    board.facets = sees\n"
    other = Module("bridge_arena.lab.other", "lab", ROOT / "lab" / "other.py", text)
    kept = Module("bridge_arena.lab.groupings", "lab", ROOT / "lab" / "groupings.py", text)
    named = ["found (found)", "seenBefore (seen)", "facets (facets)"]
    told = {line.partition(": ")[2] for line in banned_names({"other": other})}
    assert told == set(named)
    assert {line.partition(": ")[2] for line in banned_names({"kept": kept})} == set(named[:2])
