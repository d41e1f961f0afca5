"""`arena llm-bench`: its boards, and what it cannot do."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.bridge.seeds import DealKey
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.llm_bench import BOARDS_DIGEST, BOARDS_KEY, llm_bench
from bridge_arena.tournaments.events.sealed_deals import digest_of


def test_the_boards_are_the_same_for_ever() -> None:
    """Whoever changes the key, or how it deals, makes another bench."""
    key = DealKey.parse(BOARDS_KEY)
    assert digest_of(key.board(number) for number in range(1, 1001)) == BOARDS_DIGEST


@pytest.mark.parametrize(
    ("models", "options", "complaint"),
    [
        ([], "", "name a model"),
        (["toy", "toy"], "", "'toy' is the name of entry 2 too"),
        (["toy,legal=some"], "", "legal is 'some'"),
        (["toy"], "tea=5", "takes model="),
        (["toy"], "base_url=file:///etc/passwd", "base_url is not an address"),
        (["natural"], "", "'natural' is the name of entry 1 too"),
        (["ключ"], "", "no name that PBN can hold"),
        (["toy"], "budget_money=5", "needs price_in and price_out"),
    ],
)
def test_a_bench_that_cannot_be_is_refused(
    models: list[str], options: str, complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(UnusableError, match=complaint):
        llm_bench(models, boards=1, given=options, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_bench_is_gone_on_with_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(UnusableError, match="give only DIR"):
        llm_bench(["toy"], resume=tmp_path)
    with pytest.raises(UnusableError, match="holds no event"):
        llm_bench([], resume=tmp_path)
