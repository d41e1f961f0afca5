"""Write the protocol's documentation from its models.

    python -m docs.generators.protocol_document [FOLDER]

`protocol.md` is for who writes a bot in any language; `protocol.schema.json` is the
JSON schema of both directions. FOLDER is `docs` unless given.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter
from pydantic.fields import FieldInfo

from bridge_arena.bridge.calls import CALL_TEXTS, Call
from bridge_arena.bridge.cards import Card, Deal, Hand, Suit
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import ModelUse
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.protocol.codec import MOST_ENTRIES, MOST_NESTED, encode, frame
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import (
    FAILED,
    HELLO_LATE,
    MAX_FRAME,
    MOST_THOUGHTS,
    SUBPROTOCOL,
    VERSION,
    AuctionEnd,
    BoardEnd,
    BoardMessage,
    BoardStart,
    CallMade,
    CardPlayed,
    ClientMessage,
    DummyShown,
    Error,
    Goodbye,
    Hello,
    MakeCall,
    Message,
    PlayCard,
    ServerMessage,
    TrickEnd,
    Welcome,
    YourTurn,
)
from bridge_arena.protocol.types import ExplanationModel, ModelUseModel, WireExplanation, WireRange
from bridge_arena.server.faults import MOST_LATE
from bridge_arena.server.gateway import MOST_BAD_HELLOS
from bridge_arena.server.table import MOST_UNDOS

MARKDOWN = "protocol.md"
SCHEMA = "protocol.schema.json"


# The example.


@dataclass(frozen=True, slots=True)
class Exchange:
    """One frame of the example, and what there is to say about it."""

    by_client: bool
    messages: tuple[Message, ...]
    note: str


EXAMPLE_DEAL = Deal.parse("N:52.J76.KQJ874.T9 AK3.T9854.T.K832 Q976.Q.9632.QJ74 JT84.AK32.A5.A65")
"""The deal of the example, on board 1; West is the bot."""

EXAMPLE_TRANSFER = Explanation("transfer", lengths={Suit.HEARTS: (5, 13)}, artificial=True)
"""What East says that 2D means; partner, West, is not told."""


def example() -> list[Exchange]:
    """Return the first and last frames of a board for a bot with delivery `turn`."""
    stamp: dict[str, Any] = {"table": "A1", "board": 1}
    north, east, south, west = Seat
    strong = Explanation("balanced", hcp=(15, 17))

    def call(seq: int, seat: Seat, text: str, meaning: Explanation | None = None) -> CallMade:
        return CallMade(**stamp, seq=seq, seat=seat, call=Call(text), explanation=meaning)

    def card(seq: int, seat: Seat, text: str) -> CardPlayed:
        return CardPlayed(**stamp, seq=seq, seat=seat, card=Card(text))

    def turn(seq: int, legal: Sequence[str], seat: Seat = west) -> YourTurn:
        return YourTurn(**stamp, seq=seq, player=west, seat=seat, legal=list(legal), seconds=60.0)

    def calls_from(text: str) -> list[str]:
        return ["Pass", *CALL_TEXTS[Call(text) :]]

    def client(note: str, *messages: Message) -> Exchange:
        return Exchange(by_client=True, messages=messages, note=note)

    def server(note: str, *messages: Message) -> Exchange:
        return Exchange(by_client=False, messages=messages, note=note)

    return [
        client(
            "The bot introduces itself and asks for its events together with its turns.",
            Hello(name="my-bot", bot_version="0.1", delivery=Delivery.TURN),
        ),
        server(
            "It sits West at table `A1`, and has a minute for each action.",
            Welcome(
                table="A1",
                seat=west,
                event="Example",
                time_control="60 s for each action",
                action_seconds=60.0,
            ),
        ),
        server(
            "Board 1 begins. Three players have passed. `seq` counts what the bot is sent.",
            BoardStart(
                **stamp,
                seq=1,
                dealer=north,
                vulnerability=Vulnerability.NONE,
                hand=EXAMPLE_DEAL[west],
                seed=7205759403792793,
            ),
            call(2, north, "Pass"),
            call(3, east, "Pass"),
            call(4, south, "Pass"),
            turn(5, calls_from("1C")),
        ),
        client(
            "The answer names the turn, and says what the call means.",
            MakeCall(**stamp, seq=5, call=Call("1NT"), explanation=strong),
        ),
        server(
            "The bot's own call comes back as an event, like everybody's. East's 2D was alerted "
            "and explained, but East is the bot's partner: only North and South see that.",
            call(6, west, "1NT", strong),
            call(7, north, "Pass"),
            call(8, east, "2D"),
            call(9, south, "Pass"),
            turn(10, calls_from("2H")),
        ),
        client("", MakeCall(**stamp, seq=10, call=Call("2H"))),
        server(
            "",
            call(11, west, "2H"),
            call(12, north, "Pass"),
            call(13, east, "4H"),
            call(14, south, "Pass"),
            turn(15, calls_from("4S")),
        ),
        client("", MakeCall(**stamp, seq=15, call=Call("Pass"))),
        server(
            "The bot declares 4H. North has led, East's hand is on the table, and the bot is "
            "asked for dummy's card: `player` is W, `seat` is E.",
            call(16, west, "Pass"),
            call(17, north, "Pass"),
            AuctionEnd(**stamp, seq=18, contract="4H", declarer=west),
            card(19, north, "DK"),
            DummyShown(**stamp, seq=20, seat=east, hand=EXAMPLE_DEAL[east]),
            turn(21, ["DT"], east),
        ),
        client("", PlayCard(**stamp, seq=21, card=Card("DT"))),
        server(
            "Now a card of its own hand.",
            card(22, east, "DT"),
            card(23, south, "D2"),
            turn(24, ["DA", "D5"]),
        ),
        client("The bot makes a mistake:", PlayCard(**stamp, seq=24, card=Card("HA"))),
        server(
            "It is told so, and asked again under a new `seq`; its clock has gone on.",
            Error(
                code=ErrorCode.ILLEGAL,
                text="HA is illegal: W can follow suit to DK (Law 44C)",
                seat=west,
                seq=24,
            ),
            turn(25, ["DA", "D5"]),
        ),
        client("", PlayCard(**stamp, seq=25, card=Card("DA"))),
        server(
            "A trick is complete. West won it and leads to the next.",
            card(26, west, "DA"),
            TrickEnd(**stamp, seq=27, winner=west),
            turn(28, "SJ ST S8 S4 HA HK H3 H2 D5 CA C6 C5".split()),
        ),
        server(
            "So it goes on to the end of the board. 4H was two down, not vulnerable. "
            "Another `BoardStart` could follow; here the session ends.",
            card(109, east, "CK"),
            card(110, south, "CQ"),
            TrickEnd(**stamp, seq=111, winner=west),
            BoardEnd(**stamp, seq=112, tricks=8, score=100),
            Goodbye(reason="the match is over"),
        ),
    ]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _render_exchange(exchange: Exchange) -> str:
    arrow = "bot → server" if exchange.by_client else "server → bot"
    shown = [{"type": None, **m.model_dump(exclude_none=True)} for m in exchange.messages]
    lines = ",\n ".join(map(_json, shown))
    note = f"{exchange.note}\n\n" if exchange.note else ""
    return f"{note}{arrow}\n\n```json\n[{lines}]\n```"


# Tables of the models.

_TYPE_NAMES: dict[object, str] = {
    Seat: "seat",
    Vulnerability: "vulnerability",
    Call: "call",
    Card: "card",
    Hand: "hand",
    Deal: "deal",
    Explanation: "explanation",
    ModelUse: "model use",
    WireRange: "range",
    str: "text",
    int: "whole number",
    float: "number",
    bool: "true or false",
}


def _type_name(annotation: object) -> str:
    if annotation in _TYPE_NAMES:
        return _TYPE_NAMES[annotation]
    origin, parts = get_origin(annotation), get_args(annotation)
    if annotation == BoardMessage:
        return "message of a board"
    if origin is Annotated:
        return _type_name(parts[0])
    if origin is Literal:
        return f"`{parts[0]}`"
    if origin is list:
        return f"list of {_type_name(parts[0])}"
    if origin is dict:
        return f"map of {_type_name(parts[1])}"
    if origin in (Union, UnionType):
        return next(_type_name(part) for part in parts if part is not type(None))
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return ", ".join(f"`{member.value}`" for member in annotation)
    raise TypeError(f"the documentation has no name for {annotation!r}")


def _default(field: FieldInfo) -> str:
    if field.is_required() or get_origin(field.annotation) is Literal:
        return "required"
    if field.default is None:
        return "absent"
    return f"`{_json(field.default)}`"


def _field_table(model: type[BaseModel]) -> str:
    rows = ["| field | type | default | meaning |", "| --- | --- | --- | --- |"]
    # What names the message comes first; then the order in which the fields are declared.
    fields = sorted(model.model_fields.items(), key=lambda item: item[0] != "type")
    for name, field in fields:
        kind = _type_name(field.annotation)
        for limit in field.metadata:
            length = getattr(limit, "max_length", None)
            unit = "characters" if kind == "text" else "of them"
            kind += f", at most {length} {unit}" if length else ""
        meaning = field.description or ("names the message" if name == "type" else "")
        if not meaning:
            raise TypeError(f"{model.__name__}.{name} has no description")
        rows.append(f"| `{name}` | {kind} | {_default(field)} | {meaning} |")
    return "\n".join(rows)


def _members(union: object) -> tuple[type[Message], ...]:
    """Return the message classes of a union of messages."""
    members: tuple[type[Message], ...] = get_args(get_args(union)[0])
    return members


CLIENT_MESSAGES = _members(ClientMessage)
SERVER_MESSAGES = _members(ServerMessage)


def _message_section(model: type[Message]) -> str:
    about = " ".join((model.__doc__ or "").split())
    return f"### {model.__name__}\n\n{about}\n\n{_field_table(model)}"


# The text.

_ERRORS: dict[ErrorCode, tuple[str, str]] = {
    ErrorCode.ILLEGAL: (
        "The action is not legal here.",
        "Answer the `YourTurn` that follows, choosing from its `legal`. After too many faults "
        "at one turn (two, unless the event says otherwise) none follows: a substitute is "
        "played.",
    ),
    ErrorCode.MALFORMED: (
        "A frame was not of this protocol; `text` names the field.",
        "As for `illegal`. With `fatal`, before `Welcome`: the connection closes.",
    ),
    ErrorCode.STALE: (
        "The action answers no open turn: it came late, twice, or out of turn.",
        "Nothing: it had no effect and is no fault. A turn that is open stays open.",
    ),
    ErrorCode.TIMEOUT: (
        "The time for the action ran out; a substitute was played, or the board given up.",
        "Nothing: the substitute comes as an event like any other. An answer that is still "
        "under way will be `stale`.",
    ),
    ErrorCode.SUBSTITUTED: (
        "The table acted in the player's place, after too many faults at one turn.",
        "Nothing: the substitute comes as an event like any other.",
    ),
    ErrorCode.VERSION: (
        "`Hello` asked for a version that the server does not speak; `fatal`.",
        f"Speak version {VERSION}.",
    ),
    ErrorCode.TAKEN: (
        "The token is good, but no seat of it is free, or not the one that was wanted; `fatal`.",
        "Try again after some seconds: a seat may become free.",
    ),
}

_INTRODUCTION = f"""\
# The protocol, version {VERSION}

