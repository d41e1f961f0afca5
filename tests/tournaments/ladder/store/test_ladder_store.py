"""Tests of the store of a ladder, in SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.bridge.record import Mode
from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.ladder.ladder_file import Registration
from bridge_arena.tournaments.ladder.players import LadderError, State
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.strength.sums import SWINGS, PairSums
from bridge_arena.tournaments.store import Store, StoreError
from tests.tournaments.ladder.ladders import ladder_file

FILE = ladder_file("random", "baseline", boards=2)


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LadderStore]:
    """A ladder without players."""
    place: str | Path = tmp_path / "results.sqlite"
    if request.param == "postgresql":
        place = request.getfixturevalue("postgresql")()
    with closing(LadderStore.open(place, FILE.definition)) as store:
        yield store


def swings(*imps: int) -> PairSums:
    return PairSums(tuple(imps.count(swing) for swing in SWINGS), 1, 1, 2.0, (1, 0), (2, 3))


def test_players_come_and_go(store: LadderStore, tmp_path: Path) -> None:
    name = "'; DROP TABLE ladder_player; -- <b>"
    entrant = Entrant(bot="cmd:./bot", name=name)
    assert store.enter(Registration(entrant, "Ann"), tmp_path)
    assert not store.enter(Registration(Entrant(bot="cmd:./other", name=name), "Bo"), tmp_path)
    store.set_state(name, State.BANNED)
    (player,) = store.players().values()
    assert (player.name, player.author, player.state) == (name, "Bo", State.BANNED)
    assert (player.entrant.bot, player.entrant.folder) == ("cmd:./other", tmp_path.resolve())
    with pytest.raises(LadderError, match="no player is called 'Nobody'"):
        store.set_state("Nobody", State.ACTIVE)


def test_an_author_has_so_many_players(store: LadderStore) -> None:
    def enter(name: str, author: str) -> bool:
        return store.enter(Registration(Entrant(bot="random", name=name), author), None, 2)

    assert enter("a", "Ann")
    assert enter("b", "Ann")
    assert all(enter(name, "") for name in "xyz")  # nobody knows whose they are
    assert enter("c", "Bo")
    for name in ("d", "c"):  # a new one, and one of somebody else
        with pytest.raises(LadderError, match="Ann has 2 players, and may have 2: retire"):
            enter(name, "Ann")
    assert [player.author for player in store.players().values()].count("Ann") == 2
    assert not enter("b", "Ann")  # with other settings
    store.set_state("a", State.RETIRED)
    assert enter("d", "Ann")
    with pytest.raises(LadderError, match="Ann has 2 players"):
        store.set_state("a", State.ACTIVE, 2)
    assert store.players()[1].state is State.RETIRED
    # The ladder's file may bring more, which may pause and come back.
    store.enter(Registration(Entrant(bot="random", name="e"), "Ann"))
    store.set_state("e", State.PAUSED, 2)
    store.set_state("e", State.ACTIVE, 2)


def test_a_match_has_a_number_that_no_other_event_has(store: LadderStore) -> None:
    for registration in FILE.registrations:
        store.enter(registration)
    one, other = store.add_version(1, "a"), store.add_version(2, "b")
    home, visitors = (registration.entrant for registration in FILE.registrations)
    for number in (1, 2):
        event = FILE.definition.event(number, home, visitors)
        Store.create(store._engine.url.render_as_string(hide_password=False), event).close()
    assert store.draw(one.number, other.number).number == 3
    assert store.draw(one.number, other.number).number == 4


def test_a_folder_has_one_ladder(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    LadderStore.open(path, FILE.definition).close()
    template = FILE.definition.template.model_copy(update={"name": "Other"})
    with pytest.raises(StoreError, match="holds the ladder 'Club', and not 'Other'"):
        LadderStore.open(path, FILE.definition.model_copy(update={"template": template}))


def test_a_match_counts_once(store: LadderStore) -> None:
    for registration in FILE.registrations:
        store.enter(registration)
    one, other = store.add_version(1, "a"), store.add_version(2, "b")
    first, second = store.draw(one.number, other.number), store.draw(other.number, one.number)
    assert [first.number, second.number] == [1, 2]
    assert store.open_matches() == [first, second]
    store.end(first, swings(24, 3), [(1, 2)])
    store.end(second, swings(3, -1))
    assert store.open_matches() == []
    assert store.orders() == [(1, 2)]
    sums = store.sums()[1, 2]
    assert (sums.boards, sums.imps, sums.matches, sums.first_home) == (4, 25, 2, 1)
    assert (sums.seconds, sums.left, sums.faults) == (4.0, (1, 1), (5, 5))
    with pytest.raises(StoreError, match="match 2 is over already"):
        store.end(second, swings(3, -1))
    assert store.sums()[1, 2] == sums
    assert store.count_matches() == 2


def test_one_process_plays_a_ladder(store: LadderStore) -> None:
    assert not store.is_being_played()
    with store.locked():
        assert store.is_being_played()
        with pytest.raises((BlockingIOError, StoreError)), store.locked():
            pass
    assert not store.is_being_played()


def test_a_definition_is_replaced(store: LadderStore) -> None:
    assert store.definition() == FILE.definition
    place = store._engine.url.render_as_string(hide_password=False)
    changed = ladder_file("random", "baseline", boards=4).definition
    with closing(LadderStore.open(place, changed)) as other:
        # Not before it is locked, as another process may play it.
        assert store.definition() == FILE.definition
        other.define(changed)
        assert store.definition() == changed
        bidding = changed.template.model_copy(update={"mode": Mode.BIDDING})
        with pytest.raises(LadderError, match="'Club' was begun in another mode"):
            other.define(changed.model_copy(update={"template": bidding}))
    with pytest.raises(StoreError, match="no ladder called 'Other'"):
        LadderStore.open(place, ladder="Other")


def test_a_version_that_has_met_nobody_is_replaced(store: LadderStore) -> None:
    for registration in FILE.registrations:
        store.enter(registration)
    assert [store.add_version(player, "a").number for player in (1, 2, 1)] == [1, 2, 1]
    assert store.add_version(1, "b").number == 1
    match = store.draw(1, 2)
    assert store.add_version(1, "c").number == 3
    store.end(match, swings(3))
    assert store.add_version(2, "b").number == 4
    for player, version in ((1, 3), (2, 2)):
        store.note_presence(player, version, is_there=True)
    players = store.players()
    store.tests.ask(players[1], players[2])
    assert store.add_version(1, "d").number == 5
    identities = [(one.player, one.identity) for one in store.versions().values()]
    assert identities == [(1, "b"), (2, "a"), (1, "c"), (2, "b"), (1, "d")]
