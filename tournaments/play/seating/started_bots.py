"""Bots that are started here, one process for each entry and seat, and again when they crash."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import sys
from collections.abc import Collection, Iterable, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import bridge_arena
from bridge_arena import base, bots, bridge, oracle, pbn, protocol
from bridge_arena.base.masking import UNMASKED, Masking
from bridge_arena.base.warm_process import WarmProcess
from bridge_arena.bridge.record import FaultKind
from bridge_arena.oracle.table_store import shared_store
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.gateway import Gateway, GatewayError
from bridge_arena.server.sandbox.sandbox import URL, Sandbox, Workplace
from bridge_arena.server.seating import Seating
from bridge_arena.server.supervisor import BotProcess, StartError, Supervisor
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments.events import Isolation
from bridge_arena.tournaments.events.entries import FORKING, Entry
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.seating.seats import (
    Conditions,
    EntrySeat,
    SeatedBot,
    WebsocketSeats,
)

SECRETS = (
    *("*.key.json", "*.tokens.json"),
    *("runs", "*results.sqlite*", "log*.jsonl", "match.pbn", "event.pbn"),
    *("*boards-*.js", "*board-*.html", "*board-*.js"),  # replays, as now and as earlier
)
"""Files that other events may have left in the folder of a bot: their keys, tokens and results."""


def sandbox(hidden: Iterable[Path]) -> Sandbox:
    """Return a sandbox with what the bots that ship, and others that use the SDK, need.

    They never see the store of double-dummy answers: it has hands of boards that are being played.
    """
    rooms = [Path(*room.__path__) for room in (base, bots, bridge, oracle, pbn, protocol)]
    shown = [Path(sys.prefix), Path(sys.base_prefix), Path(bridge_arena.__file__), *rooms]
    return Sandbox(shown, [*hidden, *shared_store().files], SECRETS)


def warm_process(secrets: Collection[str]) -> WarmProcess | None:
    """Return a process that bots are forked from; None where they cannot be.

    It has none of the variables that only some bots may see.
    """
    if sys.platform != "linux":
        return None  # on macOS, libraries that numpy and others use do not bear to be forked
    return WarmProcess(
        FORKING, {name: os.environ[name] for name in os.environ if name not in secrets}
    )


class StartedBots:
    """The source of bots that are started here; leaving its context stops all of them.

    Those without a sandbox are trusted. Of these, those that are written with the SDK come by a
    Unix socket, which costs less than the network, and which no other user can reach. Other
    programs may know no Unix sockets.
    """

    def __init__(
        self,
        places: WebsocketSeats,
        gateway: Gateway,
        log: EventLog,
        conditions: Conditions,
        sandbox: Sandbox | None = None,
        masking: Masking = UNMASKED,
        warm: WarmProcess | None = None,
    ) -> None:
        self._places = places
        self._gateway = gateway
        self._log = log
        self._conditions = conditions
        self._sandbox = sandbox
        self._masking = masking
        # The gateway at the Unix socket of trusted bots; None where the system has no room for it.
        self._door: Gateway | None = None
        self._contexts = AsyncExitStack()
        self._supervisor = Supervisor(
            warm or warm_process(conditions.secrets), masking, is_lent=warm is not None
        )
        # The seatings that the tokens of processes open.
        self._seatings: dict[str, Seating] = {}
        # The tasks that start crashed processes again.
        self._nurses: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> StartedBots:
        # There may be no temporary folder, or its name may be too long.
        with suppress(GatewayError, OSError):
            folder = self._contexts.enter_context(TemporaryDirectory(prefix="arena-"))
            door = Gateway(
                self.seating,
                path=Path(folder, "socket"),
                limits=self._gateway.limits,
                masking=self._masking,
            )
            self._door = await self._contexts.enter_async_context(door)
        # Entered last and so left first: once the bots have stopped, closing does not wait.
        await self._contexts.enter_async_context(self._supervisor)
        return self

    async def __aexit__(self, *error: Any) -> None:
        for nurse in self._nurses:
            nurse.cancel()
        try:
            await asyncio.gather(*self._nurses, return_exceptions=True)
        finally:
            await self._contexts.__aexit__(*error)

    def seating(self, token: str) -> Seating | None:
        """Return the seating that a token opens; None if it is not the token of a process."""
        return self._seatings.get(token)

    async def let_end(self) -> None:
        """Give processes whose sessions have ended a short time to end."""
        await self._supervisor.let_end()

    async def call(self, entry_seat: EntrySeat) -> SeatedBot:
        """Start the process of a seat. Raises StartError."""
        places = self._places.make(entry_seat)
        token = self.new_token(places)
        seated_bot = _Started(self, entry_seat, token, places)
        try:
            seated_bot.bot = await self.start(entry_seat, token)
        except BaseException:
            self.close(token, places)
            raise
        return seated_bot

    # For `_Started`.

    def new_token(self, places: Sequence[WebsocketPlayer], old: str = "") -> str:
        """Return a new token for places, which one process may take once each."""
        self._seatings.pop(old, None)
        token = secrets.token_urlsafe(24)
        self._seatings[token] = Seating(places, strict=True)
        return token

    async def stop(self, bot: BotProcess) -> None:
        """Stop a process that is no longer needed."""
        await self._supervisor.stop(bot)

    async def start(self, entry_seat: EntrySeat, token: str) -> BotProcess:
        """Start the process of a seat. Raises StartError."""
        entry = entry_seat.entry
        sandbox = self._sandbox_of(entry)
        if entry.network and sandbox is not None:
            raise StartError(f"{entry.name} needs the network, which a sandbox does not have")
        environment = {
            "ARENA_URL": self._url(entry),
            "ARENA_SEAT": entry_seat.seat.letter,
            "ARENA_TOKEN": token,
            # If the server cannot be reached, it is gone, and the bot has nothing to play.
            "ARENA_PATIENCE": "0",
            # The event's log tells who sat down; the end of the output is for errors.
            "ARENA_LOG": "warning",
            # The address is the arena's own, so that no other need be proposed.
            "ARENA_STARTED": "1",
            # Robots are probed by it.
            "ARENA_MODE": self._conditions.mode,
        }
        withheld = set(self._conditions.secrets).difference(entry.secrets)
        bot = await self._supervisor.start(
            str(entry_seat),
            entry.command,
            environment,
            sandbox,
            withheld,
            entry.fork,
            Workplace(entry.folder, entry.owns_folder, _variables(entry)),
        )
        self._log.write("bot_started", bot=bot.name, pid=bot.pid, command=entry.command)
        return bot

    def _sandbox_of(self, entry: Entry) -> Sandbox | None:
        """Return what makes a program's sandboxes; None if it is trusted."""
        is_shut_in = self._conditions.settings(entry).isolation is Isolation.SANDBOX
        return self._sandbox if is_shut_in else None

    def _url(self, entry: Entry) -> str:
        """Return the address of the arena for a program."""
        if self._sandbox_of(entry) is not None:
            return URL
        return (self._gateway if self._door is None or entry.fork is None else self._door).url

    def nurse(self, seated_bot: _Started) -> None:
        """Start the process of a bot again when it crashes, as long as it holds its seat."""
        if self._conditions.policies.grace > 0:
            nurse = asyncio.create_task(seated_bot.keep_alive(self._log))
            self._nurses.add(nurse)
            nurse.add_done_callback(self._nurses.discard)

    def close(self, token: str, places: Sequence[WebsocketPlayer]) -> None:
        """Close places, so that the token no longer opens them."""
        del self._seatings[token]
        self._places.close(places)


