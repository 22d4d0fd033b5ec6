"""The schedule of signing keys."""

from datetime import timedelta

import pytest

from server import app
from server.system.checks.findings import State
from tests.conftest import Installation
from tests.operate.doctor.installation import execute, findings_of, only, settings_of
from tests.support import given, process

_ISSUING = {"jwt_audiences": ("https://orders.example.com",)}

_CHECKS = ("ES256 signing keys", "RS256 signing keys")
_TABLES = {"ES256 signing keys": "signing_keys", "RS256 signing keys": "rsa_signing_keys"}


@pytest.fixture
async def issuing(installation: Installation) -> Installation:
    """An installation that issues signed tokens."""
    await app.prepare(settings_of(installation, **_ISSUING), installation.dsn)
    return installation


@pytest.mark.parametrize("check", _CHECKS)
async def test_signing_keys_are_well_from_the_start(issuing: Installation, check: str) -> None:
    before = await only(issuing, check, **_ISSUING)
    await given.aged_signing_keys(issuing.dsn, timedelta(days=29))
    await process.keystead(
        "rotate-signing-key", data_dir=issuing.data_dir, database_url=issuing.dsn
    )
    published = await only(issuing, check, **_ISSUING)

    assert (before.state, published.state) == (State.OK, State.OK)
    assert before.message.startswith("The next one is published on ")
    assert published.message.startswith("The next one signs from ")


@pytest.mark.parametrize("check", _CHECKS)
@pytest.mark.parametrize(
    ("statement", "remedy"),
    [
        ("delete from {}", "Start the server"),
        (
            "update {} set signs_at = signs_at - interval '31 days'",
            "keystead rotate-signing-key",
        ),
        (
            "update {} set signs_at = signs_at + interval '1 hour'",
            "Synchronize it by NTP",
        ),
    ],
)
async def test_signing_keys_that_are_missing_overdue_or_early_are_a_warning(
    issuing: Installation, check: str, statement: str, remedy: str
) -> None:
    await execute(issuing, statement.format(_TABLES[check]))

    found = {each.check: each for each in await findings_of(issuing, **_ISSUING)}

    assert found[check].state is State.WARNING
    assert remedy in found[check].message
    assert [found[other].state for other in _CHECKS if other != check] == [State.OK]


@pytest.mark.parametrize("check", _CHECKS)
async def test_signing_keys_that_cannot_be_read_are_a_problem_with_its_remedy(
    issuing: Installation, check: str
) -> None:
    table = _TABLES[check]
    await execute(
        issuing,
        f"update secrets set ciphertext = '\\x00' where secret_id = (select kid from {table})",  # noqa: S608 -- a table of the test
    )

    found = await only(issuing, "stored secrets", **_ISSUING)

    assert found.state is State.PROBLEM
    assert "The signing key " in found.message
    remedy = f"keystead rotate-signing-key --now --algorithm {check.removesuffix(' signing keys')}"
    assert found.message.endswith(remedy)
