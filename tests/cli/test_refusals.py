"""A failed command prints one sentence and exits with the status of its kind of failure."""

import asyncio
import sys

import pytest

from tests.cli.words import Keystead, done
from tests.support import given
from tests.support.given import Instance

_MORE_THAN_A_BIGINT = str(2**63)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("token", "create", "admin", "--days", "36501"), "is not in the range 1<=x<=36500"),
        (("token", "create", "admin", "--days", "9" * 5000), "is not a valid integer"),
        (("audit", "--limit", "0"), "is not in the range"),
        (("audit", "--before", "-1"), "is not in the range"),
        (("audit", "--since", "yesterday"), "'yesterday' is not a time such as 2026-01-31"),
        (("audit", "--since", "0001-01-01T00:00+14:00"), "is not in the years 1 to 9999 of UTC"),
        (("audit", "--until", "9999-12-31T23:59-14:00"), "is not in the years 1 to 9999 of UTC"),
        (("org", "create", "\udcff"), "is not UTF-8."),
        (("audit", "--creator", "\udcff"), "is not UTF-8."),
    ],
    ids=lambda value: ascii(" ".join(value))[:40] if isinstance(value, tuple) else "",
)
async def test_what_is_out_of_range_is_called_wrongly(
    keystead: Keystead, words: tuple[str, ...], sentence: str
) -> None:
    refused = await keystead(*words)

    assert (refused.status, refused.output) == (2, "")
    assert sentence in refused.errors
    assert "Traceback" not in refused.errors


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


@pytest.mark.parametrize("words", [("user", "list"), ("audit",), ("settings",), ("--help",)])
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


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
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
        ("mail retry nothing", "List the mails: keystead mail list"),
        ("passkey link USER --send", "leave out --send"),
        ("passkey remove USER nothing", "List the passkeys of the user: keystead passkey list"),
        ("idp test IDP", "Set them: keystead idp set-oidc"),
        ("idp remove-oidc IDP", "Set them: keystead idp set-oidc"),
    ],
)
async def test_the_remedy_of_an_error_is_a_command(
    instance: Instance, keystead: Keystead, words: str, remedy: str
) -> None:
    ids = {
        "USER": (await given.user(instance.admin)).user_id,
        "IDP": await given.idp(instance.admin),
    }

    refused = await keystead(*(ids.get(word, word) for word in words.split()))

    assert (refused.status, refused.output) == (1, "")
    assert remedy in refused.errors
