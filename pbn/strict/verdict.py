"""The verdict on a file by the letter of PBN 2.1, game by game.

The verdicts are those of the standard's own verifier: a game is as bad as its worst finding, and a
file as its worst game. The tolerant `pbn.read.reader` forgives nearly all of this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from bridge_arena.base.recorded_text import Problem, RecordedTextError, Source, opened
from bridge_arena.pbn.strict.facts import Finding, Severity
from bridge_arena.pbn.strict.reader import StrictReader

__all__ = ["FileVerdict", "Finding", "GameVerdict", "Severity", "game_verdicts", "verdict_of"]


@dataclass(frozen=True, slots=True)
class GameVerdict:
    """The verdict on one game; text without any tag counts as a severe game."""

    number: int  # the game's number in the file, from 1
    severity: Severity  # the worst of the findings
    # The faults: the first of each line, and worse ones after it.
    findings: tuple[Finding, ...] = ()


@dataclass(slots=True)
class FileVerdict:
    """The verdict on a file."""

    file: str  # the file's name
    # The number of games of each severity.
    counts: Counter[Severity] = field(default_factory=Counter)
    # The first findings, each with the number of its game.
    findings: list[tuple[int, Finding]] = field(default_factory=list)
    left_out: int = 0  # the number of findings beyond those kept
    # The reason why the file could not be read to its end; None if it was.
    broken: Problem | None = None

    @property
    def games(self) -> int:
        """The number of games."""
        return self.counts.total()

    @property
    def severity(self) -> Severity:
        """The worst severity of the games; a file without games is clean."""
        return max(self.counts, default=Severity.CLEAN)

    def __str__(self) -> str:
        """Return the verifier's words: `severe PBN error : 8; PBN warning : 230`, or `OK`."""
        parts = [
            f"{severity.title} : {self.counts[severity]}"
            for severity in reversed(Severity)
            if severity and self.counts[severity]
        ]
        return "; ".join(parts) or "OK"


def game_verdicts(source: Source, name: str | None = None) -> Iterator[GameVerdict]:
    """Yield the verdict on each game of a file; raise RecordedTextError if it cannot be read."""
    with opened(source, str(source) if name is None else name) as stream:
        for number, findings in enumerate(StrictReader(stream), 1):
            severity = max((finding.severity for finding in findings), default=Severity.CLEAN)
            yield GameVerdict(number, severity, tuple(findings))


def verdict_of(source: Source, name: str | None = None, keep: int = 1000) -> FileVerdict:
    """Return the verdict on a whole file, with the first `keep` findings.

    If a file cannot be read to its end, the verdict is on the games before the damage; if there are
    none, RecordedTextError is raised. The file's name in problems is by default the path.
    """
    verdict = FileVerdict(str(source) if name is None else name)
    try:
        for game in game_verdicts(source, verdict.file):
            verdict.counts[game.severity] += 1
            room = max(0, keep - len(verdict.findings))
            verdict.findings += [(game.number, finding) for finding in game.findings[:room]]
            verdict.left_out += max(0, len(game.findings) - room)
    except RecordedTextError as error:
        if not verdict.games:
            raise
        verdict.broken = error.problem
    return verdict
