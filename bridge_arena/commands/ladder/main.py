"""`arena ladder`: a standing ladder, which is played until it is stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperGroup

from bridge_arena.commands.ladder.audit import audit
from bridge_arena.commands.ladder.authors import approve, describe, invite, refuse, webhook
from bridge_arena.commands.ladder.backup import backup, restore
from bridge_arena.commands.ladder.orders import add, ban, pause, resume, retire, token
from bridge_arena.commands.ladder.run import run
from bridge_arena.commands.ladder.sequential_tests import sequential_test
from bridge_arena.commands.ladder.status import status
from bridge_arena.commands.ladder.web import web


class _Group(TyperGroup):
    """The commands of `arena ladder`, of which `run` need not be named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "--help"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


ladder = typer.Typer(
    cls=_Group,
    help="Play a ladder: bots come and go, and ranks hold at every look.",
    rich_markup_mode=None,
)
_PLAY: tuple[Callable[..., None], ...] = (run, web, status, audit, backup, restore)
_PLAYERS: tuple[Callable[..., None], ...] = (add, pause, resume, retire, ban, token)
_AUTHORS: tuple[Callable[..., None], ...] = (describe, webhook, invite, approve, refuse)
for command in (*_PLAY, *_PLAYERS, *_AUTHORS):
    ladder.command(command.__name__)(command)
ladder.command("test")(sequential_test)
