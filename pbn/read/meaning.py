"""The interpretation of a game as a board record, and its deviations from PBN and the Laws.

`bridge` interprets auction and play, and Contract, Declarer, Result and Score are compared with
them. The order of tags does not matter. Nothing in a game raises an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile
from sys import intern
from typing import TypeVar, TypeVarTuple

from bridge_arena.base.recorded_text import whole_number
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board, standard_dealer, standard_vulnerability
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.deviations import Deviation, Deviations, Kind, Meaning, NoRecordError
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord, Mode, Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.pbn.arena_tables import faults_of, questions_of, times_of
from bridge_arena.pbn.model import Game, Section
from bridge_arena.pbn.read.auction import auction_of
from bridge_arena.pbn.read.play import cards_of, leader_of
from bridge_arena.pbn.values import (
    UNKNOWN,
    is_against_contract,
    is_passed_out,
    parse_contract,
    parse_deal,
    parse_declarer,
    parse_score,
    parse_tricks,
    parse_vulnerability,
    text_of,
)
from bridge_arena.pbn.write.compose import ADJUSTED, ADJUSTMENTS, DESCRIPTIONS

Count = dict[tuple[Seat | None, Vulnerability | None, Deal], int]
"""The boards without a number of a file so far, with the numbers that they got."""

_OTHER_SCORES = ("RUBBER", "CHICAGO", "CAVENDISH")
"""Kinds of scoring whose Score is not a score of duplicate bridge."""

_COUNTED = frozenset(
    "Board West North East South Dealer Vulnerable Deal Auction Declarer Contract Play Result "
    "Score".split()
)
"""Tags of which none is left out without a word."""

_ESCAPED = re.compile(r'%[^\["]+\[\s*(\w+)\s*"[^"]*"\s*\]\s*$')
"""A tag that ends a line with other text. One right after the sign was taken out on purpose."""

_ROOMS = {room.value: room for room in Room}
_ADJUSTED = {text: side for side, text in ADJUSTMENTS.items()}
_MODES = {text: mode for mode, text in DESCRIPTIONS.items()}
_TEXTS = "North East South West Event Date HomeTeam VisitTeam Scoring".split()
_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")


def board_of(
    game: Game, count: Count | None = None, deviations: Deviations[str] | None = None
) -> Board:
    """Return the board of a game.

    If the record of a second table leaves out the board, it is that of the game before. A dealer or
    vulnerability that is not given follows from the auction or the board's number (Law 2). A board
    without a number goes on counting from those in `count`; without it, its number is 1.

    NoRecordError is raised if the deal is missing, partly hidden or impossible, or the dealer or
    vulnerability that is given is none.
    """
    value = game.meant("Deal")
    try:
        deal = parse_deal(value)
    except ValueError as error:
        kind = Kind.HIDDEN_HANDS if "hidden" in str(error) else Kind.IMPOSSIBLE_DEAL
        kind = Kind.NO_DEAL if value.strip() in UNKNOWN else kind
        raise NoRecordError(kind, game.problem(str(error), "Deal")) from None
    dealer = _given(game, "Dealer", Seat.parse)
    vulnerability = _given(game, "Vulnerable", parse_vulnerability)
    number = number_of(game)
    if number is None:
        count = {} if count is None else count
        number = count.setdefault((dealer, vulnerability, deal), len(count) + 1)
    if dealer is None:
        dealer = _first_caller(game)
        why = f"as board {number} has it" if dealer is None else "who calls first"
        dealer = dealer or standard_dealer(number)
        if deviations is not None:
            deviations.add(Kind.NO_DEALER, f"it is not given: {dealer} is taken, {why}", "Dealer")
    if vulnerability is None:
        vulnerability = standard_vulnerability(number)
        if deviations is not None:
            reason = f"it is not given: {vulnerability} is taken, as board {number} has it"
            deviations.add(Kind.NO_DEALER, reason, "Vulnerable")
    return Board(number, dealer, vulnerability, deal)


def _given(game: Game, name: str, parse: Callable[[str], _T]) -> _T | None:
    """Return what a tag says, or None if it says nothing. Raises NoRecordError."""
    text = game.meant(name).strip()
    if text in UNKNOWN:
        return None
    try:
        return parse(text)
    except ValueError as error:
        raise NoRecordError(Kind.NO_DEALER, game.problem(str(error), name)) from None


def _first_caller(game: Game) -> Seat | None:
    """Return the seat with which the auction begins; None if there is none."""
    tag = game.tag("Auction")
    if tag is None or tag.value.strip() in UNKNOWN:
        return None
    try:
        column = Seat.parse(tag.value.strip())
    except BridgeError:
        return None
    tokens = tag.tokens if isinstance(tag, Section) else []
    # A hyphen stands for each place before the dealer's.
    places = len(list(takewhile("-".__eq__, tokens)))
    return SEATS[(column + places) % 4]


def number_of(game: Game) -> int | None:
    """Return the board's number; None if it is missing or odd."""
    return whole_number(game.meant("Board").strip()) or None


