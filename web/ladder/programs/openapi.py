"""The OpenAPI document of a ladder's interface for programs, written from the code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema

from bridge_arena.tournaments.ladder.orders import ORDER
from bridge_arena.tournaments.ladder.values import MatchValues, Values
from bridge_arena.web.ladder.programs.api_operations import LARGEST, OPERATIONS, Operation

Json = dict[str, Any]

VERSION = "1"
"""The version of the interface, which is also in its address."""

_REFERENCES = "#/components/schemas/{model}"


class Done(Values):
    """What became of an order."""

    done: str
    """What was done, in a line; or the token, or the status, if the order asked for that."""


class Failure(Values):
    """Why a request was refused."""

    error: str
    """What is wrong, in a line."""


def openapi_document() -> Json:
    """Return the document, by OpenAPI 3.1."""
    models = [one.answer for one in OPERATIONS if not isinstance(one.answer, str)]
    schemas = _schemas([*models, MatchValues, Done, Failure])
    order, of_orders = _order_schemas()
    return {
        "openapi": "3.1.1",
        "info": {
            "title": "A ladder of Bridge Arena",
            "version": VERSION,
            "description": "Programs that bid and play contract bridge, the matches between them, "
            "and who is surely stronger than whom. All IMPs are seen from the home team, or from "
            "the player that an object is about. What is not known is null. Times are in ISO 8601.",
        },
        "servers": [{"url": "/api/v1"}],
        "paths": {
            **{one.path: {"get": _get(one)} for one in OPERATIONS},
            "/results": {"get": _results()},
            "/openapi.json": {"get": _document()},
            "/orders": {"post": _orders(order)},
        },
        "components": {
            "schemas": dict(sorted((schemas | of_orders).items())),
            "responses": _failures(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _get(operation: Operation) -> Json:
    answer = operation.answer
    schema = {"type": "string"} if isinstance(answer, str) else _reference(answer)
    return {
        "operationId": operation.name,
        "summary": operation.summary,
        "parameters": [
            *map(_number, operation.numbers),
            *_parameters(operation.query),
            _IF_NONE_MATCH,
        ],
        "responses": {
            "200": {
                "description": operation.summary,
                "headers": {"ETag": {"schema": {"type": "string"}}},
                "content": {operation.media_type: {"schema": schema}},
            },
            "304": {"description": "The client has it already, as If-None-Match says."},
            **_refused("400", *(["404"] if operation.can_be_missing else []), "429", "503"),
        },
    }


_IF_NONE_MATCH: Json = {
    "name": "If-None-Match",
    "in": "header",
    "description": "The ETag of the answer that the client has.",
    "schema": {"type": "string"},
}


def _document() -> Json:
    return {
        "operationId": "openapi",
        "summary": "This document",
        "parameters": [_IF_NONE_MATCH],
        "responses": {
            "200": {
                "description": "This document",
                "headers": {"ETag": {"schema": {"type": "string"}}},
                "content": {"application/json": {"schema": {"type": "object"}}},
            },
            "304": {"description": "The client has it already, as If-None-Match says."},
            **_refused("400", "429"),
        },
    }


def _results() -> Json:
    return {
        "operationId": "results",
        "summary": "The results as they come: a server-sent event for each match that ends",
        "description": "The id of an event is the number of its match, its name is `result`, and "
        "its data are a match as JSON. A client that comes back with the last id that it had is "
        "sent what it has missed, up to 500 matches; those that ended in the same second may come "
        "twice.",
        "parameters": [
            {
                "name": "Last-Event-ID",
                "in": "header",
                "description": "The number of the last match that the client was sent.",
                "schema": {"type": "integer", "minimum": 1, "maximum": LARGEST},
            }
        ],
        "responses": {
            "200": {
                "description": "The stream, which does not end.",
                "content": {
                    "text/event-stream": {
                        "schema": {
                            "type": "string",
                            "contentMediaType": "application/json",
                            "contentSchema": _reference(MatchValues),
                        }
                    }
                },
            },
            **_refused("400", "429", "503", "505"),
        },
    }


def _orders(order: Json) -> Json:
    return {
        "operationId": "order",
        "summary": "Give an order, as an administrator of the ladder or an author",
        "security": [{"token": []}],
        "requestBody": {"required": True, "content": {"application/json": {"schema": order}}},
        "responses": {
            "200": {
                "description": "What was done",
                "content": {"application/json": {"schema": _reference(Done)}},
            },
            **_refused("400", "401", "405", "408", "413", "415", "429", "503"),
        },
    }


def _number(name: str) -> Json:
    return {
        "name": name,
        "in": "path",
        "required": True,
        "example": 2 if name == "other" else 1,
        "schema": {"type": "integer", "minimum": 1, "maximum": LARGEST},
    }


def _parameters(query: type[BaseModel]) -> list[Json]:
    """Return the parameters of a query."""
    properties = query.model_json_schema().get("properties", {})
    return [_parameter(name, dict(schema)) for name, schema in properties.items()]


def _parameter(name: str, schema: Json) -> Json:
    """Return a parameter; in an address it is there or not, and never null."""
    description, examples = schema.pop("description"), schema.pop("examples", ())
    schema.pop("title", None)
    if "anyOf" in schema:
        schema = next(one for one in schema["anyOf"] if one.get("type") != "null")
    return {
        "name": name,
        "in": "query",
        "description": description,
        "example": next(iter(examples), schema.get("default")),
        "schema": schema,
    }


_MEANINGS = {
    "400": "A parameter or the body is not as it should be.",
    "401": "The token is wrong, or was replaced.",
    "404": "There is nothing of this number. A match in play has no page yet.",
    "405": "An address is read by GET, and an order is given by POST.",
    "408": "The body did not come in time.",
    "413": "The body is too long.",
    "415": "The body is no JSON.",
    "429": "The address asks too often.",
    "503": "The store cannot be read now, or too many ask at once.",
    "505": "HTTP/1.1 is needed.",
}


def _failures() -> Json:
    content = {"application/json": {"schema": _reference(Failure)}}
    waits = {"Retry-After": {"description": "In seconds", "schema": {"type": "integer"}}}
    return {
        f"Status{status}": {
            "description": meaning,
            **({"headers": waits} if status in ("429", "503") else {}),
            "content": content,
        }
        for status, meaning in _MEANINGS.items()
    }


def _refused(*statuses: str) -> Json:
    return {status: {"$ref": f"#/components/responses/Status{status}"} for status in statuses}


def _reference(model: type[BaseModel]) -> Json:
    return {"$ref": _REFERENCES.format(model=model.__name__)}


def _schemas(models: list[type[BaseModel]]) -> Json:
    """Return the schemas of models and their parts, by name."""
    _, document = models_json_schema(
        [(model, "serialization") for model in dict.fromkeys(models)], ref_template=_REFERENCES
    )
    return {name: _untitled(schema) for name, schema in document["$defs"].items()}


def _order_schemas() -> tuple[Json, Json]:
    """Return the schema of orders, and those of its parts by name."""
    adapter: TypeAdapter[Any] = ORDER
    schema = adapter.json_schema(ref_template=_REFERENCES)
    parts = schema.pop("$defs")
    return _untitled(schema), {name: _needs_order(_untitled(part)) for name, part in parts.items()}


def _needs_order(schema: Json) -> Json:
    """Return the schema of an order, which has to name its kind, or of a part of one as it is."""
    if "order" not in schema.get("properties", {}):
        return schema
    required = [name for name in schema.get("required", []) if name != "order"]
    return {**schema, "required": ["order", *required]}


def _untitled(schema: Any) -> Any:
    """Return a schema without the titles that pydantic makes of names."""
    if isinstance(schema, Mapping):
        return {
            name: {key: _untitled(one) for key, one in inner.items()}
            if name == "properties"
            else _untitled(inner)
            for name, inner in schema.items()
            if name != "title" or not isinstance(inner, str)
        }
    return list(map(_untitled, schema)) if isinstance(schema, list) else schema
