"""The schedule of signing keys."""

import pytest

from server import app
from server.operate.doctor import State
from tests.conftest import Installation
from tests.operate.doctor.installation import execute, only, settings_of
from tests.support import process

_ISSUING = {"jwt_audiences": ("https://orders.example.com",)}

_A_MONTH_LATER = "update signing_keys set signs_at = signs_at - interval '29 days'"


@pytest.fixture
async def issuing(installation: Installation) -> Installation:
    """An installation that issues signed tokens."""
    await app.prepare(settings_of(installation, **_ISSUING), installation.dsn)
    return installation


class TestSigningKeys:
    async def test_are_well_from_the_start(self, issuing: Installation) -> None:
        before = await only(issuing, "signing keys", **_ISSUING)
        await execute(issuing, _A_MONTH_LATER)
        await process.keystead(
            "rotate-signing-key", data_dir=issuing.data_dir, database_url=issuing.dsn
        )
        published = await only(issuing, "signing keys", **_ISSUING)

        assert (before.state, published.state) == (State.OK, State.OK)
        assert before.message.startswith("The next one is published on ")
        assert published.message.startswith("The next one signs from ")

    @pytest.mark.parametrize(
        ("statement", "remedy"),
        [
            ("delete from signing_keys", "Start the server"),
            (
                "update signing_keys set signs_at = signs_at - interval '31 days'",
                "keystead rotate-signing-key",
            ),
            (
                "update signing_keys set signs_at = signs_at + interval '1 hour'",
                "Synchronize it by NTP",
            ),
        ],
    )
    async def test_that_are_missing_overdue_or_early_are_a_warning(
        self, issuing: Installation, statement: str, remedy: str
    ) -> None:
        await execute(issuing, statement)

        found = await only(issuing, "signing keys", **_ISSUING)

        assert found.state is State.WARNING
        assert remedy in found.message

    async def test_that_cannot_be_read_are_a_problem_with_its_remedy(
        self, issuing: Installation
    ) -> None:
        await execute(issuing, "update secrets set ciphertext = '\\x00'")

        found = await only(issuing, "stored secrets", **_ISSUING)

        assert found.state is State.PROBLEM
        assert "The signing key " in found.message
        assert "keystead rotate-signing-key --now" in found.message
