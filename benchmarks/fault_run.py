"""Test that an event survives faults of every kind, and that no board is lost or wrong.

    python -m benchmarks.fault_run [--boards 500] [--tables 4] [--seed 1] [--every 2]

`arena serve` plays a team match, each board in two rooms: a team of remote bots against one that
the server starts. All bots are `benchmarks.watching_bot`, and every connection goes through
`benchmarks.bad_network`. There is one fault for every `--every` results, at a random moment:
connections are cut, delayed or go dead, bits of their data are flipped, and bots are killed or
stopped. In all, the server is killed `--kills` times, and started again with --resume. At the end
`benchmarks.fault_run` says whether any board was lost or played against the Laws, and whether any
bot was shown a card that it may not see.

The exit status is 1 if there is such a complaint, or if there was no progress for a minute.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgpack

from benchmarks.bad_network import BadNetwork, Trouble
from bridge_arena.bots.adapters.openspiel import dealt_state, openspiel_action
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import Call, Contract
from bridge_arena.bridge.cards import Card, Deal, Hand
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord, FaultKind, Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.pbn.read.records import read_records
from bridge_arena.protocol.codec import decode_server
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import ServerMessage
from bridge_arena.tournaments import LOG
from bridge_arena.tournaments.schedule.event_files import PBN_NAMES

HAS_OPENSPIEL = find_spec("pyspiel") is not None
"""Whether there is a second judge; the arena does not need it."""

FIELDS = {
    kind.model_fields["type"].default: frozenset(kind.model_fields)
    for kind in get_args(get_args(ServerMessage)[0])
}
"""The fields that a message may have, by its type."""


# The records.


def judge_records(records: Sequence[BoardRecord], boards: int) -> Iterator[str]:
    """Yield a complaint unless each room has finished each board once, by the Laws."""
    times = Counter((record.board.number, record.room) for record in records)
    for number in range(1, boards + 1):
        for room in Room:
            if times[number, room] != 1:
                yield f"board {number}, {room} room: {times[number, room]} times in the results"
    for record in records:
        for complaint in _illegal(record):
            yield f"board {record.board.number}, {record.room} room: {complaint}"


def _illegal(record: BoardRecord) -> Iterator[str]:
    if not record.is_finished or record.adjusted is not None:
        yield f"no result: {record.faults[-1:]}"
        return
    try:
        auction = Auction(record.board.dealer, [made.call for made in record.calls])
        if not auction.is_over or auction.contract != record.contract:
            yield f"{record.contract} is not what the auction came to"
            return
        tricks = _tricks(record)
    except (BridgeError, ValueError) as error:
        yield str(error)
        return
    if record.tricks not in tricks:
        yield f"{record.tricks} tricks, expected {tricks}"
    elif record.score != score_ns(record.contract, record.tricks, record.board.vulnerability):
        yield f"{record.score} points for {record.contract} with {record.tricks} tricks"
    elif HAS_OPENSPIEL:
        yield from _second_judge(record)


def _tricks(record: BoardRecord) -> Sequence[int | None]:
    """Return the numbers of tricks that declarer may have taken: several after a claim.

    Raises ValueError and BridgeError where the play was against the Laws.
    """
    if record.contract is None:
        return (None,)
    play, hands = Play(record.contract), list(record.board.deal.hands)
    for card in record.cards:
        if card not in play.legal_cards(hands[play.turn]):
            raise ValueError(f"{card} is no legal card of {play.turn}'s")
        hands[play.turn] = hands[play.turn].without(card)
        play.push(card)
    left = 13 - len(play.tricks)
    return range(play.declarer_tricks, play.declarer_tricks + left + 1)


def _second_judge(record: BoardRecord) -> Iterator[str]:
    """Have OpenSpiel judge a record too."""
    board = record.board
    state = dealt_state(board.dealer, board.vulnerability, board.deal.hands)
    acts: list[Call | Card] = [*(made.call for made in record.calls), *record.cards]
    for chosen in acts:
        action = openspiel_action(chosen)
        if action not in state.legal_actions():
            yield f"OpenSpiel does not allow {chosen}"
            return
        state.apply_action(action)
    if state.is_terminal() and state.returns()[0] != record.score:
        yield f"{record.score} points, {state.returns()[0]:g} by OpenSpiel"


# What the bots saw.


class Sights:
    """The messages that bots of `benchmarks.watching_bot` have kept in a folder."""

    def __init__(self, records: Iterable[BoardRecord]) -> None:
        self._deals: dict[int, Deal] = {}
        self._played: dict[tuple[int, Room | None], tuple[Card, ...]] = {}
        for record in records:
            self._deals[record.board.number] = record.board.deal
            self._played[record.board.number, record.room] = record.cards
        self.frames = 0
        self.snapshots = 0
        # The number of frames that the bot could not read.
        self.spoilt = 0
        # Boards seen to their end that are not the ones in the results.
        self.forgotten = 0
        self.complaints: list[str] = []

    def look(self, folder: Path, home: str) -> None:
        """Read the files of all processes; those of the team `home` begin with its name."""
        for path in sorted(folder.glob("*.seen")):
            name, letter, _ = path.stem.split("-")
            seat = Seat.parse(letter)
            room = Room.OPEN if (name == home) == (seat.side == Side.NS) else Room.CLOSED
            sessions: dict[int, _Session] = {}
            with path.open("rb") as file:
                for number, data in msgpack.Unpacker(file):
                    if data is None:
                        sessions[number] = _Session(self._deals, seat)
                    else:
                        self._take(path.stem, room, sessions[number], data)

    def _take(self, bot: str, room: Room, session: _Session, data: bytes) -> None:
        self.frames += 1
        if session.is_lost:
            return
        try:
            decode_server(data)
        except ProtocolError:
            # The bot gives the connection up.
            session.is_lost = True
            self.spoilt += 1
            return
        for message in msgpack.unpackb(data):
            self.snapshots += message["type"] == "Snapshot"
            try:
                session.take(message)
            except (BridgeError, ValueError) as error:
                self.complaints.append(f"{bot}, board {session.board}: {error}")
                session.is_lost = True
                return
            if message["type"] == "BoardEnd" and "score" in message:
                cards = () if session.play is None else tuple(session.play.cards)
                self.forgotten += cards != self._played[session.board, room]


class _Session:
    """The board in play as a bot was told of it over one connection."""

    def __init__(self, deals: Mapping[int, Deal], seat: Seat) -> None:
        self._deals = deals
        self._seat = seat
        self._deal: Deal | None = None
        self._dummy_shown = False
        self.board = 0
        self.play: Play | None = None
        # Whether later messages cannot be judged.
        self.is_lost = False

    def take(self, message: Mapping[str, Any]) -> None:
        """Take in a message. Raises ValueError where it shows what the bot may not see."""
        kind = message["type"]
        if unknown := message.keys() - FIELDS[kind]:
            raise ValueError(f"{kind} has {unknown}")
        if kind == "Snapshot":
            for event in message["events"]:
                self.take(event)
        elif kind == "Welcome":
            _expect(message["seat"] == self._seat.letter, "another seat", message)
        elif kind == "BoardStart":
            self.board, self.play, self._dummy_shown = message["board"], None, False
            self._deal = self._deals[self.board]
            _expect("deal" not in message, "a whole deal", message)
            _expect(Hand.parse(message["hand"]) == self._deal[self._seat], "a hand", message)
        elif kind in _HOLDS_CARDS:
            _HOLDS_CARDS[kind](self, message)
        elif kind == "BoardShown":
            raise ValueError("a kibitzer's message")

    def _ask(self, message: Mapping[str, Any]) -> None:
        _expect(message["player"] == self._seat.letter, "another's turn", message)
        if self.play is None or message.get("claim"):
            return
        seat = Seat.parse(message["seat"])
        dummys = self._seat == self.play.declarer and seat == self.play.dummy and self._dummy_shown
        _expect(seat == self._seat or dummys, "another's cards", message)
        cards = Hand.of(map(Card, message["legal"]))
        _expect(not cards - self._held(seat), "cards that are not there", message)

    def _end_auction(self, message: Mapping[str, Any]) -> None:
        if message["contract"] != "Pass":
            declarer = Seat.parse(message["declarer"])
            self.play = Play(Contract.parse(message["contract"], declarer))

    def _show_dummy(self, message: Mapping[str, Any]) -> None:
        play = self._playing()
        seat = Seat.parse(message["seat"])
        _expect(len(play.cards) > 0, "dummy before the lead", message)
        _expect(seat == play.dummy, "a hand that is not dummy's", message)
        _expect(Hand.parse(message["hand"]) == self._dealt(seat), "other cards", message)
        self._dummy_shown = True

    def _push(self, message: Mapping[str, Any]) -> None:
        play, card = self._playing(), Card(message["card"])
        _expect(Seat.parse(message["seat"]) == play.turn, "a card out of turn", message)
        _expect(card in play.legal_cards(self._held(play.turn)), "no legal card", message)
        play.push(card)

    def _face(self, message: Mapping[str, Any]) -> None:
        declarer = self._playing().declarer
        _expect(Seat.parse(message["seat"]) == declarer, "a claim of another's", message)
        _expect(Hand.parse(message["hand"]) == self._held(declarer), "other cards", message)

    def _playing(self) -> Play:
        if self.play is None:
            raise ValueError("cards before the auction is over")
        return self.play

    def _dealt(self, seat: Seat) -> Hand:
        if self._deal is None:
            raise ValueError("cards before the board began")
        return self._deal[seat]

    def _held(self, seat: Seat) -> Hand:
        play = self._playing()
        played: list[Card] = [trick.card_of(seat) for trick in play.tricks]
        place = (seat - play.leader) % 4
        played += play.trick[place : place + 1]
        return self._dealt(seat) - Hand.of(played)


_HOLDS_CARDS = {
    "YourTurn": _Session._ask,
    "AuctionEnd": _Session._end_auction,
    "DummyShown": _Session._show_dummy,
    "CardPlayed": _Session._push,
    "ClaimMade": _Session._face,
}


def _expect(holds: object, what: str, message: Mapping[str, Any]) -> None:
    if not holds:
        raise ValueError(f"{what}: {message}")


ROOT = Path(__file__).parents[1]
ARENA = (sys.executable, "-m", "bridge_arena.commands.main")
REMOTE, STARTED = "remote", "started"
"""The names of the teams."""

CLOCK = 2
"""Seconds for each action, so that a stopped bot does not hold the event up."""

STUCK_SECONDS = 60.0
"""How long nothing may go on."""

GOODBYE_SECONDS = 10.0
"""How soon bots end when they were told that the event is over."""

KILL, STOP = "bot killed", "bot stopped"
SERVER_KILL = "server killed"

WEIGHTS: dict[Trouble | str, int] = {
    Trouble.CUT: 20,
    Trouble.CLOSED: 10,
    Trouble.DELAYED: 15,
    Trouble.DEAD: 8,
    Trouble.SPOILT_UP: 12,
    Trouble.SPOILT_DOWN: 12,
    KILL: 10,
    STOP: 13,
}

_GLANCE = 0.02
"""How often is looked at how far the event is, in seconds."""

_AWAKE = 25_000
"""How many bytes a process has seen when it has surely acted, and not only been told the boards
in play: one that is killed before it has acted counts as one that cannot play."""


@dataclass(slots=True)
class Outcome:
    """The faults and results of a run; `complaints` are lines of text."""

    injected: Counter[str] = field(default_factory=Counter)
    complaints: list[str] = field(default_factory=list)
    records: list[BoardRecord] = field(default_factory=list)
    seconds: float = 0.0
    restarted: int = 0
    came_back: int = 0
    # Remote bots that had no connection when the event ended.
    away: int = 0
    sights: Sights | None = None

    @property
    def faults(self) -> Counter[str]:
        """The number of faults by kind."""
        return Counter(str(fault.kind) for record in self.records for fault in record.faults)

    @property
    def substituted(self) -> int:
        """The actions made for a bot that was too late, or wrong for the second time."""
        late, wrong = 0, Counter[object]()
        for number, record in enumerate(self.records):
            for fault in record.faults:
                if fault.kind is FaultKind.TIMEOUT:
                    late += 1
                else:
                    wrong[number, fault.seat, fault.action] += 1
        return late + sum(times > 1 for times in wrong.values())

    def lines(self) -> Iterator[str]:
        yield f"{len(self.records)} results in {self.seconds:.0f} s"
        yield "injected: " + ", ".join(f"{n} x {what}" for what, n in self.injected.most_common())
        yield (
            f"seats that had a connection again: {self.came_back}; "
            f"bots started again: {self.restarted}; away at the end: {self.away}"
        )
        faults = ", ".join(f"{n} x {kind}" for kind, n in self.faults.most_common())
        yield f"faults in the records: {faults or 'none'}; actions substituted: {self.substituted}"
        lost = sum(not record.is_finished for record in self.records)
        yield f"boards adjusted or given up: {lost}"
        if self.sights is not None:
            yield (
                f"frames that bots were sent: {self.sights.frames}, of them spoilt: "
                f"{self.sights.spoilt}; snapshots: {self.sights.snapshots}; boards seen to an end "
                f"that the server forgot: {self.sights.forgotten}"
            )
        yield f"complaints: {len(self.complaints)}"
        yield from self.complaints


class FaultRun:
    """A run of one event in an empty `folder`."""

    def __init__(
        self, folder: Path, boards: int, tables: int, seed: int, every: float, kills: int
    ) -> None:
        self.outcome = Outcome()
        self._folder = folder
        self._boards = boards
        self._tables = tables
        self._every = every
        self._random = Random(seed)
        # The numbers of results after which the server is killed.
        self._kills = sorted(self._random.sample(range(1, 2 * boards), kills))
        self._port = _free_port()
        self._network = BadNetwork(Random(seed + 1))
        self._frames = folder / "seen"
        self._event = folder / "event.toml"
        self._out = folder / "out"
        self._token = ""
        # The number of results, and the bytes of the log that were read for them.
        self._played = self._looked = 0
        self._moved = asyncio.Event()
        # Remote bots by seat.
        self._remote: dict[str, asyncio.subprocess.Process] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_over = False

    async def run(self) -> Outcome:
        started = time.monotonic()
        self._frames.mkdir()
        async with self._network:
            self._event.write_text(self._definition())
            token = await self._arena(
                "token", str(self._event), REMOTE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
            self._token = (await token.communicate())[0].decode().strip()
            assert token.returncode == 0, "no token could be made"
            keepers = [asyncio.create_task(self._keep(seat)) for seat in "NESW"]
            troubles = asyncio.create_task(self._trouble())
            try:
                await self._serve()
                self._is_over = True
                troubles.cancel()
                await self._see_off(keepers)
            finally:
                troubles.cancel()
                for task in (*keepers, *self._tasks):
                    task.cancel()
                await asyncio.gather(troubles, *keepers, *self._tasks, return_exceptions=True)
                for bot in self._remote.values():
                    _signal(bot.pid, signal.SIGKILL)
        self.outcome.seconds = time.monotonic() - started
        self._judge()
        return self.outcome

    # The event.

    def _definition(self) -> str:
        return f"""
            [event]
            name = "Troubles"
            format = "match"
            boards = {self._boards}
            seed = {self._random.randrange(1000)}
            practice = true
            clock = {CLOCK}
            claims = "players"
            [policies]
            grace = 120
            [[entry]]
            bot = "remote:{REMOTE}"
            [[entry]]
            bot = "cmd:{sys.executable} {" ".join(self._bot(STARTED))}"
            name = "{STARTED}"
            """

    def _bot(self, name: str) -> tuple[str, ...]:
        return (
            *("-m", "benchmarks.watching_bot", "--through", str(self._network.port)),
            *("--seen", str(self._frames), "--name", name),
        )

    async def _arena(self, *arguments: str, **streams: Any) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *ARENA, *arguments, cwd=self._folder, env=_environment(), **streams
        )

    async def _serve(self) -> None:
        """Have the event played, starting the server again as often as needed."""
        given = ["serve", str(self._event), "--out", str(self._out), "--port", str(self._port)]
        given += ["--concurrency", str(self._tables)]
        errors = self._folder / "errors"
        while True:
            with errors.open("ab") as file:
                server = await self._arena(*given, stdout=subprocess.DEVNULL, stderr=file)
            try:
                killed = await self._watch(server)
            finally:
                _signal(server.pid, signal.SIGKILL)
                await server.wait()
            if not killed:
                break
            given = [*(word for word in given if word != "--resume"), "--resume"]
        # It warns of each entry's faults.
        warned = tuple(f"arena: {entry}: " for entry in (REMOTE, STARTED))
        lines = errors.read_text().splitlines()
        text = "\n".join(line for line in lines if not line.startswith(warned))
        if server.returncode != 0 or text:
            self.outcome.complaints.append(f"the server ended with {server.returncode}: {text}")

    async def _watch(self, server: asyncio.subprocess.Process) -> bool:
        """Wait until the server ends or is killed, and return whether it was killed."""
        ending = asyncio.create_task(server.wait())
        played, since = self._played, time.monotonic()
        try:
            while True:
                await asyncio.wait([ending], timeout=_GLANCE)
                if ending.done():
                    return False
                self._look()
                if self._played != played:
                    played, since = self._played, time.monotonic()
                elif time.monotonic() - since > STUCK_SECONDS and played < 2 * self._boards:
                    text = f"nothing went on for {STUCK_SECONDS:.0f} s after {played} results"
                    self.outcome.complaints.append(text)
                    return False
                if self._kills and played >= self._kills[0]:
                    self._kills.pop(0)
                    self._note(SERVER_KILL)
                    server.kill()
                    await ending
                    return True
        finally:
            ending.cancel()

    def _log(self, event: str) -> list[dict[str, Any]]:
        """Return the lines of the event's log with this event."""
        try:
            lines = (self._out / LOG).read_text().split("\n")[:-1]
        except OSError:
            return []
        return [json.loads(line) for line in lines if f'"event": "{event}"' in line]

    def _look(self) -> None:
        """Count the results that are new in the log since the last look."""
        with contextlib.suppress(FileNotFoundError), (self._out / LOG).open("rb") as file:
            file.seek(self._looked)
            lines, newline, _ = file.read().rpartition(b"\n")
            self._looked += len(lines) + len(newline)
            self._played += lines.count(b'"event": "board_ended"')
            self._moved.set()

    # The remote bots, which are started again when killed.

    async def _keep(self, seat: str) -> None:
        """Start a bot, and start it again whenever it was killed."""
        while not self._is_over:
            born = time.monotonic()
            bot = await asyncio.create_subprocess_exec(
                *(sys.executable, *self._bot(REMOTE), "--live"),
                cwd=self._folder,
                env=_environment(
                    ARENA_URL=f"ws://127.0.0.1:{self._port}",
                    ARENA_TOKEN=self._token,
                    ARENA_SEAT=seat,
                ),
                stderr=asyncio.subprocess.PIPE,
            )
            self._remote[seat] = bot
            assert bot.stderr is not None
            last = b""
            async for line in bot.stderr:
                last = line
            status = await bot.wait()
            if status == 0 or self._is_over:
                return
            self.outcome.restarted += 1
            if status != -signal.SIGKILL:
                text = f"{last.decode().strip()} (after {time.monotonic() - born:.0f} s)"
                self.outcome.complaints.append(f"{REMOTE} {seat} ended with {status}: {text}")

    async def _see_off(self, keepers: Sequence[asyncio.Task[None]]) -> None:
        """Wait for the bots to end, and stop those that were away and got no goodbye."""
        _, waiting = await asyncio.wait(keepers, timeout=GOODBYE_SECONDS)
        self.outcome.away = len(waiting)
        if len(waiting) == len(keepers):
            self.outcome.complaints.append("no remote bot ended after the goodbye")

    # Troubles.

    def _note(self, what: str) -> None:
        self.outcome.injected[what] += 1

    async def _trouble(self) -> None:
        kinds, weights = list(WEIGHTS), list(WEIGHTS.values())
        due = 0.0
        while True:
            due += self._random.expovariate(1 / self._every)
            while self._played < due:
                self._moved.clear()
                await self._moved.wait()
            (kind,) = self._random.choices(kinds, weights)
            if isinstance(kind, Trouble):
                self._trouble_connection(kind)
            else:
                self._trouble_bot(kind)

    def _trouble_connection(self, kind: Trouble) -> None:
        connections = list(self._network.connections())
        if connections:
            self._note(kind)
            connection = self._random.choice(connections)
            self._later(connection.suffer(kind))

    def _trouble_bot(self, kind: str) -> None:
        pids = self._awake()
        # While a connection is dead, the server may believe that a killed bot is still there.
        if not pids or (kind == KILL and self._network.has_dead):
            return
        self._note(kind)
        pid = self._random.choice(pids)
        if kind == KILL:
            _signal(pid, signal.SIGKILL)
        else:
            self._later(_stop(pid, self._random.uniform(0.2, 2 * CLOCK)))

    def _awake(self) -> list[int]:
        """Return the processes of bots that have acted."""
        pids = []
        for path in sorted(self._frames.iterdir()):
            pid = int(path.stem.rpartition("-")[2])
            if path.stat().st_size > _AWAKE and _is_alive(pid):
                pids.append(pid)
        return pids

    def _later(self, what: Any) -> None:
        task = asyncio.create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Afterwards.

    def _judge(self) -> None:
        outcome = self.outcome
        path = self._out / PBN_NAMES[0]
        if not path.exists():
            outcome.complaints.append(f"there is no {path.name}")
            return
        outcome.records = list(read_records(path))
        outcome.complaints += judge_records(outcome.records, self._boards)
        outcome.restarted += len(self._log("bot_started")) - 4 * len(self._log("event_began"))
        outcome.came_back = sum(line["news"] == "back" for line in self._log("connection"))
        outcome.sights = Sights(outcome.records)
        outcome.sights.look(self._frames, REMOTE)
        outcome.complaints += outcome.sights.complaints
        # Boards that ended but were not kept when the server was killed, counted by each bot.
        most = 4 * self._tables * outcome.injected[SERVER_KILL]
        if outcome.sights.forgotten > most:
            outcome.complaints.append(
                f"{outcome.sights.forgotten} times a bot saw a board to another end than the "
                f"results have; by the server's deaths it may be {most} times"
            )


