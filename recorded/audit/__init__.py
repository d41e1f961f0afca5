"""The audit: a test whether an entry's calls and cards fit hands that it could not see."""

from __future__ import annotations

from enum import StrEnum

LAYOUTS = 16
"""The default number of layouts of the hidden cards for each decision."""


class Kind(StrEnum):
    """The kinds of decisions."""

    CALL = "calls"
    LEAD = "leads"
    DECLARER = "declarer"  # cards of declarer and dummy
    DEFENDER = "defenders"  # cards, except the opening lead

    @property
    def unit(self) -> str:
        """The unit of luck in decisions of this kind.

        Tricks vary less than IMPs and tell as much about cards; about calls they tell nothing.
        """
        return "IMPs" if self is Kind.CALL else "tricks"
