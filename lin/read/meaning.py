"""The interpretation of a table as a board record, and its deviations from LIN and the Laws.

Nothing at a table raises an error, and only a missing deal leaves it without a record.
"""

from __future__ import annotations

from dataclasses import dataclass

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import Seat
from bridge_arena.lin.deviations import Deviation, Deviations, Kind, NoBoardError
from bridge_arena.lin.model import Item, Table
from bridge_arena.lin.read.auction import Signs, bidding_of, is_same_bid
from bridge_arena.lin.read.boards import board_of, players_of
from bridge_arena.lin.read.play import cards_of, claimed_of, holder, play_of, tricks_of
from bridge_arena.lin.read.reader import label_of
from bridge_arena.lin.read.results import Result, parse_result, result_told

SCORING = {"I": "IMP", "P": "MP", "B": "BAM"}
"""PBN's word for each scoring letter of a heading."""

LETTERS = {word: letter for letter, word in SCORING.items()} | {"MATCHPOINTS": "P"}
"""The heading's letter for each of PBN's words, in capitals."""


@dataclass(slots=True)
class Meaning:
    """The interpretation of a table.

    Attributes:
        record: The board record; None if the table has none.
        error: The reason why there is no record.
        deviations: What is odd or wrong at the table.
    """

    record: BoardRecord | None
    error: NoBoardError | None
    deviations: list[Deviation]

    @property
    def board(self) -> Board | None:
        """The board; None if there is no record."""
        return self.record.board if self.record else None


def meaning_of(table: Table) -> Meaning:
    """Interpret a table."""
    found = Deviations(table)
    try:
        record = _record(table, found)
    except NoBoardError as error:
        return Meaning(None, error, [*found, Deviation(error.kind, error.problem)])
    return Meaning(record, None, list(found))


def _record(table: Table, found: Deviations) -> BoardRecord:
    board = board_of(table, found)
    heading = table.heading
    letter, label = _label(table)
    is_closed = letter == "c"
    result = _result(table, label or board.number, found, is_closed=is_closed)
    named = result.contract if result else None
    cards = cards_of(table, found)
    leader = holder(board.deal, cards[0][0]) if cards else None
    signs = Signs(named, leader, is_claimed=table.last("mc") is not None)
    bidding = bidding_of(table, board.dealer, found, signs)
    contract, passed_out = bidding.contract, bidding.is_passed_out
    if result is not None:
        if contract is None and not passed_out:
            contract, passed_out = named, named is None
        elif not _agrees(result, contract):
            says, ends = _told(named), _told(contract)
            reason = f"the heading says {says}, the auction ends {ends}"
            if _is_led_to(named, contract, leader):
                contract = named
                found.add(Kind.CONTRACT, f"{reason}: by the lead the first is taken")
            else:
                result = None
                found.add(Kind.CONTRACT, f"{reason}, which is taken")
    play = None
    if contract is not None:
        play = play_of(cards, contract, board.deal, found)
    else:
        claim = claimed_of(table, found)
        if cards:
            reason = f"{len(cards)} cards without a known contract are left out"
            found.add(Kind.NO_CONTRACT, reason, cards[0][1])
        if claim:
            reason = f"{claim[0]} tricks without a known contract are left out"
            found.add(Kind.RESULT, reason, claim[1])
    tricks = None if play is None else _tricks(table, board, play, result, found)
    is_finished = passed_out or tricks is not None
    return BoardRecord(
        board=board,
        players=players_of(table, is_closed=is_closed, found=found),
        calls=bidding.calls,
        contract=contract,
        cards=tuple(play.cards) if play else (),
        tricks=tricks,
        score=score_ns(contract, tricks, board.vulnerability) if is_finished else None,
        event=", ".join(filter(None, (heading.title, heading.segment))),
        room=_room(table, letter),
        home=heading.teams[0],
        visitors=heading.teams[1],
        scoring=SCORING.get(heading.scoring, heading.scoring),
    )


def _result(
    table: Table, number: int | None, found: Deviations, *, is_closed: bool
) -> Result | None:
    """Return the heading's result of a table; None if it tells none that can be read."""
    heading = table.heading
    if heading.first is None and any(heading.results):
        reason = "the heading does not name its first board: its results are left out"
        found.add(Kind.RESULT, reason)
        return None
    text = result_told(heading, number, is_closed=is_closed)
    result = parse_result(text)
    if result is None and text.strip("-?* "):
        found.add(Kind.RESULT, f"{text[:20]!r} in the heading is no result: it is left out")
    elif result is not None and result.tricks is None and text.strip()[-1].isdigit():
        reason = f"{text[:20]!r} in the heading tells no possible tricks: they are left out"
        found.add(Kind.RESULT, reason)
    return result


def _label(table: Table) -> tuple[str, int | None]:
    """Return the room's letter, or an empty text, and the number of the label."""
    item = table.last("qx")
    return (label_of(item.value) if item else None) or ("", None)


def _room(table: Table, letter: str) -> Room | None:
    """Return the room if two rooms play; the label of a single table has an `o` too."""
    item = table.last("pn")
    names = len(item.value.split(",")) if item else len(table.heading.players)
    if letter == "c":
        return Room.CLOSED
    return Room.OPEN if letter == "o" and (names > 4 or any(table.heading.teams)) else None


def _agrees(result: Result, contract: Contract | None) -> bool:
    named = result.contract
    if named is None or contract is None:
        return named is contract
    return is_same_bid(named, contract) and named.declarer == contract.declarer


def _is_led_to(named: Contract | None, contract: Contract | None, leader: Seat | None) -> bool:
    """Return whether the lead shows that the heading's declarer of the bid is the right one."""
    if named is None or contract is None or not is_same_bid(named, contract):
        return False
    return leader == named.declarer.next != contract.declarer.next


def _told(contract: Contract | None) -> str:
    return f"{contract} by {contract.declarer}" if contract else "passed out"


def _tricks(
    table: Table, board: Board, play: Play, result: Result | None, found: Deviations
) -> int | None:
    """Return declarer's tricks: by the cards if they decide, else by the claim or the heading."""
    told: list[tuple[int, str, Item | None]] = []
    played = tricks_of(play, board.deal)
    if played is not None:
        told.append((played, "the cards", None))
    claimed = claimed_of(table, found)
    if claimed is not None:
        told.append((claimed[0], "the claim", claimed[1]))
    if result is not None and result.tricks is not None:
        told.append((result.tricks, "the heading", None))
    if not told:
        found.add(Kind.UNFINISHED_PLAY, f"{len(play.cards)} cards are played")
        return None
    tricks, source, item = told[0]
    for other, says, where in told[1:]:
        if other != tricks:
            reason = f"{says}: {other} tricks; {source}: {tricks}, which is taken"
            found.add(Kind.RESULT, reason, where)
    if played is None:
        found.add(Kind.CLAIM, f"claimed after {len(play.cards)} cards", item)
        won = play.declarer_tricks
        lost = len(play.tricks) - won
        if not won <= tricks <= 13 - lost:
            reason = f"{tricks} tricks, but the play has {won} to {lost}: {tricks} are taken"
            found.add(Kind.RESULT, reason, item)
    return tricks
