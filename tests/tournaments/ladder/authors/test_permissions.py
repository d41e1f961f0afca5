"""What an author may order on a ladder: a table of orders, and what somebody may try."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.events.tokens import Tokens
from bridge_arena.tournaments.ladder.authors import newcomers, own_status, permissions
from bridge_arena.tournaments.ladder.authors.newcomers import looks_like
from bridge_arena.tournaments.ladder.authors.permissions import carry_out_for
from bridge_arena.tournaments.ladder.ladder_file import Registration
from bridge_arena.tournaments.ladder.orders import (
    Add,
    AskTest,
    Describe,
    MakeToken,
    Order,
    SetState,
    SetWebhook,
    ShowStatus,
    WithdrawTest,
    carry_out,
)
from bridge_arena.tournaments.ladder.players import LadderError, State, Version
from bridge_arena.tournaments.ladder.store import sequential_test_store
from bridge_arena.tournaments.ladder.store.alert_store import Alert, Kind
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.strength.sequential_tests import Outcome
from tests.tournaments.ladder.ladders import ladder_file, opened

SLOW = "imp0=0 imp1=0.001"


def _enter(folder: Path) -> None:
    with closing(opened(folder / "results.sqlite", ladder_file("baseline", "random"))) as store:
        for name, author in (("Mine", "Ann"), ("Bad", "Ann"), ("Zoë", "Bo")):
            store.enter(Registration(Entrant(bot=f"remote:{name}", name=name), author))
        store.set_state("Bad", State.BANNED)
        for number, player in store.players().items():
            version = store.add_version(number, player.name)
            store.note_presence(number, version.number, is_there=True)
        players = {player.name: player for player in store.players().values()}
        store.tests.ask(players["Zoë"], players["baseline"], author="Bo")
        store.tests.ask(players["Mine"], players["baseline"])  # the administrator


@pytest.fixture
def store(
    tmp_path: Path, copy_of_made: Callable[[Callable[[Path], object], Path], None]
) -> Iterator[LadderStore]:
    """A ladder on which Ann has two players, of which one is banned, and Bo has one."""
    copy_of_made(_enter, tmp_path)
    with closing(LadderStore.open(tmp_path / "results.sqlite")) as store:
        yield store


def state(order: str, player: str) -> SetState:
    return SetState.model_validate({"order": order, "player": player})


def test_an_author_is_told_how_own_players_stand_and_nothing_of_others(
    store: LadderStore, tmp_path: Path
) -> None:
    for subject, text in (("Mine", "Mine cannot play\x1b[2J"), ("Zoë", "Zoë cannot"), ("", "full")):
        store.alerts.put(
            Kind.PLAYER, subject, Alert(Kind.PLAYER, subject, text, "2026-11-29T02:10")
        )
    store.registration.ask("0" * 64, "Cy", "Program", "", "")
    versions = {player.name: player.version for player in store.players().values()}
    begun = versions["Mine"], versions["baseline"], versions["random"], versions["Zoë"]
    assert None not in begun
    store.draw(begun[0] or 0, begun[1] or 0)
    store.draw(begun[2] or 0, begun[3] or 0)
    carry_out_for("Ann", AskTest(new="Mine", base="random"), store, tmp_path / "tokens.json")

    def told(author: str, *, as_json: bool = False) -> str:
        return carry_out_for(
            author, ShowStatus(width=80, as_json=as_json), store, tmp_path / "tokens.json"
        )

    lines = told("Ann").splitlines()
    assert lines[:4] == [
        "nobody plays the ladder",
        "Mine: there, version Mine",
        "Bad: banned, version Bad",
        "match 1 has begun: Mine - baseline",
    ]
    assert "Mine's gain against random" in lines[4]
    assert lines[5].startswith("since 2026-11-29 02:10 UTC: Mine cannot play")
    assert len(lines) == 6
    assert "\x1b" not in told("Ann")
    values = json.loads(told("Ann", as_json=True))
    assert [player["name"] for player in values["players"]] == ["Mine", "Bad"]
    assert [alert["subject"] for alert in values["alerts"]] == ["Mine"]
    assert json.loads(told("Nobody", as_json=True)) == {
        "is_played": False,
        **{key: [] for key in ("players", "begun", "tests", "alerts")},
    }


def test_the_status_of_a_player_that_never_came_says_also_whether_it_may_play(
    store: LadderStore, tmp_path: Path
) -> None:
    store.enter(Registration(Entrant(bot="remote:New", name="New"), "Ann"))
    store.set_state("New", State.PAUSED)
    told = carry_out_for("Ann", ShowStatus(width=80), store, tmp_path / "tokens.json")
    assert "New: paused, has not come yet" in told.splitlines()


def test_the_status_has_the_tests_that_go_on_before_later_ones(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_status, "MOST_TESTS", 2)
    tokens = tmp_path / "tokens.json"
    for base in ("random", "Zoë", "Zoë"):
        carry_out_for("Ann", AskTest(new="Mine", base=base), store, tokens)
        if base == "Zoë":
            store.tests.end(store.tests.every()[-1].number, Outcome.WITHDRAWN)
    first, _, last = [test.number for test in store.tests.every() if test.author == "Ann"]
    told = carry_out_for("Ann", ShowStatus(width=80, as_json=True), store, tokens)
    assert [test["number"] for test in json.loads(told)["tests"]] == [first, last]


def test_a_version_that_comes_while_the_status_is_read_does_no_harm(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = {player.name: player.version for player in store.players().values()}
    read, tokens = store.versions, tmp_path / "tokens.json"
    mine = next(player for player in store.players().values() if player.name == "Mine")

    def and_then_begin() -> dict[int, Version]:
        found = read()
        new = store.add_version(mine.number, f"version {len(found)}")
        store.note_presence(new.player, new.number, is_there=True)
        store.draw(new.number, versions["random"] or 0)
        return found

    monkeypatch.setattr(store, "versions", and_then_begin)
    told = carry_out_for("Ann", ShowStatus(width=80), store, tokens)
    assert "Mine: there, version Mine" in told


@pytest.mark.parametrize(
    ("order", "done"),
    [
        (Add(bot="remote:New"), "New joins the ladder"),
        (Add(bot="remote:New", name="New", author="Ann"), "New joins the ladder"),
        (state("pause", "Mine"), "Mine plays no more matches until it is resumed"),
        (state("resume", "Mine"), "Mine plays again"),
        (state("retire", "Mine"), "Mine is retired"),
        (AskTest(new="Mine", base="Zoë"), "test 3 begins"),
        (Describe(player="Mine", news="Opens light"), "Mine has another text of news"),
        (Describe(player="Bad", system="Precision"), "Bad has another system"),
        (SetWebhook(url="https://hooks.example.org/x"), "posted to hooks.example.org"),
        (SetWebhook(url=""), "posted nowhere"),
    ],
)
def test_an_author_may_order_what_concerns_own_players(
    store: LadderStore, tmp_path: Path, order: Order, done: str
) -> None:
    assert done in carry_out_for("Ann", order, store, tmp_path / "tokens.json")


@pytest.mark.parametrize(
    ("order", "why"),
    [
        # What others have.
        (state("pause", "Zoë"), "no player of yours is called 'Zoë'"),
        (state("resume", "Zoë"), "no player of yours"),
        (state("retire", "Zoë"), "no player of yours"),
        (state("pause", "baseline"), "no player of yours"),
        (state("pause", "nobody"), "no player of yours is called 'nobody'"),
        (MakeToken(player="Zoë"), "no bot of yours"),
        (MakeToken(player="administrator\n"), "no bot of yours"),
        (MakeToken(player="author\nAnn"), "no bot of yours"),
        (Describe(player="Zoë", news="We cheat"), "no player of yours"),
        (AskTest(new="Zoë", base="Mine"), "no player of yours"),
        (WithdrawTest(number=1), "no test of yours has the number 1"),
        (WithdrawTest(number=2), "no test of yours has the number 2"),
        (WithdrawTest(number=9), "no test of yours has the number 9"),
        # What only the administrator does.
        (state("ban", "Mine"), "only the administrator"),
        (state("ban", "Zoë"), "only the administrator"),
        (state("resume", "Bad"), "Bad is banned"),
        (state("retire", "Bad"), "Bad is banned"),
        (state("pause", "Bad"), "Bad is banned"),
        (MakeToken(player="Bad"), "Bad is banned"),
        # What may not be added.
        (Add(bot="random", name="New"), "remote:NAME"),
        (Add(bot="cmd:touch stolen", name="New"), "remote:NAME"),
        (Add(bot="New=remote:Zoë"), "remote:NAME"),
        (Add(bot="remote:Zoë", name="New"), "remote:NAME"),
        (Add(bot="remote:New & remote:Zoë"), "names several bots"),
        (Add(bot="remote: New"), "spaces at an end"),
        (Add(bot="remote:"), "remote:NAME"),
        (Add(bot="bluechip:New"), "remote:NAME"),
        (Add(bot="remote:New", author="Bo"), "own players only"),
        (Add(bot="remote:New", author=""), "own players only"),
        (Add(bot="remote:New", clock="99999"), "another clock"),
        (Add(bot="remote:Mine"), "a player is called 'Mine' already"),
        (Add(bot="remote:Zoë"), "a player is called 'Zoë' already"),
        (Add(bot="remote:ZOË"), "a player is called 'Zoë' already"),
        (Add(bot="remote:Zo e\N{COMBINING DIAERESIS}"), "a player is called 'Zoë' already"),
        (Add(bot="remote:\N{FULLWIDTH LATIN CAPITAL LETTER B}aseline"), "'baseline' already"),
        (Add(bot="remote:" + "x" * 1000), "100 printable characters"),
        (Add(bot="remote:Mine / 1"), "'Mine / 1' has ' / '"),
        (Add(bot="remote:木"), "cannot be written in PBN"),
        (Add(bot="remote:New\nline"), "100 printable characters"),
        # What is said of a player.
        (Describe(player="Mine"), "nothing is told"),
        (Describe(player="Mine", system="a\x1b[2J"), "printable characters"),
        (Describe(player="Mine", home="javascript:alert(1)"), "https://example.org"),
        (Describe(player="Mine", home="http://example.org"), "https://example.org"),
        (Describe(player="Mine", home="https://ann@evil.example"), "https://example.org"),
        (Describe(player="Mine", home='https://a"onclick="x'), "https://example.org"),
        # A test that would never end.
        (AskTest(new="Mine", base="Zoë", sprt=SLOW), "may take too long"),
        (AskTest(new="Mine", base="Zoë", sprt="alpha=1e-9"), "may take too long"),
        (AskTest(new="Mine", base="Zoë", sprt="imp1=x"), "is not a number"),
        (AskTest(new="Mine", base="nobody"), "no player is called 'nobody'"),
        # A webhook that reaches inside.
        (SetWebhook(url="http://hooks.example.org"), "a public address"),
        (SetWebhook(url="https://127.0.0.1/"), "a public address"),
    ],
)
def test_nothing_else_is_done_for_an_author(
    store: LadderStore, tmp_path: Path, order: Order, why: str
) -> None:
    before = store.players(), store.tests.every(), store.authors.news()
    tokens = tmp_path / "tokens.json"
    with pytest.raises(LadderError, match=why) as refused:
        carry_out_for("Ann", order, store, tokens)
    assert "\n" not in str(refused.value)
    assert (store.players(), store.tests.every(), store.authors.news()) == before
    assert not tokens.exists()


def test_nobody_without_a_name_gives_orders_as_an_author(
    store: LadderStore, tmp_path: Path
) -> None:
    with pytest.raises(LadderError, match="needs an author"):
        carry_out_for("", state("pause", "baseline"), store, tmp_path / "tokens.json")


def test_an_author_makes_tokens_of_own_bots(store: LadderStore, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    made = carry_out_for("Ann", MakeToken(player="Mine"), store, tokens)
    assert Tokens(tokens).owner(made) == "Mine"


def test_a_bot_whose_name_another_author_has_too_gets_no_token(
    store: LadderStore, tmp_path: Path
) -> None:
    tokens = tmp_path / "tokens.json"
    # As an earlier release let it come.
    store.enter(Registration(Entrant(bot="remote:Both / a", name="Both / a"), "Ann"))
    entrant = Entrant(bot="remote:a & remote:b", name="Both")
    store.enter(Registration(entrant, "Bo"))
    for author in ("Ann", "Bo"):
        with pytest.raises(LadderError, match="no bot of yours"):
            carry_out_for(author, MakeToken(player="Both / a"), store, tokens)


def test_an_author_withdraws_own_tests(store: LadderStore, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    carry_out_for("Ann", AskTest(new="Mine", base="Zoë"), store, tokens)
    assert carry_out_for("Ann", WithdrawTest(number=3), store, tokens) == "test 3 is withdrawn"


def test_tests_of_an_author_are_bounded(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens, ask = tmp_path / "tokens.json", AskTest(new="Mine", base="Zoë")
    monkeypatch.setattr(sequential_test_store, "MOST_A_DAY", 2)
    for number in (3, 4):
        carry_out_for("Ann", ask, store, tokens)
        carry_out_for("Ann", WithdrawTest(number=number), store, tokens)
    with pytest.raises(LadderError, match="2 tests a day are the most"):
        carry_out_for("Ann", ask, store, tokens)
    monkeypatch.setattr(sequential_test_store, "MOST_OF_AUTHOR", 0)
    with pytest.raises(LadderError, match="0 tests of yours are open already"):
        carry_out_for("Ann", ask, store, tokens)
    assert carry_out(ask, store, tokens, None).startswith("test 5 begins")


def test_players_of_an_author_are_bounded(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = tmp_path / "tokens.json"
    for number in range(3):
        carry_out_for("Ann", Add(bot=f"remote:New {number}"), store, tokens)
    with pytest.raises(LadderError, match="Ann has 4 players, and may have 4"):
        carry_out_for("Ann", Add(bot="remote:One more"), store, tokens)
    carry_out_for("Ann", state("retire", "Mine"), store, tokens)
    monkeypatch.setattr(newcomers, "MOST_OF_AUTHOR", 5)
    with pytest.raises(LadderError, match="5 players in all, retired ones too"):
        carry_out_for("Ann", Add(bot="remote:One more"), store, tokens)
    with pytest.raises(LadderError, match="a player is called 'Mine' already"):
        carry_out_for("Ann", Add(bot="remote:Mine"), store, tokens)


@pytest.mark.parametrize("name", ["Zoë", "ZOË", "z o ë"])
def test_no_order_takes_over_a_player_who_comes_at_the_same_time(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    # As if Zoë came after it was seen who is there.
    monkeypatch.setattr(permissions, "check_new_player", lambda *_: None)
    before = store.players()
    with pytest.raises(LadderError, match="a player is called 'Zoë' already"):
        carry_out_for("Ann", Add(bot=f"remote:{name}"), store, tmp_path / "tokens.json")
    assert store.players() == before


def test_no_order_adds_more_players_at_the_same_time(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(permissions, "check_new_player", lambda *_: None)
    monkeypatch.setattr(newcomers, "MOST_OF_AUTHOR", 2)
    with pytest.raises(LadderError, match="2 players in all, retired ones too"):
        carry_out_for("Ann", Add(bot="remote:New"), store, tmp_path / "tokens.json")


def test_no_order_undoes_a_ban_of_the_same_moment(store: LadderStore) -> None:
    with pytest.raises(LadderError, match="Bad is banned"):
        store.set_state("Bad", State.ACTIVE, unless=State.BANNED)
    assert store.players()[4].state is State.BANNED


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("ann lee", "Ann Lee"),
        ("AnnLee", "Ann Lee"),
        ("Strasse", "Straße"),
        ("\N{FULLWIDTH LATIN CAPITAL LETTER A}nn", "Ann"),
        ("Zoe\N{COMBINING DIAERESIS}", "Zoë"),
        ("R\N{SUPERSCRIPT TWO}", "R2"),
        ("A\N{NO-BREAK SPACE}B", "A B"),
    ],
)
def test_names_that_people_take_for_each_other_look_alike(name: str, other: str) -> None:
    assert looks_like(name, ["Bo", other]) == other
    assert looks_like(name, ["Bo"]) is None
