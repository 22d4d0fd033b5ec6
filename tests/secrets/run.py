"""Calls of every kind over some transports, with recognizable secrets (`marks.py`)."""

from collections.abc import Mapping

from tests.secrets import breakdown, configuration, mails, misuse, tokens
from tests.secrets.client import Client
from tests.support.mail_server import MailServer
from tests.support.transports import Transport


async def everything(
    client: Client, smtp: MailServer, transports: Mapping[str, Transport]
) -> bytes:
    """Makes all calls over these transports. The last step crashes the database.

    The server may send mail by `smtp`. Returns the statements that other users of the database
    could see.
    """
    for way, transport in transports.items():
        await configuration.configure(client, transport)
        await misuse.of_tokens(client, transport, await tokens.create(client, way, transport))
        await mails.deliver(client, smtp, way, transport)
    misused = await tokens.create(client, "everything", client.transports.native)
    await misuse.in_headers(client, misused)
    await misuse.in_urls(client, misused)
    await misuse.in_bodies(client)
    await misuse.in_http(client, misused)
    await misuse.in_http2(client)
    statements = [await breakdown.failures(client, transport) for transport in transports.values()]
    client.answers.add(client.marks.canary.encode())
    await breakdown.crash(client)
    return b"\n".join(statements)
