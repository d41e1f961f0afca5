"""The luck that honest players are allowed, because of the audit's own errors.

The layouts do not reflect everything that an auction or a play tells. So bots that are known to be
honest have a mean luck that is not exactly zero. `benchmarks/audit.py` measures it and writes the
file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from bridge_arena.recorded.audit import Kind


@dataclass(frozen=True, slots=True)
class Allowance:
    """The luck of honest bots."""

    mean: float  # their mean luck a board
    # The standard deviation of the mean luck of one honest bot from it, with the error of the mean
    # included.
    deviation: float


@lru_cache(maxsize=1)
def shipped() -> Mapping[Kind, Allowance]:
    """Return the measured allowances."""
    file = resources.files("bridge_arena.recorded.audit") / "allowance.json"
    kinds = json.loads(file.read_text(encoding="utf-8"))["kinds"]
    return {kind: Allowance(kinds[kind]["mean"], kinds[kind]["deviation"]) for kind in Kind}
