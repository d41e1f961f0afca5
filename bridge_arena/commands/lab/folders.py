"""The folders that `arena lab` leaves results in, and the command that goes on in one."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from bridge_arena.commands.common.options import given_words, resume_command


def new_folder(bots: Iterable[str]) -> Path:
    """Return the folder for results where none is named: runs/TIME-lab-BOTS."""
    safe = "".join(c if c.isalnum() or c == "-" else "_" for c in "-".join(map(_name, bots)))
    return Path("runs") / f"{datetime.now():%Y%m%d-%H%M%S}-lab-{safe[:60]}"


def _name(bot: str) -> str:
    """Return the title of a bot, or the bot as it is on the command line."""
    title, equals, _ = bot.partition("=")
    return title if equals and ":" not in title else bot


def resume_lab(folder: Path, workers: int | None, dask: str = "") -> str:
    """Return the command that goes on with what was interrupted."""
    words = given_words({"--workers": (workers, None), "--dask": (dask, "")})
    return resume_command("lab", words, folder)
