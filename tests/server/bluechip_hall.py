"""Real sockets for tests: a Blue Chip gateway with free seats, and clients led by hand."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.bluechip.spelling import STANDARD, Quirks
from bridge_arena.protocol.decision import Thinker
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.bluechip_gateway import (
    BlueChipGateway,
    BlueChipPlayer,
    BlueChipSeat,
    OpenSeats,
)
from bridge_arena.server.driver import play_board
from bridge_arena.server.faults import substitute_card
from bridge_arena.server.players import LocalPlayer, Player
from bridge_arena.server.table import Table
from bridge_arena.server.websocket_player import Noted
from tests.patience import PATIENCE
from tests.server.tables import new_table

TEAMS = ("Team A", "Team B")
NAMES = ("North", "East", "South", "West")


@dataclass
class Hall:
    """Seats to be taken at a port."""

    port: int
    seats: OpenSeats
    places: dict[Seat, BlueChipSeat] = field(default_factory=dict)
    # What was noted of each seat.
    news: dict[Seat, list[str]] = field(default_factory=dict)
    is_news: asyncio.Event = field(default_factory=asyncio.Event)

    async def player(self, seat: Seat) -> BlueChipPlayer:
        """Return who took the seat."""
        async with asyncio.timeout(PATIENCE):
            return await self.places[seat].seated

    def noted(self, seat: Seat) -> Noted:
        """Return what keeps the news of a seat."""
        heard = self.news.setdefault(seat, [])

        def note(news: str, *, back: bool) -> None:
            heard.append("back" if back else news)
            self.is_news.set()

        return note

    async def until_noted(self, seat: Seat, news: str) -> None:
        """Wait until there is such news of a seat."""
        async with asyncio.timeout(PATIENCE):
            while news not in self.news[seat]:
                self.is_news.clear()
                await self.is_news.wait()


@asynccontextmanager
async def open_hall(quirks: Mapping[Seat, Quirks] | None = None) -> AsyncIterator[Hall]:
    seats = OpenSeats()
    async with BlueChipGateway(seats) as gateway:
        hall = Hall(gateway.port, seats)
        for seat in SEATS:
            place = BlueChipSeat(
                Viewer(seat), TEAMS, (quirks or {}).get(seat, STANDARD), hall.noted(seat)
            )
            seats.offer(place)
            hall.places[seat] = place
        yield hall


class Terminal:
    """A client led by hand: it says what a test says, right or wrong."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        # Every line that came.
        self.heard: list[str] = []
        self._reader = reader

    async def say(self, *lines: str) -> None:
        for line in lines:
            self.writer.write(line.encode() + b"\r\n")
        await self.writer.drain()

    async def hear(self) -> str:
        """The next line; empty where no more come."""
        line = (await self._reader.readline()).decode()
        self.heard.append(line.strip())
        return line.strip()

    async def ask(self, line: str) -> str:
        """The line that comes for one that is said."""
        await self.say(line)
        return await self.hear()


@asynccontextmanager
async def terminal(hall: Hall) -> AsyncIterator[Terminal]:
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection("127.0.0.1", hall.port)
        try:
            yield Terminal(reader, writer)
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


async def sit(client: Terminal, seat: Seat) -> None:
    name = NAMES[seat]
    await client.ask(f'Connecting "{TEAMS[seat.side]}" as {name} using protocol version 18')
    await client.ask(f"{name} ready for teams")
    await client.say(f"{name} ready to start")


Mischief = Callable[[Terminal], Awaitable[None]]


class Restarted(Exception):  # noqa: N818 (no error: the protocol's way to go on)
    """The board is begun again, or another is."""


