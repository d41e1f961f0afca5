"""Solves the deals of a file of boards, and prints what random auctions on them were worth.

python own_deals.py FILE
"""

import sys

import numpy as np

from bridge_arena import read_boards
from bridge_arena.envs.bidding import BiddingEnvs
from bridge_arena.oracle.solved_deals import SolvedDeals
from bridge_arena.oracle.solver import tables

deals = [board.deal for board in read_boards(sys.argv[1])]
solved = SolvedDeals.of(deals, tables(deals))
envs = BiddingEnvs(solved, tables=len(solved), seed=1)
rng = np.random.default_rng(1)
seen, masks = envs.reset(seed=1)
imps = []
for _ in range(100):
    seen, masks, over, points, won = envs.step((rng.random(masks.shape) * masks).argmax(axis=1))
    imps.extend(won[over])
print(f"{len(solved)} deals, {np.abs(imps).mean():.1f} IMPs from par on average")