How a bot plays at a table of Bridge Arena, in any language. This page and
[protocol.schema.json]({SCHEMA}) are generated from the server's own models by
`python -m docs.generators.protocol_document`; a test keeps them true. Bots in Python need none of
it: `bridge_arena` speaks the protocol for them. [protocol.vectors.json](protocol.vectors.json)
has messages and frames beside their bytes, and what is refused with its error;
[`arena check-bot`](checking-a-bot.md) tells whether a bot does all this right;
[a small bot in JavaScript](examples/javascript/README.md) was written from this page.

A bot connects to a websocket, says who it is, and then answers when it is asked. The
server knows the rules: each question carries the list of legal answers, so the smallest
bot is a loop that sends one of them back.

```
connect to ARENA_URL with subprotocol {SUBPROTOCOL} and Authorization: Bearer ARENA_TOKEN
send [Hello]
for each frame received:
    for each message in it, in order:
        Welcome:      remember the seat and the session
        YourTurn:     remember it as the open turn
        Snapshot:     take in its events, which may end with such a turn
        Goodbye:      stop
        any other:    take note of it
    if a turn is open:
        send [MakeCall or PlayCard; where the turn has claim, AnswerClaim]
            with the turn's table, board and seq; no turn is open
```
"""

_CONNECTING = f"""\
## Connecting

