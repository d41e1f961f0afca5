"""Text without the passwords of the URLs in it."""

from __future__ import annotations

import re


def without_password(text: str) -> str:
    """Return text without the passwords of the URLs in it."""
    return re.sub(r"(://[^:/@\s]*):[^@\s]*@", r"\1:***@", text)
