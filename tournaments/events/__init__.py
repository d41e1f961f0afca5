"""The definition of an event: what is to be played, and under which rules."""

from __future__ import annotations

from enum import StrEnum

START = 300.0
"""The seconds that a bot which is started here has to load and to sit down, by default."""


class Isolation(StrEnum):
    """The isolation of the bots that are started here, from the machine and from each other."""

    NONE = "none"  # they are trusted
    SANDBOX = "sandbox"  # each process sees nothing of the machine, nor of the others