def meaning_of(game: Game, count: Count | None = None) -> Meaning:
    """Interpret a game; `count` has the boards before it that have no number (see `board_of`)."""
    deviations: Deviations[str] = Deviations(game)
    _note_left_out(game, deviations)
    board = record = failure = None
    try:
        board = board_of(game, count, deviations)
        if game.implied:
            reason = "no Deal: that of the game before is meant"
            deviations.add(Kind.IMPLIED_DEAL, reason, line=game.line)
        record = _Reading(game, board, deviations).record()
    except NoRecordError as error:
        failure = error
        deviations.add_error(error)
    return Meaning(board, record, failure, list(deviations))


def _note_left_out(game: Game, deviations: Deviations[str]) -> None:
    """Note tags of the board, the players and the play that are left out."""
    for name in game.values.keys() - _COUNTED:
        if name.capitalize() in _COUNTED:
            reason = f"it is left out, as its name is not {name.capitalize()}"
            deviations.add(Kind.LEFT_OUT, reason, name)
    for escape in game.escapes:
        match = _ESCAPED.match(escape.text)
        if match is not None and match[1] in _COUNTED:
            reason = f"{match[1]} is left out, as it is in a line that begins with %"
            deviations.add(Kind.LEFT_OUT, reason, line=escape.line)
    if len(game.values) == len(game.tags):
        return  # most games have no tag twice
    said: dict[str, tuple[str, list[str]]] = {}
    differ: dict[str, int] = {}
    for tag in game.tags:
        if tag.name in _COUNTED:
            says = tag.value, tag.tokens if isinstance(tag, Section) else []
            if said.setdefault(tag.name, says) != says:
                differ.setdefault(tag.name, tag.line)
    if differ:
        reason = f"{', '.join(differ)}: twice, and the first that says anything counts"
        deviations.add(Kind.LEFT_OUT, reason, line=min(differ.values()))


def deviations_of(game: Game) -> list[Deviation]:
    """Return all deviations of a game, including the reason why it is no record."""
    return meaning_of(game).deviations


