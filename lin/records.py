"""Board records of LIN files: what each table means, and its deviations from LIN and the Laws.

Nothing at a table raises an error, and only a missing deal leaves it without a record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bridge_arena.base.recorded_text import Problem, RecordedTextError, Source
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.deviations import (
    Deviation,
    Deviations,
    Kind,
    Meaning,
    NoRecordError,
    records_in,
)
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.lin.auction import Signs, bidding_of
from bridge_arena.lin.boards import board_of, number_of, players_of
from bridge_arena.lin.model import Item, Table
from bridge_arena.lin.notation import Result, parse_result
from bridge_arena.lin.play import cards_of, claimed_of, play_of, tricks_of
from bridge_arena.lin.reader import TableReader, label_of

SCORING = {"I": "IMP", "P": "MP", "B": "BAM"}
"""PBN's word for each scoring letter of a heading."""

LETTERS = {word: letter for letter, word in SCORING.items()} | {"MATCHPOINTS": "P"}
"""The heading's letter for each of PBN's words, in capitals."""


def meaning_of(table: Table) -> Meaning:
    """Interpret a table."""
    deviations: Deviations[Item] = Deviations(table)
    record = failure = None
    try:
        record = _record(table, deviations)
    except NoRecordError as error:
        failure = error
        deviations.add_error(error)
    texts = [Deviation(Kind.NOT_LIN, problem) for problem in table.problems]
    board = record.board if record else None
    return Meaning(board, record, failure, [*texts, *deviations])


def _record(table: Table, deviations: Deviations[Item]) -> BoardRecord:
    board = board_of(table, deviations)
    heading = table.heading
    letter, label = _label(table)
    is_closed = letter == "c"
    result = _result(table, label or board.number, deviations, is_closed=is_closed)
    named = result.contract if result else None
    cards = cards_of(table, deviations)
    leader = board.deal.holder(cards[0][0]) if cards else None
    signs = Signs(named, leader, is_claimed=table.last("mc") is not None)
    bidding = bidding_of(table, board.dealer, deviations, signs)
    contract, passed_out = bidding.contract, bidding.is_passed_out
    if result is not None:
        if contract is None and not passed_out:
            contract, passed_out = named, named is None
        elif not _agrees(result, contract):
            says, ends = _in_words(named), _in_words(contract)
            reason = f"the heading says {says}, the auction ends {ends}"
            if _is_led_to(named, contract, leader):
                contract = named
                deviations.add(Kind.CONTRACT, f"{reason}: by the lead the first is taken")
            else:
                result = None
                deviations.add(Kind.CONTRACT, f"{reason}, which is taken")
    play = None
    if contract is not None:
        play = play_of(cards, contract, board.deal, deviations)
    else:
        claim = claimed_of(table, deviations)
        if cards:
            reason = f"{len(cards)} cards without a known contract are left out"
            deviations.add(Kind.NO_CONTRACT, reason, cards[0][1])
        if claim:
            reason = f"{claim[0]} tricks without a known contract are left out"
            deviations.add(Kind.RESULT, reason, claim[1])
    tricks = None if play is None else _tricks(table, board, play, result, deviations)
    is_finished = passed_out or tricks is not None
    return BoardRecord(
        board=board,
        players=players_of(table, is_closed=is_closed, deviations=deviations),
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
    table: Table, number: int | None, deviations: Deviations[Item], *, is_closed: bool
) -> Result | None:
    """Return the heading's result of a table; None if it tells none that can be read."""
    heading = table.heading
    if heading.first is None and any(heading.results):
        reason = "the heading does not name its first board: its results are left out"
        deviations.add(Kind.RESULT, reason)
        return None
    text = heading.result_of(number, is_closed=is_closed)
    result = parse_result(text)
    if result is None and text.strip("-?* "):
        deviations.add(Kind.RESULT, f"{text[:20]!r} in the heading is no result: it is left out")
    elif result is not None and result.tricks is None and text.strip()[-1].isdigit():
        reason = f"{text[:20]!r} in the heading tells no possible tricks: they are left out"
        deviations.add(Kind.RESULT, reason)
    return result


def _label(table: Table) -> tuple[str, int | None]:
    """Return the room's letter, or an empty text, and the number of the label."""
    item = table.last("qx")
    return (item and label_of(item.value)) or ("", None)


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
    return named.has_bid_of(contract) and named.declarer == contract.declarer


def _is_led_to(named: Contract | None, contract: Contract | None, leader: Seat | None) -> bool:
    """Return whether the lead shows that the heading's declarer of the bid is the right one."""
    if named is None or contract is None or not named.has_bid_of(contract):
        return False
    return leader == named.declarer.next != contract.declarer.next


def _in_words(contract: Contract | None) -> str:
    return f"{contract} by {contract.declarer}" if contract else "passed out"


def _tricks(
    table: Table, board: Board, play: Play, result: Result | None, deviations: Deviations[Item]
) -> int | None:
    """Return declarer's tricks: by the cards if they decide, else by the claim or the heading."""
    claims: list[tuple[int, str, Item | None]] = []
    played = tricks_of(play, board.deal)
    if played is not None:
        claims.append((played, "the cards", None))
    claimed = claimed_of(table, deviations)
    if claimed is not None:
        claims.append((claimed[0], "the claim", claimed[1]))
    if result is not None and result.tricks is not None:
        claims.append((result.tricks, "the heading", None))
    if not claims:
        deviations.add(Kind.UNFINISHED_PLAY, f"{len(play.cards)} cards are played")
        return None
    tricks, source, item = claims[0]
    for other, says, where in claims[1:]:
        if other != tricks:
            reason = f"{says}: {other} tricks; {source}: {tricks}, which is taken"
            deviations.add(Kind.RESULT, reason, where)
    if played is None:
        deviations.add(Kind.CLAIM, f"claimed after {len(play.cards)} cards", item)
        won = play.declarer_tricks
        lost = len(play.tricks) - won
        if not won <= tricks <= 13 - lost:
            reason = f"{tricks} tricks, but the play has {won} to {lost}: {tricks} are taken"
            deviations.add(Kind.RESULT, reason, item)
    return tricks


def meanings_of(tables: Iterable[Table]) -> Iterator[tuple[Table, Meaning]]:
    """Yield tables with their meanings; boards without a number get the running count."""
    numbers: dict[tuple[Seat, Vulnerability, Deal], int] = {}
    for table in tables:
        meaning = meaning_of(table)
        record = meaning.record
        if record is not None and number_of(table) is None:
            board = record.board
            identity = board.dealer, board.vulnerability, board.deal
            board = replace(board, number=numbers.setdefault(identity, len(numbers) + 1))
            meaning = replace(meaning, board=board, record=replace(record, board=board))
        yield table, meaning


def read_boards(source: Source, problems: list[Problem] | None = None) -> list[Board]:
    """Read the distinct boards of a file, in file order, as `read_records` does."""
    return list(dict.fromkeys(record.board for record in read_records(source, problems)))


def read_records(source: Source, problems: list[Problem] | None = None) -> Iterator[BoardRecord]:
    """Yield the records of a file, one at a time; boards without a number get the running count.

    RecordedTextError is raised if the file cannot be read or has no table. A table without a
    possible deal raises it too, unless there is a list `problems`, which receives its problem.
    """
    tables = TableReader(source)
    yield from records_in(meanings_of(tables), problems)
    if not tables.count:
        line = tables.problems[0].line if tables.problems else 0
        reason = "this is not a LIN file: it has no board"
        raise RecordedTextError(Problem(tables.name, line, 0, reason))
