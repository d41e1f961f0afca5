"""Matches of bidding alone and of card play alone, as a user runs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import MadeCall, Mode, Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import Seat
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.oracle.solver import tables
from bridge_arena.tournaments.events.boards import BIDDER, recorded_boards
from tests.end_to_end.arena import (
    arena,
    log_of,
    records_of,
    summary_of,
    write_bot,
)
from tests.end_to_end.conftest import Here

KEY = DealKey.of_seed(1)
"""The key of the deals of seed 1."""

OF_SEED = "seed 1 (reproducible, not sealed)"

# Says what it is told of the end of each board; never asked for a card.
BIDS = """
    from bridge_arena.bots.baseline.bot import BaselineBot
    from bridge_arena.bots.sdk.client import run

    class Bidder(BaselineBot):
        def play(self, view):
            raise RuntimeError("asked for a card")

        def board_ended(self, view):
            told = view.number, view.seat, view.contract, view.result.tricks, view.result.score
            # In one piece: the bot prints at several tables at once.
            print(" ".join(map(str, told)) + "\\n", end="")

    run(Bidder)
"""

# Says which calls it was told how, before its first card; never asked for a call.
PLAYER = """
    from bridge_arena.bots.baseline.bot import BaselineBot
    from bridge_arena.bots.sdk.client import run

    class Player(BaselineBot):
        def call(self, view):
            raise RuntimeError("asked for a call")

        def play(self, view):
            if not view.played[view.seat]:
                told = [str(made.explanation) for made in view.calls]
                line = ";".join([str(view.number), str(view.seat), *told])
                # In one piece: the bot prints at several tables at once.
                print(line + "\\n", end="")
            return super().play(view)

    run(Player)
"""


@pytest.mark.slow
def test_a_match_of_bidding_alone_is_played_and_told(here: Here, tmp_path: Path) -> None:
    spec = write_bot(tmp_path, "bidder", BIDS)
    command = ["match", f"mine={spec}", "random", "--boards", "3", "--seed", "1"]
    ended = arena(tmp_path, *command, "--mode", "bidding", "--out", "out", "--concurrency", "2")
    assert (ended.status, ended.errors) == (0, ""), ended
    assert f"3 boards in both rooms, {OF_SEED}, bidding only" in ended.output
    out = tmp_path / "out"
    records = records_of(out / "match.pbn")
    assert [(record.board, record.room) for record in records] == [
        (KEY.board(number), room) for number in range(1, 4) for room in Room
    ]
    solved = dict(enumerate(tables([KEY.deal(number) for number in range(1, 4)]), 1))
    told: dict[str, list[str]] = {"Open": [], "Closed": []}
    for record in records:
        contract = record.contract
        assert contract is not None
        assert (record.mode, record.cards, record.faults) == (Mode.BIDDING, (), ())
        number = record.board.number
        assert record.tricks == solved[number].tricks(contract.denomination, contract.declarer)
        assert record.score == score_ns(contract, record.tricks, record.board.vulnerability)
        told[str(record.room)].append(f"{number} {{}} {contract} {record.tricks} {record.score}")
    outputs = {line["bot"]: line["output"] for line in log_of(out) if line["event"] == "bot_output"}
    for seat, room in (("N", "Open"), ("S", "Open"), ("E", "Closed"), ("W", "Closed")):
        heard = outputs[f"mine ({seat})"].splitlines()
        assert sorted(heard) == [line.format(seat) for line in told[room]]

    summary = summary_of(out)
    assert (summary["mode"], summary["boards"]) == ("bidding", 3)
    calls = sum(len(record.calls) for record in records)
    assert sum(bot["timing"]["actions"] for bot in summary["bots"]) == calls

    check_files(here, tmp_path)


@pytest.mark.slow
def test_a_match_of_card_play_alone_is_played_and_told(here: Here, tmp_path: Path) -> None:
    spec = write_bot(tmp_path, "player", PLAYER)
    command = ["match", f"mine={spec}", "random", "--boards", "3", "--seed", "1", "--mode", "play"]
    ended = arena(tmp_path, *command, "--out", "out", "--concurrency", "2")
    assert (ended.status, ended.errors) == (0, ""), ended
    assert f"3 boards in both rooms, {OF_SEED}, card play only" in ended.output
    out = tmp_path / "out"
    records = records_of(out / "match.pbn")
    assert len(records) == 6
    for opened, closed in zip(records[::2], records[1::2], strict=True):
        assert opened.board == closed.board == KEY.board(opened.board.number)
        assert opened.contract is not None
        assert opened.calls == closed.calls
        assert (opened.room, closed.room) == (Room.OPEN, Room.CLOSED)
    for record in records:
        assert (record.mode, len(record.cards), record.faults) == (Mode.PLAY, 52, ())

    by_unit = {(record.board.number, str(record.room).lower()): record for record in records}
    heard = 0
    for line in log_of(out):
        for words in line["output"].splitlines() if line["event"] == "bot_output" else []:
            if not line["bot"].startswith("mine"):
                continue
            number, seat, *told = words.split(";")
            # It sits North-South in the open room, East-West in the closed one.
            room = "open" if seat in "NS" else "closed"
            record = by_unit[int(number), room]
            assert told == visible_to(Seat.parse(seat), record.board.dealer, record.calls)
            heard += 1
    assert heard >= 6, "declarer, or both defenders, on each board"

    summary = summary_of(out)
    assert (summary["mode"], summary["boards"]) == ("play", 3)
    for bot in summary["bots"]:
        imps = bot["ledger"]["imps_per_board"]
        assert (imps["all"], imps["auction"]["mean"]) == (bot["imps_per_board"], 0)
        assert bot["tricks_vs_dd"]["declarer"]["n"] == 3
        assert bot["explanations"]["calls"] == 0
    cards = sum(len(record.cards) for record in records)
    assert sum(bot["timing"]["actions"] for bot in summary["bots"]) == cards

    check_files(here, tmp_path)

    # A match of play gives its own auctions to another one.
    given = recorded_boards(out / "match.pbn", system(BIDDER))
    assert [(each.board, each.auction) for each in given] == [
        (record.board, record.calls) for record in records[::2]
    ]


def check_files(here: Here, folder: Path) -> None:
    """The PBN file keeps to the standard, and alone tells what the store does."""
    assert "OK" in here("pbn", "check", "out/match.pbn").output
    assert here("report", "out/match.pbn", "--out", "report").status == 0
    assert summary_of(folder / "report") == summary_of(folder / "out")


def visible_to(seat: Seat, dealer: Seat, calls: tuple[MadeCall, ...]) -> list[str]:
    """The explanations of an auction that a seat is told: all but partner's."""
    return [
        "None" if (dealer + at) % 4 == seat.partner else str(made.explanation)
        for at, made in enumerate(calls)
    ]


def test_a_file_without_a_contract_to_play_is_refused(here: Here, tmp_path: Path) -> None:
    board = Board.dealt(5, 1)
    tags = f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{board.deal}"]\n'
    (tmp_path / "boards.pbn").write_text(f'{tags}[Contract "Pass"]\n')
    command = "match random random --boards-from boards.pbn --mode play --out out"
    complaint = here(*command.split()).complaint(2)
    assert complaint == "boards.pbn has no board with a contract to play"
    (tmp_path / "boards.pbn").write_text(f'{tags}[Declarer "N"]\n[Contract "1C"]\n')
    complaint = here(*command.split(), "--boards", "2").complaint(2)
    assert complaint == "boards.pbn has 1 board with a contract, not 2"
    assert not (tmp_path / "out").exists()
