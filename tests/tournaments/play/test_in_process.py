"""Tests of matches that are played in one process."""

from __future__ import annotations

import asyncio

import pytest

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bots.registry import UnknownBotError
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.board import Board, random_deal
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import FaultKind, Room
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.protocol.view import View
from bridge_arena.tournaments.play.in_process import play_match


class Told(BaselineBot):
    """Notes what it is told of boards, and what its random choices begin with."""

    notes: list[str]

    def board_started(self, view: View) -> None:
        self.notes.append(f"begins {view.number} {view.seat.letter} {self.rng.random():.3f}")

    def board_ended(self, view: View) -> None:
        self.notes.append(f"ends {view.number} {view.seat.letter} {view.result is not None}")


def test_both_rooms_play_the_boards_of_the_seed() -> None:
    match = play_match("baseline", RandomBot, 3, seed=5)
    boards = [DealKey.of_seed(5).board(number) for number in (1, 2, 3)]
    assert [record.board for record in match.records] == [each for each in boards for _ in Room]
    assert [record.room for record in match.records] == [*Room] * 3
    assert match.records[0].players == ("baseline", "random", "baseline", "random")
    assert match.records[1].players == ("random", "baseline", "random", "baseline")
    assert {(record.home, record.visitors) for record in match.records} == {("baseline", "random")}
    assert len(match.imps) == 3
    assert sum(match.imps) > 0


def test_a_seed_gives_the_same_match_again_and_none_another() -> None:
    first, again = (play_match(RandomBot, RandomBot, 2, seed=8).records for _ in range(2))
    assert first == again
    sealed = {play_match(RandomBot, RandomBot, 1).records[0].board for _ in range(2)}
    assert len(sealed) == 2


def test_bots_are_told_what_they_are_told_over_a_connection() -> None:
    Told.notes = []
    play_match(Told, "random", 1, seed=2)
    begun = [note for note in Told.notes if note.startswith("begins")]
    ended = [note for note in Told.notes if note.startswith("ends")]
    assert [note.split()[2] for note in begun] == ["N", "S", "E", "W"]
    assert len({note.split()[3] for note in begun}) == 4, "each seat has a seed of its own"
    assert ended == [f"ends 1 {seat} True" for seat in "NSEW"]


def test_a_match_may_be_of_given_boards() -> None:
    boards = [Board.standard(number, random_deal(4, number)) for number in (7, 9)]
    match = play_match("baseline", "baseline", boards)
    assert [record.board.number for record in match.records] == [7, 7, 9, 9]
    assert match.imps == [0, 0]
    assert match.records[0].players == ("baseline", "baseline-2", "baseline", "baseline-2")


def test_a_board_that_is_played_twice_counts_twice() -> None:
    board = Board.standard(1, random_deal(4, 1))
    once, twice = (play_match("baseline", "random", [board] * n, seed=1).imps for n in (1, 2))
    assert twice == once * 2


async def test_a_match_is_played_within_a_running_loop_as_notebooks_have_one() -> None:
    assert asyncio.get_running_loop().is_running()
    assert len(play_match("baseline", "random", 1, seed=1).records) == 2


class Broken(Bot):
    def call(self, view: View) -> Call:
        del view
        raise LookupError("my own mistake")


def test_an_error_that_a_bot_raises_reaches_its_author() -> None:
    with pytest.raises(LookupError, match="my own mistake"):
        play_match(Broken, "baseline", 1, seed=1)


class Revoker(Bot):
    """Plays any card that it holds."""

    def call(self, view: View) -> Call:
        del view
        return PASS

    def play(self, view: View) -> Card:
        assert view.play is not None
        return max(view.held(view.play.turn) or ())


def test_the_server_s_table_judges_the_bots() -> None:
    match = play_match(Revoker, "baseline", 4, seed=1)
    kinds = {fault.kind for record in match.records for fault in record.faults}
    assert kinds == {FaultKind.ILLEGAL}
    assert all(len(record.cards) in (0, 52) for record in match.records)


def test_a_bot_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UnknownBotError, match="did you mean baseline"):
        play_match("baselin", RandomBot, 1)
