"""The query of a request: a position in which a call or card is due, or an auction to explain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.protocol.http_robot.errors import ParameterError
from bridge_arena.protocol.http_robot.position import Kind, Position, auction_so_far
from bridge_arena.protocol.http_robot.spelling import (
    read_calls,
    read_cards,
    read_hand,
    read_vulnerability,
    write_calls,
    write_cards,
)

PARAMETERS = frozenset(
    {"hand", "dummy", "seat", "dealer", "vul", "ctx", "played", "format", "details", "tricks"}
)
"""The parameters that have a meaning here."""

T = TypeVar("T")


def parameters_of(position: Position) -> dict[str, str]:
    """Return the parameters that tell a robot of a position; its kind is the path.

    Args:
        position: The position.

    Returns:
        The values by name.
    """
    told = {
        "hand": str(position.hand),
        "seat": str(position.seat),
        "dealer": str(position.dealer),
        "vul": str(position.vulnerability),
        "ctx": write_calls(position.calls),
    }
    if position.dummy is not None:
        told |= {"dummy": str(position.dummy), "played": write_cards(position.played)}
    return told


def position_of(kind: Kind, parameters: Mapping[str, str]) -> Position:
    """Return the position that a request tells of.

    Args:
        kind: What is asked for.
        parameters: The values by name; others than those of `PARAMETERS` are ignored.

    Returns:
        The position, in which a bid, a lead or another card is due, as asked for.

    Raises:
        ParameterError: A parameter is missing or cannot be read, no such position can come up, or
            something else is due in it.
    """
    if parameters.get("format", "").lower() == "true":
        raise ParameterError("format", "cards are read in the order played alone, not as in PBN")
    position = Position(
        _read(parameters, "seat", Seat.parse),
        _read(parameters, "hand", read_hand),
        _read(parameters, "dealer", Seat.parse),
        _read(parameters, "vul", read_vulnerability),
        tuple(_read(parameters, "ctx", read_calls)),
        _read(parameters, "dummy", read_hand) if parameters.get("dummy") else None,
        tuple(_read(parameters, "played", read_cards)) if parameters.get("played") else (),
    )
    if position.kind is kind:
        return position
    if kind is Kind.BID:
        raise ParameterError("ctx", "the auction is over")
    if position.kind is Kind.BID:
        raise ParameterError("ctx", "the auction is not over")
    if kind is Kind.LEAD:
        raise ParameterError("played", "the opening lead is made: ask /play")
    raise ParameterError("played", "no card is played: ask /lead")


def auction_of(parameters: Mapping[str, str]) -> tuple[Auction, Vulnerability]:
    """Return the auction that a request tells of, over or not, and the vulnerability.

    Args:
        parameters: The values by name; others than `dealer`, `vul` and `ctx` are ignored.

    Returns:
        Both.

    Raises:
        ParameterError: A parameter is missing or cannot be read, or a call is illegal.
    """
    dealer = _read(parameters, "dealer", Seat.parse)
    vulnerability = _read(parameters, "vul", read_vulnerability)
    return auction_so_far(dealer, _read(parameters, "ctx", read_calls)), vulnerability


def _read(parameters: Mapping[str, str], name: str, reader: Callable[[str], T]) -> T:
    """Return what a parameter says. Raises ParameterError."""
    text = parameters.get(name)
    if text is None:
        raise ParameterError(name, "it is missing")
    try:
        return reader(text)
    except NotationError as error:
        raise ParameterError(name, str(error)) from None
