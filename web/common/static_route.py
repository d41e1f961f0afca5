"""The address of scripts, styles and pictures on servers."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bridge_arena.web.common.static_files import TYPES, static_files


def static_route() -> Route:
    """Return the route of `/static/FILE`."""
    served = {file.name: file for file in static_files()}

    async def answer(request: Request) -> Response:
        file = served.get(request.path_params["name"])
        if file is None:
            raise HTTPException(404)
        return Response(file.read_bytes(), media_type=TYPES[file.suffix])

    return Route("/static/{name}", answer)
