"""`arena train`: solved deals to learn from, and the bots that learn."""

from __future__ import annotations

import typer

from bridge_arena.commands.train.bidders import (
    deepq,
    disciplined,
    evaluate,
    neural,
    qtable,
    selfplay,
)
from bridge_arena.commands.train.deals import deals
from bridge_arena.commands.train.declarers import dqn, fastplay, qplay, sarsa
from bridge_arena.commands.train.estimates import hand2vec, openings, tables, tricks

train = typer.Typer(help="Train the bots that learn.", rich_markup_mode=None)
for command in (
    *(deals, tricks, tables, hand2vec, openings, deepq, neural, selfplay, disciplined, qtable),
    *(qplay, sarsa, dqn, fastplay, evaluate),
):
    train.command(command.__name__)(command)
