"""`arena replay` as a user runs it: both starts, its files, bad input, lost bots, signals."""

from __future__ import annotations

import csv
import json
import re
import shlex
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.pbn.read.reader import read_games
from tests.data import data_path
from tests.end_to_end.arena import (
    Ended,
    arena,
    bot_pids,
    interrupt,
    is_alive,
    records_of,
    started,
    summary_of,
    undated,
    wait_until,
    write_bot,
)
from tests.end_to_end.conftest import Here

PASSED_OUT = "Pass Pass Pass Pass"

# From the third board on it waits for a file before it plays.
HESITANT = """
    import os, time
    from pathlib import Path
    from bridge_arena.bots.baseline.bot import BaselineBot
    from bridge_arena.bots.sdk.client import run

    class Hesitant(BaselineBot):
        def play(self, view):
            while view.number >= 3 and not Path(os.environ["GREEN_LIGHT"]).exists():
                time.sleep(0.01)
            return super().play(view)

    run(Hesitant)
"""

CRASHING = """
    from bridge_arena.bots.baseline.bot import BaselineBot
    from bridge_arena.bots.sdk.client import run

    class Crashing(BaselineBot):
        def play(self, view):
            if view.number == 2:
                raise RuntimeError("lost my mind")
            return super().play(view)

    run(Crashing)
"""


def game(number: int, contract: str, declarer: str, auction: str = "", result: int = 7) -> str:
    """A dealt board, with North as its dealer; "" leaves a tag or section out."""
    tags = {
        "Event": "Club night",
        "Board": str(number),
        "Dealer": "N",
        "Vulnerable": "None",
        "Deal": str(Board.dealt(5, number).deal),
        "Declarer": declarer,
        "Contract": contract,
        "Result": str(result) if declarer else "",
        "Auction": "N" if auction else "",
    }
    lines = [f'[{name} "{value}"]\n' for name, value in tags.items() if value]
    return "".join(lines) + (f"{auction}\n" if auction else "")


GAMES = (
    game(1, "3NTX", "S"),
    game(2, "2H", "E", "Pass 1H Pass 2H Pass Pass Pass", 8),
    game(3, "1S", "W", "Pass Pass Pass 1S Pass Pass Pass"),
    game(4, "1NT", "N", "1NT Pass Pass Pass"),
    game(5, "Pass", "", PASSED_OUT),
    game(6, "", ""),
)


def write_games(folder: Path, *games: str) -> None:
    (folder / "club.pbn").write_text("\n".join(games))


Replay = Callable[..., Ended]


@pytest.fixture
def replay(here: Here) -> Replay:
    """Replay `club.pbn` into `out`."""
    return partial(here, "replay", *"club.pbn --out out --concurrency 2".split())


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "replay.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def contracts(records: list[BoardRecord]) -> list[str]:
    played = [record.contract for record in records]
    return [f"{contract} {contract.declarer}" for contract in played if contract]


def units(folder: Path) -> list[str]:
    """Return the units that are done, read from outside while the replay runs."""
    path = folder / "checkpoint.jsonl"
    lines = path.read_text().split("\n")[1:-1] if path.exists() else []
    return [json.loads(line)["unit"] for line in lines]


@pytest.mark.slow
def test_games_are_replayed_from_the_play_on(replay: Replay, tmp_path: Path) -> None:
    write_games(tmp_path, *GAMES)
    ended = replay("--bot", "random", "--seat", "S")
    assert (ended.status, ended.errors) == (0, ""), ended
    assert "random's side took" in ended.output
    assert "6 games, 3 counted" in ended.output
    out = tmp_path / "out"
    records = records_of(out / "replay.pbn")
    assert contracts(records) == ["3NTX S"] * 2 + ["2H E"] * 2 + ["1S W"] * 2
    bots, oracles = records[::2], records[1::2]
    assert {record.event for record in bots} == {"Replay, bot in S: random"}
    assert {record.event for record in oracles} == {"Replay, oracle in S: oracle"}
    assert {record.players for record in bots} == {("baseline", "baseline", "random", "baseline")}
    assert [record.calls for record in bots] == [record.calls for record in oracles]
    assert [len(record.calls) for record in bots] == [7, 7, 7]
    assert all(len(record.cards) == 52 and not record.faults for record in records)

    rows = rows_of(out)
    left_out = ["", "", "", "the bot is dummy", "passed out", "no contract"]
    assert [row["left_out"] for row in rows] == left_out
    assert [row["role"] for row in rows] == ["declarer", "defender", "defender", "", "", ""]
    for row, bot, oracle in zip(rows, bots, oracles, strict=False):
        sign = 1 if row["role"] == "declarer" else -1
        assert int(row["tricks"]) == bot.tricks
        assert int(row["oracle_tricks"]) == oracle.tricks
        for other in ("dd", "recorded", "oracle"):
            difference = sign * (int(row["tricks"]) - int(row[f"{other}_tricks"]))
            assert int(row[f"tricks_vs_{other}"]) == difference

    summary = summary_of(out)
    assert (summary["games"], summary["counted"], summary["unsolved"]) == (6, 3, 0)
    assert summary["left_out"] == {"the bot is dummy": 1, "passed out": 1, "no contract": 1}
    assert summary["from"] == "play"
    for measure in ("tricks_vs_dd", "tricks_vs_recorded", "tricks_vs_oracle"):
        values = [int(row[measure]) for row in rows[:3]]
        assert summary[measure]["all"]["mean"] == pytest.approx(sum(values) / 3, abs=1e-6)
        assert summary[measure]["declarer"] == {
            "n": 1,
            "mean": float(values[0]),
            "standard_error": None,
        }


