"""The differences between programs that speak Blue Chip, as options by name.

Lines are read in every known form. A quirk changes what is written, or what is expected of the
other end. `docs/bluechip.md` has them in a table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Literal, get_args, get_type_hints


class QuirkError(ValueError):
    """An unknown quirk, or an unknown value of one."""


@dataclass(frozen=True, slots=True)
class Quirks:
    """The quirks of one program; the defaults are the protocol's standard form."""

    # The letters of seats, passes and doubles: `North passes` or `NORTH PASSES`.
    letters: Literal["plain", "upper"] = "plain"
    # The order in a single card: `JD` or `DJ`.
    card: Literal["rank-suit", "suit-rank"] = "rank-suit"
    # The letters of a single card.
    card_case: Literal["upper", "lower"] = "upper"
    # The colon after a heading: `cards : S A`, `cards: S A` or `cards S A`.
    colon: Literal["spaced", "close", "none"] = "spaced"
    # Whether full stops end the parts of a line about a board or a hand.
    stop: bool = True
    # Whether quotation marks enclose the name of a team.
    quotes: bool = True
    # The word before the meaning of a call that is not alerted; `none`: it is not sent.
    infos: Literal["infos", "alert", "none"] = "infos"
    # The line before dummy's lead: `Dummy to lead`, the seat's name instead, or no line.
    dummy_lead: Literal["dummy", "seat", "none"] = "dummy"
    # Manager: whether it tells the times after each board.
    timing: bool = True
    # Manager: whether it answers an illegal call or card by `Illegal bid` or `Illegal card`.
    illegal: bool = True
    # Client: whether it uses the manager's dealer and vulnerability, or assumes that North deals
    # and nobody is vulnerable.
    board: Literal["told", "fixed"] = "told"
    # Client: whether it asks for the meaning of an opponent's bid or double that came without one.
    explain: bool = False

    @property
    def of_client_alone(self) -> str:
        """The first changed quirk that concerns only a client; empty if there is none."""
        changed = (each for each in _CLIENT if getattr(self, each) != getattr(STANDARD, each))
        return next(changed, "")

    @classmethod
    def parse(cls, items: Iterable[str]) -> Quirks:
        """Read quirks.

        Args:
            items: Items like `card=suit-rank` or `timing=no`.

        Returns:
            The quirks.

        Raises:
            QuirkError: An item is unknown, has a wrong value, or is given twice.
        """
        kinds = get_type_hints(cls)
        chosen: dict[str, str | bool] = {}
        for item in items:
            name, equals, value = item.partition("=")
            if not equals or name not in kinds:
                known = ", ".join(field.name for field in fields(cls))
                raise QuirkError(f"there is no quirk {item!r} (NAME=VALUE with one of {known})")
            if name in chosen:
                raise QuirkError(f"quirk {name} is given twice")
            allowed: dict[str, str | bool] = {each: each for each in get_args(kinds[name])}
            if kinds[name] is bool:
                allowed = {"yes": True, "no": False}
            if value not in allowed:
                raise QuirkError(f"quirk {name} is {value!r}, expected one of {', '.join(allowed)}")
            chosen[name] = allowed[value]
        return cls(**chosen)  # type: ignore[arg-type]


_CLIENT = ("board", "explain")

STANDARD = Quirks()
"""The protocol's standard form."""
