"""Orders to a ladder: what an administrator may order from afar, and what only a user here may."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import ValidationError

from bridge_arena.tournaments.events.tokens import Tokens
from bridge_arena.tournaments.ladder.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.orders import ADMINISTRATOR, ORDER, Add, MakeToken, carry_out
from bridge_arena.tournaments.ladder.players import LadderError
from tests.tournaments.ladder.ladders import ladder_file, opened


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LadderStore]:
    with closing(opened(tmp_path / "results.sqlite", ladder_file("baseline", "natural"))) as store:
        yield store


@pytest.mark.parametrize(
    "bot",
    [
        "cmd:touch stolen",
        "title=cmd:touch stolen",
        "a=b=cmd:touch stolen",
        "baseline & cmd:touch stolen",
        "baseline & x=cmd:touch stolen",
        "mine.py:Mine",
        "http:http://127.0.0.1:8000",
        "llm",
        "llm:base_url=http://evil.example,key_env=HOME",
        "neural:weights=/etc/passwd",
        "montecarlo:worlds=1000000000",
        "human:Ann",
        "",
    ],
)
def test_from_afar_nothing_is_started_or_read_that_the_order_names(
    store: LadderStore, tmp_path: Path, bot: str
) -> None:
    with pytest.raises(LadderError, match="from afar only bots that ship"):
        carry_out(Add(bot=bot), store, tmp_path / "tokens.json", None)
    assert len(store.players()) == 2


@pytest.mark.parametrize("bot", ["random", "random & baseline", "remote:Ann", "remote:a=cmd:x"])
def test_bots_that_ship_and_those_that_connect_come_from_afar(
    store: LadderStore, tmp_path: Path, bot: str
) -> None:
    done = carry_out(Add(bot=bot, name="New"), store, tmp_path / "tokens.json", None)
    assert done == "New joins the ladder"


def test_a_player_cannot_have_the_administrators_token(store: LadderStore, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    with pytest.raises(LadderError, match="is no name that PBN can hold"):
        carry_out(Add(bot="remote:x", name=ADMINISTRATOR), store, tokens, None)
    carry_out(Add(bot=f"remote:{ADMINISTRATOR}"), store, tokens, None)
    made = carry_out(MakeToken(player=ADMINISTRATOR.strip()), store, tokens, None)
    assert Tokens(tokens).owner(made) == ADMINISTRATOR.strip()
    with pytest.raises(LadderError, match="no bot that connects by itself"):
        carry_out(MakeToken(player=ADMINISTRATOR), store, tokens, None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"order": "stop"}',
        '{"order": "ban"}',
        '{"order": "ban", "player": 1}',
        '{"order": "ban", "player": "a", "dir": "/"}',
        '{"order": "add", "bot": "random", "env": ["HOME"]}',
        '{"order": "add", "bot": "%s"}' % ("x" * 501),
        "[" * 8000,
    ],
)
def test_an_order_is_read_strictly(text: str) -> None:
    with pytest.raises(ValidationError):
        ORDER.validate_json(text)
