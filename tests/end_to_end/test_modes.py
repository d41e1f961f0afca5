"""Matches of bidding alone and of card play alone, as a user runs them."""

from __future__ import annotations

import os
import shlex
import signal
from pathlib import Path

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import MadeCall, Mode, Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import Seat
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.oracle.partial_table import PartialTable
from bridge_arena.oracle.solver import tables
from bridge_arena.oracle.table_store import NAME, TableStore
from tests.end_to_end.arena import (
    arena,
    bot_pids,
    children,
    end_of,
    interrupt,
    is_alive,
    log_of,
    records_of,
    started,
    summary_of,
    units_played,
    untimed,
    wait_until,
    write_bot,
)
from tests.oracle.vectors import FREAK_DEAL

KEY = DealKey.of_seed(1)
"""The key of the deals of seed 1."""

OF_SEED = "seed 1 (reproducible, not sealed)"

# Says what it is told of the end of each board; never asked for a card.
BIDDER = """
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

# From the second board on it waits for a file before it bids or plays.
HESITANT = """
    import os, time
    from pathlib import Path
    from bridge_arena.bots.baseline.bot import BaselineBot
    from bridge_arena.bots.sdk.client import run

    class Hesitant(BaselineBot):
        def wait(self, view):
            while view.number >= 2 and not Path(os.environ["GREEN_LIGHT"]).exists():
                time.sleep(0.01)

        def call(self, view):
            self.wait(view)
            return super().call(view)

        def play(self, view):
            self.wait(view)
            return super().play(view)

    run(Hesitant)
"""


@pytest.mark.slow
def test_tricks_that_are_known_are_not_solved_again(tmp_path: Path) -> None:
    command = ("match", "baseline", "baseline", "--mode", "bidding", "--boards", "2", "--seed", "1")
    first, second = (KEY.deal(number) for number in (1, 2))
    store = TableStore(tmp_path / "cache" / NAME)
    store.keep(first, PartialTable("0" * 20))  # so that it shows whether this was found
    store.flush()
    kept = {"ARENA_CACHE": str(tmp_path / "cache")}
    ended = arena(tmp_path, *command, "--out", "out", environment=kept)
    assert (ended.status, ended.errors) == (0, ""), ended
    (solved,) = tables([second])
    (known,) = store.find([second])
    for record in records_of(tmp_path / "out" / "match.pbn"):
        assert record.contract is not None
        cell = (record.contract.denomination, record.contract.declarer)
        assert record.tricks == (0 if record.board.deal == first else solved.tricks(*cell))
        assert record.board.deal == first or known.tricks(*cell) == solved.tricks(*cell)


@pytest.mark.slow
def test_a_match_of_bidding_alone_is_played_and_told(tmp_path: Path) -> None:
    spec = write_bot(tmp_path, "bidder", BIDDER)
    command = ["match", f"mine={spec}", "random", "--boards", "4", "--seed", "1"]
    ended = arena(tmp_path, *command, "--mode", "bidding", "--out", "out", "--concurrency", "2")
    assert (ended.status, ended.errors) == (0, ""), ended
    assert f"4 boards in both rooms, {OF_SEED}, bidding only" in ended.output
    out = tmp_path / "out"
    records = records_of(out / "match.pbn")
    assert [(record.board, record.room) for record in records] == [
        (KEY.board(number), room) for number in range(1, 5) for room in Room
    ]
    solved = dict(enumerate(tables([KEY.deal(number) for number in range(1, 5)]), 1))
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
    assert (summary["mode"], summary["boards"]) == ("bidding", 4)
    calls = sum(len(record.calls) for record in records)
    assert sum(bot["timing"]["actions"] for bot in summary["bots"]) == calls

    path = str(out / "match.pbn")
    assert "OK" in arena(tmp_path, "pbn", "check", path).output
    assert arena(tmp_path, "report", path, "--out", "report").status == 0
    assert summary_of(tmp_path / "report") == summary
    again = arena(tmp_path, *command, "--mode", "bidding", "--out", "again", "--concurrency", "1")
    assert again.status == 0
    assert untimed(tmp_path / "again" / "match.pbn") == untimed(out / "match.pbn")


@pytest.mark.slow
def test_a_match_of_card_play_alone_is_played_and_told(tmp_path: Path) -> None:
    spec = write_bot(tmp_path, "player", PLAYER)
    command = ["match", f"mine={spec}", "random", "--boards", "4", "--seed", "1", "--mode", "play"]
    ended = arena(tmp_path, *command, "--out", "out", "--concurrency", "2")
    assert (ended.status, ended.errors) == (0, ""), ended
    assert f"4 boards in both rooms, {OF_SEED}, card play only" in ended.output
    out = tmp_path / "out"
    records = records_of(out / "match.pbn")
    assert len(records) == 8
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
    assert heard >= 8, "declarer, or both defenders, on each board"

    summary = summary_of(out)
    assert (summary["mode"], summary["boards"]) == ("play", 4)
    for bot in summary["bots"]:
        imps = bot["ledger"]["imps_per_board"]
        assert (imps["all"], imps["auction"]["mean"]) == (bot["imps_per_board"], 0)
        assert bot["tricks_vs_dd"]["declarer"]["n"] == 4
        assert bot["explanations"]["calls"] == 0
    cards = sum(len(record.cards) for record in records)
    assert sum(bot["timing"]["actions"] for bot in summary["bots"]) == cards

    path = str(out / "match.pbn")
    assert "OK" in arena(tmp_path, "pbn", "check", path).output
    assert arena(tmp_path, "report", path, "--out", "report").status == 0
    assert summary_of(tmp_path / "report") == summary

    # A match of play gives its own auctions to another one.
    command = [
        "match",
        "baseline",
        "random",
        "--boards-from",
        path,
        "--mode",
        "play",
        "--out",
        "same",
    ]
    assert arena(tmp_path, *command, "--seed", "1").status == 0
    same = records_of(tmp_path / "same" / "match.pbn")
    assert [(record.board, record.calls) for record in same] == [
        (record.board, record.calls) for record in records
    ]


def visible_to(seat: Seat, dealer: Seat, calls: tuple[MadeCall, ...]) -> list[str]:
    """The explanations of an auction that a seat is told: all but partner's."""
    return [
        "None" if (dealer + at) % 4 == seat.partner else str(made.explanation)
        for at, made in enumerate(calls)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "number"), [("bidding", signal.SIGINT), ("play", signal.SIGKILL)])
