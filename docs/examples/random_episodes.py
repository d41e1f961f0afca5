"""Plays three boards with a random policy, and prints each board and what it was worth."""

import numpy as np

from bridge_arena.envs.aec import BridgeEnv

# Against zero points: par would have to be solved first.
env = BridgeEnv(standard=lambda _: 0, render_mode="human")
rng = np.random.default_rng(1)
for board in range(3):
    env.reset(seed=7 if board == 0 else None)
    imps = 0.0
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, info = env.last()
        imps += reward if agent == "player_0" else 0
        legal = np.flatnonzero(seen["action_mask"])
        env.step(None if terminated else int(rng.choice(legal)))
    env.render()
    print(f"{imps:+g} IMPs to North\n")
