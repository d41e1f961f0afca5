"""Games to boards and board records, with `bridge` as the judge; and back.

What it reads is what the arena writes (`game_of`), and other people's files as far
as they tell a board, or a record, beyond doubt. Result and Score are taken as
official: they are not compared with the cards played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from bridge.auction import Auction
from bridge.board import Board
from bridge.calls import Contract
from bridge.cards import Card, Deal
from bridge.play import Play
from bridge.record import BoardRecord, Fault, FaultKind, Room
from bridge.scoring import score_ns
from bridge.seats import Seat, Vulnerability
from pbn.compose import FAULT_COLUMNS, FAULTS, game_of
from pbn.lexer import unescape
from pbn.model import Game, PbnError, Problem
from pbn.reader import GameReader, Source, read_games
from pbn.sections import auction_of, cards_of
from pbn.values import (
    is_passed_out,
    parse_contract,
    parse_deal,
    parse_declarer,
    parse_score,
    parse_tricks,
    parse_vulnerability,
    text_of,
)

__all__ = ["board_of", "game_of", "read_boards", "read_records", "record_of"]

_Triple = tuple[Seat, Vulnerability, Deal]


def read_boards(source: Source, problems: list[Problem] | None = None) -> list[Board]:
    """The distinct boards of a file in file order, each once however many tables
    played it. A board without a number gets the running count.

    Raises PbnError for a file that cannot be read or has no game, and for the first
    game without a possible deal of 52 cards, dealer and vulnerability; or adds each
    such game to `problems`, where given, and goes on.
    """
    games = read_games(source)
    # The boards in order, as keys.
    boards: dict[Board, None] = {}
    numbers: dict[_Triple, int] = {}
    for game in games:
        try:
            board = board_of(game)
        except PbnError as error:
            if problems is None:
                raise
            problems.append(error.problem)
            continue
        boards.setdefault(_numbered(game, board, numbers))
    _check_is_pbn(games, empty_is_fine=False)
    return list(boards)


def read_records(source: Source, problems: list[Problem] | None = None) -> Iterator[BoardRecord]:
    """The records of a file, one at a time.

    Raises PbnError for a file that cannot be read or is not PBN, and for the first
    game that is no record; or adds each such game to `problems`, where given, and
    goes on. A PBN file without games has no records.
    """
    games = read_games(source)
    numbers: dict[_Triple, int] = {}
    for game in games:
        try:
            record = record_of(game)
        except PbnError as error:
            if problems is None:
                raise
            problems.append(error.problem)
            continue
        board = _numbered(game, record.board, numbers)
        yield record if board is record.board else replace(record, board=board)
    _check_is_pbn(games, empty_is_fine=True)


def board_of(game: Game) -> Board:
    """The board of a game; its number is 1 where the game gives no positive one.

    Raises PbnError, naming the field, where the deal is missing, partly hidden or
    impossible, or the dealer or vulnerability is not given.
    """
    deal = _parsed(game, "Deal", parse_deal)
    dealer = _parsed(game, "Dealer", lambda value: Seat.parse(value.strip()))
    vulnerability = _parsed(game, "Vulnerable", parse_vulnerability)
    return Board(_number(game) or 1, dealer, vulnerability, deal)


def record_of(game: Game) -> BoardRecord:
    """The record of a game.

    The contract is that of a finished auction, else the tags'. Tricks and score are
    those of the tags, else they follow from 52 cards played and from the tricks.
    Raises PbnError, naming the field, where there is no board, the auction or play is
    illegal, or auction and tags contradict each other.
    """
    board = board_of(game)
    auction, calls = auction_of(game, board.dealer)
    contract = _contract(game, auction)
    cards = cards_of(game, contract, board.deal)
    declarer = contract.declarer if contract else None
    passed_out = auction.is_passed_out or is_passed_out(game.get("Contract"))
    tricks = None
    if not passed_out:
        tricks = _parsed(game, "Result", lambda value: parse_tricks(value, declarer))
        if tricks is None and contract is not None and len(cards) == 52:
            tricks = _tricks(contract, cards)
    score = _parsed(game, "Score", lambda value: parse_score(value, declarer))
    if score is None and (passed_out or (contract is not None and tricks is not None)):
        score = score_ns(contract, tricks, board.vulnerability)
    return BoardRecord(
        board=board,
        players=_players(game),
        calls=calls,
        contract=contract,
        cards=cards,
        tricks=tricks,
        score=score,
        faults=_faults(game),
        event=text_of(game.get("Event")),
        date=text_of(game.get("Date")),
        room=_room(game.get("Room")),
        home=text_of(game.get("HomeTeam")),
        visitors=text_of(game.get("VisitTeam")),
    )


_T = TypeVar("_T")


def _parsed(game: Game, name: str, parse: Callable[[str], _T]) -> _T:
    """A tag's value, parsed; what it cannot mean becomes an error at its line."""
    try:
        return parse(game.get(name))
    except ValueError as error:
        raise game.error(str(error), name) from None


