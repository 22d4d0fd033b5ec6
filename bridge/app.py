"""The ASGI application of the web port: grpc-web, JSON and the pages, behind one CORS policy."""

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.types import ASGIApp

from server.rpc import Methods


def application(_methods: Methods, *, cors_origins: Sequence[str]) -> ASGIApp:
    """Everything that the web port answers."""
    return Starlette()
