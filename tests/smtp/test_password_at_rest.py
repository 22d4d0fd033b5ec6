"""The stored password is encrypted, bound to its destination, and re-encrypted by rotation."""

import asyncpg
import pytest

from keystead.smtp.v1 import smtp_service_pb2 as pb
from server.crypto.keyring import EncryptionKeyError, Keyring
from server.smtp import stored_password
from server.store.database import Database
from tests.smtp import at_rest, calls
from tests.support import given
from tests.support.given import Client

# Keys by name. They are easy to guess, which does not matter in tests.
OLD, NEW = b"old".ljust(32), b"new".ljust(32)


async def test_the_stored_password_is_read_for_its_destination(
    admin: Client, sql: asyncpg.Connection, keyring: Keyring
) -> None:
    await calls.add(admin, given.smtp_config(password="wörd \N{GRINNING FACE}"))

    assert await at_rest.password(sql, keyring) == "wörd \N{GRINNING FACE}"


@pytest.mark.parametrize(
    "tampering",
    [
        "update secrets set ciphertext = set_byte(ciphertext, 20, get_byte(ciphertext, 20) # 1)",
        "update secrets set ciphertext = substr(ciphertext, 1, 5)",
        "update secrets set ciphertext = (select ciphertext from earlier)",
        "update smtp_configs set host = 'evil.example.com:587'",
        "update smtp_configs set tls = not tls",
        "update smtp_configs set user_name = 'other'",
    ],
    ids=["ciphertext altered", "cut off", "earlier one put back", "host", "tls", "user"],
)
async def test_tampering_with_the_password_or_its_destination_is_noticed_and_changes_nothing(
    admin: Client, sql: asyncpg.Connection, database: Database, keys: list[bytes], tampering: str
) -> None:
    await calls.add(admin)
    await sql.execute(
        "create temporary table earlier as select * from secrets"
        " where aggregate_id <> 'signing_keys'"
    )
    await calls.update_password(admin, "new")
    await sql.execute(f"{tampering}; drop table earlier")
    before = await at_rest.everything(sql)

    with pytest.raises(EncryptionKeyError, match="does not match its record"):
        await stored_password.rotate(database, Keyring([NEW, *keys]), "")

    assert await at_rest.everything(sql) == before


async def test_rotation_moves_the_password_to_the_first_key_and_changes_nothing_else(
    admin: Client, sql: asyncpg.Connection, database: Database, keys: list[bytes]
) -> None:
    await calls.add(admin, given.smtp_config(password="moved"))
    before = await at_rest.everything(sql)

    assert await stored_password.rotate(database, Keyring([NEW, *keys]), "") is True

    assert await at_rest.password(sql, Keyring([NEW])) == "moved"
    after = await at_rest.everything(sql)
    assert (after["events"], after["smtp_configs"]) == (before["events"], before["smtp_configs"])


@pytest.mark.parametrize(
    "config",
    [None, given.smtp_config(user="", password=""), given.smtp_config()],
    ids=["no configuration", "no password", "the first key"],
)
async def test_rotation_without_a_password_under_another_key_does_nothing(
    admin: Client,
    sql: asyncpg.Connection,
    database: Database,
    keyring: Keyring,
    config: pb.AddSMTPConfigRequest | None,
) -> None:
    if config is not None:
        await calls.add(admin, config)
    before = await at_rest.everything(sql)

    assert await stored_password.rotate(database, keyring, "") is False

    assert await at_rest.everything(sql) == before


async def test_a_rotation_of_the_password_without_its_key_names_the_key(
    admin: Client, sql: asyncpg.Connection, database: Database
) -> None:
    await calls.add(admin)
    before = await at_rest.everything(sql)

    with pytest.raises(EncryptionKeyError, match=before["secrets"][0]["key_id"]):
        await stored_password.rotate(database, Keyring([NEW]), "")

    assert await at_rest.everything(sql) == before
