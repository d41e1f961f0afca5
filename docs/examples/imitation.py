"""Makes the arrays that a net can learn a player's decisions from.

python imitation.py DATASET PLAYER OUT.npz
"""

import sys

import numpy as np

from bridge_arena.envs.decisions import decisions
from bridge_arena.recorded.datasets.reading import read_tables

dataset, player, out = sys.argv[1:]
seen, actions = [], []
for record in read_tables(dataset):
    for decision in decisions(record):
        if record.players[decision.seat] == player:
            seen.append(decision.observation)
            actions.append(decision.action)
np.savez_compressed(out, observations=np.array(seen), actions=np.array(actions))
print(f"{len(actions)} decisions of {player}")
