"""The messages of protocol version 1, in both directions.

Each class is one message; its `type` names it on the wire. Optional fields have a default and
unknown fields are ignored, so that a message may grow within a version. What else there is to say
of a message stands in its class too: who may see it, whether a snapshot repeats it, and whether it
may wait. The unions after the classes say who sends it.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Annotated, ClassVar, Literal, TypedDict, final

from pydantic import BaseModel, ConfigDict, Field

from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.types import (
    TEXT_LIMIT,
    WireAction,
    WireCall,
    WireCard,
    WireDeal,
    WireExplanation,
    WireHand,
    WireInt,
    WireModelUse,
    WireNumber,
    WireReal,
    WireSeat,
    WireVulnerability,
    about,
)

VERSION = 1
"""The protocol version that `Hello` and `Welcome` carry."""

SUBPROTOCOL = f"bridge-arena.v{VERSION}"
"""The websocket subprotocol; another version fails in the handshake."""

HELLO_LATE = 4408
"""The close code of a connection on which Hello did not come in time, like HTTP's 408."""

FAILED = 1011
"""The close code with which a bot that fails tells why, as the reason of the close frame."""

FINAL = 1008
"""The close code that sends a client away for good: it would come in vain."""

MOST_REASON = 123
"""The longest reason of a close frame, in bytes."""

MAX_FRAME = 64 * 1024
"""The longest frame, in bytes, that either end accepts."""


MAX_MESSAGES = 8
"""The most messages that a client's frame may hold; an answer is one message."""


class ShownTo(Enum):
    """The viewers of a table who are sent a message; `visibility` reads it."""

    ALL = auto()
    ALL_BUT_MEANING = auto()  # all, but partner of `seat` without alert and explanation
    KIBITZERS = auto()
    RECEIVER = auto()  # the player in the seat that the field `RECEIVER` names


class Message(BaseModel):
    """Base of all messages."""

    # Who is sent the message, if it happens at a table. It has no default, so that whoever adds a
    # message has to say it.
    SHOWN_TO: ClassVar[ShownTo]
    RECEIVER: ClassVar[str]  # the field with the seat of the only player who is sent it
    # Whether it tells of the board for good, and so is in the snapshot of a client that comes back.
    LASTING: ClassVar[bool] = False
    URGENT: ClassVar[bool] = False  # whether it does not wait for the receiver's next turn

    # Built when it is first used: a client uses a few of them, and a program that only asks for its
    # help uses none.
    model_config = ConfigDict(extra="ignore", frozen=True, defer_build=True)


# Client to server.


@final
class Hello(Message):
    """The first message of a client, once."""

    type: Literal["Hello"] = "Hello"
    version: Annotated[WireInt, about("the protocol version it speaks")] = VERSION
    name: Annotated[str, about("the bot's name", max_length=80)]
    bot_version: Annotated[str, about("the bot's own version", max_length=80)] = ""
    delivery: Annotated[Delivery, about("when events reach it")] = Delivery.LIVE
    seat: Annotated[
        WireSeat | None, about("the seat that it wants, where its token is good for several")
    ] = None
    table: Annotated[
        str, about("of a kibitzer: the table to watch; empty: the first", max_length=80)
    ] = ""
    resume: Annotated[
        str, about("`session` of the `Welcome` to go on with; empty: none", max_length=200)
    ] = ""

    @property
    def program(self) -> str:
        """The bot's own name, and its version."""
        return f"{self.name} {self.bot_version}".strip()


class Action(Message):
    """An answer to a `YourTurn`, which names that turn."""

    table: Annotated[str, about("`table` of the `YourTurn` that this answers")]
    board: Annotated[WireInt, about("`board` of the `YourTurn` that this answers")]
    seq: Annotated[WireInt, about("`seq` of the `YourTurn` that this answers")]


@final
class MakeCall(Action):
    """A call at the player's own turn in the auction."""

    type: Literal["MakeCall"] = "MakeCall"
    call: Annotated[WireCall, about("one of `legal`")]
    alert: Annotated[bool, about("the call is alerted; opponents see it")] = False
    explanation: Annotated[
        WireExplanation | None, about("what the call means; opponents see it")
    ] = None


@final
class PlayCard(Action):
    """A card from the player's own hand, or from dummy's when declaring."""

    type: Literal["PlayCard"] = "PlayCard"
    card: Annotated[WireCard, about("one of `legal`")]


@final
class Claim(Action):
    """A claim by declarer, in place of a card from the own hand or dummy's, where `may_claim`."""

    type: Literal["Claim"] = "Claim"
    tricks: Annotated[
        WireNumber,
        about("how many of the tricks that are left, the one in progress included", ge=0, le=13),
    ]


