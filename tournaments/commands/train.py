"""`arena train`: solved deals to learn from, and the bots that learn."""

from __future__ import annotations

import typer

from tournaments.commands.train_deals import deals
from tournaments.commands.train_deepq import deepq
from tournaments.commands.train_dqn import dqn
from tournaments.commands.train_evaluate import evaluate
from tournaments.commands.train_fastplay import fastplay
from tournaments.commands.train_hand2vec import hand2vec
from tournaments.commands.train_neural import neural
from tournaments.commands.train_qplay import qplay, sarsa
from tournaments.commands.train_qtable import qtable
from tournaments.commands.train_tricks import tricks

train = typer.Typer(help="Train the bots that learn.", rich_markup_mode=None)
train.command("deals")(deals)
train.command("tricks")(tricks)
train.command("hand2vec")(hand2vec)
train.command("deepq")(deepq)
train.command("neural")(neural)
train.command("qtable")(qtable)
train.command("qplay")(qplay)
train.command("sarsa")(sarsa)
train.command("dqn")(dqn)
train.command("fastplay")(fastplay)
train.command("evaluate")(evaluate)
