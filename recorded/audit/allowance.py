"""What the audit's own errors make of an honest player's luck.

The layouts do not know all that an auction or a play tells, so bots that are known to be honest
have a mean luck that is not quite zero. `benchmarks/audit.py` measures it and writes the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from bridge_arena.recorded.audit.decisions import Kind


@dataclass(frozen=True, slots=True)
class Allowance:
    """The mean luck of honest bots a board, and how far one of them may be from it for no other
    reason than what it is: a standard deviation, with the error of the mean in it."""

    mean: float
    deviation: float


@lru_cache(maxsize=1)
def shipped() -> Mapping[Kind, Allowance]:
    """As it was measured."""
    file = resources.files("bridge_arena.recorded.audit") / "allowance.json"
    kinds = json.loads(file.read_text(encoding="utf-8"))["kinds"]
    return {kind: Allowance(kinds[kind]["mean"], kinds[kind]["deviation"]) for kind in Kind}
