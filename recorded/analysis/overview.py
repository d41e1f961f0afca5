"""What the terminal and the page show of all findings, besides the sums."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.oracle.ledger import Role
from bridge_arena.recorded.analysis.costs import Costs
from bridge_arena.recorded.analysis.findings import Finding
from bridge_arena.recorded.analysis.totals import Totals
from bridge_arena.recorded.biggest import Biggest
from bridge_arena.recorded.field.overview import FieldOverview

BIGGEST = 20
"""The number of boards shown: those farthest from par, or with the biggest swings."""

PROBLEMS = 50
"""Problems kept to be shown."""


@dataclass(slots=True)
class Overview:
    """Counts over all games."""

    games: int = 0
    contracts: int = 0  # games with a contract
    passed_out: int = 0  # boards that were passed out
    plays: int = 0  # plays with a ledger
    complete: int = 0  # plays of all 52 cards
    bad: int = 0  # games with errors
    unsolved: int = 0  # games that were not solved in time
    two_rooms: int = 0  # boards played in two rooms
    # Tables by tricks less double-dummy tricks.
    differences: Counter[int] = field(default_factory=Counter)
    # Double-dummy tricks lost, by role and number of the trick (1 to 13).
    lost: Counter[tuple[Role, int]] = field(default_factory=Counter)
    # Tables by the IMPs of their contract against par, for declarer's side.
    from_par: Counter[int] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)  # the problems to be shown
    totals: Totals = field(default_factory=Totals)  # the sums
    fields: FieldOverview = field(default_factory=FieldOverview)  # the counts of the fields
    costs: Costs = field(default_factory=Costs)  # what cards and calls cost
    _swings: Biggest[Finding] = field(default_factory=lambda: Biggest(BIGGEST))
    _farthest: Biggest[Finding] = field(default_factory=lambda: Biggest(BIGGEST))

    def add(self, finding: Finding) -> None:
        """Count a finding."""
        self.games += 1
        self.totals.add(finding)
        self.bad += bool(finding.entry.problems)
        record = finding.entry.record
        if record is None:
            return
        self.costs.add(finding, record)
        if record.contract is None:
            self.passed_out += record.is_finished
        else:
            self._add_contract(finding, record)
        self.unsolved += "no table" in finding.note or "no ledger" in finding.note
        if finding.imps is not None:
            self._farthest.add(abs(finding.imps), finding)
        if finding.rooms is not None and record.room == "Open":
            self.two_rooms += 1
            self._swings.add(abs(finding.rooms.swing), finding)

    def report(self, problem: str) -> None:
        """Note something that is wrong with a file."""
        if len(self.problems) < PROBLEMS:
            self.problems.append(problem)

    @property
    def swings(self) -> list[tuple[int, Finding]]:
        """Findings of the open room with the home team's IMPs, the biggest swing first."""
        return [(each.rooms.swing, each) for each in self._swings if each.rooms is not None]

    @property
    def farthest(self) -> list[tuple[int, Finding]]:
        """Findings with North-South's IMPs against par, the farthest first."""
        return [(each.imps, each) for each in self._farthest if each.imps is not None]

    @property
    def equal_share(self) -> float | None:
        """The share of the contracts played that took exactly their double-dummy tricks."""
        played = self.differences.total()
        return self.differences[0] / played if played else None

    def _add_contract(self, finding: Finding, record: BoardRecord) -> None:
        assert record.contract is not None
        self.contracts += 1
        if finding.difference is not None:
            self.differences[finding.difference] += 1
        if finding.auction_imps is not None:
            sign = -1 if record.contract.declarer.side else 1
            self.from_par[sign * finding.auction_imps] += 1
        if finding.ledger is not None:
            self.plays += 1
            self.complete += len(record.cards) == 52
            for loss in finding.ledger.losses:
                if loss.card < len(record.cards):
                    self.lost[loss.role, loss.card // 4 + 1] += loss.tricks
