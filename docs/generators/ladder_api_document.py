"""Write the reference of a ladder's interface for programs from its code.

    python -m docs.generators.ladder_api_document [FOLDER]

`ladder-api.json` is the OpenAPI document. Of the page `ladder-api.md` all that follows the heading
`Objects` is written; what stands before is kept. FOLDER is `docs` unless given.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bridge_arena.web.ladder.programs.api_operations import OPERATIONS
from bridge_arena.web.ladder.programs.openapi import openapi_document
from docs.generators.page import table

NAME = "ladder-api.json"
PAGE = "ladder-api.md"

_HEADING = "## Objects\n"

_INTRODUCTION = (
    "All fields are always there. These tables are made from the code; "
    "[ladder-api.json](ladder-api.json) says the same."
)


def text() -> str:
    """Return the text of the OpenAPI document."""
    return json.dumps(openapi_document(), indent=2, ensure_ascii=False) + "\n"


def page(before: str) -> str:
    """Return the page, by one that has what stands before the objects."""
    return before.partition(_HEADING)[0] + _HEADING + "\n" + "\n\n".join(_objects()) + "\n"


def _objects() -> Iterator[str]:
    """Yield the objects of answers, in the order in which they are first met."""
    yield _INTRODUCTION
    schemas: Mapping[str, Any] = openapi_document()["components"]["schemas"]
    waiting = [one.answer.__name__ for one in OPERATIONS if not isinstance(one.answer, str)]
    told: list[str] = []
    while waiting:
        name = waiting.pop(0)
        if name not in told:
            told.append(name)
            parts = [part for part in _references(schemas[name]) if part in schemas]
            waiting = [*parts, *waiting]
            yield _object(name, schemas[name])


def _object(name: str, schema: Mapping[str, Any]) -> str:
    heading = f"### {name}\n\n{schema['description']}"
    if "properties" not in schema:
        values = ", ".join(f"`{value}`" for value in schema["enum"])
        return f"{heading} It is {values}."
    rows = [
        (f"`{field}`", _kind(facts), facts.get("description", ""))
        for field, facts in schema["properties"].items()
    ]
    return f"{heading}\n\n{table(('field', 'type', 'meaning'), rows)}"


def _references(schema: Any) -> Iterator[str]:
    """Yield the names of the objects that a schema names."""
    if isinstance(schema, Mapping):
        for name, inner in schema.items():
            if name == "$ref":
                yield _name(inner)
            else:
                yield from _references(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _references(inner)


def _kind(schema: Mapping[str, Any]) -> str:
    """Return what kind of value a schema describes, in words."""
    if "$ref" in schema:
        name = _name(schema["$ref"])
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(map(_kind, schema["anyOf"]))
    if "prefixItems" in schema:
        first, second = map(_kind, schema["prefixItems"])
        return f"two {first}s" if first == second else f"{first}, {second}"
    if schema["type"] == "array":
        return f"array of {_kind(schema['items'])}"
    if "additionalProperties" in schema:
        return f"map to {_kind(schema['additionalProperties'])}"
    return str(schema["type"])


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def main(arguments: Sequence[str]) -> None:
    folder = Path(arguments[0] if arguments else "docs")
    folder.joinpath(NAME).write_text(text(), encoding="utf-8")
    own = folder / PAGE
    before = own.read_text(encoding="utf-8") if own.exists() else ""
    own.write_text(page(before), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
