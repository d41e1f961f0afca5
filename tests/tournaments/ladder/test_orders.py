"""Orders to a ladder: what an administrator may order from afar, and what only a user here may."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import ValidationError

from bridge_arena.tournaments.events.tokens import Tokens
from bridge_arena.tournaments.ladder.orders import (
    ADMINISTRATOR,
    ORDER,
    Add,
    AskTest,
    Change,
    Describe,
    MakeToken,
    SetState,
    SetWebhook,
    WithdrawTest,
    carry_out,
    reason_of,
)
from bridge_arena.tournaments.ladder.players import LadderError
from bridge_arena.tournaments.ladder.store import ladder_store, sequential_test_store
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
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


@pytest.mark.parametrize("folder", [None, Path("bots")])
@pytest.mark.parametrize(
    "order",
    [
        Add(bot="remote:" + "x" * 600),
        Add(bot="random", clock="1" * 100),
        SetState(order="pause", player="x" * 100),
        MakeToken(player="x" * 600),
        AskTest(new="natural", base="baseline", sprt="x" * 100),
    ],
)
def test_a_text_that_is_too_long_is_refused_in_one_line(
    store: LadderStore, tmp_path: Path, order: Change, folder: Path | None
) -> None:
    with pytest.raises(LadderError) as refused:
        carry_out(order, store, tmp_path / "tokens.json", folder)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        (kind, key)
        for kind in (Add, SetState, MakeToken, AskTest, Describe, SetWebhook)
        for key in kind.model_fields
        if key != "order"
    ],
)
def test_every_text_of_an_order_has_a_bound(kind: type[Change], key: str) -> None:
    with pytest.raises(ValidationError) as refused:
        kind.model_validate({key: "x" * 2001})
    assert any(
        (one["loc"], one["type"]) == ((key,), "string_too_long") for one in refused.value.errors()
    )
    assert "\n" not in reason_of(refused.value)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("{", "the order is no JSON"),
        ("[]", "an order is an object in JSON"),
        ("{}", "it does not say which order it is: the key order is missing"),
        ('{"order": "{ge}"}', "there is no such order: there are 'add', 'pause', 'resume', "),
        ('{"order": "pause"}', "pause.player: it is missing"),
        ('{"order": "pause", "player": 3}', "pause.player: expected a text"),
        ('{"order": "token", "player": "a", "{}": 1}', "token.{}: the order has no such key"),
        ('{"order": "withdraw", "number": "1"}', "withdraw.number: expected a whole number"),
        ('{"order": "withdraw", "number": 0}', "withdraw.number: 1 is the least"),
        ('{"order": "withdraw", "number": 9999999999}', "withdraw.number: 1000000000 is the most"),
        ('{"order": "status", "width": 80, "as_json": 1}', "status.as_json: expected true or"),
    ],
)
def test_why_an_order_cannot_be_read_is_said_in_words(given: str, why: str) -> None:
    with pytest.raises(ValidationError) as refused:
        ORDER.validate_json(given)
    assert reason_of(refused.value).startswith(why)


@pytest.mark.parametrize("name", ["Mine / 1", "Mine / North / 2"])
def test_no_player_has_the_name_of_one_of_anothers_several_bots(
    store: LadderStore, tmp_path: Path, name: str
) -> None:
    for order in (Add(bot="random", name=name), Add(bot=f"{name}=remote:x")):
        with pytest.raises(LadderError, match="has ' / '"):
            carry_out(order, store, tmp_path / "tokens.json", None)


@pytest.mark.parametrize("folder", [None, Path("bots")])
@pytest.mark.parametrize(
    ("order", "says"),
    [
        (Add(bot="random", name="Fünf 木"), r"name: 'Fünf 木' .* only 'Fünf \?'"),
        (Add(bot="remote:木"), r"name: '木' .* only '\?'"),
        (Add(bot="random & remote:木", name="New"), r"bot: 'New / 木' .* only 'New / \?'"),
    ],
)
def test_a_name_that_pbn_cannot_hold_is_refused(
    store: LadderStore, tmp_path: Path, order: Add, says: str, folder: Path | None
) -> None:
    with pytest.raises(LadderError, match=says):
        carry_out(order, store, tmp_path / "tokens.json", folder)
    assert len(store.players()) == 2


@pytest.mark.parametrize("bot", ["random", "remote:Ann", "baseline"])
def test_no_order_gives_an_anchor_another_bot(tmp_path: Path, bot: str) -> None:
    file = ladder_file("baseline", "natural", anchors=["baseline"])
    with closing(opened(tmp_path / "results.sqlite", file)) as store:
        with pytest.raises(LadderError, match="baseline holds the scale"):
            carry_out(Add(bot=bot, name="baseline"), store, tmp_path / "tokens.json", tmp_path)
        assert store.players()[1].entrant.bot == "baseline"


def test_a_player_cannot_have_the_administrators_token(store: LadderStore, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    with pytest.raises(LadderError, match="cannot be written in PBN"):
        carry_out(Add(bot="remote:x", name=ADMINISTRATOR), store, tokens, None)
    carry_out(Add(bot=f"remote:{ADMINISTRATOR}"), store, tokens, None)
    made = carry_out(MakeToken(player=ADMINISTRATOR.strip()), store, tokens, None)
    assert Tokens(tokens).owner(made) == ADMINISTRATOR.strip()
    with pytest.raises(LadderError, match="no bot that connects by itself"):
        carry_out(MakeToken(player=ADMINISTRATOR), store, tokens, None)


def test_a_test_is_ordered_by_names(store: LadderStore, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    for player, name in enumerate(("baseline", "natural"), 1):
        store.note_presence(player, store.add_version(player, name).number, is_there=True)
    with pytest.raises(LadderError, match="no player is called 'Ann'"):
        carry_out(AskTest(new="natural", base="Ann"), store, tokens, None)
    with pytest.raises(LadderError, match="the test: 'imp2=1' is none of"):
        carry_out(AskTest(new="natural", base="baseline", sprt="imp2=1"), store, tokens, None)
    asked = carry_out(AskTest(new="natural", base="baseline", sprt="imp1=1"), store, tokens, None)
    assert asked.startswith("test 1 begins: is natural better than baseline? (imp0=0 imp1=1 ")
    withdrawn = carry_out(WithdrawTest(number=1), store, tokens, None)
    assert withdrawn == "test 1 is withdrawn"
    with pytest.raises(LadderError, match="no open test has the number 1"):
        carry_out(WithdrawTest(number=1), store, tokens, None)


def test_orders_add_only_so_many_players_and_the_file_any_number(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder_store, "MOST_PLAYERS", 3)
    tokens = tmp_path / "tokens.json"
    carry_out(Add(bot="random"), store, tokens, None)
    carry_out(SetState(order="retire", player="random"), store, tokens, None)
    for folder in (None, tmp_path):
        with pytest.raises(LadderError, match="has 3 players: only its file may have more than 3"):
            carry_out(Add(bot="remote:Ann"), store, tokens, folder)
    assert "now as remote:Ann" in carry_out(
        Add(bot="remote:Ann", name="random"), store, tokens, None
    )
    for registration in ladder_file("remote:Bo", "remote:Cy").registrations:
        assert store.enter(registration)
    assert len(store.players()) == 5


def test_only_so_many_tests_are_open(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sequential_test_store, "MOST_OPEN", 1)
    tokens = tmp_path / "tokens.json"
    carry_out(Add(bot="random"), store, tokens, None)
    for number, player in store.players().items():
        store.note_presence(number, store.add_version(number, player.name).number, is_there=True)
    asked = [AskTest(new="natural", base="baseline"), AskTest(new="random", base="baseline")]
    carry_out(asked[0], store, tokens, None)
    with pytest.raises(LadderError, match="1 tests are open already: withdraw one first"):
        carry_out(asked[1], store, tokens, None)
    carry_out(WithdrawTest(number=1), store, tokens, None)
    assert carry_out(asked[1], store, tokens, None).startswith("test 2 begins")


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
        '{"order": "test", "new": "a"}',
        '{"order": "withdraw", "number": 1e9999}',
        "[" * 8000,
    ],
)
def test_an_order_is_read_strictly(text: str) -> None:
    with pytest.raises(ValidationError):
        ORDER.validate_json(text)
