"""The board of a day: sealed, the same for everybody, and played by bots that ship."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.recorded.deal_proof import verify_pbn
from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.ladder.ladder_file import PeopleTables, Registration
from bridge_arena.tournaments.ladder.people.board_of_the_day import (
    DailyBoard,
    _event_of,
    bots_of_days,
    draw_day,
    play_field,
    results_of,
)
from bridge_arena.tournaments.ladder.people.people_tables import Venues
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.play.in_process import play_match
from bridge_arena.tournaments.schedule.units import Unit
from tests.tournaments.ladder.ladders import ladder_file, opened

DAY = date(2026, 11, 29)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LadderStore]:
    """A ladder whose bots can be played against."""
    file = ladder_file("baseline", "random")
    people = file.definition.model_copy(update={"people": PeopleTables(tables=1)})
    with closing(opened(tmp_path / "results.sqlite", replace(file, definition=people))) as store:
        for number in (1, 2):
            store.note_presence(number, store.add_version(number, "1").number, is_there=True)
        yield store


def test_days_differ_in_deal_dealer_and_vulnerability(store: LadderStore) -> None:
    drawn = [draw_day(store, DAY + timedelta(number)) for number in range(17)]
    boards = [one.given.board for one in drawn if one is not None]
    assert len({board.deal for board in boards}) == 17
    assert len({(board.dealer, board.vulnerability) for board in boards}) == 16
    assert draw_day(store, DAY) == drawn[0]


def test_the_key_proves_the_deal(store: LadderStore, tmp_path: Path) -> None:
    drawn = draw_day(store, DAY)
    assert drawn is not None
    record, _ = play_match("baseline", "random", [drawn.given.board]).records
    room = replace(record, room=Room.OPEN, event=drawn.event.name)
    file = tmp_path / "day.pbn"
    file.write_text(drawn.pbn(room))
    (verdict,) = verify_pbn(file)
    assert any(drawn.sealing.digest in fact for fact in verdict.facts)
    # One table of its event is played, and every card of it fits.
    assert verdict.mistakes == ("31 tables of the event are not there",)


def test_only_bots_that_ship_and_tell_nothing_of_the_machine_play_days(store: LadderStore) -> None:
    for bot, name, more in (
        ("cmd:./mine", "Mine", {}),
        ("natural", "Secret", {"env": ("KEY=secret",)}),
        ("natural", "Folder", {"dir": "/secret"}),
    ):
        store.enter(Registration(Entrant(bot=bot, name=name, **more)))
    for number in (3, 4, 5):
        store.note_presence(number, store.add_version(number, "1").number, is_there=True)
    assert {bot.name for bot in bots_of_days(store)} == {"baseline", "random"}


@pytest.mark.slow
async def test_bots_play_in_the_seat_of_people_and_their_mean_is_the_datum(
    store: LadderStore,
) -> None:
    drawn = draw_day(store, DAY)
    assert drawn is not None
    venues = Venues()
    try:
        # What ends after the day does not count; what was played is not played again.
        assert not await play_field(store, drawn, venues, lambda: False)
        assert not store.people.of_deal(str(DAY))
        for _ in range(2):
            assert await play_field(store, drawn, venues, lambda: True)
    finally:
        venues.close()
    record, _ = play_match("baseline", "random", [drawn.given.board]).records
    store.people.begin(str(DAY), "ann", "Ann", Seat.SOUTH)
    store.people.end(str(DAY), "ann", record)
    store.people.begin(str(DAY), "bo", "Bo, who left", Seat.SOUTH)
    results = results_of(store.people, drawn)
    assert sorted(one.board.name for one in results.results) == ["Ann", "baseline", "random"]
    scores = [one.record.score for one in results.results]
    assert scores == sorted(scores, key=lambda score: -(score or 0))
    (ann,) = [one for one in results.results if not one.is_bot]
    assert results.datum is not None
    assert ann.imps is not None
    assert ann.record.board == drawn.given.board


@pytest.mark.slow
async def test_the_bots_of_a_day_choose_alike_at_each_table(store: LadderStore) -> None:
    """So the same calls and cards of two people meet the same answers."""
    random = store.players()[2]
    drawn = DailyBoard.draw(DAY, store.definition(), random)
    event = _event_of(drawn, random)
    venues, played = Venues(), []

    def keep(_: Unit, record: BoardRecord | None) -> BoardRecord | None:
        assert record is not None
        played.append((record.calls, record.cards))
        return record

    try:
        for _ in range(2):
            await venues.play(event, [drawn.deal.given], keep, source=drawn.deal.source)
    finally:
        venues.close()
    assert played[0] == played[1]