A program that the arena starts finds in its environment `ARENA_URL`, the server's address
(`ws://host:port`, `wss://host:port` in TLS, or `ws+unix:/path` for a Unix socket), `ARENA_TOKEN`,
and `ARENA_SEAT`, its compass seat. A bot that comes by itself has the address and the token from
the organiser.

**A connection is a seat at one table.** `tables` in `Welcome` says at how many tables the bot
plays in that seat at the same time: it opens a connection for each, with the same token and
with that `seat` in `Hello`, and each has its own dialogue, up to its own `Goodbye`. A connection
keeps its seat and its table to the end. The event begins when all are there. A bot that takes
part in all four seats is best run as four programs, so that none ever holds two hands of one
deal; a `seat` in `Hello` says which seat is wanted, and without one the server gives a free one.

Open a websocket (RFC 6455) to the address with

- the header `Authorization: Bearer TOKEN`;
- the subprotocol `{SUBPROTOCOL}`;
- no compression: the server accepts no extension.

| the handshake's answer | why |
| --- | --- |
| 101 | welcome so far: send `Hello` |
| 400 | the subprotocol is missing or another |
| 401 | the token is missing or wrong |
| 403 | the token is good, but its player is banned: the body says so |
| 426 | the request was no websocket handshake |
| 503 | {MOST_BAD_HELLOS} bad `Hello`s came with this token within a minute: try again in a minute |

