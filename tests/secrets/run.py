"""A little of everything, with secrets that can be recognized (`marks.py`), over every way in."""

from tests.secrets import breakdown, configuration, mails, misuse, tokens
from tests.secrets.client import Client
from tests.smtp.mail_server import MailServer


async def everything(client: Client, smtp: MailServer) -> bytes:
    """All of it, in an order in which the last thing breaks the database.

    The server may send mail by `smtp`. The statements that others who may look at the database saw.
    """
    doors = client.doors.all
    for way, door in doors.items():
        await configuration.configure(client, door)
        await misuse.of_tokens(client, door, await tokens.create(client, way, door))
        await mails.deliver(client, smtp, way, door)
    misused = await tokens.create(client, "everything", client.doors.native)
    await misuse.in_headers(client, misused)
    await misuse.in_urls(client, misused)
    await misuse.in_bodies(client)
    await misuse.in_http(client, misused)
    await misuse.in_http2(client)
    statements = [await breakdown.failures(client, door) for door in doors.values()]
    client.answers.add(client.marks.canary.encode())
    await breakdown.crash(client)
    return b"\n".join(statements)
