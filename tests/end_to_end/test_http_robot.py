"""Robots over HTTP at our tables, and ours for others: with real sockets, clocks and processes."""

from __future__ import annotations

import asyncio
import re
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import pytest

from bridge_arena.bots.http_robot.bot import HttpRobotBot
from bridge_arena.bots.http_robot.client import RobotClient
from bridge_arena.bots.http_robot.robot import Robot
from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bots.sdk.tables import play_table
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import BoardRecord, FaultKind, MadeCall
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.protocol.view import View
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import Player
from bridge_arena.server.table import Table
from tests.bots.http_robot import stand_in as misdeed
from tests.bots.http_robot.stand_in import StandIn, Steady
from tests.end_to_end.arena import (
    end_of,
    interrupt,
    log_of,
    records_of,
    started,
    units_played,
    wait_until,
    write_bot,
)
from tests.end_to_end.conftest import Here
from tests.patience import PATIENCE
from tests.server.lobby import open_lobby, until

KEY = DealKey.of_seed(77)
EXPLAIN = {"dealer": "N", "vul": "None", "ctx": "1N-P-2C", "seat": "W"}


@dataclass(frozen=True, slots=True)
class Hall:
    """Four bots at a table, each in its thread."""

    players: dict[Seat, Player]
    seconds: float

    async def play(self, number: int) -> BoardRecord:
        north, east, south, west = (KEY.seat_seed(number, seat) for seat in SEATS)
        control = TimeControl(self.seconds)
        table = Table("A1", KEY.board(number), (north, east, south, west), control)
        await play_board(table, self.players)
        return table.record(("n", "e", "s", "w"))


@asynccontextmanager
async def seated(make: Callable[[], Bot], seconds: float = 60.0) -> AsyncIterator[Hall]:
    async with asyncio.timeout(PATIENCE), open_lobby(seconds=seconds) as lobby:
        threads = [
            asyncio.create_task(
                asyncio.to_thread(play_table, make(), lobby.url, lobby.tokens[seat])
            )
            for seat in SEATS
        ]
        players = {seat: await lobby.player(seat) for seat in SEATS}
        yield Hall(dict(players), seconds)
        for player in players.values():
            await player.say_goodbye("over")
        await asyncio.gather(*threads)


def asking(robot: StandIn, options: str = "") -> Callable[[], Bot]:
    asked = RobotClient(Robot.parse(f"{robot.url}{options}"))
    return lambda: HttpRobotBot("r", asked)


@pytest.fixture
def robot() -> Iterator[StandIn]:
    with StandIn().listening() as listening:
        yield listening


async def expected(number: int) -> BoardRecord:
    """The board as the robot's bot plays it without a robot."""
    async with seated(Steady) as hall:
        return silent(await hall.play(number))


def silent(record: BoardRecord) -> BoardRecord:
    """The record without thoughts and faults."""
    return replace(record, thoughts=(), faults=())


async def test_a_robot_makes_no_difference_to_the_play(robot: StandIn) -> None:
    async with seated(asking(robot)) as hall:
        played = [await hall.play(number) for number in (1, 2)]
    for number, record in enumerate(played, start=1):
        assert record.faults == ()
        assert silent(record) == await expected(number)
        assert {thought.text for thought in record.thoughts} == {"who stand-in"}
    assert {path for path, _ in robot.asked} == {"/bid", "/lead", "/play"}


async def test_a_robot_may_be_started_again_in_the_middle_of_a_board(
    caplog: pytest.LogCaptureFixture,
) -> None:
    robot = StandIn()
    with ExitStack() as running:
        running.enter_context(robot.listening())
        async with seated(asking(robot)) as hall:
            board = asyncio.create_task(hall.play(1))
            await until(lambda: len(robot.asked) >= 20)
            robot.misdeeds.append(misdeed.silent)
            await until(lambda: not robot.misdeeds)
            await asyncio.to_thread(running.close)
            await until(lambda: "it cannot be reached" in caplog.text)
            running.enter_context(robot.listening())
            record = await board
    assert record.faults == ()
    assert silent(record) == await expected(1)
    (told,) = [each.text for each in record.thoughts if each.text.startswith("robot: ")]
    assert told.startswith("robot: no answer (Server disconnected")
    assert "; it cannot be reached (" in told


async def test_trouble_that_ends_within_the_clock_changes_nothing(robot: StandIn) -> None:
    robot.misdeeds.extend([misdeed.slow, misdeed.too_many, misdeed.garbage])
    async with seated(asking(robot)) as hall:
        record = await hall.play(1)
    assert record.faults == ()
    assert silent(record) == await expected(1)
    told = [each.text for each in record.thoughts if each.text.startswith("robot: ")]
    assert told == ["robot: it is asked too often (status 429); its answer is not JSON"]


