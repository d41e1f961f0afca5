"""Bids many boards at once at random, and prints what a call was worth against par.

python bid_many.py DATASET
"""

import sys

import numpy as np

from bridge_arena.envs.bidding import BiddingEnvs
from bridge_arena.recorded.datasets.reading import read_deals

envs = BiddingEnvs(read_deals(sys.argv[1]), tables=256, seed=1)
rng = np.random.default_rng(1)
seen, masks = envs.reset(seed=1)
imps = []
for _ in range(100):
    calls = (rng.random(masks.shape) * masks).argmax(axis=1)
    seen, masks, over, points, won = envs.step(calls)
    imps.extend(won[over])
print(f"{len(imps)} boards, {np.abs(imps).mean():.1f} IMPs from par on average")
