"""Whole numbers in files, which may have any number of digits.

`int` refuses thousands of digits, and a width or count that a file claims may need more memory than
there is. No number of a game is that great.
"""

from __future__ import annotations

_DIGITS = 9
"""The most digits of the number of a board, a round, a note or anything else."""


def whole_number(text: str) -> int | None:
    """Return the number of a text of digits; None for other text and for too many digits."""
    if not text:
        return None
    is_number = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    return int(text) if is_number else None


def capped(text: str) -> int:
    """Return the number of a text of digits for comparisons.

    Args:
        text: The digits, with a sign or none. A number of too many digits is cut, but stays
            greater, or less, than all others.

    Returns:
        The number.
    """
    digits = text.lstrip("+-")
    if len(digits) > _DIGITS:
        digits = digits.lstrip("0")[: _DIGITS + 1] or "0"
    return -int(digits) if text.startswith("-") else int(digits)