async def test_a_bot_without_an_answer_in_time_is_timed_out(robot: StandIn) -> None:
    """The table's substitute follows, and the robot plays on."""
    robot.misdeeds.append(misdeed.silent)
    async with seated(asking(robot), seconds=1.5) as hall:
        record = await hall.play(1)
    ((kind, seat),) = [(fault.kind, fault.seat) for fault in record.faults]
    assert (kind, seat) == (FaultKind.TIMEOUT, record.board.dealer)
    assert record.is_finished
    first = record.thoughts[0]
    assert (first.seat, first.action) == (seat, 0)
    assert first.text.startswith("robot: no answer in the time of the turn")


async def test_an_illegal_call_is_asked_again_and_then_the_table_calls(robot: StandIn) -> None:
    robot.misdeeds.extend([misdeed.saying({"bid": "XX"})] * 4)
    async with seated(asking(robot)) as hall:
        record = await hall.play(1)
    assert [fault.kind for fault in record.faults] == [FaultKind.ILLEGAL] * 2
    assert record.is_finished
    assert record.thoughts[0].text == "robot: XX is illegal"


class Hearing(HttpRobotBot):
    """Keeps the alerts and explanations that it is told of its partner and of its opponents."""

    def __init__(self, asked: RobotClient) -> None:
        super().__init__("r", asked)
        self.partner: list[MadeCall] = []
        self.opponents: list[MadeCall] = []

    def play(self, view: View) -> Card:
        if not self.opponents:
            by_seat = {seat: view.calls[(seat - view.dealer) % 4 :: 4] for seat in SEATS}
            self.partner = list(by_seat[view.seat.partner])
            self.opponents = [*by_seat[view.seat.next], *by_seat[view.seat.previous]]
        return super().play(view)


async def test_only_opponents_hear_what_a_robot_s_calls_mean(robot: StandIn) -> None:
    meaning = {"alert": "True", "explanation": "weak [hcp 5-10]"}
    robot.misdeeds.append(misdeed.saying({"bid": "2S", **meaning}))
    robot.misdeeds.extend([misdeed.saying({"bid": "PASS", **meaning})] * 3)
    asked = RobotClient(Robot.parse(robot.url))
    bots = iter([Hearing(asked) for _ in SEATS])
    heard: list[Hearing] = []

    def make() -> Bot:
        heard.append(next(bots))
        return heard[-1]

    async with seated(make) as hall:
        record = await hall.play(1)
    assert {call.alert for call in record.calls} == {True}
    told = [bot for bot in heard if bot.opponents]
    assert len(told) >= 2
    for bot in told:
        assert {(call.alert, str(call.explanation)) for call in bot.opponents} == {
            (True, "weak [hcp 5-10]")
        }
        assert {(call.alert, call.explanation) for call in bot.partner} == {(False, None)}


# As processes.


