"""The offers to people who play, beside the game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Offers:
    """The offers to people who play.

    Attributes:
        hints: Whether they may ask for hints.
        undo: Whether they may take back actions.
        results: The place where results are written, which they are told; "" if they are not told.
        go_on: The command that goes on after an interruption, which they are told; "" if they are
            not told.
    """

    hints: bool = False
    undo: bool = False
    results: str = ""
    go_on: str = ""
