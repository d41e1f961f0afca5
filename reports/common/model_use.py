"""What an entry asked of a language model, and what came of it.

All of it is what the bot itself has counted and told (`bridge.record.ModelUse`); nobody checks it.
Faults are the table's own count (`reports.common.conduct`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.record import ModelUse
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean


@dataclass(frozen=True, slots=True)
class PhaseFigures:
    """The decisions of one phase, the auction or the play.

    Attributes:
        decisions: The number of decisions that the model was asked for.
        retries: Questions that were asked again, whatever was wrong.
        unreadable: Answers that named no call or card.
        illegal: Answers that named an illegal one.
        failed: Questions that got no answer.
        by_the_table: Decisions without a good answer: the table acted.
        bad_answers: The share of unreadable and illegal answers among all answers.
    """

    decisions: int
    retries: int
    unreadable: int
    illegal: int
    failed: int
    by_the_table: int
    bad_answers: Mean


@dataclass(frozen=True, slots=True)
class ModelFigures:
    """What an entry asked of a language model.

    Attributes:
        auction: The decisions of the auction.
        play: The decisions of the play.
        boards: The number of boards at which it was asked, with all tables of each.
        tokens_in: The tokens of all questions.
        tokens_out: The tokens of all answers.
        money: The price of the tokens.
        tokens_a_board: The tokens of questions and answers for a board, at all its tables.
        money_a_board: The price of the tokens for a board, at all its tables.
        seconds: The seconds that it waited for the service, for a decision.
        same: The share of decisions, of those asked for once more, that were the same again.
    """

    auction: PhaseFigures
    play: PhaseFigures
    boards: int
    tokens_in: int
    tokens_out: int
    money: float
    tokens_a_board: float
    money_a_board: float
    seconds: Mean
    same: Mean


def model_figures(tables: Iterable[SeatedTable], name: str) -> ModelFigures | None:
    """Return what an entry asked of a language model at the tables where it sat.

    Args:
        tables: The tables.
        name: The entry's name.

    Returns:
        The figures; None if it asked none.
    """
    bidding: list[_Use] = []
    playing: list[_Use] = []
    for table in tables:
        for thought in table.record.thoughts:
            if thought.model is not None and table.names[thought.seat] == name:
                phase = bidding if thought.action < len(table.record.calls) else playing
                phase.append((table.board.deal, thought.model))
    uses = bidding + playing
    if not uses:
        return None
    boards = len({deal for deal, _ in uses})
    tokens_in = sum(use.tokens_in for _, use in uses)
    tokens_out = sum(use.tokens_out for _, use in uses)
    money = sum(use.money for _, use in uses)
    return ModelFigures(
        auction=_phase(bidding),
        play=_phase(playing),
        boards=boards,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        money=money,
        tokens_a_board=(tokens_in + tokens_out) / boards,
        money_a_board=money / boards,
        seconds=clustered_mean((deal, use.seconds) for deal, use in uses),
        same=clustered_mean((deal, float(use.same)) for deal, use in uses if use.same is not None),
    )


_Use = tuple[Deal, ModelUse]
"""A decision on a deal."""


def _phase(uses: Sequence[_Use]) -> PhaseFigures:
    return PhaseFigures(
        decisions=len(uses),
        retries=sum(max(0, use.questions - 1) for _, use in uses),
        unreadable=sum(use.unreadable for _, use in uses),
        illegal=sum(use.illegal for _, use in uses),
        failed=sum(use.failed for _, use in uses),
        by_the_table=sum(not use.answered for _, use in uses),
        bad_answers=clustered_mean(
            (deal, is_bad) for deal, use in uses for is_bad in _answers(use)
        ),
    )


def _answers(use: ModelUse) -> list[float]:
    """Return for each answer of a decision whether it was bad, 1 or 0."""
    return [1.0] * (use.unreadable + use.illegal) + [0.0] * use.answered
