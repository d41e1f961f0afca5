"""What programs that speak Blue Chip do differently, as options by name.

Lines are read in every form that is known; a quirk changes what is written, or what is
expected of the other end. `docs/bluechip.md` has them in a table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Literal, get_args, get_type_hints


class QuirkError(ValueError):
    """There is no such quirk, or it has no such value."""


@dataclass(frozen=True, slots=True)
class Quirks:
    """How one program speaks; the defaults are the protocol's standard form."""

    # Seats, passes and doubles: `North passes` or `NORTH PASSES`.
    letters: Literal["plain", "upper"] = "plain"
    # A card on its own: `JD` or `DJ`.
    card: Literal["rank-suit", "suit-rank"] = "rank-suit"
    # ... and its letters.
    card_case: Literal["upper", "lower"] = "upper"
    # After a heading: `cards : S A`, `cards: S A` or `cards S A`.
    colon: Literal["spaced", "close", "none"] = "spaced"
    # Full stops that end the parts of a line about a board or a hand.
    stop: bool = True
    # Quotation marks round the name of a team.
    quotes: bool = True
    # How the meaning of a call that is not alerted is sent, if it is.
    infos: Literal["infos", "alert", "none"] = "infos"
    # Dummy is to lead: `Dummy to lead`, the seat's name instead, or no such line.
    dummy_lead: Literal["dummy", "seat", "none"] = "dummy"
    # Manager: the times are told after each board.
    timing: bool = True
    # Manager: a call or card that is not legal is answered `Illegal bid` or `Illegal card`.
    illegal: bool = True
    # Client: believe what the manager says of a board, or take it that North deals and
    # nobody is vulnerable.
    board: Literal["told", "fixed"] = "told"
    # Client: ask what an opponent's bid or double means that came without a word.
    explain: bool = False

    @property
    def of_client_alone(self) -> str:
        """The first that changes nothing but what a client does; "" where there is none."""
        changed = (each for each in _CLIENT if getattr(self, each) != getattr(STANDARD, each))
        return next(changed, "")

    @classmethod
    def parse(cls, items: Iterable[str]) -> Quirks:
        """From items like `card=suit-rank` or `timing=no`. Raises QuirkError."""
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
