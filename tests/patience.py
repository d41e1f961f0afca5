"""How long tests wait for what must come: only so that one that hangs has an end."""

from __future__ import annotations

import os

FACTOR = float(os.environ.get("ARENA_TEST_PATIENCE") or 1)
"""ARENA_TEST_PATIENCE: more than 1 on a machine that is busy with much else."""

PATIENCE = 120.0 * FACTOR
"""Seconds."""
