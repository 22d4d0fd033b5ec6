"""Installations for the checks of `keystead doctor`, and their findings."""

from pathlib import Path

from server.access.caller import OPERATOR
from server.crypto.keyring import Keyring, load_keyring
from server.mail.outbox import MailKind, NewMail, Outbox
from server.operate import doctor
from server.settings.settings import Settings
from server.smtp import commands
from server.smtp.store import find_sender
from server.store.database import connected
from server.system.checks.findings import Finding
from server.validation.fields import read
from tests.conftest import Installation
from tests.support import given
from tests.support.given import Instance


def settings_of(installation: Installation | Instance, **settings: object) -> Settings:
    return Settings.model_validate({"data_dir": installation.data_dir, **settings})


async def findings_of(installation: Installation | Instance, **values: object) -> list[Finding]:
    settings = settings_of(installation, **values)
    return [
        *doctor.before_database(settings, ()),
        *await doctor.examine(settings, installation.dsn),
    ]


async def only(installation: Installation | Instance, check: str, **values: object) -> Finding:
    """The only finding of a check."""
    [found] = [each for each in await findings_of(installation, **values) if each.check == check]
    return found


def before_database(data_dir: Path, **settings: object) -> dict[str, Finding]:
    found = doctor.before_database(Settings.model_validate({"data_dir": data_dir, **settings}), ())
    return {each.check: each for each in found}


async def add_smtp_config(
    installation: Installation | Instance, *, organization_id: str = "", **fields: object
) -> None:
    command = read(commands.AddSMTPConfig, given.smtp_config(**fields))
    if organization_id:
        async with given.sql(installation.dsn) as sql:
            await given.claims_of_organizations(sql, organization_id)
    async with connected(installation.dsn, pool_size=1) as database:
        await commands.add(
            database,
            _keyring(installation),
            command,
            actor=OPERATOR,
            organization_id=organization_id,
        )


async def enqueue(installation: Installation | Instance, *, user_id: str = "ada") -> None:
    mail = NewMail(
        kind=MailKind.PASSKEY_REGISTRATION_LINK,
        user_id=user_id,
        organization_id="org",
        scope_id="org",
        recipient_address="ada@example.com",
        recipient_name="Ada",
        reference="link",
        parameters={"expiry": "2026-11-22T09:00:00+00:00"},
        secrets={"link": "https://example.com/#code"},
    )
    outbox = Outbox(hourly_limit=20, find_sender=find_sender)
    async with (
        connected(installation.dsn, pool_size=1) as database,
        database.transaction() as open_,
    ):
        await outbox.enqueue(open_, _keyring(installation), mail)


async def execute(installation: Installation | Instance, statement: str) -> None:
    async with given.sql(installation.dsn) as connection:
        await connection.execute(statement)


def _keyring(installation: Installation | Instance) -> Keyring:
    return load_keyring((), installation.data_dir / "encryption.keys")
