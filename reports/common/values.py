"""Figures as the plain values of JSON files.

Pydantic serialises the classes of the figures themselves: a key is the name of an attribute.
Numbers are rounded to six decimals, so that the same results always give the same text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import Field, GetPydanticSchema, TypeAdapter
from pydantic_core.core_schema import any_schema, plain_serializer_function_ser_schema

from bridge_arena.oracle.ledger import Role

Json = dict[str, Any]

T = TypeVar("T")


def shown_by(show: Callable[[Any], Any]) -> GetPydanticSchema:
    """Return what annotates an attribute that JSON files have as `show` gives it."""
    as_shown = plain_serializer_function_ser_schema(show)
    return GetPydanticSchema(lambda *_: any_schema(serialization=as_shown))


Hidden = Annotated[T, GetPydanticSchema(lambda *_: any_schema()), Field(exclude=True)]
"""An attribute that JSON files do not have."""

AsText = Annotated[T, shown_by(str)]
"""An attribute that JSON files have as bridge players write it."""

ByRole = Mapping[Annotated[Role, shown_by(lambda role: ROLE_KEYS[role])], T]
"""A figure for each role."""

ROLE_KEYS = {role: role.value.replace(" ", "_") for role in Role}
"""Each role's name in keys and columns."""


def values(figures: Any) -> Json:
    """Return what JSON files hold of figures."""
    kind: Any = type(figures)
    found: Json = rounded(_adapter(kind).dump_python(figures, mode="json"))
    return found


def rounded(value: Any) -> Any:
    """Return a number, or all numbers of a value, to six decimals."""
    if isinstance(value, float):
        return round(value, 6) + 0.0  # the sum turns the negative zero into zero
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    return [rounded(each) for each in value] if isinstance(value, list) else value


def json_file(values: Json) -> bytes:
    """Return the whole of a JSON file."""
    return f"{json.dumps(values, indent=2, ensure_ascii=False)}\n".encode()


@cache
def _adapter(figures: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(figures)
