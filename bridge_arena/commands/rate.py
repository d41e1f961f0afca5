"""`arena rate`: where one bot stands among the bots that ship."""

from __future__ import annotations

import re
import shlex
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.base.concurrency import load_numpy_for_one_thread
from bridge_arena.commands.common.errors import UnusableError, unusable
from bridge_arena.commands.common.options import MostTime, given_words, most_time, out_option


def rate(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="the bot, as in an event file")],
    name: Annotated[str, typer.Option(help="its name; default: that of the bot")] = "",
    time: MostTime = "30m",
    error: Annotated[
        float | None,
        typer.Option(
            metavar="IMPS",
            help="how far its rating may be off; default: until it is sure who is stronger",
        ),
    ] = None,
    out: Annotated[Path | None, out_option("runs/rate-NAME")] = None,
) -> None:
    """Place a bot among bots that ship.

    They play it until it is sure who is stronger, or its rating is known to an error, or the time
    is over. It is a ladder of its own, whose matches all have the bot: the next opponent is the one
    that settles most. What is said of the order, and of the rating, is sure at every look. The same
    command goes on with it, and a changed bot is a new version.

    Examples:
        arena rate my_bot.py:MyBot --for 10m
        arena rate my_bot.py:MyBot --error 0.5 --for 2h
        arena rate "cmd:./mine --fast" --name Mine
    """
    load_numpy_for_one_thread()
    from bridge_arena.base.stopping import Stop
    from bridge_arena.commands.ladder.playing import PlayOptions, play_ladder
    from bridge_arena.commands.ladder.run import DEMO
    from bridge_arena.tournaments import Access, Entrant, EntryError, parse_party
    from bridge_arena.tournaments.events.event import lost_in_pbn
    from bridge_arena.tournaments.ladder.ladder_file import (
        LadderFile,
        checked_registration,
        parse_ladder,
    )

    end = datetime.now().astimezone() + most_time(time)
    if error is not None and not error > 0:  # neither is "nan"
        raise UnusableError(f"--error {error:g}: expected IMPs a board above 0, as 0.5")
    anchors = parse_ladder(DEMO, Path("demo.toml"))
    with unusable(EntryError, ValueError):
        name = name or parse_party(bot).name
        if name in {registration.entrant.name for registration in anchors.registrations}:
            name = f"{name}-2"
        if (wrong := lost_in_pbn(name)) is not None:
            raise UnusableError(f"name: {wrong}")
        own = checked_registration(anchors.definition, Entrant(bot=bot, name=name))
    if any(player.access is not Access.STARTED for player in own.entrant.known_players):
        raise UnusableError(f"{bot}: arena rate starts the bot itself; others join a ladder")
    template = anchors.definition.template.model_copy(update={"name": "Rating"})
    ladder = LadderFile(
        anchors.definition.model_copy(update={"template": template}),
        (*anchors.registrations, own),
    )
    # A name of others, which may be no name of a folder.
    stem = re.sub(r"[^\w.-]+", "-", name)[:60]
    folder = out or Path("runs") / f"rate-{stem}"
    words = given_words({"--error": (error, None)})
    again = shlex.join(["arena", "rate", bot, "--name", name, *words, "--out", str(folder)])
    play_ladder(ladder, PlayOptions(folder, Stop(end), again, subject=name, error=error))
    print(f"go on, or try another version, with: {again}")
