"""`keystead user set`."""

import asyncpg
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.cli.words import Keystead, done, unique
from tests.support.given import Instance
from tests.user import calls


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--display-name", "Ada Lovelace"), ("Ada Lovelace", "ada@example.com")),
        (("--email", "countess@example.com"), ("Ada", "countess@example.com")),
        (("--display-name", "", "--email", ""), ("ada", "")),
    ],
    ids=["display name", "address", "nothing of either"],
)
async def test_what_is_given_is_set_and_nothing_else(
    instance: Instance,
    keystead: Keystead,
    sql: asyncpg.Connection,
    words: tuple[str, ...],
    expected: tuple[str, str],
) -> None:
    organization = unique("org")
    await done(keystead("org", "create", organization))
    created = ("ada", "--display-name", "Ada", "--email", "ada@example.com")
    user_id = await done(keystead("user", "create", *created, "--org", organization))

    await done(keystead("user", "set", "ada", *words, "--org", organization))

    user: user_pb.User = await calls.get(instance.admin, user_id)
    creator = "select creator from events where aggregate_id = $1 and event_type = 'user.changed'"
    assert (user.display_name, user.email) == expected
    assert await sql.fetchval(creator, user_id) == "operator"


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        ((), 2, "Give --display-name, --email or both."),
        (("--email", "none"), 1, "email: must be a mail address"),
    ],
    ids=["nothing to set", "no address"],
)
async def test_what_cannot_be_set_is_refused(
    keystead: Keystead, words: tuple[str, ...], status: int, sentence: str
) -> None:
    refused = await keystead("user", "set", "admin", *words)

    assert (refused.status, refused.output) == (status, "")
    assert sentence in refused.errors
