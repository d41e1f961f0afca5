"""The figures of a replay: each board compared, and the means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bridge_arena.bridge.record import BoardRecord, FaultKind, Mode
from bridge_arena.bridge.scoring import imps, score_ns
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.recorded.replay.games import LeftOut, RecordedGame
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean


class Role(StrEnum):
    """The role of the bot on a board; ALL stands for both."""

    ALL = "all"
    DECLARER = "declarer"
    DEFENDER = "defender"


class Measure(StrEnum):
    """The figures that are compared: the bot's side's result less the other's."""

    VS_DD = "tricks_vs_dd"
    VS_RECORDED = "tricks_vs_recorded"
    VS_ORACLE = "tricks_vs_oracle"
    IMPS_VS_RECORDED = "imps_vs_recorded"


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A game of the file, as the bot and as the oracle played it."""

    game: RecordedGame
    seat: Seat  # the bot's seat
    bot: BoardRecord | None  # the record of the bot's board; None if it was not played
    oracle: BoardRecord | None  # the record of the oracle's board; None if it was not played
    dd_tricks: int | None  # declarer's in the bot's contract; None if not known

    @property
    def left_out(self) -> str:
        """Why the game is not counted; empty if it is."""
        if self.game.left_out is not None:
            return self.game.left_out.value
        if self.bot is None:
            return "not played yet"
        if self.bot.contract is None:
            return LeftOut.PASSED_OUT.value
        is_dummy = self.bot.contract.declarer.partner == self.seat
        return LeftOut.DUMMY.value if is_dummy else ""

    @property
    def role(self) -> Role | None:
        """The role of the bot, or None if the board is left out."""
        if self.left_out or self.bot is None or self.bot.contract is None:
            return None
        return Role.DECLARER if self.bot.contract.declarer == self.seat else Role.DEFENDER

    @property
    def differences(self) -> dict[Measure, int]:
        differences: dict[Measure, int] = {}
        if self.role is None or self.bot is None or self.bot.tricks is None:
            return differences
        sign = 1 if self.role is Role.DECLARER else -1
        others = {Measure.VS_DD: self.dd_tricks, Measure.VS_RECORDED: self._recorded_tricks}
        if self.oracle is not None:
            others[Measure.VS_ORACLE] = self.oracle.tricks
        for measure, tricks in others.items():
            if tricks is not None:
                differences[measure] = sign * (self.bot.tricks - tricks)
        score = self._recorded_score
        if score is not None and self.bot.score is not None:
            gained = self.bot.score - score
            differences[Measure.IMPS_VS_RECORDED] = imps(
                gained if self.seat.side is Side.NS else -gained
            )
        return differences

    @property
    def _recorded_tricks(self) -> int | None:
        """Declarer's tricks, if the record's declarer played the same denomination."""
        record = self.game.record
        own = None if self.bot is None else self.bot.contract
        if record is None or record.contract is None or own is None or record.mode is Mode.BIDDING:
            return None
        other = record.contract
        is_same = (other.declarer, other.denomination) == (own.declarer, own.denomination)
        return record.tricks if is_same else None

    @property
    def _recorded_score(self) -> int | None:
        """North-South's duplicate score of the recorded result."""
        record = self.game.record
        if record is None or record.tricks is None or record.mode is Mode.BIDDING:
            return None
        return score_ns(record.contract, record.tricks, record.board.vulnerability)


@dataclass(frozen=True, slots=True)
class Figures:
    games: int
    counted: int  # the number of games that are counted
    left_out: dict[str, int]  # the number of games left out, for each reason
    unsolved: int  # the number of boards without a double-dummy result
    faults: dict[FaultKind, int]  # the bot's own faults, by kind
    means: dict[Measure, dict[Role, Mean]]


def figures_of(replayed: Sequence[ReplayedGame]) -> Figures:
    """Return the figures of games; tables of the same deal are one cluster of the errors."""
    observations: dict[tuple[Measure, Role], list[tuple[object, int]]] = {}
    left_out: Counter[str] = Counter()
    faults: Counter[FaultKind] = Counter()
    unsolved = 0
    for played in replayed:
        if played.left_out:
            left_out[played.left_out] += 1
        if played.bot is not None:
            faults.update(fault.kind for fault in played.bot.faults if fault.seat == played.seat)
        if played.role is None or played.bot is None:
            continue
        unsolved += played.dd_tricks is None
        for measure, difference in played.differences.items():
            for role in (Role.ALL, played.role):
                pair = (played.bot.board.deal, difference)
                observations.setdefault((measure, role), []).append(pair)
    means = {
        measure: {role: clustered_mean(observations.get((measure, role), [])) for role in Role}
        for measure in Measure
    }
    counted = len(replayed) - left_out.total()
    return Figures(len(replayed), counted, dict(left_out), unsolved, dict(faults), means)
