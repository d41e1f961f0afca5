"""What a model is asked: the questions, the position in them, and how strangers are quoted.

The questions are from a file that a person can read and change. It has the sections `## System`,
`## Your call`, `## Your card` and `## Again`, each with `$names` in it that are replaced: `$card`,
the convention card; `$position`; `$legal`, the legal actions or nothing; `$why`, what is wrong with
an answer, and `$line`, the line that an answer ends with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Template

from bridge_arena.base.wording import one_line
from bridge_arena.bridge.cards import SUITS_DOWN, Card, Hand
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat, Side, Vulnerability
from bridge_arena.protocol.view import View

MOST_QUOTED = 200  # the most characters of a stranger's text that a model is shown

_NOT_SIGNS = str.maketrans("«»", "‹›")


def quoted(text: str) -> str:
    """Return a stranger's text as data that can pass for no order: in « and », on one line."""
    # It is cut to `MOST_QUOTED`, and the two signs in it are replaced, so that no text can end its
    # own quotation.
    return f"«{one_line(text, MOST_QUOTED).translate(_NOT_SIGNS).strip()}»"


_OWN = Path(__file__).with_name("prompt.md")
_OWN_CARD = Path(__file__).with_name("card.md")

_NAMES = {
    "System": ("card",),
    "Your call": ("position", "legal"),
    "Your card": ("position", "legal"),
    "Again": ("why", "legal", "line"),
}
"""The sections, and the names that each may use."""

_MOST_BYTES = 200_000  # the longest file that is read


@dataclass(frozen=True, slots=True)
class Prompt:
    system: str  # the message that comes first, complete
    call: Template
    card: Template
    again: Template  # what is said after an answer that cannot be used

    @classmethod
    def read(cls, path: str = "", card: str = "") -> Prompt:
        """Read the prompt and the convention card from files; "" for those that ship.

        Raises ValueError if a file cannot be read, a section is missing, or a name is unknown.
        """
        text = _text(Path(path) if path else _OWN)
        headings = "|".join(_NAMES)
        parts = re.split(rf"^## ({headings})[ \t]*$", text, flags=re.M)
        sections = {name: body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}
        for name in _NAMES:
            if name not in sections:
                raise ValueError(f"{path}: there is no section '## {name}'")
        for name, names in _NAMES.items():
            try:
                Template(sections[name]).substitute(dict.fromkeys(names, ""))
            except (KeyError, ValueError) as error:
                known = ", ".join(f"${allowed}" for allowed in names)
                text = f"{path}: section '## {name}': expected no name but {known}: {error}"
                raise ValueError(text) from None
        own = _text(Path(card) if card else _OWN_CARD).strip()
        return cls(
            Template(sections["System"]).substitute(card=own),
            Template(sections["Your call"]),
            Template(sections["Your card"]),
            Template(sections["Again"]),
        )


def _text(path: Path) -> str:
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


_VULNERABLE = {
    Vulnerability.NONE: "nobody",
    Vulnerability.NS: "North-South",
    Vulnerability.EW: "East-West",
    Vulnerability.ALL: "both sides",
}


def position_text(view: View) -> str:
    """Return the position as its seat sees it, in the notation of the field, and nothing else."""
    return "\n".join(_lines(view))


def _lines(view: View) -> Iterator[str]:
    yield f"You are {_name(view.seat)}; your partner is {_name(view.seat.partner)}."
    yield f"Dealer: {_name(view.dealer)}. Vulnerable: {_VULNERABLE[view.vulnerability]}."
    own = view.held(view.seat) or Hand()
    yield f"Your hand: {_holdings(own)}"
    yield "The auction so far:" if view.calls else "There is no call yet."
    for index, made in enumerate(view.calls):
        yield f"  {_name(SEATS[(view.dealer + index) % 4])}: {_call(made)}"
    if view.play is not None:
        yield from _play_lines(view, view.play)


def _call(made: MadeCall) -> str:
    alert = " (alerted)" if made.alert else ""
    meaning = "" if made.explanation is None else f", says: {quoted(str(made.explanation))}"
    return f"{made.call}{alert}{meaning}"


def _play_lines(view: View, play: Play) -> Iterator[str]:
    contract = play.contract
    yield f"The contract: {contract} by {_name(play.declarer)}."
    if view.dummy_hand is not None:
        held = view.held(play.dummy) or Hand()
        yield f"Dummy, {_name(play.dummy)}, holds: {_holdings(held)}"
    if play.tricks:
        yield "The tricks so far, the leader's card first:"
    for number, trick in enumerate(play.tricks, 1):
        yield f"  {number}. {_cards(trick.leader, trick.cards)}; won by {_name(trick.winner)}"
    yield f"Tricks won: North-South {play.won[Side.NS]}, East-West {play.won[Side.EW]}."
    if play.trick:
        yield f"This trick: {_cards(play.leader, play.trick)}"
    else:
        yield "You lead to the next trick."
    whose = "your own hand" if play.turn == view.seat else "dummy's hand"
    yield f"You play from {whose}."


def _cards(leader: Seat, cards: tuple[Card, ...] | list[Card]) -> str:
    return ", ".join(f"{SEATS[(leader + place) % 4]} {card}" for place, card in enumerate(cards))


def _holdings(hand: Hand) -> str:
    return "  ".join(f"{suit}: {_ranks(hand.suit(suit))}" for suit in SUITS_DOWN)


def _ranks(cards: Hand) -> str:
    return "".join(card.rank.letter for card in sorted(cards, reverse=True)) or "-"


def _name(seat: Seat) -> str:
    return seat.name.capitalize()