`Hello` must come within 10 seconds, or the connection closes with code
{HELLO_LATE}. A bot whose first message is anything else, or asks for another version, is told so
in an `Error` with `fatal`, and the connection closes with code 1002.
Where no seat is free for the token, the error is `taken`, and the code 1013.
A server that is started again may have fewer tables than before, as for the last boards of an
event. A program that is refused so at one table, and still sits at as many as the last `Welcome`
says, has no more tables to sit at.

A program that the arena starts may print what it likes: the end of it is kept in the log. After
the last `Goodbye` it ends by itself, with status 0.

A bot may think for as long as its clock allows without reading. The server answers
websocket pings, and sends some only where network time is not charged: one when the bot has
said `Hello` and one at the start of each board, which a websocket library answers by itself.

### Coming back

When a connection is lost, the seat waits for its bot for `grace_seconds`, while the clock runs:
the bot connects again with the same token, and names in `resume` the `session` of its `Welcome`.
It is welcomed again, and if a board is in play it is sent a `Snapshot`: the messages of the
board that it was sent, in order, its open turn the last of them if there is one. That takes the
place of whatever the bot knew of the board. An answer that the bot had sent before may have
arrived or not; it may be sent again, as what answers no open turn changes nothing. The grace
runs from the loss, or from the start of the board if the connection was lost before, until the
bot acts again. An older connection of the same seat, which may be dead without knowing, is closed
with code 1008.

