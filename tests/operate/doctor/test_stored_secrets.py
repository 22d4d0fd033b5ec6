"""Secrets that cannot be decrypted."""

from server.system.checks.findings import State
from tests.conftest import Installation
from tests.operate.doctor.installation import add_smtp_config, enqueue, execute, findings_of, only

_OTHER_KEY = "b25lIG9mIHRoZSBrZXlzIG9mIDMyIGJ5dGVzLi4uLi4="


async def test_stored_secrets_without_their_key_are_a_problem(installation: Installation) -> None:
    await _mail(installation)

    found = await only(installation, "stored secrets", encryption_keys=(_OTHER_KEY,))

    assert found.state is State.PROBLEM
    assert "that are not configured" in found.message


async def test_stored_secrets_without_a_key_file_are_a_problem(installation: Installation) -> None:
    await _mail(installation)
    (installation.data_dir / "encryption.keys").unlink()

    found = await only(installation, "stored secrets")

    assert found.state is State.PROBLEM
    assert "encryption.keys is missing" in found.message


async def test_stored_secrets_that_were_altered_are_a_problem_each(
    installation: Installation,
) -> None:
    await _mail(installation)
    await execute(installation, "update secrets set ciphertext = ciphertext || '\\x00'")

    findings = await findings_of(installation)

    wrong = [each for each in findings if each.check == "stored secrets"]
    assert [each.state for each in wrong] == [State.PROBLEM] * 4
    assert wrong[0].message.startswith("The stored password cannot be decrypted.")
    assert wrong[1].message.startswith("A secret of the mail ")
    assert all(each.message.startswith("The signing key ") for each in wrong[2:])


async def test_stored_secrets_need_no_key_file_while_there_are_none(
    installation: Installation,
) -> None:
    await execute(installation, "delete from secrets")
    (installation.data_dir / "encryption.keys").unlink()

    assert (await only(installation, "stored secrets")).state is State.OK


async def _mail(installation: Installation) -> None:
    """A mail with a secret that waits to be sent."""
    await add_smtp_config(installation)
    await enqueue(installation)