def _variables(entry: Entry) -> dict[str, str]:
    """Return the variables that are a program's own."""
    passed = {name: os.environ[name] for name in entry.passed}
    return passed | dict(text.split("=", 1) for text in entry.env if "=" in text)


class _Started(SeatedBot):
    def __init__(
        self,
        home: StartedBots,
        entry_seat: EntrySeat,
        token: str,
        places: Sequence[WebsocketPlayer],
    ) -> None:
        super().__init__(entry_seat, places, self._end)
        self._home = home
        self._token = token
        self._own = places

    def settle(self) -> None:
        super().settle()
        self._home.nurse(self)

    def _end(self, why: str) -> None:
        # The process is killed without notice, and no other table waits for it.
        self._home.close(self._token, self._own)
        for place in self._own:
            place.give_up(SeatFault(FaultKind.CRASH, why))
        if self.bot is not None:
            self.bot.signal(signal.SIGKILL)

    async def keep_alive(self, log: EventLog) -> None:
        """Start the process again when it crashes.

        If it crashes again before it has acted, it is not started once more, and its players are
        lost.
        """
        answers = -1
        while True:
            assert self.bot is not None
            how = await self.bot.ended()
            if not self.is_in_seat:
                return
            log.write("bot_ended", bot=self.bot.name, why=how, output=self.bot.output_tail)
            for place in self._own:
                # On a bad network its connections may seem intact for a long time.
                place.lose_process(how)
            acted = sum(place.answers for place in self._own)
            if acted == answers:
                break
            answers = acted
            try:
                await self._start_again()
            except StartError as error:
                how = str(error)
                break
        for place in self._own:
            place.give_up(SeatFault(FaultKind.CRASH, how))

    async def _start_again(self) -> None:
        """Start the process again with a new token. Raises StartError."""
        self._token = self._home.new_token(self._own, self._token)
        self.bot = await self._home.start(self.entry_seat, self._token)
        if not self.is_in_seat:  # it was lost in the meantime
            self.bot.signal(signal.SIGKILL)
