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
    """The thoughts of a bot before it acted."""

    text: str  # in words
    candidates: list[Candidate]  # the calls or cards that it considered
    layouts: int  # the number of layouts that it examined
    depth: int  # the depth to which it searched
    seconds: float  # the time that it took


class ExpectedContract(TypedDict):
    """A contract that a call leads to in some of the layouts that fit the auction."""

    contract: str  # `4DX W`; `Pass` if all pass, "" for rare contracts together
    share: float  # the share of these layouts
    points: int  # the mean score of the caller's side in them


class CallCost(TypedDict):
    """The cost of a call to its side."""

    best: NotRequired[str]  # the best other call; absent if no other call was considered
    # The IMPs that the best other call would have gained on average, over layouts that fit the
    # auction.
    gain: float
    error: float  # the standard error of the gain, in IMPs
    real: int  # the IMPs that it would have gained in the real layout
    isClear: bool  # whether the cost is more than the luck of the layouts
    # What was expected after the call, and after the best other call; only of clear costs.
    contracts: NotRequired[list[ExpectedContract]]
    bestContracts: NotRequired[list[ExpectedContract]]


class CallMade(TypedDict):
    """A call in the order of the auction, the dealer's first: `Pass`, `X`, `XX`, `3NT`."""

    call: str
    alert: NotRequired[bool]
    explanation: NotRequired[str]
    thought: NotRequired[Thought]
    callCost: NotRequired[CallCost]


class CardPlayed(TypedDict):
    """A card in playing order: `SA`, `DT`."""

    seat: SeatLetter  # the hand that it was played from
    card: str
    # The double-dummy tricks that it cost the side that played it; absent or 0 if none.
    cost: NotRequired[int]
    thought: NotRequired[Thought]  # the thoughts of the player


class Claim(TypedDict):
    """The end of the play before its last card."""

    tricks: int  # declarer's tricks on the whole board
    # The double-dummy tricks that the result cost the side `charged`; absent if none.
    cost: NotRequired[int]
    charged: NotRequired[Literal["declarer", "the defence"]]  # the side that lost them


class PositionValues(TypedDict):
    """The double-dummy values of a position in the play."""

    dd: int  # declarer's tricks in all if the rest were played double dummy
    cards: dict[str, int]  # the tricks that each card which may be played costs


class TableRest(TypedDict, total=False):
    """The part of a table that is shown once somebody looks at it."""

    calls: list[CallMade]  # the calls; absent or empty until there is one
    cards: list[CardPlayed]  # the cards; absent or empty until there is one
    winners: list[SeatLetter]  # the winner of each trick that is complete
    claim: Claim  # absent if all cards were played, or the board is not over
    dd: int  # declarer's double-dummy tricks before the lead
    remarks: list[str]  # further events, a sentence each
    pbn: str
    # The values of positions in the play, by the number of actions before them.
    values: dict[str, PositionValues]
    # The costs of calls, by their numbers from 1, while the table is followed live; elsewhere calls
    # have them.
    weighed: dict[str, CallCost]
    # Seconds that each player has thought, while the table is followed live.
    clocks: dict[SeatLetter, float]


class Table(TableRest):
    number: int  # from 1, among the tables of the board
    name: str  # the table's name, such as `Open room`
    # `Open` or `Closed`; absent if there are no two rooms.
    room: NotRequired[Literal["Open", "Closed"]]
    players: dict[SeatLetter, str]  # by seat
    contract: NotRequired[str]  # `3NTX`, or `Pass` if all passed; absent until the auction is over
    declarer: NotRequired[SeatLetter]  # absent if there is no contract
    tricks: NotRequired[int]  # declarer's; absent until the board is over
    result: NotRequired[str]  # tricks over or under the contract: `+1`, `=`, `-2`
    score: NotRequired[int]  # North-South's points
    imps: NotRequired[int]  # North-South's, against the other room
    worth: NotRequired[str]  # other values of the result, in words
    # The address of a script that loads the `TableRest` on demand, by `Arena.tablesLoaded(address,
    # rests)`, with the rests by the tables' numbers; absent if the rest is here.
    script: NotRequired[str]


class ParOfBoard(TypedDict):
    score: int  # North-South's points
    contracts: list[str]  # all contracts that reach it, as `4S N =`


class DoubleDummyFigures(TypedDict):
    # The tricks of declarers N, E, S, W, each in C, D, H, S, NT; null if they are not known, or
    # must not be.
    dd: list[list[int]] | None
    par: ParOfBoard | None  # the par; null likewise


class Link(TypedDict):
    href: str  # the address, relative to this page
    text: str  # the name of the page


class Links(TypedDict, total=False):
    """The pages to which a reader can go from here."""

    index: Link
    previous: Link
    next: Link


class Part(TypedDict):
    """A part of the home team's IMPs."""

    what: str  # the source of the part
    imps: float


class BoardDocument(DoubleDummyFigures):
    """A board with its tables."""

    board: int
    name: NotRequired[str]  # its name in the address, where one page shows several boards
    title: str  # the event, or the match, that it belongs to
    dealer: SeatLetter  # the dealer's seat
    vulnerable: Literal["None", "NS", "EW", "Both"]  # the vulnerable sides
    # Each hand as `AKQ.JT9..`, spades first; null if it is hidden.
    deal: dict[SeatLetter, str | None]
    tables: list[Table]  # in the order in which they are shown
    links: NotRequired[Links]  # the pages to which a reader can go
    outcome: NotRequired[str]  # the result of the board, in a sentence
    parts: NotRequired[list[Part]]  # the sources of the result
