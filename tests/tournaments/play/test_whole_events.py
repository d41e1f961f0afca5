"""Events of every format, mode and kind of entry, played in one process from plan to figures."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bots.sdk.connection import ConnectionFailedError
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import Mode
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.oracle.double_dummy_table import PartialTable
from bridge_arena.oracle.errors import WorkerError
from bridge_arena.oracle.solver import tables
from bridge_arena.oracle.table_store import NAME, TableStore
from bridge_arena.protocol.view import View
from bridge_arena.tournaments.events.boards import BIDDER, GivenBoard, dealt_boards
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.formats.rules import Format, Movement, Scoring
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.runner import Runner
from bridge_arena.tournaments.schedule.event_files import STORE
from bridge_arena.tournaments.store import Store
from tests.end_to_end.arena import children, is_alive
from tests.oracle.vectors import FREAK_DEAL
from tests.server.lobby import until
from tests.tournaments.house import MakeBot, house_of, open_house
from tests.tournaments.played_events import (
    PlayedEvent,
    StoppedError,
    play_event,
    remote_match,
    stop_after,
    untimed,
)
from tests.tournaments.scores import event

KEY = DealKey.of_seed(1)
"""The key of the deals of these events."""

A_AND_B: dict[str, MakeBot] = {"a": BaselineBot, "b": RandomBot}


def remote_event(format_: Format, count: int, **settings: Any) -> Event:
    entries = tuple(Entrant(bot=f"remote:e{number}", name=f"e{number}") for number in range(count))
    return event(format_, count, entries=entries, boards=1, **settings)


FORMATS = {
    "swiss": remote_event(Format.SWISS, 5, rounds=2),
    "knock-out": remote_event(Format.KNOCK_OUT, 4),
    "gauntlet": remote_event(Format.GAUNTLET, 4),
    "pairs": remote_event(Format.PAIRS, 4, movement=Movement.MITCHELL, scoring=Scoring.MATCHPOINTS),
    "individual": remote_event(Format.INDIVIDUAL, 8, scoring=Scoring.MATCHPOINTS),
    "match": remote_event(Format.MATCH, 2, scoring=Scoring.VP),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_played_to_its_end(tmp_path: Path, name: str) -> None:
    bots: dict[str, MakeBot] = {
        entrant.name: BaselineBot if number % 2 else RandomBot
        for number, entrant in enumerate(FORMATS[name].entries)
    }
    played = play_event(tmp_path, FORMATS[name], house_of(bots))
    assert played.records
    assert all(record.is_finished and not record.faults for record in played.records)
    assert len(played.records) == len(played.log("board_ended"))
    played.check_files()


class TestModes:
    @staticmethod
    def given(mode: Mode) -> dict[int, GivenBoard] | None:
        """The boards of a match of card play, which come with their auctions."""
        boards = islice(dealt_boards(KEY, system(BIDDER)), 2)
        return dict(enumerate(boards, start=1)) if mode is Mode.PLAY else None

    @pytest.mark.slow
    @pytest.mark.parametrize("mode", [Mode.BIDDING, Mode.PLAY])
    def test_a_match_that_is_stopped_goes_on_in_its_mode(self, tmp_path: Path, mode: Mode) -> None:
        """With any number of tables."""
        match, given = remote_match("a", "b", mode=mode), self.given(mode)
        whole, stopped = tmp_path / "whole", tmp_path / "stopped"
        for folder in (whole, stopped):
            folder.mkdir()
        peaceful = play_event(whole, match, house_of(A_AND_B, 2), given)
        with pytest.raises(StoppedError):
            play_event(stopped, match, house_of(A_AND_B), given, on_board=stop_after(2))
        assert len(PlayedEvent(stopped).stored) == 2
        went_on = play_event(stopped, match, house_of(A_AND_B))
        units = [line["unit"] for line in went_on.log("board_ended")]
        assert len(units) == len(set(units)) == 4, "nothing is played twice"
        assert [*map(untimed, went_on.records)] == [*map(untimed, peaceful.records)]
        assert {record.mode for record in went_on.records} == {mode}
        assert went_on.summary["mode"] == mode.value
        went_on.check_files()

    def test_what_is_known_of_the_boards_is_not_solved(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first, second = (KEY.deal(number) for number in (1, 2))
        store = TableStore(tmp_path / "cache" / NAME)
        store.keep(first, PartialTable("0" * 20))  # so that it shows whether this was found
        store.flush()
        monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
        bots: dict[str, MakeBot] = {"a": BaselineBot, "b": BaselineBot}
        played = play_event(tmp_path, remote_match("a", "b", mode=Mode.BIDDING), house_of(bots))
        (solved,) = tables([second])
        (known,) = store.find([second])
        assert len(played.records) == 4
        for record in played.records:
            assert record.contract is not None
            cell = (record.contract.denomination, record.contract.declarer)
            assert record.tricks == (0 if record.board.deal == first else solved.tricks(*cell))
            assert record.board.deal == first or known.tricks(*cell) == solved.tricks(*cell)


@pytest.mark.parametrize("is_killed", [True, False])
async def test_no_solver_is_left_where_an_event_ends_while_a_contract_is_solved(
    tmp_path: Path,
    is_killed: bool,  # noqa: FBT001
) -> None:
    """As its worker is killed, or as the event is interrupted."""
    freak = GivenBoard(Board.standard(1, FREAK_DEAL), ())
    match = remote_match("a", "b", boards=1, mode=Mode.BIDDING)
    before = set(children(os.getpid()))
    path = tmp_path / STORE
    with closing(Store.create(path, match, {1: freak})) as store, EventLog() as log:
        runner = Runner(store, log, lambda _: None, house_of({"a": RandomBot, "b": RandomBot}))
        playing = asyncio.create_task(runner.run())
        await until(lambda: bool(set(children(os.getpid())) - before))
        workers = set(children(os.getpid())) - before
        if is_killed:
            for worker in workers:
                os.kill(worker, signal.SIGKILL)
            with pytest.raises(WorkerError, match="a worker ended"):
                await playing
        else:
            playing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await playing
        assert not any(map(is_alive, workers))
        assert dict(store.results()) == {}


OWN_SEATS = {
    **{"mixed / sure": "NE", "mixed / wild": "SW", "turned / wild": "NE"},
    **{"turned / sure": "SW", "sure": "NESW", "wild": "NESW"},
}
"""The seats of each player of the pairs."""


class TestParties:
    """Entries of several players, each in its own seats."""

    PAIRS = event(
        Format.PAIRS,
        4,
        boards=1,
        scoring=Scoring.MATCHPOINTS,
        entries=(
            Entrant(bot="remote:sure & remote:wild", name="mixed"),
            Entrant(bot="remote:sure", name="sure"),
            Entrant(bot="remote:wild & remote:sure", name="turned"),
            Entrant(bot="remote:wild", name="wild"),
        ),
    )

    @pytest.mark.slow
    def test_pairs_go_on_with_the_same_players(self, tmp_path: Path) -> None:
        sat = set[tuple[str, str]]()

        def make(player: str) -> MakeBot:
            class Noting(BaselineBot if player.endswith("sure") else RandomBot):  # type: ignore[misc]
                def board_started(self, view: View) -> None:
                    sat.add((player, view.seat.letter))

            return Noting

        bots = {player: make(player) for player in OWN_SEATS}
        whole, stopped = tmp_path / "whole", tmp_path / "stopped"
        for folder in (whole, stopped):
            folder.mkdir()
        peaceful = play_event(whole, self.PAIRS, house_of(bots))
        everywhere = sat.copy()
        assert all(seat in OWN_SEATS[player] for player, seat in everywhere)
        assert {player for player, _ in everywhere} == OWN_SEATS.keys()
        sat.clear()
        with pytest.raises(StoppedError):
            play_event(stopped, self.PAIRS, house_of(bots), on_board=stop_after(1))
        went_on = play_event(stopped, self.PAIRS, house_of(bots))
        assert sat == everywhere
        assert [*map(untimed, went_on.records)] == [*map(untimed, peaceful.records)]

    async def test_a_player_from_elsewhere_has_its_own_seats(self) -> None:
        entries = (
            Entrant(bot="remote:near & remote:far", name="mixed"),
            Entrant(bot="remote:other", name="other"),
        )
        match = event(Format.MATCH, 2, entries=entries, boards=1)
        async with open_house(match) as house:
            with pytest.raises(ConnectionFailedError):
                await house.visitor("mixed / far", Seat.NORTH, RandomBot)
            for seat in SEATS:
                player = "mixed / near" if seat.letter in "NE" else "mixed / far"
                house.visitor(player, seat, RandomBot)
                house.visitor("other", seat, RandomBot)
            await house.play()
        each = "one process of the bot for each seat"
        assert f"waiting for mixed / far in seats S W: {each}" in house.lines
        assert len(house.kept) == 2
        assert all(record.is_finished and not record.faults for record in house.kept.values())