A bot that was restarted, and knows no session, says `Hello` without `resume`: it gets a seat of
its token that is free, or that has lost its bot. The seat has a new session then, and the session
of the bot that sat there before is no longer known. The token of a program that the arena starts
opens the seat at each table once, and a program that it starts again has another. A `resume` that
the server does not know, as after a restart of the server, counts as none. Where `session` is
empty there is no way back to the board in play.

### Close codes

| code | why | come back? |
| --- | --- | --- |
| 1000 | the session is over: `Goodbye` came before | no |
| 1001 | the server stops | it may be started again |
| 1002 | not this protocol: a bad `Hello`, or a broken frame | no |
| 1006 | the network failed, or the bot does not read, or too many wait for a seat | yes |
| 1008 | another connection took this seat, the token was replaced, or its player banned | no |
| 1009 | a frame of the bot's was too long | yes |
| 1012 | the seat was given up; or the server was interrupted | yes: there may be another seat |
| 1013 | no seat is free for the token | later |
| {HELLO_LATE} | `Hello` did not come in time | yes |

A bot that fails closes with code {FAILED}, and tells why as the reason. The record has that as the
cause of its fault.

### Kibitzers

With a token for kibitzers a program watches a table, the one that it names in `Hello`. It is
welcomed without a `seat`, sent a `Snapshot` of the board on show, and then all that happens, as
late as the event has it: at once, some seconds later, or a board at a time, each when nobody is to
play it any more. There is `BoardShown` with the four hands where players get `BoardStart`, every
call with its explanation, what players think (`ThoughtShown`), and no turns, errors and questions.
It sends nothing. One that does not read is cut off; it comes back by watching again.
"""

_FRAMES = f"""\
## Frames

Each websocket message is binary and holds one msgpack array of messages, in the order in
which they happened; each message is a map with text keys, and its `type` says which. A
text frame is malformed. A frame may hold any number of messages. No frame is longer than
{MAX_FRAME:,} bytes: a bot that sends a longer one is cut off with code 1009. In a frame of a bot
a list or map has at most {MOST_ENTRIES} entries, there are at most {MOST_NESTED} lists and maps,
and nothing of msgpack's extension types.

A field whose value would be nothing is left out. Fields that are not listed here are
ignored. Whole numbers are below 2^53; `true` and `false` are no numbers.

This is the frame `{{hello_json}}`:

```
{{hello_hex}}
```
"""

_DIALOGUE = f"""\
## The dialogue

1. The bot sends `Hello`, once; the server answers `Welcome`.
2. For each board: `BoardStart`; `CallMade` for every call, the bot's own too;
   `AuctionEnd`. If there is a contract: `CardPlayed` for every card; `DummyShown` after
   the opening lead; `TrickEnd` after every fourth card. Then `BoardEnd`; when a board is
   given up, it comes at once and has no `score`. A match may be of bidding only, and then
   no card is played; or of play only, and then the bot is not asked for calls, and is told
   them by `CallMade`.
3. Whenever the bot is to act it gets `YourTurn`, and answers with `MakeCall` in the
   auction or `PlayCard` in the play, repeating `table`, `board` and `seq` of that
   `YourTurn`. `seat` says whose call or card is wanted: declarer is asked for dummy's
   cards too, and dummy is never asked. A turn with `may_claim` may be answered with
   `Claim` instead; one with `claim` asks for an `AnswerClaim`, and for nothing else. Any
   turn may be answered with `Explain`.
4. `Goodbye` ends the session, and the server closes the connection.

