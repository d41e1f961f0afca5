"""What the tags read so far say about a game, as far as later tokens depend on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from bridge_arena.bridge.calls import Contract, Denomination, Risk
from bridge_arena.bridge.cards import PACK
from bridge_arena.bridge.seats import Seat, Vulnerability


class Blank(Enum):
    """Instead of a value: no tag, or a tag with the value `?` or an empty one."""

    ABSENT = 0
    UNKNOWN = "?"
    EMPTY = ""


SeatOrBlank = Seat | Blank


@dataclass(slots=True)
class Facts:
    """Filled by `pbn.strict.tags`, read by the checks of auction and play."""

    dealer: SeatOrBlank = Blank.ABSENT
    vulnerability: Vulnerability | None = None
    declarer: SeatOrBlank = Blank.ABSENT
    # Declarer and dummy were swapped at the table (`^`).
    swapped: bool = False
    # The contract's parts; `passed_out` where the tag says Pass.
    level: int = 0
    denomination: Denomination | None = None
    risk: Risk | None = None
    passed_out: bool = False
    # Cards of each seat as masks, and the seats whose hand is `-`.
    hands: list[int] = field(default_factory=lambda: [0] * 4)
    hidden: set[Seat] = field(default_factory=set)
    # The cards in no hand that is given.
    rest: int = PACK.mask
    # A deal of fewer than 13 cards a hand.
    is_end_position: bool = False
    tricks: int | None = None
    # Players agreed on a wrong result (`^`).
    wrong_result: bool = False
    # The score as declarer's, or as North-South's and East-West's.
    own_score: int | None = None
    scores: tuple[int, int] | None = None
    # What ScoreRubberHistory says of the vulnerability.
    rubber: Vulnerability | None = None
    # Names of the tags in force in this game.
    tags: set[str] = field(default_factory=set)

    def contract(self) -> Contract:
        """The contract, where it is known, as for a score."""
        assert self.denomination is not None
        assert self.risk is not None
        assert isinstance(self.declarer, Seat)
        return Contract(self.level, self.denomination, self.risk, self.declarer)

    def score_of(self, declarer: Seat) -> int | None:
        """The score of declarer's side as given; None where it is not."""
        if self.own_score is not None:
            return self.own_score
        return None if self.scores is None else self.scores[declarer.side]
