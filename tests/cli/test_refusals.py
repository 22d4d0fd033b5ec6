"""A failed command prints one sentence and exits with the status of its kind of failure."""

import asyncio
import sys
from uuid import UUID

import pytest

from tests.cli.words import Keystead, done, unique
from tests.support import given
from tests.support.given import Instance

pytestmark = pytest.mark.python_differs("argparse words help and errors anew")

_MORE_THAN_A_BIGINT = str(2**63)


_OKTA = "idp create --preset okta --client-id a"
_ISSUER = "idp create --issuer https://a.example --client-id a"

# Wrong uses end with status 2.
_USAGES = {
    "token create admin --expires-at soon": "'soon' is not a time such as 2026-01-31",
    "token create admin --expires-at +999999999d": "is not in the years 1 to 9999 of UTC",
    f"app set a --access-token-lifetime {'9' * 5000}": "is not a valid integer",
    f"app set a --access-token-lifetime {2**31}": "is too large",
    "audit --limit 0": "is not in the range",
    "audit --before -1": "is not in the range",
    "audit --since yesterday": "'yesterday' is not a time such as 2026-01-31",
    "audit --since 0001-01-01T00:00+14:00": "is not in the years 1 to 9999 of UTC",
    "audit --until 9999-12-31T23:59-14:00": "is not in the years 1 to 9999 of UTC",
    "audit --type user.aded": "'user.added'",
    "audit --filter creator>1": "It must have one of = after creator (character 1).",
    "audit --filter creator=1 --type user": "--filter cannot be combined with",
    "org create \udcff": "is not UTF-8.",
    "audit --creator \udcff": "is not UTF-8.",
    "org set default": "Give at least one option with a new value.",
    "user set admin": "Give at least one option",
    "session list ada --query a": "--query cannot be combined with a name.",
    "smtp update": "Give at least one option",
    "smtp add --password secret": "No such option",
    "brand set": "Give at least one option",
    "push set nowhere": "Give at least one option",
    "idp create --name a": "Give either --preset or --issuer.",
    _OKTA: "The values of 'okta' are: host.",
    f"{_OKTA} --value host": "'host' is not NAME=VALUE.",
    f"{_ISSUER} --value host=a": "--value is for the issuer of a --preset.",
    "app create App": "Give a name and --kind, or a program with --for and --host.",
    "app create App --kind car": "'car' is not one of",
    "app set nowhere": "Give at least one option",
    "group set nowhere": "Give at least one option",
    "idp set nowhere": "Give at least one option",
}
# Refused commands end with status 1.
_REFUSALS = {
    "user list --org nowhere": "There is no organization 'nowhere'.",
    "org set nowhere --mail-recovery": "There is no organization 'nowhere'.",
    "token create nobody": "There is no user 'nobody' in 'default'.",
    f"token list {UUID(int=0)}": f"There is no user '{UUID(int=0)}' in 'default'.",
    "idp show nowhere": "There is no identity provider 'nowhere' in 'default'.",
    "app create A --kind gate --origin http://localhost:8080": "must not be an origin of Keystead",
    "app show nowhere": "There is no application 'nowhere' in 'default'.",
    "org set default --client-metadata-host A.example": "clientMetadataHosts.0: must be a host",
    "app create App --kind gate": "application.origins: must not be empty",
    "app create A --kind web --allow-group nobody": "application.allowedGroups.0: must be a group",
    "group show nowhere": "There is no group 'nowhere' in 'default'.",
    "group create Upper": "name: must contain only the characters a-z",
    "session end unknown": "There is no session 'unknown'",
    "mail set-text passkey_added.tlh": "must end with a language (en, de",
    "mail remove-text passkey_added.de": "No own text is set",
    "mail retry no-mail": "The mail does not exist.",
    "org create default": "name",
    "brand set --color #ff8800": "it must be at least 4.5",
    "app set nowhere --pkce none": "There is no application 'nowhere'",
    "group add-member nowhere admin": "There is no group 'nowhere'",
    f"user create {'x' * 201}": "userName: must be at most 200 characters",
    "user set admin --email none": "email: must be a mail address",
    "token revoke admin \t": "tokenId: must not contain control characters",
    "passkey remove admin ": "passkeyId: must not be empty",
    "idp create --preset google --client-id a": "clientSecret: must be given",
}


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        *((words, 2, sentence) for words, sentence in _USAGES.items()),
        *((words, 1, sentence) for words, sentence in _REFUSALS.items()),
    ],
    ids=lambda value: ascii(value)[:40],
)
async def test_a_refusal_is_a_sentence_with_its_status(
    keystead: Keystead, words: str, status: int, sentence: str
) -> None:
    refused = await keystead(*words.split(" "))

    assert (refused.status, refused.output) == (status, "")
    assert sentence in refused.errors
    assert "Traceback" not in refused.errors
    assert status == 2 or not refused.errors.startswith("Error")


