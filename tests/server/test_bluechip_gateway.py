"""The Blue Chip gateway over real sockets: who is let in, and boards with good and bad clients."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack

import pytest

from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import FaultKind, MadeCall, Question
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.position import Position
from bridge_arena.protocol.bluechip.lines import MAX_LINE
from bridge_arena.protocol.messages import Answer, AnswerClaim, Message, Thought, YourTurn
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Kibitzer, Viewer
from bridge_arena.server import bluechip_gateway as gateway_module
from bridge_arena.server import bluechip_gateway as player_module
from bridge_arena.server import connection_limits
from bridge_arena.server.bluechip_gateway import BlueChipGateway, BlueChipSeat, OpenSeats
from bridge_arena.server.claims import Claims
from bridge_arena.server.driver import play_board
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.gateway import GatewayError
from bridge_arena.server.players import LocalPlayer, Player
from bridge_arena.server.seating import SeatRefusedError
from bridge_arena.server.table import Table
from tests.patience import PATIENCE
from tests.server.bluechip_hall import (
    NAMES,
    TEAMS,
    Hall,
    Mischief,
    StrictClient,
    Terminal,
    open_hall,
    play_with,
    sit,
    terminal,
)
from tests.server.tables import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Lowly,
    RecordingTable,
    faults,
    new_table,
    shown_to,
    turn_of,
)

OTHERS = Lowly({0: "1NT"})
"""The other three: North opens 1NT and plays there. West, who is tested, passes as the fourth
and plays to every trick; the first time as the third, at action 6."""


STRONG = Explanation("strong", hcp=(15, 17))


def connecting(seat: Seat, team: str = "", version: int = 18) -> str:
    team = team or TEAMS[seat.side]
    return f'Connecting "{team}" as {NAMES[seat]} using protocol version {version}'


# Seating.


async def test_a_team_and_a_seat_make_a_player() -> None:
    async with open_hall() as hall, terminal(hall) as client:
        assert await client.ask(connecting(WEST)) == 'West ("Team B") seated'
        teams = await client.ask("West ready for teams")
        assert teams == 'Teams : N/S : "Team A" E/W : "Team B"'
        assert not hall.places[WEST].is_connected
        await client.say("West ready to start")
        player = await hall.player(WEST)
        assert player.viewer == Viewer(WEST)
        connection = player._writer.get_extra_info("socket")
        assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert hall.places[WEST].is_connected
        assert hall.places[WEST].hello == "Team B (Blue Chip)"
        assert not hall.places[EAST].is_connected


async def test_lines_may_come_in_any_pieces() -> None:
    async with open_hall() as hall, terminal(hall) as client:
        for byte in f"{connecting(WEST)}\nwest READY for teams\n".encode():
            client.writer.write(bytes((byte,)))
            await client.writer.drain()
        assert await client.hear() == 'West ("Team B") seated'
        assert (await client.hear()).startswith("Teams")


async def test_any_seat_is_the_first_free_one_of_the_team() -> None:
    line = 'Connecting "team  b" as ANYPL using protocol version 19'
    async with open_hall() as hall, terminal(hall) as first, terminal(hall) as second:
        assert await first.ask(line) == 'East ("team b") seated'
        assert await second.ask(line) == 'West ("team b") seated'
        async with terminal(hall) as third:
            assert await third.ask(line) == "Error: every seat of team 'Team B' is taken"
            assert await third.hear() == ""


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (connecting(WEST, "Strangers"), "team 'Strangers' is not expected here (Team A, Team B)"),
        (connecting(WEST, "Team A"), "team 'Team A' does not sit W"),
        (connecting(WEST, version=21), "version 21 is not spoken here (18 is)"),
        ("West ready for teams", "'West ready for teams' is not understood"),
        ("GET / HTTP/1.1", "'GET / HTTP/1.1' is not understood"),
        ("\x16\x03\x01\x02", "expected lines of text, received other bytes"),
        ("x" * MAX_LINE, "expected lines of at most 1024 bytes, received a longer one"),
    ],
)
async def test_a_program_that_is_refused_is_told_why(line: str, answer: str) -> None:
    async with open_hall() as hall, terminal(hall) as client:
        assert await client.ask(line) == f"Error: {answer}"
        assert await client.hear() == ""
        async with terminal(hall) as other:
            await sit(other, WEST)
            await hall.player(WEST)


async def test_a_seat_is_taken_once() -> None:
    async with open_hall() as hall, terminal(hall) as first, terminal(hall) as second:
        await sit(first, WEST)
        await hall.player(WEST)
        assert await second.ask(connecting(WEST)) == "Error: seat W of team 'Team B' is taken"
        assert await second.hear() == ""


@pytest.mark.parametrize("said", [[], ["West ready for teams"], ["West passes"]])
async def test_a_seat_that_was_not_really_taken_is_free_again(said: list[str]) -> None:
    async with open_hall() as hall:
        async with terminal(hall) as first:
            await first.ask(connecting(WEST))
            await first.say(*said)
        answer = "Error: seat W of team 'Team B' is taken"
        while answer.startswith("Error"):  # until the gateway has noticed
            async with terminal(hall) as second:
                answer = await second.ask(connecting(WEST))
        assert answer == 'West ("Team B") seated'


async def test_a_program_that_says_nothing_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gateway_module, "SEATING_SECONDS", 0.02)
    async with open_hall() as hall, terminal(hall) as client:
        assert await client.hear() == "Error: not ready to start within 0 s of connecting"
        assert await client.hear() == ""


async def test_a_port_that_is_in_use_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        with pytest.raises(GatewayError, match=f"cannot listen on 127.0.0.1 port {port}: "):
            async with BlueChipGateway(OpenSeats(), port=port):
                pass


async def test_clients_are_sent_away_when_the_gateway_closes() -> None:
    async with open_hall() as hall:
        reader, writer = await asyncio.open_connection("127.0.0.1", hall.port)
        client = Terminal(reader, writer)
        await sit(client, WEST)
        await hall.player(WEST)
    assert await client.hear() == ""
    writer.close()


def test_seats_are_given_in_the_order_in_which_they_were_offered() -> None:
    async def offer() -> list[str]:
        seats = OpenSeats()
        for seat in SEATS:
            seats.offer(BlueChipSeat(Viewer(seat), TEAMS if seat % 2 else ("Team B", "Team A")))
        claimed = [seats.claim("Team B", each) for each in (SOUTH, None, None, None)]
        with pytest.raises(SeatRefusedError, match="every seat of team 'Team B' is taken"):
            seats.claim("Team B", None)
        seats.settled(claimed[1])
        claimed.append(seats.claim("team b", None))
        return [str(each.viewer.seat) for each in claimed]

    assert asyncio.run(offer()) == ["S", "N", "E", "W", "N"]


# Good clients.


async def play_boards(hall: Hall, strict: StrictClient, plans: list[Lowly]) -> list[Table]:
    """Boards of a strict client with others who bid by plans."""
    running = asyncio.create_task(strict.run())
    guest = await hall.player(strict.seat)
    tables: list[Table] = []
    async with asyncio.timeout(PATIENCE):
        for number, plan in enumerate(plans, 1):
            players: dict[Seat, Player] = {s: LocalPlayer(Viewer(s), plan) for s in SEATS}
            players[strict.seat] = guest
            table = new_table(number=number)
            await play_board(table, players)
            tables.append(table)
        await guest.say_goodbye("over")
        await running
    return tables


@pytest.mark.parametrize("seat", SEATS)
async def test_a_strict_client_plays_boards(seat: Seat) -> None:
    """As declarer, dummy, leader, the other defender, and where nobody bids."""
    plans = [*(Lowly({n: "3NT"}) for n in range(4)), Lowly()]
    async with open_hall() as hall, terminal(hall) as client:
        strict = StrictClient(client, seat, opens="3NT" if seat == NORTH else "")
        tables = await play_boards(hall, strict, plans)
    assert strict.boards == len(plans)
    assert [faults(table) for table in tables] == [[]] * len(plans)
    assert all(table.score is not None for table in tables)
    if seat == NORTH:
        contract = tables[0].auction.contract
        assert contract is not None
        assert (str(contract), contract.declarer) == ("3NT", NORTH)
        explanation = tables[0].calls[0].explanation
        assert explanation is not None
        assert (tables[0].calls[0].alert, explanation.text) == (True, "the plan")


# Questions.


class Telling(Lowly):
    """Says what its bids mean."""

    def call(self, view: View) -> MadeCall:
        made = Call(self.plan.get(len(view.calls), "Pass"))
        return MadeCall(PASS) if made == PASS else MadeCall(made, alert=True, explanation=STRONG)


async def test_what_a_program_asks_is_recorded_and_nobody_else_hears_of_it() -> None:
    async def ask(client: Terminal) -> None:
        for _ in range(2):
            assert await client.ask("Explain North's 1NT") == "strong [hcp 15-17]"
        assert await client.ask("Explain South's pass") == "No explanation"
        assert await client.ask("Explain East's pass") == "No explanation"

    others = Telling({0: "1NT"})
    (asked,) = await play_with(WEST, west({0: ask, 1: ask}), others=others)
    (silent,) = await play_with(WEST, west({}), others=others)
    about = [(0, 3), (2, 3), (0, 6), (2, 6)]
    questions = tuple(Question(WEST, call, action) for call, action in about)
    assert asked.record(NAMES).questions == questions
    assert silent.record(NAMES).questions == ()
    assert asked.faults == []
    viewers: list[Viewer | Kibitzer] = [*map(Viewer, SEATS), Kibitzer()]
    for viewer in viewers:
        assert told(asked, viewer) == told(silent, viewer) != []


def told(table: Table, viewer: Viewer | Kibitzer) -> list[Message]:
    """Return what a viewer was told of a board, but for the time that was left."""
    assert isinstance(table, RecordingTable)
    return [
        message.model_copy(update={"seconds": 0.0}) if isinstance(message, YourTurn) else message
        for message in shown_to(viewer, table.events)
    ]


# Bad clients.


def west(mischief: dict[int, Mischief]) -> Callable[[Terminal], Awaitable[None]]:
    """West, seated, behaves but for some mischief."""

    async def conduct(client: Terminal) -> None:
        await StrictClient(client, WEST, mischief=mischief).play_on()

    return conduct


def saying(line: str, answer: str) -> Mischief:
    """Says something, and is answered."""

    async def say(client: Terminal) -> None:
        assert await client.ask(line) == answer

    return say


async def test_a_malformed_answer_is_asked_for_again() -> None:
    mischief = {0: saying("West thinks", "Error: 'West thinks' is not understood")}
    (table,) = await play_with(WEST, west(mischief), others=OTHERS)
    assert faults(table) == ["W malformed 3"]
    assert table.score is not None


async def test_malformed_lines_out_of_turn_count_against_the_next_turn() -> None:
    async def conduct(client: Terminal) -> None:
        await client.say("West bids 7NT")
        while (await client.hear()) != "Error: 'West bids 7NT' came out of turn":
            pass
        client.writer.close()

    (table,) = await play_with(WEST, conduct, others=OTHERS)
    assert faults(table) == ["W malformed 3", "W disconnect 3"]


async def test_an_illegal_answer_is_asked_for_again() -> None:
    mischief = {
        0: saying("West bids 1C", "Illegal bid"),
        1: saying("West plays SA", "Illegal card"),
    }
    (table,) = await play_with(WEST, west(mischief), others=OTHERS)
    assert faults(table) == ["W illegal 3", "W illegal 6"]
    assert table.faults[0].detail == "1C by W is illegal: insufficient over 1NT (Law 18)"
    assert table.score is not None


async def test_a_silent_program_is_played_for_and_not_waited_for_long() -> None:
    async def conduct(client: Terminal) -> None:
        while await client.hear():
            pass

    first, second = await play_with(WEST, conduct, others=OTHERS, seconds=0.05, numbers=[1, 5])
    for table in (first, second):
        assert table.score is not None
        kinds = [fault.kind for fault in table.faults]
        assert kinds == [FaultKind.TIMEOUT] * 2 + [FaultKind.MALFORMED] * 24
        assert "out of step" in table.faults[-1].detail


class Signal(Lowly):
    """Says when the play has begun."""

    def __init__(self) -> None:
        super().__init__({0: "1NT"})
        self.begun = asyncio.Event()

    def play(self, view: View) -> Card:
        self.begun.set()
        return super().play(view)


async def test_the_substituted_answer_that_comes_too_late_is_one_fault() -> None:
    others = Signal()

    async def think(client: Terminal) -> None:
        del client
        await others.begun.wait()

    (table,) = await play_with(WEST, west({0: think}), others=others, seconds=0.5)
    assert faults(table) == ["W timeout 3"]
    assert table.score is not None


async def test_another_answer_too_late_costs_the_board_and_not_the_next() -> None:
    others = Signal()

    async def think(client: Terminal) -> None:
        await others.begun.wait()
        await client.say("West bids 2C")

    conduct = west({0: think})
    first, second = await play_with(WEST, conduct, others=others, seconds=0.5, numbers=[1, 5])
    assert faults(first)[:3] == ["W timeout 3", "W malformed 6", "W malformed 6"]
    assert first.faults[1].detail == (
        "the client is out of step: it said 2C where Pass was taken for its answer"
    )
    assert first.score is not None
    assert faults(second) == []
    assert second.score is not None


async def test_a_program_that_closes_the_connection_gives_up_the_board() -> None:
    async def go(client: Terminal) -> None:
        client.writer.close()
        raise ConnectionError

    (table,) = await play_with(WEST, west({1: go}), others=OTHERS)
    assert faults(table) == ["W disconnect 6"]
    assert table.faults[0].detail == "connection lost (the connection was closed)"
    assert table.score is None


@pytest.mark.parametrize(
    ("data", "detail"),
    [
        (b"x" * MAX_LINE, "expected lines of at most 1024 bytes, received a longer one"),
        (b"West \x00\n", "expected lines of text, received other bytes"),
    ],
)
async def test_bytes_that_are_no_line_cut_the_connection(data: bytes, detail: str) -> None:
    async def say(client: Terminal) -> None:
        client.writer.write(data)
        assert await client.hear() == f"Error: {detail}"
        assert await client.hear() == ""
        raise ConnectionError

    (table,) = await play_with(WEST, west({0: say}), others=OTHERS)
    assert faults(table) == ["W disconnect 3"]
    assert table.faults[0].detail == f"connection closed ({detail})"


async def test_a_flood_of_rubbish_costs_two_faults_a_turn() -> None:
    async def conduct(client: Terminal) -> None:
        client.writer.write(b"West thinks\n" * 20_000)
        while await client.hear():
            pass

    (table,) = await play_with(WEST, conduct, others=OTHERS)
    assert faults(table) == [f"W malformed {action}" for action in actions_of(table) for _ in "12"]
    assert table.score is not None


def actions_of(table: Table) -> list[int]:
    """At which actions West was to act."""
    faulty = [fault.action for fault in table.faults]
    return sorted(set(faulty))


async def test_a_flood_of_rubbish_is_not_read_ahead() -> None:
    table = new_table()
    table.start(0.0)
    async with asyncio.timeout(PATIENCE), open_hall() as hall, terminal(hall) as client:
        await sit(client, NORTH)
        player = await hall.player(NORTH)
        for _ in range(player_module.MOST_WAITING - 1):
            await player.hear("North thinks")
        reading = asyncio.create_task(player.hear("North thinks"))
        await asyncio.wait([reading], timeout=0)
        assert not reading.done()
        with pytest.raises(SeatFault):
            await player.act(turn_of(table))
        await reading


async def test_a_program_that_does_not_read_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def deaf(client: Terminal) -> None:
        del client
        monkeypatch.setattr(player_module, "UNREAD_BYTES", -1)

    (table,) = await play_with(WEST, west({0: deaf}), others=OTHERS)
    assert faults(table)[-1] == "W stall 6"
    assert table.score is None


# A seat whose program is lost.


class Held(LocalPlayer):
    """Does not act until it may."""

    def __init__(self, viewer: Viewer) -> None:
        super().__init__(viewer, OTHERS)
        self.may = asyncio.Event()

    async def act(self, turn: YourTurn) -> Answer | Thought:
        await self.may.wait()
        return await super().act(turn)


def held_table(hall: Hall) -> tuple[Held, dict[Seat, Player]]:
    """North, who deals and waits, and all players: West is whoever has the seat in the hall."""
    north = Held(Viewer(NORTH))
    local = LocalPlayer(Viewer(EAST), OTHERS), LocalPlayer(Viewer(SOUTH), OTHERS)
    return north, {NORTH: north, EAST: local[0], SOUTH: local[1], WEST: hall.places[WEST]}


async def lose_west(hall: Hall, client: Terminal) -> None:
    """A program sits down, begins the board, and is gone."""
    await sit(client, WEST)
    assert await client.hear() == "Start of Board"
    assert await client.ask("West ready for deal") == (
        "Board number 1. Dealer North. Neither vulnerable."
    )
    client.writer.close()
    await hall.until_noted(WEST, "connection lost (the connection was closed)")


async def test_the_next_program_to_come_plays_from_the_next_board() -> None:
    """Of the board that began without it, it is told nothing, and that board is given up."""
    async with asyncio.timeout(PATIENCE), open_hall() as hall:
        north, players = held_table(hall)
        place, first, second = hall.places[WEST], new_table(), new_table(number=5)
        async with terminal(hall) as lost, terminal(hall) as client:
            seated = asyncio.create_task(lose_west(hall, lost))
            await hall.player(WEST)
            playing = asyncio.create_task(play_board(first, players))
            await seated
            await sit(client, WEST)
            newcomer = await hall.player(WEST)
            north.may.set()
            await playing
            assert faults(first) == ["W disconnect 3"]
            # It is not the one that was lost.
            place.part("lost its seat")
            assert place.seated.result() is newcomer
            strict = StrictClient(client, WEST)
            behaving = asyncio.create_task(strict.play_on())
            await play_board(second, players)
            await place.say_goodbye("over")
            await behaving
        assert (strict.boards, client.heard.count("Start of Board")) == (1, 1)
        assert faults(second) == []
        assert hall.news[WEST] == ["connection lost (the connection was closed)", "back"]


async def test_a_board_that_begins_with_an_empty_seat_is_given_up() -> None:
    async with open_hall() as hall:
        north, players = held_table(hall)
        north.may.set()
        table = new_table()
        await play_board(table, players)
    assert faults(table) == ["W disconnect 3"]
    assert table.faults[0].detail == "nobody sits there"


async def test_a_program_that_is_sent_away_is_told_why_and_frees_its_seat() -> None:
    async with asyncio.timeout(PATIENCE), open_hall() as hall:
        north, players = held_table(hall)
        async with terminal(hall) as client, terminal(hall) as other:
            await sit(client, WEST)
            await hall.player(WEST)
            playing = asyncio.create_task(play_board(new_table(), players))
            assert await client.hear() == "Start of Board"
            hall.places[WEST].part("lost its seat: timeout")
            assert await client.hear() == "Error: lost its seat: timeout"
            assert await client.hear() == ""
            await sit(other, WEST)
            await hall.player(WEST)
            north.may.set()
            await playing
        # Nobody need be told of what was done on purpose.
        assert hall.news[WEST][:1] == ["back"]


async def test_a_claim_cannot_be_put_to_a_program() -> None:
    async with open_hall() as hall, terminal(hall) as client:
        await sit(client, WEST)
        player = await hall.player(WEST)
        turn = YourTurn(
            table="A1", board=1, seq=9, player=WEST, seat=WEST, legal=[], seconds=60.0, claim=True
        )
        answer = await player.act(turn)
    assert answer == AnswerClaim(table="A1", board=1, seq=9, accept=False)


class Claiming(Lowly):
    """Claims all tricks in the first one, and accepts what is claimed."""

    def claim(self, view: View) -> int | None:
        return None if view.playing.tricks else 13

    def answer_claim(self, view: View) -> bool:
        del view
        return True


class Believing:
    """A solver to whom every claim is good."""

    async def card_values(self, position: Position) -> Mapping[Card, int]:
        return dict.fromkeys(position.hands[position.leader], 13)


async def test_after_a_claim_the_next_board_begins() -> None:
    others = Claiming({0: "1NT"})
    async with asyncio.timeout(PATIENCE), open_hall() as hall, terminal(hall) as client:
        strict = StrictClient(client, WEST)
        running = asyncio.create_task(strict.run())
        players: dict[Seat, Player] = {s: LocalPlayer(Viewer(s), others) for s in SEATS}
        players[WEST] = await hall.player(WEST)
        claimed, played = new_table(claims=Claims.CHECKED), new_table(number=5)
        await play_board(claimed, players, solver=Believing())
        await play_board(played, players)
        await hall.places[WEST].say_goodbye("over")
        await running
    assert (claimed.tricks, faults(claimed), faults(played)) == (13, [], [])
    assert len(claimed.settled_claims) == 1
    assert client.heard.count("Start of Board") == 2
    assert strict.boards == 1


# Strangers.


async def test_connections_that_have_not_sat_down_are_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection_limits, "MOST_FROM_ONE", 3)
    async with open_hall() as hall, AsyncExitStack() as crowd:
        seated = await crowd.enter_async_context(terminal(hall))
        await sit(seated, WEST)
        await hall.player(WEST)
        waiting = [await crowd.enter_async_context(terminal(hall)) for _ in range(4)]
        assert await cut(waiting[0])
        for each in waiting[1:]:
            await each.say("East")
            assert (await each.hear()).startswith("Error: 'East' is not understood")
            assert await cut(each)
        for _ in range(10):
            await crowd.enter_async_context(terminal(hall))
        late = await crowd.enter_async_context(terminal(hall))
        await sit(late, EAST)
        await hall.player(EAST)
        last = await crowd.enter_async_context(terminal(hall))
        assert await last.ask(connecting(WEST)) == "Error: seat W of team 'Team B' is taken"


async def test_a_crowd_does_not_cut_a_program_that_has_a_seat_promised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection_limits, "MOST_FROM_ONE", 3)
    async with open_hall() as hall, AsyncExitStack() as crowd:
        slow = await crowd.enter_async_context(terminal(hall))
        assert await slow.ask(connecting(WEST)) == 'West ("Team B") seated'
        others = [await crowd.enter_async_context(terminal(hall)) for _ in range(10)]
        assert await cut(others[0])
        await slow.ask("West ready for teams")
        await slow.say("West ready to start")
        await hall.player(WEST)


async def cut(client: Terminal) -> bool:
    """Whether a connection was closed without a word."""
    try:
        return await client.hear() == ""
    except ConnectionResetError:
        return True


async def test_a_program_that_does_not_read_cannot_sit_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gateway_module, "UNREAD_BYTES", 1000)
    async with open_hall() as hall, terminal(hall) as client:
        assert await client.ask(connecting(WEST)) == 'West ("Team B") seated'
        flood = asyncio.create_task(say_on(client, b"West ready for teams\n" * 1000))
        with pytest.raises(OSError, match="onnection"):
            await flood
        async with terminal(hall) as other:
            await sit(other, WEST)
            await hall.player(WEST)


async def say_on(client: Terminal, data: bytes) -> None:
    """Say it again and again, and read nothing."""
    while True:
        client.writer.write(data)
        await client.writer.drain()
