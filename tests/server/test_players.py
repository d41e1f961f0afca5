"""Boards over real websockets: with good bots, and with every kind of bad one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bots.sdk.tables import play_table
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import FaultKind, MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.codec import encode, frame
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import MAX_FRAME, BoardEnd, Hello, Leave
from bridge_arena.protocol.session import ClientSession
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import LocalPlayer, Player
from bridge_arena.server.table import Table
from tests.patience import PATIENCE
from tests.server.lobby import HandBot, connected, open_lobby, play_with, shrink, stop_reading
from tests.server.tables import EAST, SOUTH, WEST, Lowly, faults, new_table

NAMES = ("n", "e", "s", "w")

OTHERS = Lowly({0: "1NT"})
"""The other three: North opens 1NT and plays there. West, who is tested, passes as the fourth
and plays to every trick; the first time as the third, at action 6."""


# Good bots.


class Recorder(Bot):
    """Calls by a plan and plays its lowest; keeps what it saw."""

    def __init__(self, delivery: Delivery) -> None:
        super().__init__()
        self.delivery = delivery
        self.views: list[View] = []
        self.luck: list[float] = []
        self._thinker = Lowly()

    def call(self, view: View) -> Call | MadeCall:
        call = Call({0: "1NT", 2: "4S"}.get(len(view.calls), "Pass"))
        return MadeCall(call, alert=True, explanation=Explanation(f"{call} by {view.seat}"))

    def play(self, view: View) -> Card:
        assert Hand.of(map(Card, (view.turn.legal if view.turn else ()))) == view.legal_cards()
        return self._thinker.play(view)

    def board_started(self, view: View) -> None:
        del view
        self.luck.append(self.rng.random())

    def board_ended(self, view: View) -> None:
        self.views.append(view)


async def play_match(
    deliveries: dict[Seat, Delivery], boards: int
) -> tuple[Sequence[Table], dict[Seat, Recorder]]:
    """Boards played by four clients of the SDK, each in a thread of its own."""
    bots = {seat: Recorder(delivery) for seat, delivery in deliveries.items()}
    tables = [new_table(number=number) for number in range(1, boards + 1)]
    async with asyncio.timeout(PATIENCE), open_lobby() as lobby:
        threads = [
            asyncio.create_task(asyncio.to_thread(play_table, bot, lobby.url, lobby.tokens[seat]))
            for seat, bot in bots.items()
        ]
        players = {seat: await lobby.player(seat) for seat in SEATS}
        for table in tables:
            await play_board(table, players)
        for player in players.values():
            await player.say_goodbye("over")
        await asyncio.gather(*threads)
    return tables, bots


@pytest.mark.parametrize(
    "deliveries",
    [[Delivery.TURN] * 4, [Delivery.LIVE] * 4, [Delivery.LIVE, Delivery.TURN] * 2],
    ids=["turn", "live", "mixed"],
)
async def test_four_bots_play_boards_over_websockets(deliveries: list[Delivery]) -> None:
    tables, bots = await play_match(dict(zip(SEATS, deliveries, strict=True)), 3)
    for index, table in enumerate(tables):
        record = table.record(NAMES)
        assert record.is_finished
        assert record.faults == ()
        assert str(record.contract) == "4S"
        assert len(record.cards) == 52
        for seat, bot in bots.items():
            view = bot.views[index]
            assert (view.seat, view.hand) == (seat, table.board.deal[seat])
            assert view.number == table.board.number
            assert view.auction == table.auction
            assert view.play is not None
            assert tuple(view.play.cards) == record.cards
            assert view.result is not None
            assert (view.result.tricks, view.result.score) == (record.tricks, record.score)
            known = [made.explanation is not None for made in view.calls]
            callers = [SEATS[(table.board.dealer + n) % 4] for n in range(len(known))]
            assert known == [caller != seat.partner for caller in callers]
    # Each seat has its own seed, which is the same on each of these boards.
    assert len({bot.luck[0] for bot in bots.values()}) == 4
    assert all(len(set(bot.luck)) == 1 for bot in bots.values())


async def test_the_delivery_makes_no_difference_to_the_play() -> None:
    live, _ = await play_match(dict.fromkeys(SEATS, Delivery.LIVE), 1)
    turn, _ = await play_match(dict.fromkeys(SEATS, Delivery.TURN), 1)
    assert live[0].record(NAMES) == turn[0].record(NAMES)


async def test_goodbye_is_the_last_word() -> None:
    async def conduct(bot: HandBot) -> None:
        await bot.play_on()

    outcome = await play_with(WEST, conduct, others=OTHERS)
    assert faults(outcome.table) == []
    assert outcome.table.score is not None
    assert [message.type for message in outcome.heard[-2:]] == ["BoardEnd", "Goodbye"]


# Malformed: a frame that the protocol does not allow.


@pytest.mark.parametrize(
    ("data", "detail"),
    [
        (b"\xc1\xc1", "the frame is not msgpack: FormatError"),
        ("PASS", "expected a binary frame, received a text frame"),
        (frame([encode(Hello(name="again"))]), "expected an action, received a second Hello"),
        (b"\x91\x80", "message field 0: Unable to extract tag using discriminator 'type'"),
    ],
)
async def test_a_malformed_answer_is_asked_for_again(data: bytes | str, detail: str) -> None:
    async def conduct(bot: HandBot) -> None:
        await bot.turn()
        await bot.send(data)
        error = await bot.error()
        assert (error.code, error.text) == (ErrorCode.MALFORMED, detail)
        await bot.play_on()

    outcome = await play_with(WEST, conduct, others=OTHERS)
    assert faults(outcome.table) == ["W malformed 3"]
    assert outcome.table.faults[0].detail == detail
    assert outcome.table.score is not None


async def test_a_substitute_is_played_after_a_second_malformed_answer() -> None:
    async def conduct(bot: HandBot) -> None:
        await bot.say_something(await bot.turn())
        await bot.turn()
        await bot.send(b"garbage")
        await bot.send("garbage")
        await bot.error()
        await bot.turn()
        await bot.play_on()

    outcome = await play_with(WEST, conduct, others=OTHERS)
    assert faults(outcome.table) == ["W malformed 6", "W malformed 6"]
    assert outcome.errors == ["malformed", "malformed", "substituted"]
    assert outcome.table.score is not None


async def test_a_malformed_frame_out_of_turn_counts_against_the_next_turn() -> None:
    async def conduct(bot: HandBot) -> None:
        await bot.send(b"garbage")
        assert (await bot.error()).code == ErrorCode.MALFORMED
        await bot.play_on()

    outcome = await play_with(WEST, conduct, others=OTHERS)
    assert faults(outcome.table) == ["W malformed 3"]


async def test_an_enormous_mistake_is_answered_briefly() -> None:
    async def conduct(bot: HandBot) -> None:
        turn = await bot.turn()
        good = bot.session.answer(turn, Call("Pass"))
        # A call of sixty thousand letters, each of which its repr would quadruple.
        call = b"\xda" + (60000).to_bytes(2, "big") + b"\0" * 60000
        await bot.send(good.replace(b"\xa4Pass", call))
        assert len((await bot.error()).text) <= 300
        await bot.play_on()

    outcome = await play_with(WEST, conduct, others=OTHERS)
    assert faults(outcome.table) == ["W malformed 3"]


# Illegal.


async def test_an_illegal_answer_is_asked_for_again() -> None:
    async def conduct(bot: HandBot) -> None:
        await bot.say(await bot.turn(), "1C")
        error = await bot.error()
        assert error.text == "1C by W is illegal: insufficient over 1NT (Law 18)"
        await bot.play_on()

    outcome = await play_with(WEST, conduct, others=OTHERS)
    assert faults(outcome.table) == ["W illegal 3"]
    assert outcome.errors == ["illegal"]
    assert outcome.table.score is not None


async def test_the_board_is_finished_for_a_bot_that_is_always_illegal() -> None:
    async def conduct(bot: HandBot) -> None:
        while bot.session.goodbye is None:
            for message in await bot.hear():
                if message.type == "YourTurn":
                    action = Call("XX") if "Pass" in message.legal else Card("DK")
                    await bot.send(bot.session.answer(message, action))

    outcome = await play_with(WEST, conduct, others=OTHERS)
    assert len(outcome.table.faults) == 2 * 14
    assert {fault.kind for fault in outcome.table.faults} == {FaultKind.ILLEGAL}
    assert outcome.table.score is not None


# Out of turn: no fault.


async def test_answers_out_of_turn_are_refused_without_effect() -> None:
    async def conduct(bot: HandBot) -> None:
        turn = await bot.turn()
        await bot.say(turn.model_copy(update={"seq": turn.seq - 1}), "7NT")
        await bot.say(turn.model_copy(update={"seq": 2**53 - 1}), "7NT")
        await bot.say(turn.model_copy(update={"board": 99}), "7NT")
        await bot.say(turn, "Pass")
        await bot.say(turn, "7NT")
        await bot.play_on(answered=True)

    outcome = await play_with(WEST, conduct, others=OTHERS)
    assert faults(outcome.table) == []
    assert outcome.errors == ["stale"] * 4
    assert str(outcome.table.record(NAMES).contract) == "1NT"
    assert outcome.table.score is not None


async def test_several_answers_in_one_frame_answer_one_turn() -> None:
    async def conduct(bot: HandBot) -> None:
        turn = await bot.turn()
        (first, second) = (bot.session.answer(turn, Call(text))[1:] for text in ("Pass", "2C"))
        await bot.send(frame([first, second]))
        await bot.play_on(answered=True)

    outcome = await play_with(WEST, conduct, others=OTHERS)
    assert faults(outcome.table) == []
    assert outcome.errors == ["stale"]
    assert [str(made.call) for made in outcome.table.calls] == ["1NT", "Pass", "Pass", "Pass"]


# Time-out.


async def test_a_silent_bot_is_played_for() -> None:
    async def conduct(bot: HandBot) -> None:
        while bot.session.goodbye is None:
            await bot.hear()

    outcome = await play_with(WEST, conduct, others=OTHERS, seconds=0.02)
    assert len(outcome.table.faults) == 14
    assert {fault.kind for fault in outcome.table.faults} == {FaultKind.TIMEOUT}
    assert outcome.errors == ["timeout"] * 14
    assert outcome.table.score is not None


async def test_an_answer_after_the_time_is_stale_and_no_second_fault() -> None:
    async def conduct(bot: HandBot) -> None:
        turn = await bot.turn()
        assert (await bot.error()).code == ErrorCode.TIMEOUT
        await bot.send(bot.session.answer(turn, Call("7NT")))
        while bot.session.goodbye is None:
            await bot.hear()

    outcome = await play_with(WEST, conduct, others=OTHERS, seconds=0.05)
    assert {fault.kind for fault in outcome.table.faults} == {FaultKind.TIMEOUT}
    assert outcome.errors.count("stale") == 1
    assert str(outcome.table.record(NAMES).contract) == "1NT"


# Refused, disconnect: the board is given up.


@pytest.mark.parametrize(("reason", "detail"), [("tea time", "tea time"), ("", "the bot left")])
async def test_a_bot_that_leaves_gives_up_the_board(reason: str, detail: str) -> None:
    async def conduct(bot: HandBot) -> None:
        await bot.say_something(await bot.turn())
        await bot.turn()
        await bot.send(frame([encode(Leave(reason=reason))]))
        while bot.session.goodbye is None:
            await bot.hear()

    outcome = await play_with(WEST, conduct, others=OTHERS)
    assert faults(outcome.table) == ["W refused 6"]
    assert outcome.table.faults[0].detail == detail
    assert outcome.table.score is None
    assert [message.type for message in outcome.heard[-2:]] == ["BoardEnd", "Goodbye"]
    end = outcome.heard[-2]
    assert isinstance(end, BoardEnd)
    assert end.score is None


async def test_a_bot_that_closes_the_connection_gives_up_the_board() -> None:
    async def conduct(bot: HandBot) -> None:
        await bot.say_something(await bot.turn())
        await bot.turn()
        await bot.connection.close()

    outcome = await play_with(WEST, conduct, others=OTHERS)
    assert faults(outcome.table) == ["W disconnect 6"]
    assert "connection lost" in outcome.table.faults[0].detail
    assert outcome.table.score is None


async def test_a_bot_whose_connection_breaks_gives_up_the_board() -> None:
    async def conduct(bot: HandBot) -> None:
        await bot.turn()
        bot.connection.transport.abort()

    outcome = await play_with(WEST, conduct, others=OTHERS)
    assert faults(outcome.table) == ["W disconnect 3"]
    assert not outcome.table.record(NAMES).is_finished


async def test_a_bot_that_goes_while_others_act_is_missed_at_its_next_turn() -> None:
    """South is dummy: it is never missed."""

    async def conduct(bot: HandBot) -> None:
        await bot.say_something(await bot.turn())
        await bot.connection.close()

    outcome = await play_with(SOUTH, conduct, others=OTHERS)
    assert faults(outcome.table) == []
    assert outcome.table.score is not None
    outcome = await play_with(WEST, conduct, others=OTHERS)
    assert faults(outcome.table) == ["W disconnect 6"]


async def test_an_oversized_frame_cuts_the_connection() -> None:
    async def conduct(bot: HandBot) -> None:
        await bot.turn()
        await bot.send(b"x" * (MAX_FRAME + 1))
        await bot.play_on()

    outcome = await play_with(WEST, conduct, others=OTHERS)
    assert faults(outcome.table) == ["W disconnect 3"]
    assert "1009" in outcome.table.faults[0].detail


async def test_a_frame_of_the_greatest_length_is_read() -> None:
    async def conduct(bot: HandBot) -> None:
        await bot.turn()
        await bot.send(b"x" * MAX_FRAME)
        assert (await bot.error()).code == ErrorCode.MALFORMED
        await bot.play_on()

    outcome = await play_with(WEST, conduct, others=OTHERS)
    assert faults(outcome.table) == ["W malformed 3"]


# Stall: the bot does not read.


class Talkers(Lowly):
    """North and South bid all there is to bid, and explain it at the greatest length."""

    def call(self, view: View) -> Call | MadeCall:
        bids = [call for call in view.legal_calls() if call.is_bid]
        if view.seat in (EAST, WEST) or not bids:
            return Call("Pass")
        return MadeCall(bids[0], explanation=Explanation("\U0001f0a1" * 500))


async def test_a_bot_that_does_not_read_is_not_waited_for() -> None:
    async with (
        asyncio.timeout(PATIENCE),
        open_lobby() as lobby,
        connected(lobby.url, lobby.tokens[WEST]) as deaf,
    ):
        stop_reading(deaf)
        await deaf.send(ClientSession("deaf", delivery=Delivery.LIVE).hello())
        talkers = Talkers()
        players: dict[Seat, Player] = {s: LocalPlayer(Viewer(s), talkers) for s in SEATS}
        west = players[WEST] = await lobby.player(WEST)
        shrink(west.server_end)
        given_up: Table | None = None
        for number in range(1, 100):
            table = new_table(number=number, seconds=0.002)
            await play_board(table, players)
            if table.score is None:
                given_up = table
                break
        deaf.transport.abort()
    assert given_up is not None
    assert given_up.faults[-1].kind == FaultKind.STALL
    assert given_up.faults[-1].seat == WEST
    assert {fault.kind for fault in given_up.faults[:-1]} <= {FaultKind.TIMEOUT}
