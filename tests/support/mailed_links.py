"""The links in mails, read from the database as the mail loop does."""

import asyncpg

from server.crypto.keyring import Keyring
from server.mail.mail_secrets import read_secrets


async def mailed_link(sql: asyncpg.Connection, keyring: Keyring, mail_id: str) -> str:
    """The link in a mail. It is the only secret of the mail."""
    address = await sql.fetchval("select recipient_address from mails where mail_id = $1", mail_id)
    rows = await sql.fetch("select * from secrets where aggregate_id = $1", mail_id)
    secrets = read_secrets(keyring, rows, mail_id=mail_id, recipient_address=address)
    assert secrets.keys() == {"link"}
    return secrets["link"]
