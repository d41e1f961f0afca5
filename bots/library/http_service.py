"""A service that a bot asks over HTTP: its key, and when it wants to be asked again.

An option names the variable of the environment that holds the key. No message repeats a key, nor
what is no name of a variable and so may be the key itself.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_VARIABLE = re.compile("[A-Za-z_][A-Za-z0-9_]*")

_LONGEST_PAUSE = 1e9
"""The most seconds that a service may ask to wait; a higher number says nothing."""


def check_variable(option: str, name: str) -> str:
    """Return the name of a key's variable that `option` gives. Raises ValueError if it is none."""
    if not _VARIABLE.fullmatch(name):
        raise ValueError(f"{option} is not the name of an environment variable")
    return name


def key_in(variable: str) -> str:
    """Return the key in a variable; ValueError if it is not set, or holds what can be no key."""
    key = os.environ.get(variable, "")
    if not key:
        raise ValueError(f"the environment has no key: set {variable}")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise ValueError(f"what {variable} holds is no key")
    return key


def retry_after(text: str) -> float | None:
    """Return the seconds of a `Retry-After` header, a number or a date; None if it says neither."""
    with suppress(ValueError):
        seconds = float(text)
        return seconds if 0 <= seconds < _LONGEST_PAUSE else None  # which "nan" is not
    try:
        until = parsedate_to_datetime(text)
        until = until if until.tzinfo else until.replace(tzinfo=UTC)
        return max(0.0, (until - datetime.now(UTC)).total_seconds())
    except (ValueError, OverflowError):
        return None
