"""Who may sit at people's tables of a ladder, and what is dealt there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.tournaments.events.boards import GivenBoard
from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.ladder.people import people_tables
from bridge_arena.tournaments.ladder.people.people_tables import (
    Deal,
    FieldTable,
    Venues,
    table_event,
    unseen_deals,
)
from bridge_arena.tournaments.ladder.players import Player, State
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.play.in_process import play_match
from bridge_arena.tournaments.play.venue import EventInPlay, VenueOptions
from bridge_arena.tournaments.schedule.units import Unit
from tests.tournaments.ladder.ladders import QuickVenue, ladder_file, opened, play, venues
from tests.tournaments.scores import record

DEFINITION = ladder_file("baseline", "random").definition


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LadderStore]:
    """A ladder of three players that has played six matches."""
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file("baseline", "random", "natural")).close()
    play(path, venues(lambda event, unit: record(event, unit, 50)), 12, concurrency=1)
    with closing(LadderStore.open(path)) as store:
        yield store


def player(bot: str, **settings: object) -> Player:
    entrant = Entrant.model_validate({"bot": bot, "name": "P", **settings})
    return Player(1, entrant, "", State.ACTIVE)


def test_a_result_is_worth_what_it_is_against_the_mean_of_the_field() -> None:
    records = play_match("baseline", "random", 1, seed=3).records
    field = tuple(
        FieldTable(name, replace(one, score=score))
        for name, one, score in zip("ab", records, (420, 0), strict=True)
    )
    deal = Deal("1/1", "", GivenBoard(records[0].board, ()), field)
    assert deal.datum == 210
    own = replace(records[0], score=620)
    assert deal.worth(own, Side.NS) == 9
    assert deal.worth(own, Side.EW) == -9
    assert deal.worth(replace(own, score=None), Side.NS) is None
    assert replace(deal, field=()).worth(own, Side.NS) is None


def test_matches_of_the_bots_at_the_table_come_first_and_none_twice(store: LadderStore) -> None:
    versions = store.versions()
    own = {
        match.number
        for match in store.archive.latest(100)
        if 3 in {versions[version].player for version in match.versions}
    }
    every = {match.number for match in store.archive.latest(100)}
    assert own < every
    lots, dealt = random.Random(1), []
    while deals := unseen_deals(store, ["you", "friend"], [3], 2, lots):
        dealt.append(int(deals[0].name.partition("/")[0]))
        assert [deal.name for deal in deals] == [f"{dealt[-1]}/1", f"{dealt[-1]}/2"]
        who = "you" if len(dealt) % 2 else "friend"
        store.people.begin(deals[1].name, who, "Ann", Seat.SOUTH)
    assert set(dealt[: len(own)]) == own
    assert sorted(dealt) == sorted(every)
    assert unseen_deals(store, ["another"], [3], 3, lots) == []


def test_matches_of_players_who_are_far_weaker_come_last(store: LadderStore) -> None:
    versions = store.versions()
    weak = {number for number, version in versions.items() if version.player == 3}
    of_weak = {m.number for m in store.archive.latest(100) if weak.intersection(m.versions)}
    lots, dealt = random.Random(1), []
    while deals := unseen_deals(store, ["you"], [3, 1], 2, lots, weak):
        dealt.append(int(deals[0].name.partition("/")[0]))
        store.people.begin(deals[0].name, "you", "Ann", Seat.SOUTH)
    assert set(dealt[-len(of_weak) :]) == of_weak


def test_bots_have_their_own_settings_and_people_time_to_think() -> None:
    four = player("A=cmd:./a -x=1 & B=cmd:./b & natural & random", env=("K=1",), dir="four")
    event = table_event(
        DEFINITION, "T", 2, {Side.NS: four, Side.EW: player("baseline")}, [Seat.SOUTH]
    )
    home, visitors = event.entries
    assert home.bot == "cmd:./a -x=1 & human:S & cmd:./a -x=1 & human:S"
    assert (home.env, home.dir, home.clock) == (("K=1",), "four", None)
    assert visitors.bot == "baseline & baseline & baseline & baseline"
    assert (event.clock, visitors.clock) == (people_tables.CLOCK, DEFINITION.template.clock)
    assert event.isolation is DEFINITION.template.isolation
    both = {Side.NS: player("baseline"), Side.EW: four}
    east_west = table_event(DEFINITION, "T", 1, both, [Seat.EAST]).entries[1]
    assert east_west.bot == "human:E & random & human:E & random"
    assert east_west.clock is None


async def test_the_file_of_a_ladder_is_hidden_from_programs_in_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "club.toml").write_text("[ladder]\nwebhook = 'https://secret'\n")
    (tmp_path / "mine.toml").write_text("[settings]\n")
    hidden: list[Path] = []

    def venue(play: EventInPlay, options: VenueOptions) -> QuickVenue:
        hidden.extend(options.hidden)
        return QuickVenue(play, lambda event, unit: record(event, unit, None))

    monkeypatch.setattr(people_tables, "LocalVenue", venue)
    bot = player("cmd:./mine", dir=str(tmp_path))
    event = table_event(DEFINITION, "T", 2, {Side.NS: bot, Side.EW: bot}, [])
    deals = [GivenBoard(one.board, ()) for one in play_match("random", "random", 2).records[::2]]
    kept: list[int] = []

    def keep(unit: Unit, _: BoardRecord | None) -> None:
        kept.append(unit.board)

    tables = Venues([tmp_path / "run"])
    await tables.play(event, deals, keep)
    tables.close()
    assert hidden == [tmp_path / "run", tmp_path / "club.toml"]
    assert kept == [1], "the second board is not begun once the first was not finished"
