"""The request that asks for a call or card: a path, and a position as the parameters of a query."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.http_robot.errors import ParameterError
from bridge_arena.protocol.http_robot.position import Kind, Position
from bridge_arena.protocol.http_robot.spelling import (
    read_calls,
    read_cards,
    read_hand,
    read_vulnerability,
    write_calls,
    write_cards,
)

PARAMETERS = frozenset(
    {"hand", "dummy", "seat", "dealer", "vul", "ctx", "played", "details", "tricks"}
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

    def read(name: str, reader: Callable[[str], T]) -> T:
        text = parameters.get(name)
        if text is None:
            raise ParameterError(name, "it is missing")
        try:
            return reader(text)
        except NotationError as error:
            raise ParameterError(name, str(error)) from None

    position = Position(
        read("seat", Seat.parse),
        read("hand", read_hand),
        read("dealer", Seat.parse),
        read("vul", read_vulnerability),
        tuple(read("ctx", read_calls)),
        read("dummy", read_hand) if parameters.get("dummy") else None,
        tuple(read("played", read_cards)) if parameters.get("played") else (),
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
