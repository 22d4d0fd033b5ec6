"""Installations for the checks of `keystead doctor`, and their findings."""

from pathlib import Path

from server.crypto.keyring import load_keyring
from server.mail.outbox import MailKind, NewMail, Outbox
from server.operate import doctor
from server.operate.doctor import Finding
from server.settings.settings import Settings
from server.smtp.store import find_sender_domain
from server.store.database import connected
from tests.support import given
from tests.support.given import Instance


def settings_of(instance: Instance, **settings: object) -> Settings:
    return Settings.model_validate({"data_dir": instance.data_dir, **settings})


async def findings_of(instance: Instance, **values: object) -> list[Finding]:
    settings = settings_of(instance, **values)
    return [
        *doctor.before_database(settings, ()),
        *await doctor.examine(settings, instance.dsn),
    ]


async def only(instance: Instance, check: str, **values: object) -> Finding:
    """The only finding of a check."""
    [found] = [each for each in await findings_of(instance, **values) if each.check == check]
    return found


def before_database(data_dir: Path, **settings: object) -> dict[str, Finding]:
    found = doctor.before_database(Settings.model_validate({"data_dir": data_dir, **settings}), ())
    return {each.check: each for each in found}


async def enqueue(instance: Instance) -> None:
    mail = NewMail(
        kind=MailKind.PASSKEY_REGISTRATION_LINK,
        user_id=instance.admin.user_id,
        scope_id="org",
        recipient_address="ada@example.com",
        recipient_name="Ada",
        reference="link",
        parameters={"expiry": "2026-11-22T09:00:00+00:00"},
        secrets={"link": "https://example.com/#code"},
    )
    keyring = load_keyring((), instance.data_dir / "encryption.keys")
    outbox = Outbox(hourly_limit=20, find_sender_domain=find_sender_domain)
    async with connected(instance.dsn, pool_size=1) as database, database.transaction() as open_:
        await outbox.enqueue(open_, keyring, mail)


async def execute(instance: Instance, statement: str) -> None:
    async with given.sql(instance.dsn) as connection:
        await connection.execute(statement)
