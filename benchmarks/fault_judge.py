"""Judge an event that had faults: its records, and what its bots were shown.

The records must be legal and complete, and no bot may have been shown a card that it may not see.
Complaints are lines of text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import msgpack

from bridge_arena.bots.adapters.openspiel import dealt_state, openspiel_action
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import Call, Contract
from bridge_arena.bridge.cards import Card, Deal, Hand
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.protocol.codec import decode_server
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import ServerMessage

try:
    import pyspiel
except ModuleNotFoundError:  # it is no need of the arena's
    pyspiel = None

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
    elif pyspiel is not None:
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
            sessions: dict[int, _Seen] = {}
            with path.open("rb") as file:
                for number, data in msgpack.Unpacker(file):
                    if data is None:
                        sessions[number] = _Seen(self._deals, seat)
                    else:
                        self._take(path.stem, room, sessions[number], data)

    def _take(self, bot: str, room: Room, seen: _Seen, data: bytes) -> None:
        self.frames += 1
        if seen.is_lost:
            return
        try:
            decode_server(data)
        except ProtocolError:
            # The bot gives the connection up.
            seen.is_lost = True
            self.spoilt += 1
            return
        for message in msgpack.unpackb(data):
            self.snapshots += message["type"] == "Snapshot"
            try:
                seen.take(message)
            except (BridgeError, ValueError) as error:
                self.complaints.append(f"{bot}, board {seen.board}: {error}")
                seen.is_lost = True
                return
            if message["type"] == "BoardEnd" and "score" in message:
                cards = () if seen.play is None else tuple(seen.play.cards)
                self.forgotten += cards != self._played[seen.board, room]


class _Seen:
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
    "YourTurn": _Seen._ask,
    "AuctionEnd": _Seen._end_auction,
    "DummyShown": _Seen._show_dummy,
    "CardPlayed": _Seen._push,
    "ClaimMade": _Seen._face,
}


def _expect(holds: object, what: str, message: Mapping[str, Any]) -> None:
    if not holds:
        raise ValueError(f"{what}: {message}")
