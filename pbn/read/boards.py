"""The board of a game: its number, dealer, vulnerability and deal."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import TypeVar

from bridge_arena.base.recorded_text import whole_number
from bridge_arena.bridge.board import Board, standard_dealer, standard_vulnerability
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.deviations import Deviations, Kind, NoRecordError
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.pbn.model import Game, Section
from bridge_arena.pbn.sections import parse_seat
from bridge_arena.pbn.values import UNKNOWN, parse_deal, parse_vulnerability

Count = dict[tuple[Seat | None, Vulnerability | None, Deal], int]
"""The boards without a number of a file so far, with the numbers that they got."""


def board_of(
    game: Game, count: Count | None = None, deviations: Deviations[str] | None = None
) -> Board:
    """Return the board of a game.

    If the record of a second table leaves out the board, it is that of the game before. A dealer or
    vulnerability that is not given follows from the auction or the board's number (Law 2).

    Args:
        game: The game.
        count: The boards before it that have no number; one that has none is counted on. Without
            it, its number is 1.
        deviations: Receives the deviations of the board.

    Raises:
        NoRecordError: The deal is missing, partly hidden or impossible, or the dealer or
            vulnerability that is given is none.
    """
    value = game.meant("Deal")
    try:
        deal = parse_deal(value)
    except ValueError as error:
        raise NoRecordError(_kind_of(value, str(error)), game.problem(str(error), "Deal")) from None
    dealer = _given(game, "Dealer", Seat.parse)
    vulnerability = _given(game, "Vulnerable", parse_vulnerability)
    number = number_of(game)
    if number is None:
        count = {} if count is None else count
        number = count.setdefault((dealer, vulnerability, deal), len(count) + 1)
    if dealer is None:
        dealer = _first_caller(game)
        why = f"as board {number} has it" if dealer is None else "who calls first"
        dealer = standard_dealer(number) if dealer is None else dealer
        if deviations is not None:
            deviations.add(Kind.NO_DEALER, f"it is not given: {dealer} is taken, {why}", "Dealer")
    if vulnerability is None:
        vulnerability = standard_vulnerability(number)
        if deviations is not None:
            reason = f"it is not given: {vulnerability} is taken, as board {number} has it"
            deviations.add(Kind.NO_DEALER, reason, "Vulnerable")
    return Board(number, dealer, vulnerability, deal)


_T = TypeVar("_T")


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
        column = parse_seat(tag.value)
    except BridgeError:
        return None
    tokens = tag.tokens if isinstance(tag, Section) else []
    # A hyphen stands for each place before the dealer's.
    places = len(list(takewhile("-".__eq__, tokens)))
    return SEATS[(column + places) % 4]


def _kind_of(value: str, reason: str) -> Kind:
    if value.strip() in ("", "?"):
        return Kind.NO_DEAL
    return Kind.HIDDEN_HANDS if "hidden" in reason else Kind.IMPOSSIBLE_DEAL


def number_of(game: Game) -> int | None:
    """Return the board's number; None if it is missing or odd."""
    return whole_number(game.meant("Board").strip()) or None
