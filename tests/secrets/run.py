"""Calls of every kind over every transport, with recognizable secrets (`marks.py`)."""

from tests.secrets import breakdown, configuration, mails, misuse, tokens
from tests.secrets.client import Client
from tests.support.mail_server import MailServer


async def everything(client: Client, smtp: MailServer) -> bytes:
    """Makes all calls. The last step crashes the database.

    The server may send mail by `smtp`. Returns the statements that other users of the database
    could see.
    """
    transports = client.transports.all
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
