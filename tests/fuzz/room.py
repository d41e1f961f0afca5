"""A table where one seat may do anything, and the three others play by the rules."""

from __future__ import annotations

from io import BytesIO
from random import Random
from typing import TypedDict

from bridge_arena.bots.library.portable_random import pick
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import CALL_TEXTS, Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import FORFEITING, FaultKind
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import SEATS
from bridge_arena.pbn.read.records import game_of, read_records
from bridge_arena.pbn.write.writer import write_games
from bridge_arena.protocol.messages import Answer, AnswerClaim, Claim, MakeCall, PlayCard, YourTurn
from bridge_arena.protocol.visibility import Event
from bridge_arena.server.claims import Claims
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.faults import Policies, Remedy
from bridge_arena.server.table import Table
from tests.fuzz.script import Script

CONTROLS = ("60", "board=300", "action=10 board=600")
MOST_STEPS = 2000
"""How many answers of the three others no board can take."""

_ENOUGH = 800
"""How much of a fault is told, in characters."""


class Room:
    """A board in play: seat, deal, policies and clocks by the script."""

    def __init__(self, script: Script, *, claims: bool = True) -> None:
        self.script = script
        self.seat = SEATS[script.below(4)]
        self.rng = Random(script.number())
        self.now = 0.0
        retries, at_zero, limits = script.below(3), script.choice(list(Remedy)), script.below(4)
        self._policies = Policies(
            retries, at_zero, illegal=(None, 4)[limits // 2], timeouts=(None, 2)[limits % 2]
        )
        deal, number = script.number(), 1 + script.below(16)
        self._control = TimeControl.parse(script.choice(CONTROLS))
        self._claims = script.choice(list(Claims)) if claims else Claims.OFF
        self.table = self._deal(deal, number)

    def next_board(self) -> None:
        """Another board with the same seats, policies and clocks, which begin anew."""
        self.table = self._deal(self.script.number(), self.table.board.number + 1)

    def _deal(self, seed: int, number: int) -> Table:
        self._steps = 0
        return Table(
            "A1",
            Board.dealt(seed, number),
            (1, 2, 3, 4),
            self._control,
            policies=self._policies,
            claims=self._claims,
        )

    def others_act(self) -> list[Event] | None:
        """One of the others answers, or a claim is checked: what comes of it; None where
        nobody but the seat itself is waited for."""
        table = self.table
        if table.unchecked is not None:
            return table.settle(self.now, accepted=bool(self.script.below(2)))
        for turn in table.turns:
            if turn.player != self.seat:
                self._steps += 1
                assert self._steps < MOST_STEPS, "the board does not end"
                self.now += 0.01
                if self.now > table.deadline_of(turn.player):
                    return table.time_out(turn.player, self.now)
                return table.act(turn.player, lawful(self.rng, turn), self.now)
        return None

    def lawfully(self) -> list[Event]:
        """The board from its start to its end, the seat like all others."""
        table = self.table
        found = table.start(self.now)
        while table.turns or table.unchecked is not None:
            events = self.others_act()
            if events is None:
                turn = table.turn_of(self.seat)
                assert turn is not None
                events = table.act(self.seat, lawful(self.rng, turn), self.now)
            found += events
        return found

    def check_in_play(self) -> None:
        """Check what holds whenever somebody is asked."""
        table = self.table
        turns = table.turns
        assert len(turns) <= 2
        for turn in turns:
            assert turn.claim or len(turns) == 1, "two may answer a claim, and nothing else"
            assert turn.claim == (not turn.legal)
        if turns and not turns[0].claim:
            player = table.auction.turn if table.play is None else table.play.player
            assert turns[0].player == player

    def check_over(self) -> None:
        """Check that the board is over by the rules, and that only the seat was at fault."""
        table = self.table
        auction = Auction(table.board.dealer)
        for made in table.calls:
            auction.push(made.call)
        if table.play is not None:
            assert auction.contract == table.play.contract
            play = Play(table.play.contract)
            hands = list(table.board.deal.hands)
            for card in table.play.cards:
                turn = play.turn
                play.check(card, hands[turn])
                hands[turn] = hands[turn].without(card)
                play.push(card)
            if table.tricks is not None:
                left = 13 - len(play.tricks)
                assert 0 <= table.tricks - play.declarer_tricks <= left
        for fault in table.faults:
            # The two of a side may share a clock.
            if fault.seat != self.seat:
                assert fault.seat == self.seat.partner
                assert fault.kind in (FaultKind.TIMEOUT, FaultKind.REFUSED)
            assert len(fault.detail) <= _ENOUGH
        if table.score is None:
            assert table.faults[-1].kind in FORFEITING
        else:
            assert auction.is_over
            tricks, board = table.tricks, table.board
            assert table.score == score_ns(auction.contract, tricks, board.vulnerability)
        self._check_record()

    def _check_record(self) -> None:
        """Check that what was played can be written as PBN and read again."""
        record = self.table.record(("a", "b", "c", "d"))
        stream = BytesIO()
        write_games(stream, [game_of(record)])
        stream.seek(0)
        (again,) = read_records(stream)
        assert [made.call for made in again.calls] == [made.call for made in record.calls]
        assert again.cards == record.cards
        assert (again.contract, again.tricks, again.score) == (
            record.contract,
            record.tricks,
            record.score,
        )
        assert [(f.seat, f.kind, f.action) for f in again.faults] == [
            (f.seat, f.kind, f.action) for f in record.faults
        ]


def lawful(rng: Random, turn: YourTurn) -> Answer:
    """An answer that the turn allows, and at times a claim."""
    place: _Place = {"table": turn.table, "board": turn.board, "seq": turn.seq}
    if turn.claim:
        return AnswerClaim(**place, accept=rng.random() < 0.7)
    if turn.legal[0] not in CALL_TEXTS:
        if turn.may_claim and rng.random() < 0.1:
            return Claim(**place, tricks=int(rng.random() * 2))
        return PlayCard(**place, card=Card(pick(rng, turn.legal)))
    call = Call("Pass" if rng.random() < 0.6 else pick(rng, turn.legal[:7]))
    meaning = Explanation("natural", hcp=(7, 23)) if rng.random() < 0.3 else None
    return MakeCall(**place, call=call, explanation=meaning)


class _Place(TypedDict):
    """The turn that an answer names."""

    table: str
    board: int
    seq: int


def ordinary(number: int) -> Room:
    """A board that differs by the number, of up to 255, with claims by the players."""
    return Room(Script(bytes([0, 0, number, 1, 0, 0, 0, 0, number, number, 0, 0, 0, 1])))