Whatever answers no open turn is refused with the error `stale` and changes nothing, so an
answer that is late or sent twice never spoils a later turn. A new `YourTurn` replaces an
earlier one that the bot has not answered. `BoardEnd` makes an open turn void, as when another
player is lost: no answer is due, and one that is already under way will be `stale`.

A `BoardStart` may come before the board is over: where people play with undo, one of them has taken
something back. The board begins anew, with the calls and cards up to there, and what was sent of it
before counts no more. Opponents who are people were asked first, by a `YourTurn` with `undo`; a bot
never is. One refusal settles it, and whoever has not answered then gets the error `substituted`.
A seat may ask {MOST_UNDOS} times on a board.

A bot that has no action may say so by `NoAction`, with the reason: the table acts for it at once,
by [the substitute](#clock-and-faults), and records an illegal answer with that reason, or a
time-out if the bot says by `timeout` that its time was up. A bot may send
`Leave` instead of an answer: its side forfeits.

### Questions

The opponents' calls come with their explanations. At its own turn a bot may ask for one
again, or make sure that there is none, with `Explain`: `call` counts the calls of the auction
from 0. The answer, `ExplanationGiven`, says what the caller said with the call, and goes to
who asked alone; then the same turn is asked again under a new `seq`. The clock runs on. At most
4 questions a turn are answered; one more, or one about a call of the own side, is illegal.

### Thoughts

A bot may say what it thinks at its turn, for those who watch and for the results of the event, by
`Thought` before its action, best in the same frame: it names the turn as an action does, does not
answer it, and costs no more time than it takes to send. **No player is sent it**, the bot itself
and its partner included, and nothing that a player is sent depends on it. Kibitzers are told it
as `ThoughtShown`; it is kept in `log.jsonl` and in the store, and is not in PBN.

Each part is optional. The text is shown as text, whatever it looks like. A turn may have
{MOST_THOUGHTS} thoughts, anew when it is asked again; one more is malformed, as is one that keeps
to no limit below. A thought about another turn than the open one came late: it is dropped without
a word (more than {MOST_LATE} of them at one turn are malformed).

### Claims

Where the table takes claims, declarer's turns in the play have `may_claim`, also for dummy's
cards. `Claim` names how many of the tricks that are left declarer is to take, the one in
progress included; there is no more than one claim a trick. `ClaimMade` faces declarer's hand to
all: a defender then knows all four. It depends on the table who judges:

- the players: both defenders are asked at once, each on its own clock, by a `YourTurn` with
  `claim` and an empty `legal`. Nobody hears of one's answer before the other has answered. It
  takes both to accept;
- the solver: nobody is asked. The claim is accepted if declarer can take as many tricks double
  dummy.

`ClaimSettled` says how it ended. An accepted claim ends the board with that result. After
another, declarer is asked again for the same card, with the time that was left, and
without `may_claim` until the trick is complete.
"""

_VALUES = """\
## Values

All cards, calls and seats travel as the text that bridge players write. A whole number is an
integer of msgpack: `1.0`, `"1"` and `true` are refused.

| type | form | examples |
| --- | --- | --- |
| seat | `N`, `E`, `S`, `W`; clockwise | `S` |
| vulnerability | the sides that are vulnerable: `None`, `NS`, `EW`, `All` | `NS` |
| call | `Pass`, `X`, `XX`, or level 1 to 7 and `C`, `D`, `H`, `S`, `NT` | `Pass`, `3NT` |
| card | suit `S`, `H`, `D`, `C`, then rank `2` to `9`, `T`, `J`, `Q`, `K`, `A` | `SA`, `DT` |
| hand | spades, hearts, diamonds, clubs, divided by dots; a void is empty | `AK3.T9854.T.K832` |
| deal | the first hand's seat, a colon, four hands clockwise, divided by blanks | `{deal}` |
| range | a list of two whole numbers, lowest and highest, both included | `[15, 17]` |
| explanation | a map, see below | `{transfer}` |
| model use | a map, see below | `{{"questions": 1, "answered": true, "tokens_in": 1210}}` |

### explanation

What a call promises; every field may be left out, and what is absent promises nothing.
`hcp` lies within 0 to 37, each length within 0 to 13.

{explanation}

### model use

What a bot says of its questions to a language model at the turn, as it counts them itself: nobody
checks it. The results [add it up](language-models.md#what-the-figures-mean).

{model_use}
"""

_DELIVERY = """\
## Delivery

`delivery` in `Hello` says when events reach the bot. The messages and their order are the
same.

- `live` (the default): each event as it happens, in frames of one or more messages.
- `turn`: events wait until the bot is asked to act, or is sent an `Error` or `Goodbye`,
  and come with it in one frame, before it. More than 32 KiB of them do not wait. Fewer
  frames make faster tables; a bot that wants to think while others act takes `live`. As
  dummy, a bot may hear nothing from the opening lead to the next board.
"""

_CLOCK = """\
## Clock and faults

`YourTurn.seconds` is the time left for this action, counted from when the server asks to
when the answer reaches it. It is the least that the clocks of the table leave, of which there
are up to three; `Welcome` tells which:

- of the action: each starts afresh, and time is not saved up;
- of the board: what a side has for all its actions on a board;
- of the match: what a side, or a player without a partner of its own, has for all boards
  together, with an increment after each action.

After a question, or an illegal or malformed answer, the clock goes on: the new `YourTurn`
carries what is left. Where `lag_seconds` is above 0, the fastest of the last 5 pings is taken
for the network's time, and up to so many seconds of it are charged to no clock; otherwise the
network's time is the bot's.

What goes wrong has one vocabulary, and is kept in the record of the board. An event may have
other policies for illegal answers and time-outs than these, which hold unless it says so:

| fault | what happened | what follows |
| --- | --- | --- |
| illegal | an action that is not legal | told why and asked again, once; then a substitute |
| illegal | `NoAction` | a substitute |
| malformed | a frame that is not of this protocol | the same |
| timeout | no action in time, or `NoAction` with `timeout` | a substitute |
| stall | the bot leaves unread what it is sent | the board is given up, the side forfeits |
| disconnect | the connection is lost, and the bot is not back in time | the same |
| crash | the bot's process ended, and is not back in time, or ends before it acts | the same |
| refused | the bot sent `Leave` | the same |
| undo | a person who plays with undo takes an action back | the board begins anew, up to there |

The illegal and malformed answers to one turn are counted together, and anew for each
turn. **The substitute** is Pass in the auction; in the play it is the lowest legal card,
by rank, then clubs, diamonds, hearts, spades. A claim that is not answered is not accepted.

What a bot sends while others are to act is read when its own turn comes: a malformed
frame then counts against that turn, and an action that does not name that turn is `stale`.
More than 8 messages in a frame, or 8 stale actions at one turn, count as malformed.
"""

_VISIBILITY = """\
## What a seat may see

- Its own thirteen cards; dummy's after the opening lead; every card played; declarer's once
  there was a claim. No other card is in anything that a seat is sent, and nothing that it is
  sent depends on one, other than through what the players do, and whether a claim that the
  solver judges is accepted.
- Every call, and the opponents' alerts and explanations. Partner's alerts and
  explanations are kept from it; its own come back to it.
- No thoughts, its own included.
- Its own turns, questions and errors, and nobody else's. `seq` counts what the seat itself is sent
  of a board, 1, 2, 3 and so on, without gaps.
- Its own `seed`, for a bot that chooses at random: the same for this seat on this board
  in both rooms, so that luck does not differ between the rooms.

**What a seat does in private stays private.** Its questions, answers that are refused, malformed
frames, actions that are stale, lost connections and returns change nothing in what the other seats
and the kibitzers are sent, but when it is sent, and the time left on a clock that a side shares.
Of its thoughts, the same holds for the other seats. What comes of them is public: a substitute is
a call or a card like any other, and a board that is given up is over. Questions with their
answers, thoughts and faults are kept in the records of the event.

`deal`, all four hands, is sent only to a seat that the organiser has marked as a cheat, a
yardstick for others. Kibitzers see all four hands, every explanation and what players think.
"""

_EVOLUTION = f"""\
## Versions

Within version {VERSION}, messages may gain fields, which have defaults, so ignore fields
that you do not know. A bot may gain messages that it need not send; a server that does not
know one takes it for malformed. Anything else makes a new version with a new subprotocol name, so
that a bot and a server that do not understand each other part in the handshake.
"""


def markdown() -> str:
    """Return the text of `protocol.md`."""
    hello = Hello(name="my-bot")
    packed = frame([encode(hello)]).hex(" ")
    width = 3 * 24
    errors = ["| code | meaning | what to do |", "| --- | --- | --- |"]
    errors += [f"| `{code}` | {' | '.join(_ERRORS[code])} |" for code in ErrorCode]
    frames = _FRAMES.format(
        hello_json=_json([hello.model_dump()]),
        hello_hex="\n".join(packed[at : at + width].strip() for at in range(0, len(packed), width)),
    )
    transfer = TypeAdapter(WireExplanation).dump_python(EXAMPLE_TRANSFER)
    values = _VALUES.format(
        deal=EXAMPLE_DEAL,
        transfer=_json(transfer),
        explanation=_field_table(ExplanationModel),
        model_use=_field_table(ModelUseModel),
    )
    sections = [
        _INTRODUCTION,
        _CONNECTING,
        frames,
        _DIALOGUE,
        "## An example\n\nThe messages as JSON; each block is one frame.",
        *map(_render_exchange, example()),
        values,
        "## Messages of the bot",
        *map(_message_section, CLIENT_MESSAGES),
        "## Messages of the server",
        *map(_message_section, SERVER_MESSAGES),
        "## Errors\n\n`Error` tells the bot that something it did was refused. It does not "
        "end the session\nunless it is `fatal`.\n\n" + "\n".join(errors),
        _DELIVERY,
        _CLOCK,
        _VISIBILITY,
        _EVOLUTION,
    ]
    return "\n\n".join(section.strip() for section in sections) + "\n"


def schema() -> dict[str, Any]:
    """Return the JSON schema of both directions' messages and frames."""
    client: TypeAdapter[Any] = TypeAdapter(ClientMessage)
    server: TypeAdapter[Any] = TypeAdapter(ServerMessage)
    unions, shared = TypeAdapter.json_schemas(
        [("Client", "validation", client), ("Server", "validation", server)]
    )
    models: dict[str, Any] = shared["$defs"]
    for model in (*CLIENT_MESSAGES, *SERVER_MESSAGES):
        # On the wire a message always says what it is.
        models[model.__name__].setdefault("required", []).insert(0, "type")
    definitions = dict(models)
    for side in ("Client", "Server"):
        definitions[f"{side}Message"] = unions[side, "validation"]
        definitions[f"{side}Frame"] = {
            "type": "array",
            "items": {"$ref": f"#/$defs/{side}Message"},
        }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": SUBPROTOCOL,
        "description": "Frames of a bot (ClientFrame) and of the server (ServerFrame), once "
        "unpacked from msgpack.",
        "anyOf": [{"$ref": "#/$defs/ClientFrame"}, {"$ref": "#/$defs/ServerFrame"}],
        "$defs": definitions,
    }


def files() -> dict[str, str]:
    """Return the text of each file by its name."""
    return {MARKDOWN: markdown(), SCHEMA: json.dumps(schema(), indent=2, sort_keys=True) + "\n"}


def main(arguments: Sequence[str]) -> None:
    folder = Path(arguments[0] if arguments else "docs")
    for name, text in files().items():
        folder.joinpath(name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
