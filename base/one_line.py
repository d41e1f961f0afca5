"""A text of others, as one line that a terminal or a log may show."""

from __future__ import annotations


def one_line(text: str, most: int | None = None) -> str:
    """Return a text as one line: a blank for each character that cannot be printed.

    Args:
        text: The text.
        most: The length that it is cut to; None for any.

    Returns:
        The line.
    """
    return "".join(each if each.isprintable() else " " for each in text[:most])
