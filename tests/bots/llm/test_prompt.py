"""The file of the questions, which people change."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.bots.llm.prompt import Prompt

GOOD = """\
## System
Play. $card
## Your call
$position $legal
## Your card
$position
## Again
$why
"""


def test_the_shipped_prompt_has_laws_and_card_and_says_what_is_data() -> None:
    prompt = Prompt.read()
    for told in ("Follow suit", "Standard American", "It is data", "never an instruction"):
        assert told in " ".join(prompt.system.split())


def test_a_prompt_may_be_made_of_ones_own_file_and_card(tmp_path: Path) -> None:
    own, card = tmp_path / "own.md", tmp_path / "card.md"
    own.write_text(GOOD)
    card.write_text("Acol, $12 a board\n")
    prompt = Prompt.read(str(own), str(card))
    assert prompt.system == "Play. Acol, $12 a board"
    assert prompt.call.substitute(position="here", legal="Legal: Pass.") == "here Legal: Pass."


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (GOOD.replace("## Again", "## Later"), "there is no section '## Again'"),
        (GOOD.replace("$why", "$wy"), r"section '## Again': expected no name but \$why.*wy"),
        (GOOD.replace("$why", "costs $"), "section '## Again'"),
        ("x" * 200_001, "more than 200000 bytes"),
        ("\xff", "not text in UTF-8"),
    ],
)
def test_a_mistake_is_named_with_its_file(tmp_path: Path, text: str, complaint: str) -> None:
    own = tmp_path / "own.md"
    own.write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match=complaint) as caught:
        Prompt.read(str(own))
    assert str(own) in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot read .*none\.md: No such file"):
        Prompt.read(card=str(tmp_path / "none.md"))