class StrictClient:
    """A program of another kind: it knows lines by their exact form only, counts turns by
    itself, takes the line after a board for the times without a look, and passes and plays
    its lowest."""

    def __init__(
        self,
        client: Terminal,
        seat: Seat,
        *,
        opens: str = "",
        mischief: Mapping[int, Mischief] | None = None,
    ) -> None:
        """`opens`: what it bids, alerted, as the first to call; `mischief`: what it does
        before its so-manieth action."""
        self.client = client
        self.seat = seat
        self.name = NAMES[seat]
        self.boards = 0
        self._opens = opens
        self._mischief = dict(mischief or {})
        self._actions = 0

    async def run(self) -> None:
        """Sit down, and play until the session ends."""
        await sit(self.client, self.seat)
        await self.play_on()

    async def play_on(self) -> None:
        """Play until the session ends."""
        line = await self.client.hear()
        while line not in ("End of session", ""):
            assert line == "Start of Board", line
            try:
                await self._play_board()
                self.boards += 1
                line = await self.client.hear()
            except Restarted:
                line = "Start of Board"

    async def _play_board(self) -> None:
        info = await self._expect(
            f"{self.name} ready for deal",
            r"Board number \d+\. Dealer (\w+)\. (Neither|N/S|E/W|Both) vulnerable\.",
        )
        cards = await self._expect(f"{self.name} ready for cards", rf"{self.name}'s cards : (.*)")
        hand = hand_of(cards[1])
        auction = Auction(SEATS[NAMES.index(info[1])])
        while not auction.is_over:
            await self._call(auction)
        contract = auction.contract
        if contract is not None:
            await self._play(Play(contract), hand)
        assert (await self.client.hear()).startswith("Timing - N/S : this board  ")

    async def _call(self, auction: Auction) -> None:
        turn = auction.turn
        if turn == self.seat:
            await self._misbehave()
            call = self._opens if self._opens and not auction.calls else "Pass"
            said = "passes" if call == "Pass" else f"bids {call} Alert. the plan"
            await self.client.say(f"{self.name} {said}")
            auction.push(Call(call))
            return
        made = await self._expect(
            f"{self.name} ready for {NAMES[turn]}'s bid",
            rf"{NAMES[turn]} (passes|doubles|redoubles|bids [1-7](?:C|D|H|S|NT))(?: Alert\. .*)?",
        )
        words = {"passes": "Pass", "doubles": "X", "redoubles": "XX"}
        auction.push(Call(words.get(made[1], made[1].removeprefix("bids "))))

    async def _play(self, play: Play, own: Hand) -> None:
        hands = {self.seat: own}
        while not play.is_over:
            turn = play.turn
            if play.player == self.seat:
                if play.led is None:
                    expected = "Dummy" if turn == play.dummy else self.name
                    assert await self.client.hear() == f"{expected} to lead"
                await self._misbehave()
                card = substitute_card(play.legal_cards(hands[turn]))
                rank, suit = card.rank.letter, card.suit.letter
                await self.client.say(f"{NAMES[turn]} plays {rank}{suit}")
            else:
                whose = "dummy" if turn == play.dummy else NAMES[turn]
                trick = len(play.tricks) + 1
                played = await self._expect(
                    f"{self.name} ready for {whose}'s card to trick {trick}",
                    rf"{NAMES[turn]} plays ([2-9TJQKA])([SHDC])",
                )
                card = Card(played[2] + played[1])
            if turn in hands:
                hands[turn] = hands[turn].without(card)
            play.push(card)
            if len(play.cards) == 1 and self.seat != play.dummy:
                shown = await self._expect(f"{self.name} ready for dummy", r"Dummy's cards : (.*)")
                hands[play.dummy] = hand_of(shown[1])

    async def _misbehave(self) -> None:
        mischief = self._mischief.pop(self._actions, None)
        self._actions += 1
        if mischief is not None:
            await mischief(self.client)

    async def _expect(self, said: str, pattern: str) -> re.Match[str]:
        line = await self.client.ask(said)
        if line == "Start of Board":
            raise Restarted
        if not line:
            raise ConnectionError
        match = re.fullmatch(pattern, line)
        assert match is not None, (said, line)
        return match


def hand_of(text: str) -> Hand:
    """`S A K 5. H -. D ...`, strictly."""
    match = re.fullmatch(r"S ([^.]+)\. H ([^.]+)\. D ([^.]+)\. C ([^.]+)\.", text)
    assert match is not None, text
    return Hand.parse(".".join(each.replace(" ", "").replace("-", "") for each in match.groups()))


async def play_with(
    seat: Seat,
    conduct: Callable[[Terminal], Awaitable[None]],
    *,
    others: Thinker,
    seconds: float = 60.0,
    numbers: Sequence[int] = (1,),
) -> list[Table]:
    """Boards where `seat` is taken by one who sits down and then behaves as `conduct` says."""

    async def behave(hall: Hall) -> None:
        async with terminal(hall) as client:
            await sit(client, seat)
            with suppress(ConnectionError):
                await conduct(client)

    tables: list[Table] = []
    async with open_hall() as hall:
        guest = asyncio.create_task(behave(hall))
        player = await hall.player(seat)
        players: dict[Seat, Player] = {each: LocalPlayer(Viewer(each), others) for each in SEATS}
        players[seat] = player
        async with asyncio.timeout(PATIENCE):
            for number in numbers:
                table = new_table(number=number, seconds=seconds)
                await play_board(table, players)
                tables.append(table)
            await player.say_goodbye("over")
            await guest
    return tables
