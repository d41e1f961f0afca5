"""Measure the steps a second of pgx's bridge bidding, for `benchmarks.environments`.

    PYTHON benchmarks/pgx_auctions.py TABLES STEPS

PYTHON has pgx and jax; the arena is not needed. The policy is uniform over legal calls, an auction
that is over begins anew, and all steps run in one compiled loop. The first run, which compiles, is
not counted. It prints the steps a second of processor time, the observation of each step included.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from pgx.bridge_bidding import BridgeBidding, _load_sample_hash
from pgx.experimental import auto_reset


def rate(tables: int, steps: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dds.npy"
        jnp.save(str(path), jnp.stack(_load_sample_hash()))
        env = BridgeBidding(str(path))
    begin = jax.vmap(env.init)
    step = jax.vmap(auto_reset(env.step, env.init))

    def once(carry: tuple[Any, Any], _: None) -> tuple[tuple[Any, Any], Any]:
        state, key = carry
        key, choosing, playing = jax.random.split(key, 3)
        weights = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        calls = jax.random.categorical(choosing, weights)
        state = step(state, calls, jax.random.split(playing, tables))
        return (state, key), state.observation.sum()

    run = jax.jit(lambda state, key: jax.lax.scan(once, (state, key), None, length=steps))
    key = jax.random.PRNGKey(0)
    state = begin(jax.random.split(key, tables))
    jax.block_until_ready(run(state, key))
    started = time.process_time()
    jax.block_until_ready(run(state, key))
    return tables * steps / (time.process_time() - started)


if __name__ == "__main__":
    print(rate(int(sys.argv[1]), int(sys.argv[2])))
