"""The figures as plain values for JSON files.

Pydantic serialises the classes of the figures themselves: a key is the name of an attribute.
Numbers are rounded to six decimals, so that the same results always give the same text.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import Field, GetPydanticSchema, TypeAdapter
from pydantic_core.core_schema import any_schema, plain_serializer_function_ser_schema

from bridge_arena.base.files import replacing

Json = dict[str, Any]

T = TypeVar("T")


def shown_by(show: Callable[[Any], Any]) -> GetPydanticSchema:
    """Return the annotation of an attribute whose value in JSON files `show` returns."""
    as_shown = plain_serializer_function_ser_schema(show)
    return GetPydanticSchema(lambda *_: any_schema(serialization=as_shown))


Hidden = Annotated[T, GetPydanticSchema(lambda *_: any_schema()), Field(exclude=True)]
"""An attribute that is not in JSON files."""

AsText = Annotated[T, shown_by(str)]
"""An attribute whose value in JSON files is its text, as bridge players write it."""


def values(figures: Any) -> Json:
    """Return the values of some figures for JSON files."""
    kind: Any = type(figures)
    as_json: Json = rounded(_adapter(kind).dump_python(figures, mode="json"))
    return as_json


def rounded(value: Any, digits: int = 6) -> Any:
    """Return a number, or a value with all its numbers, rounded to some decimals."""
    if isinstance(value, float):
        return round(value, digits) + 0.0  # the sum turns the negative zero into zero
    if isinstance(value, dict):
        return {key: rounded(inner, digits) for key, inner in value.items()}
    return [rounded(inner, digits) for inner in value] if isinstance(value, list) else value


def write_json(path: Path, values: Json) -> None:
    """Make or replace a JSON file. Raises OSError."""
    # The text of a large event is not held at once.
    parts = json.JSONEncoder(indent=2, ensure_ascii=False).iterencode(values)
    with replacing(path) as unfinished, unfinished.open("w", encoding="utf-8") as file:
        file.writelines(parts)
        file.write("\n")


@cache
def _adapter(figures: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(figures)
