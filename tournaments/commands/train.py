"""`arena train`: solved deals to learn from, and the bots that learn."""

from __future__ import annotations

import typer

from tournaments.commands.train_deals import deals

train = typer.Typer(help="Train the bots that learn.", rich_markup_mode=None)
train.command("deals")(deals)