@pytest.mark.parametrize(
    ("words", "finds_anything"),
    [
        (("audit", "--limit", _MORE_THAN_A_BIGINT), True),
        (("audit", "--before", _MORE_THAN_A_BIGINT), True),
        (("audit", "--after", _MORE_THAN_A_BIGINT), False),
        (("mail", "list", "--limit", _MORE_THAN_A_BIGINT), False),
    ],
    ids=lambda value: " ".join(value)[:20] if isinstance(value, tuple) else "",
)
async def test_a_number_beyond_every_other_is_one(
    keystead: Keystead, words: tuple[str, ...], *, finds_anything: bool
) -> None:
    assert bool(await done(keystead(*words))) == finds_anything


async def test_a_name_that_the_terminal_cannot_show_is_escaped(
    instance: Instance, keystead: Keystead
) -> None:
    organization = await given.organization(instance.admin)
    await done(keystead("user", "create", "\N{OHM SIGN}a", "--org", organization))
    command = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server", "user", "list", "--org", organization),
        env={**_environment(instance), "PYTHONIOENCODING": "latin-1"},
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await command.communicate()

    assert command.returncode == 0
    assert output.split(b"\t")[1] == rb"\u2126a"


@pytest.mark.parametrize("words", [("audit",), ("settings",), ("--help",)])
async def test_an_output_that_cannot_be_written_is_one_sentence(
    instance: Instance, words: tuple[str, ...]
) -> None:
    command = await asyncio.create_subprocess_exec(
        *("/bin/sh", "-c", 'exec "$@" > /dev/full', "sh"),
        *(sys.executable, "-m", "server", *words),
        env=_environment(instance),
        stderr=asyncio.subprocess.PIPE,
    )
    _, errors = await command.communicate()

    assert command.returncode == 1
    assert errors.decode() == "The output cannot be written: No space left on device.\n"


@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
async def test_a_command_does_without_the_standard_streams_that_are_closed(
    instance: Instance, closed: str
) -> None:
    command = await asyncio.create_subprocess_exec(
        *("/bin/sh", "-c", f'exec "$@" {closed}', "sh"),
        *(sys.executable, "-m", "server", "user", "list"),
        env=_environment(instance),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await command.communicate()

    assert (command.returncode, errors) == (0, b"")
    assert output or ">&-" in closed.split()


def _environment(instance: Instance) -> dict[str, str]:
    return {"KEYSTEAD_DATA_DIR": str(instance.data_dir), "KEYSTEAD_DATABASE_URL": instance.dsn}


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("mail retry nothing", "`keystead mail list`"),
        ("push retry nothing", "`keystead push deliveries`"),
        ("passkey link USER --send", "`keystead user set`"),
        ("passkey remove USER nothing", "`keystead passkey list`"),
        ("idp test IDP", "`keystead idp set-oidc`"),
        ("idp show-oidc IDP", "`keystead idp set-oidc`"),
        ("idp remove-oidc IDP", "`keystead idp set-oidc`"),
        ("group remove-member GROUP admin", "`keystead group members`"),
        ("app create-secret APP", "`keystead app set`"),
        ("app remove-secret APP nothing", "`keystead app show`"),
        ("app set APP --pkce none", "  application.pkce: must be APPLICATION_PKCE_REQUIRED"),
    ],
)
async def test_the_remedy_of_an_error_is_a_command(
    instance: Instance, keystead: Keystead, words: str, remedy: str
) -> None:
    ids = {
        "USER": (await given.user(instance.admin)).user_id,
        "IDP": await given.idp(instance.admin),
        "GROUP": await done(keystead("group", "create", unique("group"))),
        "APP": await done(keystead("app", "create", unique("app"), "--kind", "browser")),
    }

    refused = await keystead(*(ids.get(word, word) for word in words.split()))

    assert (refused.status, refused.output) == (1, "")
    assert remedy in refused.errors