def test_games_are_replayed_from_the_auction_on(replay: Replay, tmp_path: Path) -> None:
    """`baseline` opens and answers as it likes; the others follow the record as long as
    it does, and the oracle is given the auction that came of it."""
    write_games(tmp_path, *GAMES)
    ended = replay("--bot", "baseline", "--seat", "W", "--from", "auction")
    assert (ended.status, ended.errors) == (0, ""), ended
    out = tmp_path / "out"
    rows = rows_of(out)
    assert [row["left_out"] for row in rows[4:]] == ["passed out", "no contract"]
    assert rows[0]["left_out"] == "no complete auction"
    path = tmp_path / "club.pbn"
    sections = {each.get("Board"): each.section("Auction") for each in read_games(path)}
    recorded = {board: section.tokens for board, section in sections.items() if section}
    by_board: dict[int, list[BoardRecord]] = {}
    for record in records_of(out / "replay.pbn"):
        by_board.setdefault(record.board.number, []).append(record)
    assert list(by_board) == [2, 3, 4]
    for number, (bot, *oracle) in by_board.items():
        calls = [str(made.call) for made in bot.calls]
        followed = recorded[str(number)]
        # The first call that is not the record's is West's.
        other = next((at for at, call in enumerate(calls) if call != followed[at]), 3)
        assert other % 4 == 3
        dummy = bot.contract is not None and str(bot.contract.declarer) == "E"
        assert len(oracle) == (0 if dummy or bot.contract is None else 1)
        for record in oracle:
            assert record.calls == bot.calls
            assert record.contract == bot.contract


@pytest.mark.slow
@pytest.mark.parametrize("start", ["auction", "play"])
def test_a_real_file_is_replayed(here: Here, tmp_path: Path, start: str) -> None:
    text = data_path("liao", "A1A10101.PBN").read_bytes().decode("latin-1")
    head, *games = text.split("[Event ")
    first = "[Event ".join([head, *games[:6]])
    (tmp_path / "club.pbn").write_bytes(first.encode("latin-1"))
    command = f"replay club.pbn --bot baseline --seat S --from {start} --concurrency 2"
    ended = here(*command.split())
    assert ended.status == 0, ended
    summary = summary_of(tmp_path / "runs" / f"replay-club-baseline-S-{start}")
    assert summary["games"] == 6
    assert summary["counted"] == summary["tricks_vs_oracle"]["all"]["n"] > 0
    assert summary["faults"] == {}


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_replay_goes_on_where_it_was_stopped(tmp_path: Path, number: signal.Signals) -> None:
    out, green_light = tmp_path / "out", tmp_path / "green"
    spec = write_bot(tmp_path, "hesitant", HESITANT)
    environment = {"GREEN_LIGHT": str(green_light)}
    games = [*GAMES[:3], game(7, "2NT", "N"), game(8, "2C", "E")]
    write_games(tmp_path, *games)
    command = ["replay", "club.pbn", "--bot", spec, "--seat", "S", "--against", "random"]
    command += ["--from", "play", "--seed", "4", "--out", "out", "--clock", "60"]
    command += ["--concurrency", "1"]
    before = [f"replay/{at}/{who}" for at in (1, 2) for who in ("bot", "oracle")]
    with started(tmp_path, *command, environment=environment) as process:
        wait_until(lambda: units(out) == before, "two boards are played")
        ended = interrupt(process, number)
    if number == signal.SIGKILL:
        # What was being written when the power failed.
        with (out / "checkpoint.jsonl").open("a") as file:
            file.write('{"unit": "replay/3/b')
    else:
        go_on = ended.complaint(3).partition("go on with: ")[2]
        assert shlex.split(go_on) == ["arena", *command]
    assert units(out) == before
    green_light.touch()
    wait_until(lambda: not any(map(is_alive, bot_pids(out))), "no bot is left")
    ended = arena(tmp_path, *command, environment=environment)
    assert ended.status == 0, ended
    assert [row["left_out"] for row in rows_of(out)] == ["", "", "", "the bot is dummy", ""]
    assert len(units(out)) == len(set(units(out))) == 12

    again = [*command[:-5], "whole", *command[-4:]]
    assert arena(tmp_path, *again, environment=environment).status == 0
    for name in ("replay.csv", "summary.json"):
        assert (out / name).read_text() == (tmp_path / "whole" / name).read_text()
    assert undated(out / "replay.pbn") == undated(tmp_path / "whole" / "replay.pbn")

    other = ["replay", "club.pbn", "--bot", "random", "--out", "out"]
    complaint = arena(tmp_path, *other).complaint(2)
    assert "out holds another run (bot " in complaint


