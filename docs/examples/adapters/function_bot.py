"""A bare function takes a seat: it opens one notrump, and plays its lowest card."""

from bridge_arena import run
from bridge_arena.bots.adapters import from_function


def call(view):
    return "Pass" if view.contract else "1NT"


run(from_function(call))
