"""The verdict on a file against the letter of PBN 2.1, game by game.

The verdicts and what they rest on are those of the standard's own verifier: a game
is as bad as the worst that is found in it, and the file as its worst game. Reading
for use is the business of `pbn.read.reader`, which forgives nearly all of this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from bridge_arena.pbn.model import PbnError, Problem
from bridge_arena.pbn.strict.finding import Finding, Severity
from bridge_arena.pbn.strict.reader import StrictReader

__all__ = ["FileVerdict", "Finding", "GameVerdict", "Severity", "game_verdicts", "verdict_of"]


@dataclass(frozen=True, slots=True)
class GameVerdict:
    """One game, numbered from 1, and what is wrong with it: at most the first thing
    of each line. Text without any tag counts as a game, a severe one."""

    number: int
    severity: Severity
    findings: tuple[Finding, ...] = ()


@dataclass(slots=True)
class FileVerdict:
    """A file: how many games got which verdict, and the first findings."""

    file: str
    counts: Counter[Severity] = field(default_factory=Counter)
    findings: list[tuple[int, Finding]] = field(default_factory=list)
    """Pairs of a game's number and what is wrong with it."""
    left_out: int = 0
    """Findings beyond those kept."""
    broken: Problem | None = None
    """Why the file could not be read to its end; None where it was."""

    @property
    def games(self) -> int:
        return self.counts.total()

    @property
    def severity(self) -> Severity:
        """The worst of the games; a file without games is clean."""
        return max(self.counts, default=Severity.CLEAN)

    def __str__(self) -> str:
        """What the verifier says: `severe PBN error : 8; PBN warning : 230`, or `OK`."""
        parts = [
            f"{severity.title} : {self.counts[severity]}"
            for severity in reversed(Severity)
            if severity and self.counts[severity]
        ]
        return "; ".join(parts) or "OK"


def game_verdicts(source: str | Path | BinaryIO, name: str | None = None) -> Iterator[GameVerdict]:
    """The games of a file or binary stream with their verdicts, in flat memory. `name`: stands
    for it in problems.

    Raises PbnError when the file cannot be opened or read.
    """
    try:
        if isinstance(source, str | Path):
            with Path(source).open("rb") as stream:
                yield from _verdicts(stream)
        else:
            yield from _verdicts(source)
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
        raise PbnError(Problem(str(source) if name is None else name, 0, 0, reason)) from error


def _verdicts(stream: BinaryIO) -> Iterator[GameVerdict]:
    for number, findings in enumerate(StrictReader(stream), 1):
        severity = max((finding.severity for finding in findings), default=Severity.CLEAN)
        yield GameVerdict(number, severity, tuple(findings))


def verdict_of(
    source: str | Path | BinaryIO, name: str | None = None, keep: int = 1000
) -> FileVerdict:
    """The verdict on a whole file, with its first `keep` findings; on the games before the
    damage, where it cannot be read to its end.

    Raises PbnError when the file cannot be opened, or no game of it be read.
    """
    verdict = FileVerdict(str(source) if name is None else name)
    try:
        for game in game_verdicts(source, verdict.file):
            verdict.counts[game.severity] += 1
            room = max(0, keep - len(verdict.findings))
            verdict.findings += [(game.number, finding) for finding in game.findings[:room]]
            verdict.left_out += max(0, len(game.findings) - room)
    except PbnError as error:
        if not verdict.games:
            raise
        verdict.broken = error.problem
    return verdict
