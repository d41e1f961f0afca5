"""A budget holds for all who count in its file, whatever becomes of their questions."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from bridge_arena.bots.llm.bot import LlmBot
from bridge_arena.bots.llm.budget import Budget, BudgetError, Prices


def test_what_is_held_back_counts_until_it_is_settled(tmp_path: Path) -> None:
    budget = Budget(tmp_path / "spent", Prices(), tokens=100)
    first = budget.hold(50, 10)
    with pytest.raises(BudgetError, match=r"100 tokens: 60 are spent, .* may take 60"):
        budget.hold(50, 10)
    budget.settle(first, 20, 5)
    budget.hold(50, 25)
    with pytest.raises(BudgetError, match="100 are spent"):
        budget.hold(1, 0)


def test_a_budget_of_money_is_not_overspent(tmp_path: Path) -> None:
    budget = Budget(tmp_path / "spent", Prices(1.0, 4.0), money=0.001)
    budget.hold(500, 100)
    with pytest.raises(BudgetError, match=r"the budget of 0.001: 0.0009 is spent"):
        budget.hold(0, 100)
    budget.hold(100, 0)


def test_a_process_that_is_started_again_goes_on_counting(tmp_path: Path) -> None:
    """One that was killed before it settled has spent what it held back."""
    Budget(tmp_path / "spent", Prices(), tokens=100).hold(90, 0)
    with pytest.raises(BudgetError):
        Budget(tmp_path / "spent", Prices(), tokens=100).hold(11, 0)


def test_many_processes_at_once_never_spend_more_than_the_budget(tmp_path: Path) -> None:
    budget = Budget(tmp_path / "spent", Prices(), tokens=100)
    held: list[int] = []

    def spend() -> None:
        for _ in range(10):
            try:
                held.append(budget.hold(7, 0))
            except BudgetError:
                return

    threads = [threading.Thread(target=spend) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(held) == 100 // 7


@pytest.mark.parametrize("name", ["missing/spent", "not-a-database"])
def test_a_file_that_cannot_be_used_stops_all_spending(tmp_path: Path, name: str) -> None:
    (tmp_path / "not-a-database").write_text("x" * 4096)
    with pytest.raises(BudgetError, match=f"cannot count what is spent in .*{name}"):
        Budget(tmp_path / name, Prices(), tokens=100).hold(1, 1)
    bot = LlmBot("toy", "http://a/v1", budget_tokens=100, spent=str(tmp_path / name))
    with pytest.raises(ValueError, match="cannot count what is spent"):
        bot.prepare()
