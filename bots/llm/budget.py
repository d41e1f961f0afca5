"""A budget of tokens and money that holds for all processes of a bot, and over interruptions.

A file counts what was spent. Before a question the most that it can cost is held back, and what is
known afterwards takes the place of that. A question whose cost never becomes known, for example as
its answer was cut off, counts as the most that it can have cost.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

_PATIENCE = 30.0  # the seconds to wait for other processes that write to the file


class BudgetError(ValueError):
    """The budget does not allow another question, or its file cannot be used."""


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of a million tokens of questions and of answers, in any currency."""

    of_in: float = 0.0
    of_out: float = 0.0

    def of(self, tokens_in: int, tokens_out: int) -> float:
        return (tokens_in * self.of_in + tokens_out * self.of_out) / 1e6


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit on what is spent, with the file that counts it."""

    path: Path
    prices: Prices
    tokens: int = 0  # the most tokens of questions and answers together; 0 for no limit
    money: float = 0.0  # the most money; 0 for no limit

    def check(self) -> None:
        """Check that what is spent can be counted. Raises BudgetError."""
        with self._writing():
            pass

    def hold(self, tokens_in: int, tokens_out: int) -> int:
        """Hold back the most that a question may cost, under a number. Raises BudgetError."""
        with self._writing() as file:
            totals = file.execute("SELECT total(tokens_in), total(tokens_out) FROM spent")
            spent_in, spent_out = map(int, totals.fetchone())
            would_be = spent_in + tokens_in, spent_out + tokens_out
            if self.tokens and sum(would_be) > self.tokens:
                raise BudgetError(
                    f"the budget of {self.tokens} tokens: {spent_in + spent_out} are spent, and "
                    f"the next question may take {tokens_in + tokens_out}"
                )
            if self.money and self.prices.of(*would_be) > self.money:
                spent = self.prices.of(spent_in, spent_out)
                raise BudgetError(
                    f"the budget of {self.money:g}: {spent:.4f} is spent, and the next question "
                    f"may cost {self.prices.of(tokens_in, tokens_out):.4f}"
                )
            added = file.execute("INSERT INTO spent VALUES (?, ?)", (tokens_in, tokens_out))
            assert added.lastrowid is not None
            return added.lastrowid

    def settle(self, number: int, tokens_in: int, tokens_out: int) -> None:
        """Note what a question did cost, by the number that `hold` returned. Raises BudgetError."""
        with self._writing() as file:
            file.execute(
                "UPDATE spent SET tokens_in = ?, tokens_out = ? WHERE rowid = ?",
                (tokens_in, tokens_out, number),
            )

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Run one transaction that no other process interrupts. Raises BudgetError."""
        try:
            file = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
            with closing(file):
                file.execute("BEGIN IMMEDIATE")
                file.execute("CREATE TABLE IF NOT EXISTS spent (tokens_in, tokens_out)")
                yield file
                file.execute("COMMIT")
        except sqlite3.Error as error:
            raise BudgetError(f"cannot count what is spent in {self.path}: {error}") from None
