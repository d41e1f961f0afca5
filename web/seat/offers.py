"""What people who play are offered beside the game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Offers:
    """`hints`, `undo`: whether they may ask for hints, and take back what they did. `results`:
    where they are told that results are written; "" where they are not."""

    hints: bool = False
    undo: bool = False
    results: str = ""
