"""What is known of the players of a ladder by their definitions."""

from __future__ import annotations

import pytest

from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.ladder.players import BotKind, Player, State


@pytest.mark.parametrize(
    ("bot", "kinds"),
    [
        ("baseline", ["shipped"]),
        ("montecarlo:worlds=10", ["shipped"]),
        ("Mine=natural", ["shipped"]),
        ("cmd:/no/such/program --fast", ["program"]),
        ("no/such/file.py:MyBot", ["program"]),
        ("remote:Ann", ["remote"]),
        ("bluechip:Ann:alerts", ["bluechip"]),
        ("http:https://robot.example.org/bridge", ["http"]),
        ("llm:model=tiny", ["llm"]),
        ("cmd:'./a & b' & remote:Ann & cmd:./c & natural", ["program", "remote", "shipped"]),
    ],
)
def test_the_kind_of_a_player_follows_from_its_text_alone(bot: str, kinds: list[str]) -> None:
    player = Player(1, Entrant(bot=bot, name="it"), "", State.ACTIVE)
    assert player.kinds == [BotKind(kind) for kind in kinds]
