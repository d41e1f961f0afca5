"""The board document: the JSON from which `static/board.js` draws a board.

This is the contract between whoever knows a board and the page that shows it; replays and live
tables have the same. **What a viewer may not know yet is simply absent**: a hidden hand is null, a
card that was not played is not there, and so on. Lists only ever grow at their end while a board
is played, so that a page may be given the document again, longer, and keep its place.

Text that strangers wrote (names, explanations, thoughts) is plain text here. The page shows it as
text (`textContent`) and never as markup.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

SeatLetter = Literal["N", "E", "S", "W"]


class Candidate(TypedDict):
    """A call or card that a bot thought of, and what it was worth to it, in units of its own."""

    action: str
    value: NotRequired[float]


class Thought(TypedDict, total=False):
    """What a bot thought before it acted. `seconds`: that it took."""

    text: str
    candidates: list[Candidate]
    layouts: int
    depth: int
    seconds: float


class CallMade(TypedDict):
    """A call in the order of the auction, the dealer's first: `Pass`, `X`, `XX`, `3NT`."""

    call: str
    alert: NotRequired[bool]
    explanation: NotRequired[str]
    thought: NotRequired[Thought]


class CardPlayed(TypedDict):
    """A card in playing order: `SA`, `DT`. `cost`: double-dummy tricks that it cost the side that
    played it, absent or 0 where none."""

    seat: SeatLetter
    card: str
    cost: NotRequired[int]
    thought: NotRequired[Thought]


class Claim(TypedDict):
    """The play ended before its last card. `tricks`: declarer's of the whole board. `cost`:
    double-dummy tricks that the result cost the side `charged`, absent where none."""

    tricks: int
    cost: NotRequired[int]
    charged: NotRequired[Literal["declarer", "the defence"]]


class PositionValues(TypedDict):
    """What double dummy says of a position in the play. `dd`: declarer's tricks in all, were the
    rest played double dummy. `cards`: the tricks that each card which may be played costs."""

    dd: int
    cards: dict[str, int]


class TableRest(TypedDict, total=False):
    """What is shown of a table once it is looked at.

    Attributes:
        calls: Absent or empty until there is one.
        cards: Absent or empty until there is one.
        winners: Who won each trick that is complete.
        claim: Absent where all cards were played, or the board is not over.
        dd: Declarer's double-dummy tricks before the lead.
        remarks: What happened beside bidding and play, a sentence each.
        pbn: The table as PBN.
        values: Of positions in the play, by the number of actions before them.
        clocks: Seconds that each player has thought, while the table is followed live.
    """

    calls: list[CallMade]
    cards: list[CardPlayed]
    winners: list[SeatLetter]
    claim: Claim
    dd: int
    remarks: list[str]
    pbn: str
    values: dict[str, PositionValues]
    clocks: dict[SeatLetter, float]


class Table(TableRest):
    """One table of a board.

    Attributes:
        number: From 1, among the tables of the board.
        name: What the table is called, such as `Open room`.
        room: `Open` or `Closed`; absent where there are no two rooms.
        players: By seat.
        contract: `3NTX`, or `Pass` where all passed; absent until the auction is over.
        declarer: Absent where there is no contract.
        tricks: Declarer's; absent until the board is over.
        result: Tricks over or under the contract: `+1`, `=`, `-2`.
        score: North-South's points.
        imps: North-South's, against the other room.
        worth: What else the result was worth, in words.
        script: Address of a script that brings the `TableRest` when it is asked for, by
            `Arena.tableLoaded(address, rest)`; absent where that is here.
    """

    number: int
    name: str
    room: NotRequired[Literal["Open", "Closed"]]
    players: dict[SeatLetter, str]
    contract: NotRequired[str]
    declarer: NotRequired[SeatLetter]
    tricks: NotRequired[int]
    result: NotRequired[str]
    score: NotRequired[int]
    imps: NotRequired[int]
    worth: NotRequired[str]
    script: NotRequired[str]


class ParOfBoard(TypedDict):
    """`score`: North-South's points. `contracts`: all that reach it, as `4S N =`."""

    score: int
    contracts: list[str]


class DoubleDummyFigures(TypedDict):
    """What double dummy says of a board.

    Attributes:
        dd: Tricks of declarers N, E, S, W, each in C, D, H, S, NT; null where they are not known,
            or not to be.
        par: Null likewise.
    """

    dd: list[list[int]] | None
    par: ParOfBoard | None


class Link(TypedDict):
    """A page: `href` from this one, and what it is called."""

    href: str
    text: str


class Links(TypedDict, total=False):
    """Where a reader goes from here."""

    index: Link
    previous: Link
    next: Link


class Part(TypedDict):
    """IMPs of the home team, and what they came from."""

    what: str
    imps: float


class BoardDocument(DoubleDummyFigures):
    """A board with its tables.

    Attributes:
        board: Its number.
        title: The event, or the match, that it belongs to.
        dealer: By seat.
        vulnerable: The sides that are.
        deal: Each hand as `AKQ.JT9..`, spades first; null where it is hidden.
        tables: In the order in which they are shown.
        links: Where to go from here.
        outcome: What the board brought, in a sentence.
        parts: What that came from.
    """

    board: int
    title: str
    dealer: SeatLetter
    vulnerable: Literal["None", "NS", "EW", "Both"]
    deal: dict[SeatLetter, str | None]
    tables: list[Table]
    links: NotRequired[Links]
    outcome: NotRequired[str]
    parts: NotRequired[list[Part]]
