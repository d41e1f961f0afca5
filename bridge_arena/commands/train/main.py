"""`arena train`: solved deals to learn from, and the bots that learn."""

from __future__ import annotations

import typer

from bridge_arena.commands.train.deals import deals
from bridge_arena.commands.train.deepq import deepq
from bridge_arena.commands.train.dqn import dqn
from bridge_arena.commands.train.evaluate import evaluate
from bridge_arena.commands.train.fastplay import fastplay
from bridge_arena.commands.train.hand2vec import hand2vec
from bridge_arena.commands.train.neural import neural
from bridge_arena.commands.train.openings import openings
from bridge_arena.commands.train.qplay import qplay, sarsa
from bridge_arena.commands.train.qtable import qtable
from bridge_arena.commands.train.selfplay import selfplay
from bridge_arena.commands.train.tables import tables
from bridge_arena.commands.train.tricks import tricks

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
