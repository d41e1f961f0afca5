"""A bot of OpenSpiel takes a seat: its own uniform random bot."""

import pyspiel

from bridge_arena import run
from bridge_arena.bots.adapters import from_openspiel

run(from_openspiel(lambda player: pyspiel.make_uniform_random_bot(player, 1)))
