"""The key of a service that a bot asks: an option names the environment's variable that holds it.

No message repeats a key, nor what is no name of a variable and so may be the key itself.
"""

from __future__ import annotations

import os
import re

_VARIABLE = re.compile("[A-Za-z_][A-Za-z0-9_]*")


def check_variable(option: str, name: str) -> str:
    """Check the name of the variable that holds a key.

    Args:
        option: The option that names it.
        name: The name.

    Returns:
        The name.

    Raises:
        ValueError: It is none.
    """
    if not _VARIABLE.fullmatch(name):
        raise ValueError(f"{option} is not the name of an environment variable")
    return name


def key_in(variable: str) -> str:
    """Return the key in a variable of the environment.

    Args:
        variable: The name of the variable.

    Returns:
        The key.

    Raises:
        ValueError: The variable is not set, or holds what can be no key.
    """
    key = os.environ.get(variable, "")
    if not key:
        raise ValueError(f"the environment has no key: set {variable}")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise ValueError(f"what {variable} holds is no key")
    return key
