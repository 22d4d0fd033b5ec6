"""`keystead org set`."""

import asyncpg
import pytest

from tests.cli.words import Keystead, done, objects, unique


async def test_recovery_by_mail_is_allowed_and_forbidden(
    keystead: Keystead, sql: asyncpg.Connection
) -> None:
    name = unique("org")
    org_id = await done(keystead("org", "create", name))
    listed = []

    for option in ("--mail-recovery", "--no-mail-recovery"):
        await done(keystead("org", "set", name, option))
        listed += [
            each["allows_mail_recovery"]
            for each in await objects(keystead("org", "list", "--json"))
            if each["organization_id"] == org_id
        ]

    creators = "select creator from events where aggregate_id = $1 and event_type = $2"
    assert listed == [True, False]
    found = await sql.fetch(creators, org_id, "organization.changed")
    assert [row["creator"] for row in found] == ["operator"] * 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("default",), "--mail-recovery"),
        (("nowhere", "--mail-recovery"), "There is no organization 'nowhere'."),
    ],
    ids=["nothing to set", "unknown"],
)
async def test_what_cannot_be_set_is_refused(
    keystead: Keystead, words: tuple[str, ...], sentence: str
) -> None:
    refused = await keystead("org", "set", *words)

    assert (refused.status != 0, refused.output) == (True, "")
    assert sentence in refused.errors
