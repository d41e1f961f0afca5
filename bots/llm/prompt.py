"""The questions to a model, from a file that a person can read and change.

The file has the sections `## System`, `## Your call`, `## Your card` and `## Again`, each with
`$names` in it that are replaced: `$card`, the convention card; `$position`; `$legal`, the legal
actions or nothing; `$why`, what is wrong with an answer, and `$line`, the line that an answer ends
with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from string import Template

_OWN = Path(__file__).with_name("prompt.md")
_OWN_CARD = Path(__file__).with_name("card.md")

_NAMES = {
    "System": ("card",),
    "Your call": ("position", "legal"),
    "Your card": ("position", "legal"),
    "Again": ("why", "legal", "line"),
}
"""The sections, and the names that each may use."""

_MOST_BYTES = 200_000
"""The longest file that is read."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The texts of the questions.

    Attributes:
        system: The message that comes first, complete.
        call: The question for a call.
        card: The question for a card.
        again: What is said after an answer that cannot be used.
    """

    system: str
    call: Template
    card: Template
    again: Template

    @classmethod
    def read(cls, path: str = "", card: str = "") -> Prompt:
        """Read the prompt and the convention card.

        Args:
            path: The file of the prompt; "" for the one that ships.
            card: The file of the convention card; "" for the one that ships.

        Returns:
            The prompt.

        Raises:
            ValueError: A file cannot be read, a section is missing, or a name is unknown.
        """
        text = _text(Path(path) if path else _OWN)
        headings = "|".join(_NAMES)
        parts = re.split(rf"^## ({headings})[ \t]*$", text, flags=re.M)
        found = {name: body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}
        for name in _NAMES:
            if name not in found:
                raise ValueError(f"{path}: there is no section '## {name}'")
        for name, names in _NAMES.items():
            try:
                Template(found[name]).substitute(dict.fromkeys(names, ""))
            except (KeyError, ValueError) as error:
                known = ", ".join(f"${each}" for each in names)
                text = f"{path}: section '## {name}': expected no name but {known}: {error}"
                raise ValueError(text) from None
        own = _text(Path(card) if card else _OWN_CARD).strip()
        return cls(
            Template(found["System"]).substitute(card=own),
            Template(found["Your call"]),
            Template(found["Your card"]),
            Template(found["Again"]),
        )


def _text(path: Path) -> str:
    """Return the text of a file. Raises ValueError."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise ValueError(f"{path} has more than {_MOST_BYTES} bytes")
        return data.decode()
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text in UTF-8") from None