class _Reading:
    """The reading of one game with a board as a record."""

    __slots__ = ("_board", "_deviations", "_game", "_get", "_is_swapped")

    def __init__(self, game: Game, board: Board, deviations: Deviations[str]) -> None:
        self._game = game
        self._get = game.get
        self._board = board
        self._deviations = deviations
        # Whether declarer and dummy were swapped.
        self._is_swapped = game.get("Declarer").startswith("^")

    def record(self) -> BoardRecord:
        game, board, get = self._game, self._board, self._get
        named, failure = self._named()
        expected = None if self._is_swapped else named
        auction, calls = auction_of(game, board.dealer, self._deviations, expected, self._leader)
        if failure is not None:
            named = self._named_by_auction(auction, failure)
        contract = self._contract(auction, named)
        play, cards = cards_of(game, contract, board.deal, self._deviations)
        passed_out = contract is None and (auction.is_passed_out or is_passed_out(get("Contract")))
        tricks = None
        if not passed_out:
            tricks = self._stated_tricks(contract)
            if play is not None:
                tricks = self._compared_result(play, tricks)
        is_known = passed_out or (contract is not None and tricks is not None)
        worth = score_ns(contract, tricks, board.vulnerability) if is_known else None
        # One text for all games in which it is the same: thousands of an event may be held at once.
        texts = [intern(text_of(game.values.get(name, ""))) for name in _TEXTS]
        north, east, south, west, event, date, home, visitors, scoring = texts
        record = BoardRecord(
            board=board,
            players=(north, east, south, west),
            calls=calls,
            contract=contract,
            cards=cards,
            tricks=tricks,
            score=self._compared_score(contract, worth),
            faults=faults_of(game),
            event=event,
            date=date,
            room=_ROOMS.get(get("Room").strip().capitalize()),
            home=home,
            visitors=visitors,
            mode=_MODES.get(get("Description"), Mode.FULL),
            round=whole_number(get("Round")),
            table=whole_number(get("Table")),
            adjusted=_ADJUSTED.get(get(ADJUSTED)),
            scoring=scoring,
        )
        questions, times = questions_of(game, record), times_of(game, record)
        return replace(record, questions=questions, times=times) if questions or times else record

    def _leader(self) -> Seat | None:
        return leader_of(self._game, self._board.deal)

    def _named(self) -> tuple[Contract | None, NoRecordError | None]:
        """Return the contract of the tags, or the error of tags that cannot be read as one."""
        try:
            declarer = self._parsed(Kind.CONTRACT, "Declarer", parse_declarer)
            return self._parsed(Kind.CONTRACT, "Contract", parse_contract, declarer), None
        except NoRecordError as error:
            return None, error

    def _named_by_auction(self, auction: Auction, failure: NoRecordError) -> Contract | None:
        """Return the contract of tags that cannot be read as one, with the auction's declarer.

        None if it is not known. The error of the tags is raised if the auction does not tell the
        contract, or tells that there is none.
        """
        reached = auction.contract
        declarer = reached.declarer if reached else auction.dealer
        try:
            named = parse_contract(self._get("Contract"), declarer)
        except ValueError:
            named = None
        if not auction.is_over or (named is not None and reached is None):
            raise failure
        self._deviations.add_error(failure)
        return named

    def _parsed(self, kind: Kind, name: str, parse: Callable[[str, *_Ts], _T], *args: *_Ts) -> _T:
        """Return a tag's value, parsed; raise the error of a value that cannot be parsed."""
        try:
            return parse(self._game.values.get(name, ""), *args)
        except ValueError as error:
            raise self._deviations.fatal(kind, str(error), name) from None

    def _readable(
        self, kind: Kind, name: str, parse: Callable[[str, *_Ts], _T], *args: *_Ts
    ) -> _T | None:
        """Return a tag's value, parsed; note one that cannot be parsed, and return None."""
        try:
            return parse(self._game.values.get(name, ""), *args)
        except ValueError as error:
            self._deviations.add(kind, str(error), name)
            return None

    def _contract(self, auction: Auction, named: Contract | None) -> Contract | None:
        """Return the contract of a finished auction, else that of the tags; None if there is none.

        If both name the same bid, the auction decides whether it is doubled, and the holder of the
        first card of the play decides between two declarers. NoRecordError is raised if auction and
        tags contradict each other.
        """
        if not auction.is_over:
            return named
        reached = auction.contract
        if self._is_swapped and reached is not None and named is not None:
            reached = replace(reached, declarer=named.declarer)
        if named == reached or (named is None and not is_passed_out(self._get("Contract"))):
            return reached
        says = f"{named} by {named.declarer}" if named else "passed out"
        ends = f"{reached} by {reached.declarer}" if reached else "passed out"
        reason = f"it says {says}, the auction ends {ends}"
        if named is None or reached is None or not named.has_bid_of(reached):
            raise self._deviations.fatal(Kind.CONTRACT, reason, "Contract")
        if named.declarer != reached.declarer and self._leader() != reached.declarer.next:
            raise self._deviations.fatal(Kind.CONTRACT, reason, "Contract")
        self._deviations.add(Kind.CONTRACT, reason, "Contract")
        return reached

    def _stated_tricks(self, contract: Contract | None) -> int | None:
        """Return declarer's tricks by the tags; note those that count from the contract."""
        seat, level = (contract.declarer, contract.level) if contract else (None, None)
        tricks = self._readable(Kind.RESULT, "Result", parse_tricks, seat, level)
        value = self._get("Result")
        if tricks is not None and not value.isdigit() and is_against_contract(value):
            reason = f"{value!r} is not a number of tricks: read as {tricks}, from the contract"
            self._deviations.add(Kind.RESULT, reason, "Result")
        return tricks

    def _compared_result(self, play: Play, tricks: int | None) -> int | None:
        """Return declarer's tricks, compared with the tricks played; None if they are not known.

        The result of the tags holds, even if the players agreed on a wrong one, unless it
        contradicts a play of all 52 cards.
        """
        add = self._deviations.add
        won = play.declarer_tricks
        if not play.is_over:
            if tricks is not None:
                add(Kind.CLAIM, f"claimed after {len(play.cards)} cards", "Play")
            else:
                add(Kind.UNFINISHED_PLAY, f"{len(play.cards)} cards are played", "Play")
        if tricks is None:
            return won if play.is_over else None
        lost = sum(play.won) - won
        contradicts = tricks < won or 13 - tricks < lost
        if not contradicts or self._get("Result").strip().startswith("^"):
            return tricks
        add(Kind.RESULT, f"{tricks} tricks, but the play has {won} to {lost}", "Result")
        return won if play.is_over else tricks

    def _compared_score(self, contract: Contract | None, worth: int | None) -> int | None:
        """Return North-South's points by the tags, else by the result; note where they differ."""
        declarer = contract.declarer if contract else None
        score = self._readable(Kind.SCORE, "Score", parse_score, declarer)
        if score is None:
            return worth
        if worth in (None, score):
            return score
        if not self._get("Scoring").upper().startswith(_OTHER_SCORES):
            reason = f"NS {score}, but the result is worth NS {worth}"
            self._deviations.add(Kind.SCORE, reason, "Score")
        return score
