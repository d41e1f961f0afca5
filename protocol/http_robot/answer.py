"""The answer to a request: the call or card, its meaning, and what the robot thought, in JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import TypeAdapter

from bridge_arena.base.wording import one_line
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.explanation import Explanation, read_words
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.http_robot.position import AnswerError, read_call, write_call
from bridge_arena.protocol.messages import MOST_CANDIDATES, Thinking
from bridge_arena.protocol.types import TEXT_LIMIT, WireExplanation

MEASURES = (
    "expected_imp",
    "expected_mp",
    "expected_score",
    "expected_score_imp",
    "expected_score_mp",
    "expected_score_dd",
    "expected_score_sd",
    "insta_score",
    "p_make_contract",
)
"""What candidates are measured by. The first measure that all candidates have is used.

The more, the better for the player: so the tricks, which of an opening lead are declarer's, and of
a call say nothing of its worth, are none of them.
"""

_OWN_MEASURE = "insta_score"
"""What a value by a measure of the bot's own is called."""

_MEANING: TypeAdapter[Explanation] = TypeAdapter(WireExplanation)

_MOST_WORTH = 1e6
_MOST_QUOTED = 200


# Reading.


def _printed(text: str) -> str:
    """Return the beginning of a text as one printable line, with single blanks."""
    return " ".join(one_line(text, 4 * TEXT_LIMIT).split())[:TEXT_LIMIT]


def read_bid(answer: object) -> MadeCall:
    """Return the call of an answer, which may be illegal, with its alert and explanation.

    Ranges among the words of the explanation are promises. Raises AnswerError: there is no call.
    """
    fields = _object(answer)
    call = _action(fields, "bid", read_call)
    meaning = fields.get("explanation")
    line = _printed(meaning) if isinstance(meaning, str) else ""
    alert = fields.get("alert")
    is_alerted = alert is True or (isinstance(alert, str) and alert.strip().lower() == "true")
    return MadeCall(call, is_alerted, read_words(line) if line else None)


def read_card(answer: object) -> Card:
    """Return the card of an answer, which may be illegal. Raises AnswerError."""
    card: Card = _action(_object(answer), "card", Card)
    return card


def read_thinking(answer: object) -> Thinking:
    """Return what an answer tells about the robot's decision, without what makes no sense."""
    fields = answer if isinstance(answer, dict) else {}
    words = [
        f"{name} {fields[name]}"
        for name in ("who", "quality")
        if isinstance(fields.get(name), str | int | float) and fields[name] != ""
    ]
    samples = fields.get("samples")
    return Thinking(
        text=_printed("; ".join(words)),
        candidates=_candidates(fields.get("candidates")),
        layouts=len(samples) if isinstance(samples, list) and samples else None,
    )


def _object(answer: object) -> dict[str, Any]:
    if not isinstance(answer, dict):
        raise AnswerError(f"expected a JSON object, received {type(answer).__name__}")
    return answer


def _action(fields: dict[str, Any], name: str, reader: Callable[[str], Any]) -> Any:
    """Return the call or card of an answer. Raises AnswerError."""
    text = fields.get(name)
    if not isinstance(text, str):
        raise AnswerError(complaint(fields) or f"the answer has no {name}")
    try:
        return reader(text.strip())
    except NotationError:
        raise AnswerError(f"{name} {text[:20]!r} makes no sense") from None


def complaint(answer: object) -> str:
    """Return the error or message of an answer; empty if it has none."""
    if not isinstance(answer, dict):
        return ""
    text = answer.get("error") or answer.get("message")
    return _printed(text)[:_MOST_QUOTED] if isinstance(text, str) else ""


def _candidates(listed: object) -> dict[str, float]:
    """Return the value of each call or card by a measure that all have, the best first."""
    rows: dict[str, dict[str, Any]] = {}
    for candidate in listed if isinstance(listed, list) else []:
        if isinstance(candidate, dict) and (name := _named(candidate)) is not None:
            rows.setdefault(name, candidate)
    for measure in MEASURES:
        worth = {name: row[measure] for name, row in rows.items() if _is_worth(row.get(measure))}
        if worth and len(worth) == len(rows):
            ranked = sorted(worth, key=lambda name: -worth[name])[:MOST_CANDIDATES]
            return {name: round(float(worth[name]), 4) for name in ranked}
    return {}


def _named(candidate: dict[str, Any]) -> str | None:
    """Return the call or card of a candidate as the protocol writes it."""
    try:
        if isinstance(call := candidate.get("call"), str):
            return str(read_call(call))
        if isinstance(card := candidate.get("card"), str):
            return str(Card(card))
    except NotationError:
        pass
    return None


def _is_worth(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return abs(value) <= _MOST_WORTH  # which "not a number" is not


# Writing.


def write_bid(made: MadeCall, who: str) -> dict[str, Any]:
    """Return the answer that makes a call; `who` made it."""
    return {
        "bid": _bid(made.call),
        "who": who,
        "explanation": "" if made.explanation is None else str(made.explanation),
        "alert": str(made.alert),
    }


def write_meanings(auction: Auction, meanings: Sequence[Explanation], who: str) -> dict[str, Any]:
    """Return the answer that explains an auction, of one call or more, by the system of `who`.

    BEN tells `explanation` and `Alert` of the last call; what else is told is ours: each call with
    its seat, text and ranges. Calls that are artificial count as alerted, as the bots that ship
    alert these.
    """
    calls = [
        {
            "call": _bid(call),
            "seat": str(SEATS[(auction.dealer + place) % 4]),
            "alert": str(meaning.artificial),
            "text": "",
            **_MEANING.dump_python(meaning),
        }
        for place, (call, meaning) in enumerate(zip(auction.calls, meanings, strict=True))
    ]
    last = meanings[-1]
    return {
        "explanation": str(last),
        "Alert": last.artificial,
        "alert": str(last.artificial),
        "who": who,
        "calls": calls,
    }


def write_card(card: Card, who: str) -> dict[str, Any]:
    """Return the answer that plays a card; `who` played it."""
    return {"card": str(card), "who": who}


def player_number(seat: Seat, declarer: Seat) -> int:
    """Return a player's number in an answer, which counts from declarer's left-hand opponent."""
    return (seat - declarer.next) % 4


def write_details(thoughts: Sequence[Thinking]) -> dict[str, Any]:
    """Return the parts of an answer that tell what a bot thought: the candidates, the best first.

    Of several thoughts the last with candidates counts. The samples are empty, as a bot tells only
    their number.
    """
    valued = [thinking for thinking in thoughts if thinking.candidates]
    if not valued:
        return {"candidates": [], "samples": []}
    rows = [
        {**_candidate(name), _OWN_MEASURE: worth} for name, worth in valued[-1].candidates.items()
    ]
    return {"candidates": rows, "samples": []}


def _bid(call: Call) -> str:
    return "PASS" if call == PASS else write_call(call)


def _candidate(name: str) -> dict[str, str]:
    try:
        return {"call": write_call(Call(name))}
    except NotationError:
        return {"card": name}