@final
class AnswerClaim(Action):
    """A defender's answer to declarer's claim, if the turn has `claim`."""

    type: Literal["AnswerClaim"] = "AnswerClaim"
    accept: Annotated[bool, about("the tricks are declarer's; else play goes on")]


@final
class Explain(Action):
    """A question, at the player's own turn, about an opponent's call; the turn is asked again."""

    type: Literal["Explain"] = "Explain"
    call: Annotated[WireInt, about("which call of the auction; the first is 0")]


@final
class NoAction(Action):
    """The player has no action at its turn, and the table acts for it.

    It counts as an illegal answer, or as a time-out. The player is not asked again at this turn.
    """

    type: Literal["NoAction"] = "NoAction"
    reason: Annotated[
        str,
        about(
            "why, for the record and the log: one line without control characters",
            max_length=500,
            pattern="^[^\\x00-\\x1f\\x7f]*$",
        ),
    ] = ""
    timeout: Annotated[
        bool, about("its time was up before it had an action: it counts as a time-out")
    ] = False


@final
class Undo(Action):
    """An undo of the player's last call or card, dummy's when declaring, and everything after it.

    The board begins again and is replayed up to that action, unless an opponent who is a person
    refuses. Only the page of a person who plays with undo sends it; no bot can.
    """

    type: Literal["Undo"] = "Undo"


@final
class AnswerUndo(Action):
    """A person's answer to an opponent who asks to undo, if the turn has `undo`."""

    type: Literal["AnswerUndo"] = "AnswerUndo"
    accept: Annotated[bool, about("it is taken back; else play goes on")]


MOST_QUESTIONS = 4
"""The most questions about calls that a player may ask at one turn; asking more is illegal."""

MOST_CANDIDATES = 40
"""The most calls or cards that a thought may value: there are 38 calls."""

MOST_THOUGHTS = 4
"""The most thoughts that a bot may send at one turn."""


class Thinking(Message):
    """A bot's account of its decision; every part may be left out."""

    text: Annotated[
        str,
        about(
            "one line, for people, without control characters",
            max_length=TEXT_LIMIT,
            pattern="^[^\\x00-\\x1f\\x7f]*$",
        ),
    ] = ""
    candidates: Annotated[
        dict[WireAction, Annotated[WireReal, Field(ge=-1e6, le=1e6)]],
        about(
            "calls or cards, the best first, and what each is worth to the bot, by "
            "a measure of its own",
            max_length=MOST_CANDIDATES,
        ),
    ] = {}
    layouts: Annotated[
        WireInt | None, about("how many layouts of the hidden cards it looked at")
    ] = None
    depth: Annotated[WireInt | None, about("how far ahead, as the bot counts it")] = None
    seconds: Annotated[WireReal | None, about("how long it thought, as it says", ge=0, le=1e6)] = (
        None
    )
    model: Annotated[WireModelUse | None, about("what it asked a language model, if it did")] = None


@final
class Thought(Thinking, Action):
    """The bot's thoughts at its turn, for kibitzers and for the results.

    No player is sent it, nothing answers it, and the turn stays open. It comes before the action.
    """

    type: Literal["Thought"] = "Thought"


@final
class Leave(Message):
    """The bot declines to play on: its side forfeits."""

    type: Literal["Leave"] = "Leave"
    reason: Annotated[str, about("why, for the log", max_length=500)] = ""


class Stamp(TypedDict):
    """The fields that every event of a board has, by which an answer names its turn."""

    table: str
    board: int
    seq: int


def stamp_of(message: Action | BoardEvent) -> Stamp:
    """Return the fields that name an event, and the turn of an answer."""
    return {"table": message.table, "board": message.board, "seq": message.seq}


def is_about(action: Action, turn: BoardEvent) -> bool:
    """Return whether an action names a turn."""
    return (action.seq, action.board, action.table) == (turn.seq, turn.board, turn.table)


BotAnswer = MakeCall | PlayCard | Claim | AnswerClaim | Explain | NoAction

Answer = BotAnswer | Undo | AnswerUndo
"""The messages that may answer a `YourTurn`."""

ClientAction = Answer | Thought | Leave
"""The messages that a client may send once it has been welcomed."""

ClientMessage = Annotated[Hello | BotAnswer | Thought | Leave, Field(discriminator="type")]


# Server to client.


