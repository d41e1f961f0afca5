"""A client of a ladder that is written from its OpenAPI document alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from tests.late_imports import late_imports
from tests.web.ladder.test_application import Shown, shown, store
from tests.web.live.serving import Answer

with late_imports("jsonschema"):
    import jsonschema

__all__ = ["store"]

Json = dict[str, Any]


class Client:
    """A client that knows nothing but the document."""

    def __init__(self, pages: Shown, document: Json) -> None:
        self._pages = pages
        self.document = document

    @property
    def reading(self) -> list[tuple[str, Json]]:
        """The addresses that are read, with their operations."""
        paths = self.document["paths"].items()
        return [(path, methods["get"]) for path, methods in paths if "get" in methods]

    def addresses(self, path: str, operation: Json) -> list[str]:
        """The addresses of an operation: without parameters that need not be, and with each."""
        queries = []
        for one in operation["parameters"]:
            if one["in"] == "path":
                path = path.replace(f"{{{one['name']}}}", str(one["example"]))
            elif one["in"] == "query":
                queries.append(f"{one['name']}={one['example']}")
        base = self.document["servers"][0]["url"] + path
        return [base, *(f"{base}?{query}" for query in queries), f"{base}?{'&'.join(queries)}"]

    async def get(self, address: str) -> Answer:
        return await self._pages.get(address.rstrip("?"))

    def check(self, operation: Json, answer: Answer) -> Any:
        """Check that an answer is one that the document has, without any field that it lacks."""
        response = operation["responses"][str(answer.status)]
        if "$ref" in response:
            response = self._at(response["$ref"])
        media_type = answer.headers["content-type"].partition(";")[0]
        schema = response["content"][media_type]["schema"]
        value = json.loads(answer.text) if media_type == "application/json" else answer.text
        whole = {**closed(self.document), **closed(schema)}
        jsonschema.Draft202012Validator(whole).validate(value)
        return value

    def _at(self, reference: str) -> Json:
        found: Any = self.document
        for name in reference.removeprefix("#/").split("/"):
            found = found[name]
        return cast("Json", found)


def closed(schema: Any) -> Any:
    """A schema whose objects have no other fields than those that it names."""
    if isinstance(schema, dict):
        inner = {name: closed(one) for name, one in schema.items()}
        return {"additionalProperties": False, **inner} if "properties" in schema else inner
    return list(map(closed, schema)) if isinstance(schema, list) else schema


async def test_every_answer_is_as_the_document_says(store: LadderStore, tmp_path: Path) -> None:
    players = store.players()
    store.tests.ask(players[1], players[2])
    async with shown(store, tmp_path) as pages:
        client = Client(pages, json.loads((await pages.get("/api/v1/openapi.json")).text))
        seen = set()
        for path, operation in client.reading:
            if "text/event-stream" in operation["responses"]["200"]["content"]:
                continue
            for address in client.addresses(path, operation):
                answer = await client.get(address)
                assert answer.status == 200, (address, answer)
                client.check(operation, answer)
            seen.add(operation["operationId"])
        assert len(seen) >= 12
        for address, status in (
            ("/api/v1/matches?limit=0", 400),
            ("/api/v1/matches?nothing=1", 400),
            ("/api/v1/matches?player=99", 404),
            ("/api/v1/matches/2/boards", 404),
        ):
            path = address.partition("?")[0].removeprefix("/api/v1").replace("/2/", "/{number}/")
            answer = await client.get(address)
            assert answer.status == status
            client.check(client.document["paths"][path]["get"], answer)


async def test_the_client_would_notice_a_field_that_the_document_lacks(
    store: LadderStore, tmp_path: Path
) -> None:
    async with shown(store, tmp_path) as pages:
        client = Client(pages, json.loads((await pages.get("/api/v1/openapi.json")).text))
        for path in ("/players", "/matches"):
            answer = await client.get(f"/api/v1{path}")
            value = json.loads(answer.text)
            value[path[1:]][0]["surprise"] = 1
            answer.text = json.dumps(value)
            with pytest.raises(jsonschema.ValidationError, match="surprise"):
                client.check(client.document["paths"][path]["get"], answer)


async def test_the_document_has_what_openapi_asks_for(store: LadderStore, tmp_path: Path) -> None:
    async with shown(store, tmp_path) as pages:
        answer = await pages.get("/api/v1/openapi.json")
        assert answer.headers["access-control-allow-origin"] == "*"
        document = json.loads(answer.text)
    assert document["openapi"].startswith("3.1.")
    assert {"title", "version"} <= set(document["info"])
    names = []
    for path, methods in document["paths"].items():
        for operation in methods.values():
            names.append(operation["operationId"])
            own = [one["name"] for one in operation.get("parameters", ()) if one["in"] == "path"]
            assert [f"{{{name}}}" in path for name in own] == [True] * len(own)
            assert path.count("{") == len(own)
            for response in operation["responses"].values():
                assert {"description", "$ref"} & set(response)
    assert len(set(names)) == len(names)
    orders = [
        schema
        for schema in document["components"]["schemas"].values()
        if "order" in schema.get("properties", {})
    ]
    assert len(orders) > 5
    assert all("order" in schema["required"] for schema in orders)
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


async def test_orders_are_refused_as_the_document_says(store: LadderStore, tmp_path: Path) -> None:
    async with shown(store, tmp_path) as pages:
        client = Client(pages, json.loads((await pages.get("/api/v1/openapi.json")).text))
        answer = await pages.order(b'{"order": "pause", "player": "random"}', "wrong")
        assert answer.status == 401
        client.check(client.document["paths"]["/orders"]["post"], answer)
