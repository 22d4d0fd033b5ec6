"""The description of the JSON API (OpenAPI), of its methods and of the commands' limits."""

from importlib.metadata import version
from typing import Any

from bridge.json.routing import routes_of
from bridge.openapi.document import openapi
from server.idp import commands as idp_commands
from server.mail import commands as mail_commands
from server.org import commands as org_commands
from server.passkey import commands as passkey_commands
from server.rpc.methods import Methods
from server.smtp import commands as smtp_commands
from server.user import commands as user_commands
from server.validation.json_schema import limits_of

# What reads the requests of each package, and so knows their limits.
_COMMANDS = {
    "keystead.idp.v1": idp_commands,
    "keystead.mail.v1": mail_commands,
    "keystead.org.v1": org_commands,
    "keystead.passkey.v1": passkey_commands,
    "keystead.smtp.v1": smtp_commands,
    "keystead.user.v1": user_commands,
}


def description(methods: Methods) -> dict[str, Any]:
    """The description of the JSON API, its limits those of the commands."""
    routes = routes_of(methods.services)
    requests = {route.method.input_type: route.method for route in routes}
    limits = {
        request.full_name: limits_of(
            method.name, request.fields_by_name, _COMMANDS[request.file.package]
        )
        for request, method in requests.items()
    }
    return openapi(routes, limits, title="Keystead", version=version("keystead"))
