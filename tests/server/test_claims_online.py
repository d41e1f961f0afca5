"""Claims, questions and lag over real websockets, with bots of the SDK."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bots.sdk.tables import play_table
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.decision import Ask
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import YourTurn
from bridge_arena.protocol.view import View
from bridge_arena.server.claims import Claims
from bridge_arena.server.driver import play_board
from bridge_arena.server.table import Table
from tests.patience import PATIENCE
from tests.server.lobby import HandBot, open_lobby, play_with, until
from tests.server.tables import NORTH, SOUTH, WEST, Lowly, faults, new_table

NAMES = ("n", "e", "s", "w")


class Talker(Bot):
    """North opens 1NT and plays there, claiming `tricks` in each trick; who does not know
    what a call of the opponents means asks."""

    def __init__(self, tricks: int, *, accepting: bool, delivery: Delivery) -> None:
        super().__init__()
        self.delivery = delivery
        self.tricks = tricks
        self.accepting = accepting
        self.answered = 0
        self.told: dict[int, Explanation | None] = {}
        self._thinker = Lowly()

    def call(self, view: View) -> Call | MadeCall | Ask:
        if not view.calls:
            return MadeCall(Call("1NT"), explanation=Explanation("strong", hcp=(15, 17)))
        if view.seat.side != view.dealer.side and 0 not in view.explained:
            return Ask(0)
        return Call("Pass")

    def play(self, view: View) -> Card:
        return self._thinker.play(view)

    def claim(self, view: View) -> int | None:
        return self.tricks if 13 - len(view.playing.tricks) >= self.tricks else None

    def answer_claim(self, view: View) -> bool:
        self.answered += 1
        assert view.claim is not None
        assert view.claim.tricks == self.tricks
        return self.accepting

    def board_ended(self, view: View) -> None:
        self.told = view.explained


async def play(bots: Mapping[Seat, Bot], tables: Sequence[Table], seconds: float = 60.0) -> None:
    async with asyncio.timeout(PATIENCE), open_lobby(seconds=seconds) as lobby:
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


async def test_bots_claim_accept_and_ask_over_websockets() -> None:
    for delivery in Delivery:
        bots = {s: Talker(9, accepting=True, delivery=delivery) for s in SEATS}
        tables = [new_table(number=1 + 4 * n, claims=Claims.PLAYERS) for n in range(3)]
        await play(bots, tables)
        for table in tables:
            record = table.record(NAMES)
            assert (record.tricks, len(record.cards), record.faults) == (9, 1, ())
        assert [bots[seat].answered for seat in SEATS] == [0, 3, 0, 3]
        strong = Explanation("strong", hcp=(15, 17))
        assert [bots[seat].told for seat in SEATS] == [{}, {0: strong}, {}, {0: strong}]


async def test_bots_play_on_after_a_claim_that_is_refused() -> None:
    for delivery in Delivery:
        bots = {s: Talker(9, accepting=s == WEST, delivery=delivery) for s in SEATS}
        table = new_table(claims=Claims.PLAYERS)
        await play(bots, [table])
        record = table.record(NAMES)
        assert record.is_finished
        assert (len(record.cards), record.faults) == (52, ())
        assert bots[WEST].answered == 5


async def test_a_claim_is_answered_with_an_answer() -> None:
    """Whoever does not know what a claim is has refused it, and plays on."""

    async def conduct(bot: HandBot) -> None:
        while bot.session.goodbye is None:
            for message in await bot.hear():
                if isinstance(message, YourTurn) and message.claim:
                    await bot.say(message, "SA")
                elif isinstance(message, YourTurn):
                    await bot.say_something(message)

    class North(Lowly):
        def claim(self, view: View) -> int | None:
            return 9 if not view.playing.tricks else None

        def answer_claim(self, view: View) -> bool:
            del view
            return True

    outcome = await play_with(WEST, conduct, others=North({0: "1NT"}), claims=Claims.PLAYERS)
    assert faults(outcome.table) == ["W illegal 5", "W illegal 5"]
    assert outcome.errors == ["illegal", "illegal", "substituted"]
    assert len(outcome.table.record(NAMES).cards) == 52
    assert ErrorCode.STALE not in outcome.errors


@pytest.mark.parametrize("forgiven", [0.0, 0.5])
async def test_lag_is_measured_where_some_is_forgiven_and_not_elsewhere(forgiven: float) -> None:
    async with asyncio.timeout(PATIENCE), open_lobby(lag=forgiven) as lobby:
        bot = Talker(9, accepting=True, delivery=Delivery.TURN)
        thread = asyncio.create_task(
            asyncio.to_thread(play_table, bot, lobby.url, lobby.tokens[NORTH])
        )
        player = await lobby.player(NORTH)
        await player.measure_lag()
        await player.measure_lag()  # does nothing while the first is under way
        if forgiven:
            await until(lambda: player.lag > 0)
        assert (0 < player.lag < PATIENCE) if forgiven else player.lag == 0.0
        await player.say_goodbye("over")
        await thread
        # A connection that is closed is not measured, and that is no error.
        await player.measure_lag()


async def test_south_is_dummy_and_never_asked() -> None:
    bots = {s: Talker(13, accepting=True, delivery=Delivery.LIVE) for s in SEATS}
    table = new_table(claims=Claims.PLAYERS)
    await play(bots, [table])
    assert bots[SOUTH].answered == 0
    assert table.tricks == 13
