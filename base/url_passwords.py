"""Text without the passwords of the URLs in it."""

from __future__ import annotations

import re


def without_password(text: str) -> str:
    """Return text without the passwords of the URLs in it.

    A password goes to the last @, as one in it may have been forgotten to be written as %40.
    """
    return re.sub(r"(://[^:/@\s]*):\S*@", r"\1:***@", text)
