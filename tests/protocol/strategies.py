"""Any message, made from the fields that its model declares."""

from __future__ import annotations

from enum import StrEnum
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Le
from hypothesis import strategies as st
from pydantic.fields import FieldInfo

from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import CALL_TEXTS, CALLS, Call
from bridge_arena.bridge.cards import CARD_TEXTS, CARDS, PACK, SUITS, Card, Deal, Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import ModelUse
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.protocol.messages import Message, NoAction, Thinking
from docs.generators.protocol_document import CLIENT_MESSAGES, SERVER_MESSAGES

NUMBERS = st.integers(0, 2**53 - 1)
DEALS = st.integers(0, 2**32).map(lambda seed: random_deal(seed, 1))
HANDS = st.integers(0, PACK.mask).map(Hand)


def _ranges(top: int) -> st.SearchStrategy[tuple[int, int]]:
    ends = st.tuples(st.integers(0, top), st.integers(0, top))
    return ends.map(lambda pair: (min(pair), max(pair)))


EXPLANATIONS = st.builds(
    Explanation,
    st.text(max_size=500),
    st.none() | _ranges(37),
    st.dictionaries(st.sampled_from(SUITS), _ranges(13)),
    st.booleans(),
    st.booleans(),
)

_COUNTS = st.integers(0, 10**9)
_REALS = st.floats(0, 1e6)
MODEL_USES = st.builds(
    ModelUse,
    _COUNTS,
    _COUNTS,
    _COUNTS,
    _COUNTS,
    st.booleans(),
    st.none() | st.booleans(),
    _COUNTS,
    _COUNTS,
    _REALS,
    _REALS,
)

_VALUES: dict[object, st.SearchStrategy[Any]] = {
    Seat: st.sampled_from(SEATS),
    Vulnerability: st.sampled_from(Vulnerability),
    Call: st.sampled_from(CALLS),
    Card: st.sampled_from(CARDS),
    Hand: HANDS,
    Deal: DEALS,
    Explanation: EXPLANATIONS,
    ModelUse: MODEL_USES,
    str: st.text(max_size=80),
    int: NUMBERS,
    float: st.floats(0, allow_infinity=False),
    bool: st.booleans(),
    type(None): st.none(),
}


def _values(annotation: object) -> st.SearchStrategy[Any]:
    if annotation in _VALUES:
        return _VALUES[annotation]
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _values(parts[0])
    if origin is Literal:
        return st.just(parts[0])
    if origin is list:
        return st.lists(_values(parts[0]), max_size=5)
    if origin in (Union, UnionType):
        return st.one_of([_values(part) for part in parts])
    assert isinstance(annotation, type)
    if issubclass(annotation, Message):
        return _messages(annotation)
    assert issubclass(annotation, StrEnum), annotation
    return st.sampled_from(annotation)


def _field(field: FieldInfo) -> st.SearchStrategy[Any]:
    tops = [bound.le for bound in field.metadata if isinstance(bound, Le)]
    return st.integers(0, tops[0]) if tops else _values(field.annotation)  # type: ignore[arg-type]


_LINE = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=500)
_REASON = {"reason": _LINE}
_THINKING: dict[str, st.SearchStrategy[Any]] = {
    "text": _LINE,
    "candidates": st.dictionaries(
        st.sampled_from([*CALL_TEXTS, *CARD_TEXTS]), st.floats(-1e6, 1e6), max_size=5
    ),
    "seconds": st.none() | st.floats(0, 1e6),
}
"""The fields of thoughts that have limits beside their types."""


def _messages(model: type[Message]) -> st.SearchStrategy[Message]:
    known = _THINKING if issubclass(model, Thinking) else _REASON if model is NoAction else {}
    fields = {
        name: known[name] if name in known else _field(field)
        for name, field in model.model_fields.items()
    }
    return st.builds(model, **fields)


CLIENT = st.one_of([_messages(model) for model in CLIENT_MESSAGES])
SERVER = st.one_of([_messages(model) for model in SERVER_MESSAGES])
