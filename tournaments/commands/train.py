"""`arena train`: solved deals to learn from, and the bots that learn."""

from __future__ import annotations

import typer

train = typer.Typer(help="Train the bots that learn.", rich_markup_mode=None)
