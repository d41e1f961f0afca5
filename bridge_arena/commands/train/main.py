"""`arena train`: solved deals to learn from, and the bots that learn."""

from __future__ import annotations

import typer

from bridge_arena.commands.train.bidders import deepq, evaluate, neural, qtable, selfplay
from bridge_arena.commands.train.deals import deals
from bridge_arena.commands.train.declarers import dqn, fastplay, qplay, sarsa
from bridge_arena.commands.train.estimates import hand2vec, openings, tables, tricks

train = typer.Typer(help="Train the bots that learn.", rich_markup_mode=None)
train.command("deals")(deals)
train.command("tricks")(tricks)
train.command("tables")(tables)
train.command("hand2vec")(hand2vec)
train.command("openings")(openings)
train.command("deepq")(deepq)
train.command("neural")(neural)
train.command("selfplay")(selfplay)
train.command("qtable")(qtable)
train.command("qplay")(qplay)
train.command("sarsa")(sarsa)
train.command("dqn")(dqn)
train.command("fastplay")(fastplay)
train.command("evaluate")(evaluate)
