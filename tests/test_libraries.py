"""The parts of libraries on which the server relies although no documentation promises them."""

import ast
import inspect
from collections.abc import Callable
from pathlib import Path

import pytest
from sonora import protocol as sonora_protocol
from sonora.asgi import grpcASGI
from uvicorn import Config, Server
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

_ROOT = Path(__file__).parents[1]

_PRIVATE_NAMES = {
    "bridge/grpcweb/application.py": {"_get_rpc_handler"},
}
_PUBLIC = {"_fields", "_replace"}  # of named tuples

# Functions that the server calls or overrides, with their parameters.
_FUNCTIONS: list[tuple[object, str, str]] = [
    # bridge/http/protocol.py
    (HttpToolsProtocol, "__init__", "self config server_state app_state _loop"),
    (HttpToolsProtocol, "connection_made", "self transport"),
    (HttpToolsProtocol, "connection_lost", "self exc"),
    (HttpToolsProtocol, "data_received", "self data"),
    (HttpToolsProtocol, "eof_received", "self"),
    (HttpToolsProtocol, "pause_writing", "self"),
    (HttpToolsProtocol, "resume_writing", "self"),
    (HttpToolsProtocol, "on_message_begin", "self"),
    (HttpToolsProtocol, "on_header", "self name value"),
    (HttpToolsProtocol, "on_headers_complete", "self"),
    (HttpToolsProtocol, "on_body", "self body"),
    (HttpToolsProtocol, "on_message_complete", "self"),
    (HttpToolsProtocol, "on_response_complete", "self"),
    (HttpToolsProtocol, "shutdown", "self"),
    (FlowControl, "resume_reading", "self"),
    # bridge/port.py
    (Server, "serve", "self sockets"),
    (Server, "startup", "self sockets"),
    (Server, "capture_signals", "self"),
    # bridge/grpcweb
    (grpcASGI, "__init__", "self application enable_cors"),
    (grpcASGI, "add_generic_rpc_handlers", "self handlers"),
    (grpcASGI, "_get_rpc_handler", "self path"),
    (sonora_protocol, "wrap_message", "trailers compressed message"),
    (sonora_protocol, "unwrap_message_stream", "stream"),
    (sonora_protocol, "unpack_trailers", "message"),
]


@pytest.mark.parametrize(("owner", "function", "parameters"), _FUNCTIONS)
def test_a_function_has_the_parameters_that_the_server_expects(
    owner: object, function: str, parameters: str
) -> None:
    assert list(inspect.signature(getattr(owner, function)).parameters) == parameters.split()


_CONFIG = Config(lambda _scope: None, log_config=None, ws="none")


def _connection() -> object:
    return HttpToolsProtocol(_CONFIG, ServerState(), {})


def _cycle() -> object:
    make: Callable[..., object] = RequestResponseCycle
    return make(**dict.fromkeys(inspect.signature(make).parameters))


@pytest.mark.parametrize(
    ("make", "attributes"),
    [
        (
            _connection,
            "client cycle flow headers loop parser pipeline scope server_state transport",
        ),
        (_connection, "expect_100_continue timeout_keep_alive_task"),
        (_cycle, "body disconnected keep_alive message_event response_complete response_started"),
        (lambda: Server(_CONFIG), "config server_state should_exit started"),
        (ServerState, "default_headers"),
    ],
)
async def test_an_object_has_the_attributes_that_the_server_expects(
    make: Callable[[], object], attributes: str
) -> None:
    assert set(attributes.split()) <= vars(make()).keys()


def test_private_names_of_libraries_are_used_only_where_they_are_listed() -> None:
    found = {
        path.relative_to(_ROOT).as_posix(): names
        for package in ("server", "bridge")
        for path in (_ROOT / package).rglob("*.py")
        if (names := _of_others(ast.parse(path.read_bytes())))
    }

    assert found == _PRIVATE_NAMES


def _of_others(module: ast.Module) -> set[str]:
    """The private names of attributes and imports that this module uses and does not define."""
    used: set[str] = set()
    defined: set[str] = set()
    for node in ast.walk(module):
        match node:
            case ast.Attribute(attr=name, ctx=ast.Load()):
                used.add(name)
            case ast.Attribute(attr=name) | ast.Name(id=name, ctx=ast.Store()):
                defined.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                defined.add(name)
            case ast.Import(names=imported):
                used.update(part for each in imported for part in each.name.split("."))
            case ast.ImportFrom(module=source, names=imported):
                used.update((source or "").split("."), (each.name for each in imported))
            case _:
                pass
    private = {name for name in used if name.startswith("_") and not name.startswith("__")}
    return private - defined - _PUBLIC
