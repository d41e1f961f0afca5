"""The results in a heading's `rs`: contract and tricks of each table."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.seats import Seat
from bridge_arena.lin.model import Heading

_RESULT = re.compile(
    r"(?P<bid>[1-7](?:NT|[CDHSN]))(?P<risk>(?:XX?|DD?)?)(?P<seat>[NESW])(?P<after>(?:XX?|DD?)?)"
    r"(?P<result>=|[+-]\d{1,2})?",
    re.IGNORECASE,
)
_PASSED_OUT = frozenset(["PASS", "P", "AP", "PASSEDOUT"])


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one table.

    Attributes:
        contract: The contract; None if the board was passed out.
        tricks: Declarer's tricks; None if they are not known or the board was passed out.
    """

    contract: Contract | None = None
    tricks: int | None = None


def result_told(heading: Heading, number: int | None, *, is_closed: bool) -> str:
    """Return what the heading tells as the result of a board in one room.

    Args:
        heading: The heading.
        number: The board's number; None if it is not known.
        is_closed: Whether the room is the closed room.

    Returns:
        The text; empty if the heading has none.
    """
    if number is None or heading.first is None or number < heading.first:
        return ""
    at = 2 * (number - heading.first) + is_closed
    return heading.results[at] if at < len(heading.results) else ""


def parse_result(text: str) -> Result | None:
    """Return the result of a text like `4SWx-2`; None for any other text."""
    text = text.replace(" ", "").upper()
    if text in _PASSED_OUT:
        return Result()
    match = _RESULT.fullmatch(text)
    if match is None:
        return None
    bid = match["bid"].replace("NT", "N").replace("N", "NT")
    risk = (match["risk"] or match["after"]).replace("D", "X")
    try:
        contract = Contract.parse(bid + risk, Seat.parse(match["seat"]))
    except BridgeError:
        return None
    if not match["result"]:
        return Result(contract)
    over = 0 if match["result"] == "=" else int(match["result"])
    tricks = contract.tricks_needed + over
    return Result(contract, tricks if 0 <= tricks <= 13 else None)


def format_result(result: Result | None) -> str:
    """Return the text that `parse_result` reads; empty for None."""
    if result is None:
        return ""
    contract = result.contract
    if contract is None:
        return "PASS"
    text = f"{contract.level}{str(contract.denomination)[0]}{contract.declarer}"
    text += "x" * contract.risk
    if result.tricks is None:
        return text
    over = result.tricks - contract.tricks_needed
    return text + (f"{over:+}" if over else "=")