def test_a_lost_bot_ends_the_replay_but_not_its_figures(here: Here, tmp_path: Path) -> None:
    spec = write_bot(tmp_path, "crashing", CRASHING)
    write_games(tmp_path, *GAMES[:3])
    ended = here("replay", "club.pbn", "--bot", spec, "--out", "out", "--concurrency", "1")
    complaint = ended.complaint(1)
    assert "(S, bot room) was lost on game 2: crash: exit status 1: RuntimeError" in complaint
    assert "1 counted; left out: 2 not played yet" in ended.output
    assert [row["left_out"] for row in rows_of(tmp_path / "out")] == ["", *["not played yet"] * 2]


SLEEPING = """
    from bridge_arena import Bot, NoActionError, run

    class Sleeping(Bot):
        def play(self, view):
            raise NoActionError("the service sleeps", timeout=True)

    run(Sleeping)
"""


@pytest.mark.slow
def test_a_bot_that_does_not_act_is_warned_of_while_it_is_replayed(
    here: Here, tmp_path: Path
) -> None:
    spec = write_bot(tmp_path, "sleeping", SLEEPING)
    write_games(tmp_path, GAMES[0])
    ended = here("replay", "club.pbn", "--bot", f"sleeper={spec}", "--out", "out")
    assert ended.status == 0, ended
    words = r"arena: sleeper: time-out on board \d+, [NESW]: no action: the service sleeps"
    assert re.search(words, ended.errors), ended


DEAL = str(Board.dealt(5, 2).deal)

BAD = {
    "twelve cards": (GAMES[1].replace(DEAL, DEAL[:2] + DEAL[3:]), "cards"),
    "no declarer": (GAMES[1].replace('[Declarer "E"]\n', "").split("[Auction")[0], "declarer"),
    "impossible play": (GAMES[1] + '[Play "S"]\nSA SA SA SA\n', "Play"),
    "half a game": (GAMES[1][: GAMES[1].index("[Deal") + 30], "eal"),
}


def test_one_bad_game_costs_no_other(replay: Replay, tmp_path: Path) -> None:
    write_games(tmp_path, GAMES[0], *(game for game, _ in BAD.values()))
    ended = replay("--bot", "baseline")
    assert ended.status == 1
    *lines, last = ended.errors.splitlines()
    for number, (line, (_, words)) in enumerate(zip(lines, BAD.values(), strict=True), start=2):
        assert line.startswith("arena: club.pbn:")
        assert f": game {number}: " in line
        assert words in line
    assert last == "arena: 4 of the games could not be used, see above"
    left_out = [row["left_out"] for row in rows_of(tmp_path / "out")]
    assert left_out == ["", *["the game has errors"] * 4]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "it has no game"),
        (bytes(range(256)) * 40, "it is neither PBN nor LIN"),
        (b"<html><body><p>Results</p></body></html>\n", "not a PBN file"),
        (b"pn|a,b,c,d|st||md|3S2H3D4C5,,|\nmb|p|mb|p|\n", "nothing to replay: 1 no deal"),
        (GAMES[4].encode(), "nothing to replay: 1 passed out"),
    ],
    ids=["empty", "binary", "HTML", "LIN", "passed out"],
)
def test_files_that_cannot_be_replayed_are_told(
    replay: Replay, tmp_path: Path, data: bytes, words: str
) -> None:
    (tmp_path / "club.pbn").write_bytes(data)
    assert words in replay("--bot", "baseline").complaint(2)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("", "--bot"),
        ("--bot baselin", "did you mean baseline?"),
        ("--bot baseline --seat Q", "'Q' is not a seat (N, E, S or W)"),
        ("--bot baseline --against nobody", "unknown bot 'nobody'"),
        ("--bot baseline --from lead", "--from"),
        ("--bot baseline --clock never", "not a time limit"),
        ("--bot cmd:./nowhere", "cannot start './nowhere'"),
        ("--bot baseline --out club.pbn", "cannot write club.pbn: File exists"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused(
    replay: Replay, tmp_path: Path, arguments: str, words: str
) -> None:
    write_games(tmp_path, GAMES[0])
    assert words in replay(*arguments.split()).complaint(2)


def test_a_file_that_is_not_there_is_told(replay: Replay) -> None:
    complaint = replay("--bot", "baseline").complaint(2)
    assert complaint == "club.pbn: cannot be read: No such file or directory"
