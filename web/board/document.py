"""The board document: the JSON from which `static/board.js` draws a board.

It is the contract between the source of a board and the page that shows it; replays and live tables
share it. **What a viewer may not know yet is absent**: a hidden hand is null, a card that was not
played is not there, and so on. While a board is played, lists only grow at their end, so that a
page may be given a longer document and keep its place.

Text by strangers (names, explanations, thoughts) is plain text here. The page shows it as text
(`textContent`) and never as markup.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

SeatLetter = Literal["N", "E", "S", "W"]


class Candidate(TypedDict):
    """A call or card that a bot considered, and its value to the bot, in the bot's own units."""

    action: str
    value: NotRequired[float]


class Thought(TypedDict, total=False):
    """The thoughts of a bot before it acted.

    Attributes:
        text: In words.
        candidates: The calls or cards that it considered.
        layouts: The number of layouts that it examined.
        depth: The depth to which it searched.
        seconds: The time that it took.
    """

    text: str
    candidates: list[Candidate]
    layouts: int
    depth: int
    seconds: float


class CallCost(TypedDict):
    """The cost of a call to its side.

    Attributes:
        best: The best other call; absent if no other call was considered.
        gain: The IMPs that the best other call would have gained on average, over layouts that fit
            the auction.
        error: The standard error of the gain, in IMPs.
        real: The IMPs that it would have gained in the real layout.
        isClear: Whether the cost is more than the luck of the layouts.
    """

    best: NotRequired[str]
    gain: float
    error: float
    real: int
    isClear: bool


class CallMade(TypedDict):
    """A call in the order of the auction, the dealer's first: `Pass`, `X`, `XX`, `3NT`."""

    call: str
    alert: NotRequired[bool]
    explanation: NotRequired[str]
    thought: NotRequired[Thought]
    callCost: NotRequired[CallCost]


class CardPlayed(TypedDict):
    """A card in playing order: `SA`, `DT`.

    Attributes:
        seat: The hand that it was played from.
        cost: The double-dummy tricks that it cost the side that played it; absent or 0 if none.
        thought: The thoughts of the player.
    """

    seat: SeatLetter
    card: str
    cost: NotRequired[int]
    thought: NotRequired[Thought]


class Claim(TypedDict):
    """The end of the play before its last card.

    Attributes:
        tricks: Declarer's tricks on the whole board.
        cost: The double-dummy tricks that the result cost the side `charged`; absent if none.
        charged: The side that lost them.
    """

    tricks: int
    cost: NotRequired[int]
    charged: NotRequired[Literal["declarer", "the defence"]]


class PositionValues(TypedDict):
    """The double-dummy values of a position in the play.

    Attributes:
        dd: Declarer's tricks in all if the rest were played double dummy.
        cards: The tricks that each card which may be played costs.
    """

    dd: int
    cards: dict[str, int]


class TableRest(TypedDict, total=False):
    """The part of a table that is shown once somebody looks at it.

    Attributes:
        calls: The calls; absent or empty until there is one.
        cards: The cards; absent or empty until there is one.
        winners: The winner of each trick that is complete.
        claim: Absent if all cards were played, or the board is not over.
        dd: Declarer's double-dummy tricks before the lead.
        remarks: Further events, a sentence each.
        pbn: The table as PBN.
        values: The values of positions in the play, by the number of actions before them.
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
        name: The table's name, such as `Open room`.
        room: `Open` or `Closed`; absent if there are no two rooms.
        players: By seat.
        contract: `3NTX`, or `Pass` if all passed; absent until the auction is over.
        declarer: Absent if there is no contract.
        tricks: Declarer's; absent until the board is over.
        result: Tricks over or under the contract: `+1`, `=`, `-2`.
        score: North-South's points.
        imps: North-South's, against the other room.
        worth: Other values of the result, in words.
        script: The address of a script that loads the `TableRest` on demand, by
            `Arena.tableLoaded(address, rest)`; absent if the rest is here.
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
    """The par of a board.

    Attributes:
        score: North-South's points.
        contracts: All contracts that reach it, as `4S N =`.
    """

    score: int
    contracts: list[str]


class DoubleDummyFigures(TypedDict):
    """The double-dummy figures of a board.

    Attributes:
        dd: The tricks of declarers N, E, S, W, each in C, D, H, S, NT; null if they are not known,
            or must not be.
        par: The par; null likewise.
    """

    dd: list[list[int]] | None
    par: ParOfBoard | None


class Link(TypedDict):
    """A link to a page.

    Attributes:
        href: The address, relative to this page.
        text: The name of the page.
    """

    href: str
    text: str


class Links(TypedDict, total=False):
    """The pages to which a reader can go from here."""

    index: Link
    previous: Link
    next: Link


class Part(TypedDict):
    """A part of the home team's IMPs.

    Attributes:
        what: The source of the part.
        imps: The home team's IMPs.
    """

    what: str
    imps: float


class BoardDocument(DoubleDummyFigures):
    """A board with its tables.

    Attributes:
        title: The event, or the match, that it belongs to.
        dealer: The dealer's seat.
        vulnerable: The vulnerable sides.
        deal: Each hand as `AKQ.JT9..`, spades first; null if it is hidden.
        tables: In the order in which they are shown.
        links: The pages to which a reader can go.
        outcome: The result of the board, in a sentence.
        parts: The sources of the result.
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