@contextmanager
def served(folder: Path, bot: str, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`arena robot` on a free port, and its address."""
    with started(folder, "robot", bot, "--port", "0", *options) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"answers at (http://[\d.]+:\d+)", line)
        assert found, line or end_of(process)
        yield process, found[1]


STEADY = """
    from bridge_arena import run
    from bridge_arena.bots.library.bidding_systems import BiddingBot

    class Steady(BiddingBot):
        name = "steady"

        def play(self, view):
            return min(view.legal_cards(), key=lambda card: (card.rank, card.suit))

    run(lambda: Steady("natural"))
"""


def records(folder: Path) -> list[BoardRecord]:
    found = records_of(folder / "match.pbn")
    return [replace(each, times=(), date="", event="") for each in found]


@pytest.mark.slow
def test_a_match_over_our_own_robot_is_that_of_the_bot(here: Here, tmp_path: Path) -> None:
    """Board for board, also when the robot is killed and started again in the middle; and nothing
    that is left of it has the key."""
    bot = write_bot(tmp_path, "steady", STEADY)
    environment = {"ROBOT_KEY": "s3cret-of-the-robot"}
    match = ("random", "--boards", "2", "--seed", "5", "--concurrency", "2")
    with ExitStack() as running:
        robot, url = running.enter_context(served(tmp_path, bot, "--at-once", "2"))
        command = ("match", f"r=http:{url},key=ROBOT_KEY,timeout=30", *match, "--out", "asked")
        asking = running.enter_context(started(tmp_path, *command, environment=environment))
        wait_until(lambda: bool(units_played(tmp_path / "asked")), "a table")
        robot.kill()
        again = served(tmp_path, bot, "--at-once", "2", "--port", url.rpartition(":")[2])
        robot, _ = running.enter_context(again)
        ended = end_of(asking)
        assert ended.status == 0, ended
        assert httpx.get(f"{url}/explain", params=EXPLAIN).status_code == 404
        assert interrupt(robot).status == 0
    ended = here("match", f"r={bot}", *match, "--out", "direct")
    assert ended.status == 0, ended
    assert records(tmp_path / "asked") == records(tmp_path / "direct")
    told = [each["text"] for each in log_of(tmp_path / "asked") if each["event"] == "thought"]
    assert [text for text in told if text.startswith("robot: ") and "cannot be reached" in text]
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in left if b"s3cret" in path.read_bytes()]
    said = {line["says"] for line in log_of(tmp_path / "asked") if line["event"] == "seated"}
    assert any(url.removeprefix("http://") in each for each in said)


@pytest.mark.slow
def test_a_robot_at_a_name_that_no_machine_has_is_told(here: Here) -> None:
    ended = here("match", "r=http:http://nobody.invalid:1", "random", "--out", "out")
    assert "robot nobody.invalid:1 cannot be reached: " in ended.complaint(2)


@pytest.mark.slow
def test_a_robot_that_refuses_all_plays_no_match(here: Here, robot: StandIn) -> None:
    robot.misdeeds.extend([misdeed.refusing] * 99)
    ended = here("match", f"r=http:{robot.url}", "random", "--boards", "1", "--out", "out")
    words = "decides nothing: /bid: status 400: An error occurred: no model"
    assert words in ended.complaint(2)


@pytest.mark.slow
def test_a_robot_that_fails_in_the_middle_is_warned_of_and_told_in_the_report(
    here: Here, tmp_path: Path, robot: StandIn
) -> None:
    """The probes of four seats and all calls are its own; then it plays no card."""
    cards: list[str] = []

    def failing(handler: misdeed.Handler) -> None:
        path, parameters = handler.robot.asked[-1]
        if path == "/bid" or len(cards) < 8:
            cards.extend([path] * (path != "/bid"))
            handler.tell(misdeed.decide(handler.robot.bot, path, parameters))
        else:
            handler.tell({"error": "the disk is full"}, 400)

    robot.misdeeds.extend([failing] * 999)
    match = ("random", "--boards", "1", "--seed", "5", "--clock", "0.7", "--out", "out")
    ended = here("match", f"r=http:{robot.url}", *match)
    assert ended.status == 0, ended
    words = "no action: no answer in the time of the turn (0.4 s); status 400: the disk is full"
    # On a busy machine an answer that comes may be late too, and be warned of first.
    warning = rf"(?m)^arena: r: time-out on board 1, [NESW]: {re.escape(words)}"
    assert re.search(warning, ended.errors)
    assert "time-outs; the first: no action: no answer in the time" in " ".join(
        ended.output.split()
    )
    faults = [each for each in log_of(tmp_path / "out") if each["event"] == "fault"]
    assert {each["kind"] for each in faults} == {"timeout"}


@pytest.mark.slow
def test_our_robots_explain_by_the_system_they_bid_by(tmp_path: Path) -> None:
    """The one that the entry chooses, whatever it is called."""
    with served(tmp_path, "b=baseline:bidding=natural") as (_, url):
        told = httpx.get(f"{url}/explain", params=EXPLAIN).raise_for_status().json()
    auction = Auction(Seat.NORTH, [Call("1NT"), PASS, Call("2C")])
    meanings = system("natural").explain(auction, Vulnerability.NONE)
    assert (told["who"], told["explanation"]) == ("b", str(meanings[-1]))
    assert [each["text"] for each in told["calls"]] == [each.text for each in meanings]


def test_no_password_is_repeated(here: Here) -> None:
    ended = here("match", "http:http://me:s3cret@a", "random")
    assert ended.complaint(2).startswith("http: the address of a robot has no name or password")
    assert "s3cret" not in ended.errors


def test_a_sandbox_has_no_network(here: Here, tmp_path: Path) -> None:
    words = "r is asked over the network, which a sandbox does not have"
    ended = here("match", "r=http:http://a", "random", "--isolation", "sandbox")
    assert words in ended.complaint(2)
    (tmp_path / "event.toml").write_text(
        '[event]\nname = "Cup"\nformat = "match"\nisolation = "sandbox"\n'
        '[[entry]]\nname = "r"\nbot = "http:http://a"\n[[entry]]\nbot = "random"\n'
    )
    assert words in here("tournament", "event.toml").complaint(2)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["nobody"], "unknown bot 'nobody'"),
        (["remote:far"], "remote:far comes by itself"),
        (["human:Ann"], "human:Ann is a person, whom no robot can ask"),
        (["oracle"], "oracle must see all hands, which nobody tells a robot"),
        (["random", "--seconds", "inf"], "--seconds is inf"),
        (["random", "--origin", "example.org/a"], "--origin example.org/a: expected https://NAME"),
        (["random", "--host", "nowhere.invalid"], "nowhere.invalid"),
    ],
)
def test_options_of_a_robot_that_make_no_sense_are_refused(
    here: Here, options: list[str], complaint: str
) -> None:
    assert complaint in here("robot", *options).complaint(2)


def test_a_robot_whose_bot_cannot_be_started_is_told(here: Here) -> None:
    assert "cannot start './none'" in here("robot", "cmd:./none", "--port", "0").complaint(2)
