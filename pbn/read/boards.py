"""The board of a game: its number, dealer, vulnerability and deal."""

from __future__ import annotations

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.deviations import Kind, NoRecordError
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.numbers import whole_number
from bridge_arena.pbn.values import parse_deal, parse_vulnerability


def board_of(game: Game) -> Board:
    """Return the board of a game; its number is 1 if the game gives no positive one.

    If the record of a second table leaves out the board, it is that of the game before.

    Args:
        game: The game.

    Returns:
        The board.

    Raises:
        NoRecordError: The deal is missing, partly hidden or impossible, or the dealer or
            vulnerability is not given. The error names the field.
    """
    value = game.meant("Deal")
    try:
        deal = parse_deal(value)
    except ValueError as error:
        raise NoRecordError(_kind_of(value, str(error)), game.problem(str(error), "Deal")) from None
    try:
        dealer = Seat.parse(game.meant("Dealer").strip())
    except ValueError as error:
        raise NoRecordError(Kind.NO_DEALER, game.problem(str(error), "Dealer")) from None
    try:
        vulnerability = parse_vulnerability(game.meant("Vulnerable"))
    except ValueError as error:
        raise NoRecordError(Kind.NO_DEALER, game.problem(str(error), "Vulnerable")) from None
    return Board(number_of(game) or 1, dealer, vulnerability, deal)


def _kind_of(value: str, reason: str) -> Kind:
    if value.strip() in ("", "?"):
        return Kind.NO_DEAL
    return Kind.HIDDEN_HANDS if "hidden" in reason else Kind.IMPOSSIBLE_DEAL


def number_of(game: Game) -> int | None:
    """Return the board's number; None if it is missing or odd."""
    return whole_number(game.meant("Board").strip()) or None
