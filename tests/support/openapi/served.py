"""The document that the server serves as `/openapi.json`. `make generate` writes it."""

import json
from importlib.metadata import version

from google.protobuf.descriptor import MethodDescriptor

from bridge.json.routing import routes_of
from bridge.pages.docs import DOCUMENT
from server.wiring.services import COMMANDS, OBJECTS
from tests.support.openapi.components import Json
from tests.support.openapi.document import openapi
from tests.support.openapi.headers import headers_of
from tests.support.openapi.json_schema import FieldLimits
from tests.support.openapi.limits import limits_of


def description() -> Json:
    """The description of all routes. The limits of requests are those of the commands."""
    routes = routes_of(COMMANDS)
    limits = {route.method.input_type.full_name: _limits(route.method) for route in routes}
    headers = {route.method.full_name: headers_of(route.method, OBJECTS) for route in routes}
    return openapi(routes, limits, title="Keystead", version=version("keystead"), headers=headers)


def _limits(method: MethodDescriptor) -> FieldLimits:
    command = COMMANDS[method.containing_service.full_name].get(method.name)
    return limits_of(command) if command else {}


def openapi_json() -> str:
    """The content of the file. Lines of their own show in a diff how the API changes."""
    return json.dumps(description(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    DOCUMENT.write_text(openapi_json())
