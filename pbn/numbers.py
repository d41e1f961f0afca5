"""Whole numbers as files name them, however many digits they have.

`int` refuses thousands of digits, and what is as wide, as often or as far as a file says
may need more memory than there is. No number of a game is that great.
"""

from __future__ import annotations

_DIGITS = 9
"""More of them make no number of a board, a round, a note or anything else."""


def whole_number(text: str) -> int | None:
    """The number of a text of digits; None for any other text, and for too many digits."""
    if not text:
        return None
    is_number = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    return int(text) if is_number else None


def capped(text: str) -> int:
    """The number of a text of digits, with a sign or none, for comparisons: one of too many
    digits is just greater, or less, than all others."""
    digits = text.lstrip("+-")
    if len(digits) > _DIGITS:
        digits = digits.lstrip("0")[: _DIGITS + 1] or "0"
    return -int(digits) if text.startswith("-") else int(digits)
