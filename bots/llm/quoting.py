"""Text of strangers in a prompt: quoted as data, so that it cannot pass for an order.

A quotation stands in one line between `«` and `»`. Within it these two signs, line ends and all
characters that cannot be printed are replaced, so that no text can end its own quotation.
"""

from __future__ import annotations

from bridge_arena.base.one_line import one_line

MOST_QUOTED = 200
"""The most characters of a stranger's text that a model is shown."""

_NOT_SIGNS = str.maketrans("«»", "‹›")


def quoted(text: str) -> str:
    """Return a stranger's text between quotation signs, in one line, cut to `MOST_QUOTED`."""
    return f"«{one_line(text, MOST_QUOTED).translate(_NOT_SIGNS).strip()}»"