def _number(game: Game) -> int | None:
    """The board's number; None where it is missing or odd."""
    text = game.get("Board").strip()
    return int(text) or None if text.isdecimal() and len(text) < 10 else None


def _numbered(game: Game, board: Board, numbers: dict[_Triple, int]) -> Board:
    """The board, with the running count as its number if the game gives none."""
    if _number(game) is not None:
        return board
    triple = board.dealer, board.vulnerability, board.deal
    return replace(board, number=numbers.setdefault(triple, len(numbers) + 1))


def _contract(game: Game, auction: Auction) -> Contract | None:
    declarer = _parsed(game, "Declarer", parse_declarer)
    value = game.get("Contract")
    given = _parsed(game, "Contract", lambda text: parse_contract(text, declarer))
    if not auction.is_over:
        return given
    reached = auction.contract
    swapped = game.get("Declarer").strip().startswith("^")
    if swapped and reached is not None and declarer is not None:
        reached = replace(reached, declarer=declarer)
    if given not in (None, reached) or (reached and is_passed_out(value)):
        named = f"{given} by {given.declarer}" if given else "passed out"
        found = f"{reached} by {reached.declarer}" if reached else "passed out"
        raise game.error(f"it says {named}, the auction ends {found}", "Contract")
    return reached


def _tricks(contract: Contract, cards: tuple[Card, ...]) -> int:
    play = Play(contract)
    for card in cards:
        play.push(card)
    return play.declarer_tricks


def _players(game: Game) -> tuple[str, str, str, str]:
    north, east, south, west = (
        text_of(game.get(name)) for name in ("North", "East", "South", "West")
    )
    return north, east, south, west


def _room(value: str) -> Room | None:
    word = value.strip().capitalize()
    return Room(word) if word in tuple(Room) else None


def _faults(game: Game) -> tuple[Fault, ...]:
    """The rows of the ArenaFaults table; none where it is not the arena's."""
    section = game.section(FAULTS)
    if section is None:
        return ()
    faults: list[Fault] = []
    cells = [unescape(token[1:-1]) if token[0] == '"' else token for token in section.tokens]
    width = len(FAULT_COLUMNS)
    try:
        for start in range(0, len(cells), width):
            seat, kind, action, detail = cells[start : start + width]
            if seat == "-":
                last = faults.pop()
                faults.append(replace(last, detail=last.detail + detail))
            else:
                faults.append(Fault(Seat.parse(seat), FaultKind(kind), int(action), detail))
    except (ValueError, IndexError) as error:
        raise game.error(f"not a table of faults: {error}", FAULTS) from None
    return tuple(faults)


def _check_is_pbn(games: GameReader, *, empty_is_fine: bool) -> None:
    """Raises PbnError where a file, read to its end, held no game but other text."""
    if games.count:
        return
    if games.problems:
        line = games.problems[0].line
        raise PbnError(Problem(games.name, line, 0, "this is not a PBN file: it has no game"))
    if not empty_is_fine:
        raise PbnError(Problem(games.name, 0, 0, "it has no game"))