async def _stop(pid: int, seconds: float) -> None:
    _signal(pid, signal.SIGSTOP)
    try:
        await asyncio.sleep(seconds)
    finally:
        _signal(pid, signal.SIGCONT)


def _signal(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _environment(**more: str) -> dict[str, str]:
    plain = {key: value for key, value in os.environ.items() if not key.startswith("ARENA_")}
    return {**plain, "PYTHONPATH": str(ROOT), **more}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0], allow_abbrev=False
    )
    parser.add_argument(
        "--boards",
        type=int,
        default=500,
        help="boards of the match, each played in two rooms; default: %(default)s",
    )
    parser.add_argument(
        "--tables", type=int, default=4, help="tables at once; default: %(default)s"
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        help="seed of the boards and of the faults; default: %(default)s",
    )
    parser.add_argument(
        "--every",
        type=float,
        default=2.0,
        help="results between two faults, on average; default: %(default)s",
    )
    parser.add_argument(
        "--kills", type=int, default=5, help="how often the server is killed; default: %(default)s"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        run = FaultRun(
            Path(name), options.boards, options.tables, options.seed, options.every, options.kills
        )
        outcome = asyncio.run(run.run())
    print("\n".join(outcome.lines()))
    sys.exit(1 if outcome.complaints else 0)


if __name__ == "__main__":
    main()
