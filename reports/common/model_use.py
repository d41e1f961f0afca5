"""What an entry asked of a language model, and what came of it.

All of it is what the bot itself has counted and told (`bridge.record.ModelUse`); nobody checks it.
Faults are the table's own count (`reports.common.figures`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from bridge_arena.reports.common.columns import Column, terminal_table
from bridge_arena.reports.common.sums import Numbers, Sums
from bridge_arena.reports.common.tallies import NONE
from bridge_arena.reports.common.wording import decimal_text, error, share_text
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean_of


@dataclass(frozen=True, slots=True)
class PhaseFigures:
    """The decisions of one phase, the auction or the play."""

    decisions: int  # the number of decisions that the model was asked for
    retries: int  # questions that were asked again, whatever was wrong
    unreadable: int  # answers that named no call or card
    illegal: int  # answers that named an illegal one
    failed: int  # questions that got no answer
    by_the_table: int  # decisions without a good answer: the table acted
    bad_answers: Mean  # the share of unreadable and illegal answers among all answers


@dataclass(frozen=True, slots=True)
class ModelFigures:
    """What an entry asked of a language model."""

    auction: PhaseFigures  # the decisions of the auction
    play: PhaseFigures  # the decisions of the play
    boards: int  # the number of boards at which it was asked, with all tables of each
    tokens_in: int  # the tokens of all questions
    tokens_out: int  # the tokens of all answers
    money: float  # the price of the tokens
    tokens_a_board: float  # the tokens of questions and answers for a board, at all its tables
    money_a_board: float  # the price of the tokens for a board, at all its tables
    seconds: Mean  # the seconds that it waited for the service, for a decision
    same: Mean  # the share of decisions, of those asked for once more, that were the same again


def model_figures(sums: Sums, entry: int) -> ModelFigures | None:
    """Return what an entry asked of a language model where it sat; None if it asked nothing."""
    uses, at = sums.tallies.model_uses, sums.asking
    (own,) = np.nonzero(sums.seats[at, uses["seat"]] == entry)
    if not len(own):
        return None
    uses, deals = uses[own], sums.deals[at[own]]
    boards = len(np.unique(deals))
    tokens_in, tokens_out = int(uses["tokens_in"].sum()), int(uses["tokens_out"].sum())
    money = fsum(uses["money"].tolist())
    auction, play = (uses["in_play"] == is_play for is_play in (False, True))
    again = uses["same"] != NONE
    return ModelFigures(
        auction=_phase(uses[auction], deals[auction]),
        play=_phase(uses[play], deals[play]),
        boards=boards,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        money=money,
        tokens_a_board=(tokens_in + tokens_out) / boards,
        money_a_board=money / boards,
        seconds=clustered_mean_of(deals, uses["seconds"]),
        same=clustered_mean_of(deals[again], uses["same"][again]),
    )


def _phase(uses: NDArray[np.void], deals: Numbers) -> PhaseFigures:
    bad = uses["unreadable"] + uses["illegal"]
    return PhaseFigures(
        decisions=len(uses),
        retries=int(np.maximum(0, uses["questions"] - 1).sum()),
        unreadable=int(uses["unreadable"].sum()),
        illegal=int(uses["illegal"].sum()),
        failed=int(uses["failed"].sum()),
        by_the_table=int((uses["answered"] == 0).sum()),
        bad_answers=clustered_mean_of(deals, bad, bad + uses["answered"]),
    )


class ModelUseRow(NamedTuple):
    """A row of the tables: the entry, and what it asked."""

    name: str
    model: ModelFigures


def _of_how_many(share: Mean) -> str:
    return f"of {share.n}" if share.n else ""


def _money_text(money: float) -> str:
    return decimal_text(money, 4)


_NAME = Column[ModelUseRow]("Model", lambda row: row.name, short="Entry", is_text=True, css="name")


def _phase_columns(
    phase_of: Callable[[ModelFigures], PhaseFigures],
) -> tuple[Column[ModelUseRow], ...]:
    def phase(row: ModelUseRow) -> PhaseFigures:
        return phase_of(row.model)

    return (
        _NAME,
        Column(
            "Bad answers",
            lambda row: phase(row).bad_answers,
            share_text,
            note=lambda row: _of_how_many(phase(row).bad_answers),
        ),
        Column("Unreadable", lambda row: phase(row).unreadable),
        Column("Illegal", lambda row: phase(row).illegal),
        Column("No answer", lambda row: phase(row).failed),
        Column("Asked again", lambda row: phase(row).retries),
        Column("Table acted", lambda row: phase(row).by_the_table),
        Column("Decisions", lambda row: phase(row).decisions),
    )


COST: tuple[Column[ModelUseRow], ...] = (
    _NAME,
    Column("Auction", lambda row: row.model.auction.bad_answers, share_text, only="terminal"),
    Column("Play", lambda row: row.model.play.bad_answers, share_text, only="terminal"),
    Column(
        "Again", lambda row: row.model.auction.retries + row.model.play.retries, only="terminal"
    ),
    Column(
        "Table",
        lambda row: row.model.auction.by_the_table + row.model.play.by_the_table,
        only="terminal",
    ),
    Column(
        "Seconds a decision",
        lambda row: row.model.seconds,
        lambda mean: decimal_text(mean.mean) + error(mean, 2),
        only="page",
    ),
    Column(
        "Tokens a board",
        lambda row: row.model.tokens_a_board,
        lambda tokens: decimal_text(tokens, 0),
        short="Tokens",
    ),
    Column("Money a board", lambda row: row.model.money_a_board, _money_text, short="Money"),
    Column("Tokens in", lambda row: row.model.tokens_in, only="page"),
    Column("Tokens out", lambda row: row.model.tokens_out, only="page"),
    Column("Money", lambda row: row.model.money, _money_text, only="page"),
    Column(
        "The same again",
        lambda row: row.model.same,
        share_text,
        short="Same",
        note=lambda row: _of_how_many(row.model.same),
    ),
)

PAGE_TABLES = {
    "Answers of language models in the auction": _phase_columns(lambda model: model.auction),
    "Answers of language models in the play": _phase_columns(lambda model: model.play),
    "Cost and agreement of language models": COST,
}
"""The columns of a page's tables by heading."""


def model_use_table(use: Iterable[tuple[str, ModelFigures | None]]) -> Table | None:
    """Return the table for the terminal of the entries that asked; None if none did."""
    title = "Language models: bad answers, what followed, and the cost of a board"
    rows = [ModelUseRow(name, model) for name, model in use if model is not None]
    return terminal_table(title, COST, rows) if rows else None