def test_an_interrupted_match_goes_on_in_its_mode(
    tmp_path: Path, mode: str, number: signal.Signals
) -> None:
    out, green_light = tmp_path / "out", tmp_path / "green"
    environment = {"GREEN_LIGHT": str(green_light)}
    spec = write_bot(tmp_path, "hesitant", HESITANT)
    command = ["match", "baseline", spec, "--boards", "3", "--seed", "3", "--mode", mode]
    command += ["--concurrency", "2", "--out"]
    with started(tmp_path, *command, "out", environment=environment) as process:
        wait_until(lambda: len(units_played(out)) == 2, "a board is played")
        ended = interrupt(process, number)
    go_on = ["arena", "match", "--resume", "out", "--concurrency", "2"]
    if number == signal.SIGINT:
        assert shlex.split(ended.complaint(3).partition("go on with: ")[2]) == go_on
    green_light.touch()
    ended = arena(tmp_path, *go_on[1:], environment=environment)
    assert ended.status == 0, ended
    assert len(units_played(out)) == len(set(units_played(out))) == 6
    assert summary_of(out)["mode"] == mode
    assert arena(tmp_path, *command, "whole", environment=environment).status == 0
    whole = tmp_path / "whole" / "match.pbn"
    assert untimed(out / "match.pbn") == untimed(whole)


@pytest.mark.parametrize("killed", ["match", "solver"])
@pytest.mark.slow
def test_a_match_goes_on_after_an_end_while_a_contract_is_solved(
    tmp_path: Path, killed: str
) -> None:
    (tmp_path / "freak.pbn").write_text(
        f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{FREAK_DEAL}"]\n'
    )
    out = tmp_path / "out"
    command = "match random random --boards-from freak.pbn --mode bidding --seed 1 --out out"
    go_on = "go on with: arena match --resume out --concurrency 1"
    with started(tmp_path, *command.split(), "--concurrency", "1") as process:
        wait_until(lambda: len(children(process.pid)) > len(bot_pids(out)) == 8, "it is solved")
        (solver,) = set(children(process.pid)) - set(bot_pids(out))
        if killed == "match":
            complaint = interrupt(process).complaint(3)
            assert complaint == f"interrupted; {go_on}"
        else:
            os.kill(solver, signal.SIGKILL)
            complaint = end_of(process).complaint(1)
            assert complaint.startswith("a worker ended")
            assert complaint.endswith(go_on)
    assert not any(map(is_alive, (solver, *bot_pids(out))))
    assert (out / "results.sqlite").exists()


@pytest.mark.slow
def test_a_file_without_a_contract_to_play_is_refused(tmp_path: Path) -> None:
    board = Board.dealt(5, 1)
    tags = f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{board.deal}"]\n'
    (tmp_path / "boards.pbn").write_text(f'{tags}[Contract "Pass"]\n')
    command = "match random random --boards-from boards.pbn --mode play --out out"
    complaint = arena(tmp_path, *command.split()).complaint(2)
    assert complaint == "boards.pbn has no board with a contract to play"
    (tmp_path / "boards.pbn").write_text(f'{tags}[Declarer "N"]\n[Contract "1C"]\n')
    complaint = arena(tmp_path, *command.split(), "--boards", "2").complaint(2)
    assert complaint == "boards.pbn has 1 board with a contract, not 2"
    assert not (tmp_path / "out").exists()
