"""The engine of the audit: worker processes judge decisions, and their findings are kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

from bridge_arena.base.bounded_work import AHEAD, as_completed
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.oracle.errors import OracleError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_canonical
from bridge_arena.recorded.audit import Kind
from bridge_arena.recorded.audit.decisions import Decision, decisions
from bridge_arena.recorded.audit.figures import Judged
from bridge_arena.recorded.audit.judge import Finding, judge
from bridge_arena.recorded.checkpoint import Checkpoint
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.server.claims import Claims
from bridge_arena.tournaments import Event


@dataclass(frozen=True, slots=True)
class Question:
    entry: str  # the name of the entry that decided
    decision: Decision
    unit: str  # the name of the question in the checkpoint


def fair_kinds(event: Event, kinds: Sequence[Kind]) -> list[Kind]:
    """Return the kinds of decisions that the records are enough to judge."""
    # After a refused claim the defenders have seen declarer's hand, and no record tells of it.
    return [kind for kind in kinds if kind is not Kind.DEFENDER or event.claims is Claims.OFF]


def questions_at(tables: Iterable[SeatedTable], kinds: Collection[Kind]) -> list[Question]:
    return [
        Question(table.names[decision.seat], decision, f"{name}/{decision.action}")
        for table in tables
        for name in (_name(table.record),)
        for decision in decisions(table.record)
        if decision.kind in kinds
    ]


def judge_all(
    questions: Sequence[Question],
    layouts: int,
    oracle: Oracle,
    checkpoint: Checkpoint,
    on_answer: Callable[[], None],
) -> None:
    """Judge what has not been judged yet.

    A decision that the solver cannot finish within its deadline is left open, and tried again by
    the next run. Raises CheckpointError.
    """
    left = (
        (question.unit, question) for question in questions if checkpoint.get(question.unit) is None
    )
    for answers in as_completed(
        left,
        lambda question: oracle.submit(judge, question.decision, layouts),
        lambda: AHEAD * oracle.workers,
    ):
        for unit, answer in answers:
            with suppress(OracleError):
                finding = answer.result()
                checkpoint.save(unit, **({} if finding is None else asdict(finding)))
            on_answer()


def judged(questions: Sequence[Question], checkpoint: Checkpoint) -> Iterator[Judged]:
    """Yield the findings on decisions in which something was at stake."""
    for question in questions:
        facts = checkpoint.get(question.unit)
        if facts:
            yield Judged(question.entry, question.decision, Finding(**facts))


def _name(record: BoardRecord) -> str:
    """Return a name for a table, which is always the same."""
    return hashlib.sha256(format_canonical(game_of(record)).encode()).hexdigest()[:24]