@final
class Welcome(Message):
    """The answer to `Hello`: the client's table and seat, and the terms of play."""

    type: Literal["Welcome"] = "Welcome"
    version: Annotated[WireNumber, about("the protocol version of the session")] = VERSION
    table: Annotated[str, about("the table's name")]
    seat: Annotated[WireSeat | None, about("where the client sits; absent for a kibitzer")] = None
    tables: Annotated[
        WireNumber, about("at how many tables it plays in this seat: a connection for each")
    ] = 1
    event: Annotated[str, about("the event's name")] = ""
    commitment: Annotated[
        str,
        about(
            "the hash that the event's deals are committed to, for the proof "
            "afterwards; empty: there is none"
        ),
    ] = ""
    session: Annotated[
        str, about("for `resume`, after a lost connection; empty: there is no way back")
    ] = ""
    grace_seconds: Annotated[
        float, about("within how many seconds it may come back; its clocks run on")
    ] = 0.0
    time_control: Annotated[
        str, about("the time control in words, as the next five fields have it")
    ] = ""
    action_seconds: Annotated[
        float | None, about("seconds for each action; absent: no such limit")
    ] = None
    board_seconds: Annotated[
        float | None, about("seconds of one's side for a board; absent: no such limit")
    ] = None
    match_seconds: Annotated[
        float | None, about("seconds for all boards together; absent: no such limit")
    ] = None
    increment_seconds: Annotated[
        float, about("seconds that `match_seconds` gains with each action")
    ] = 0.0
    lag_seconds: Annotated[
        float, about("up to so many seconds of network time an action are not charged")
    ] = 0.0


class BoardEvent(Message):
    """An event of a board.

    `seq` counts the events of the board that the receiver is sent: 1, 2, 3 and so on without gaps,
    whatever others are sent.
    """

    # It is the first field, so that the rest is encoded once for all viewers, whose numbers differ.
    seq: Annotated[
        WireNumber, about("the event's number among those of this board that one is sent")
    ]
    table: Annotated[str, about("the table's name")]
    board: Annotated[WireNumber, about("the board's number")]


class OpenEvent(BoardEvent):
    """An event that everybody at the table sees, and that a snapshot repeats."""

    SHOWN_TO = ShownTo.ALL
    LASTING = True


@final
class BoardStart(BoardEvent):
    """A new board: what a player knows when taking up the cards."""

    type: Literal["BoardStart"] = "BoardStart"
    dealer: Annotated[WireSeat, about("who makes the first call")]
    vulnerability: Annotated[WireVulnerability, about("which sides are vulnerable")]
    hand: Annotated[WireHand, about("the player's own thirteen cards")]
    seed: Annotated[
        WireNumber, about("for the bot's random choices: the same on this board in both rooms")
    ]
    deal: Annotated[WireDeal | None, about("all four hands; only for seats marked as cheats")] = (
        None
    )


@final
class BoardShown(BoardEvent):
    """A new board for kibitzers, who hold no cards; they are sent no `BoardStart`."""

    type: Literal["BoardShown"] = "BoardShown"
    dealer: Annotated[WireSeat, about("who makes the first call")]
    vulnerability: Annotated[WireVulnerability, about("which sides are vulnerable")]
    deal: Annotated[WireDeal, about("all four hands")]


@final
class YourTurn(BoardEvent):
    """A request for a `MakeCall` or a `PlayCard`; with `claim`, for an `AnswerClaim`."""

    type: Literal["YourTurn"] = "YourTurn"
    SHOWN_TO = ShownTo.RECEIVER
    RECEIVER = "player"
    URGENT = True
    player: Annotated[WireSeat, about("who is asked: the receiver")]
    seat: Annotated[WireSeat, about("whose call or card: declarer also plays dummy's")]
    legal: Annotated[list[str], about("the legal calls, Pass first, or cards; none with `claim`")]
    seconds: Annotated[float, about("time left for this action: the least that any clock leaves")]
    board_seconds: Annotated[
        float | None, about("left of the board's time; absent: no such limit")
    ] = None
    match_seconds: Annotated[
        float | None, about("left of the match's time; absent: no such limit")
    ] = None
    may_claim: Annotated[bool, about("a `Claim` may answer too")] = False
    claim: Annotated[bool, about("the claim just made waits for this player's `AnswerClaim`")] = (
        False
    )
    undo: Annotated[
        str | None,
        about("never for a bot: an opponent asks a person to let this call or card be taken back"),
    ] = None


@final
class CallMade(BoardEvent):
    """A call was made; its alert and explanation are hidden from the caller's partner."""

    type: Literal["CallMade"] = "CallMade"
    SHOWN_TO = ShownTo.ALL_BUT_MEANING
    LASTING = True
    seat: Annotated[WireSeat, about("who called")]
    call: Annotated[WireCall, about("the call")]
    alert: Annotated[bool, about("the caller alerted it")] = False
    explanation: Annotated[WireExplanation | None, about("what the caller says that it means")] = (
        None
    )


@final
class AuctionEnd(OpenEvent):
    """The auction is over."""

    type: Literal["AuctionEnd"] = "AuctionEnd"
    contract: Annotated[str, about("bid and X or XX, as in 3NTX; Pass when passed out")]
    declarer: Annotated[WireSeat | None, about("who declares; absent when passed out")] = None


