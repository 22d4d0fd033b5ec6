"""`keystead health`."""

import http.client
import json
import ssl

import click

from server.settings.settings import Settings
from server.values.host_port import split_host_port

_SECONDS = 4
# Without a limit, older Pythons reserve the memory that the answer announces.
_MAX_BYTES = 10_000
_ADVICE = "Start the server, or run this command with the settings of the server."
# The address of this machine for a server that listens on all addresses.
_LOCAL = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104


@click.command("health")
def health() -> None:
    """Ask the running server whether it can take calls. Exits with status 1 if it cannot.

    It asks /readyz of KEYSTEAD_HTTP_ADDRESS, for health checks of containers.
    """
    settings = Settings.load()
    address = settings.http_address
    connection = _connection(address, tls=settings.tls_files is not None)
    try:
        connection.request("GET", "/readyz")
        answer = json.loads(connection.getresponse().read(_MAX_BYTES))
        parts = {name: state for name, state in answer["parts"].items() if state != "ok"}
    except (OSError, http.client.HTTPException) as error:
        raise click.ClickException(f"Nothing answers at {address}: {error}. {_ADVICE}") from None
    except (ValueError, LookupError, TypeError, AttributeError):
        raise click.ClickException(f"No Keystead answers at {address}. {_ADVICE}") from None
    finally:
        connection.close()
    if parts:
        raise click.ClickException(", ".join(f"{name}: {state}" for name, state in parts.items()))
    click.echo("ok")


def _connection(address: str, *, tls: bool) -> http.client.HTTPConnection:
    host, port = split_host_port(address, lowest_port=0)
    host = _LOCAL.get(host, host)
    if not tls:
        return http.client.HTTPConnection(host, port, timeout=_SECONDS)
    # Not verified: the certificate has the name that clients use, not the local one. The request
    # has no secret, and probes of Kubernetes do not verify certificates either.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return http.client.HTTPSConnection(host, port, timeout=_SECONDS, context=context)