@final
class DummyShown(OpenEvent):
    """Dummy's hand, faced after the opening lead."""

    type: Literal["DummyShown"] = "DummyShown"
    seat: Annotated[WireSeat, about("who is dummy")]
    hand: Annotated[WireHand, about("dummy's thirteen cards")]


@final
class CardPlayed(OpenEvent):
    """A card was played from the hand of `seat`."""

    type: Literal["CardPlayed"] = "CardPlayed"
    seat: Annotated[WireSeat, about("whose hand it came from")]
    card: Annotated[WireCard, about("the card")]


@final
class TrickEnd(OpenEvent):
    """Four cards are played; the winner leads next."""

    type: Literal["TrickEnd"] = "TrickEnd"
    winner: Annotated[WireSeat, about("whose card won")]


@final
class ClaimMade(OpenEvent):
    """Declarer claims, and faces the hand."""

    type: Literal["ClaimMade"] = "ClaimMade"
    seat: Annotated[WireSeat, about("who claims: declarer")]
    tricks: Annotated[
        WireNumber, about("how many of the tricks left, the one in progress included")
    ]
    hand: Annotated[WireHand, about("the cards that declarer still holds")]


@final
class ClaimSettled(OpenEvent):
    """The end of a claim: it is accepted and the board ends, or play goes on."""

    type: Literal["ClaimSettled"] = "ClaimSettled"
    accepted: Annotated[bool, about("the claimed tricks are declarer's")]


@final
class ExplanationGiven(BoardEvent):
    """The caller's explanation of a call, for the player who asked."""

    type: Literal["ExplanationGiven"] = "ExplanationGiven"
    SHOWN_TO = ShownTo.RECEIVER
    RECEIVER = "seat"
    seat: Annotated[WireSeat, about("who asked: the receiver")]
    call: Annotated[WireNumber, about("`call` of the `Explain`")]
    explanation: Annotated[WireExplanation | None, about("absent: the caller said nothing")] = None


@final
class ThoughtShown(Thinking, BoardEvent):
    """A player's thoughts about its next call, card or answer, for kibitzers only."""

    type: Literal["ThoughtShown"] = "ThoughtShown"
    SHOWN_TO = ShownTo.KIBITZERS
    seat: Annotated[WireSeat, about("who thinks; declarer about dummy's card too")]
    action: Annotated[
        WireNumber, about("about which action of the board: its calls, then its cards, from 0")
    ]


@final
class BoardEnd(OpenEvent):
    """The board is over."""

    type: Literal["BoardEnd"] = "BoardEnd"
    tricks: Annotated[
        WireNumber | None, about("tricks of declarer's side; absent when passed out or given up")
    ] = None
    score: Annotated[
        WireNumber | None, about("North-South's points; absent when the board was given up")
    ] = None


TableMessage = (
    YourTurn
    | CallMade
    | AuctionEnd
    | DummyShown
    | CardPlayed
    | TrickEnd
    | ClaimMade
    | ClaimSettled
    | ExplanationGiven
    | ThoughtShown
    | BoardEnd
)
"""What happens at a table, complete as the table knows it."""

BoardMessage = Annotated[BoardStart | BoardShown | TableMessage, Field(discriminator="type")]
"""Any event of a board."""


@final
class Snapshot(Message):
    """The board in play, for a client that comes back to its seat or begins to watch."""

    type: Literal["Snapshot"] = "Snapshot"
    events: Annotated[
        list[BoardMessage],
        about(
            "what it was sent of the board, in order; without turns that were "
            "answered, without thoughts, and without explanations that do not fit in a frame"
        ),
    ]


@final
class Error(Message):
    """Something that the client sent, or failed to send, was refused."""

    type: Literal["Error"] = "Error"
    SHOWN_TO = ShownTo.RECEIVER
    RECEIVER = "seat"
    URGENT = True
    code: Annotated[ErrorCode, about("what kind of error")]
    text: Annotated[str, about("what was wrong, for people")]
    fatal: Annotated[bool, about("the connection is closed after this")] = False
    seat: Annotated[WireSeat | None, about("whose fault it was: the receiver")] = None
    seq: Annotated[WireNumber | None, about("`seq` of the action that was refused")] = None


@final
class Goodbye(Message):
    """The last message: the session is over and the connection closes."""

    type: Literal["Goodbye"] = "Goodbye"
    URGENT = True
    reason: Annotated[str, about("why, for people")] = ""


ServerMessage = Annotated[
    Welcome | BoardStart | BoardShown | TableMessage | Snapshot | Error | Goodbye,
    Field(discriminator="type"),
]
