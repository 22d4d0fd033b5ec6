"""Secrets that cannot be decrypted."""

from server.operate.doctor import State
from tests.operate.doctor.installation import enqueue, execute, findings_of, only
from tests.support import given
from tests.support.given import Instance

_OTHER_KEY = "b25lIG9mIHRoZSBrZXlzIG9mIDMyIGJ5dGVzLi4uLi4="


class TestStoredSecrets:
    async def test_without_their_key_are_a_problem(self, own_instance: Instance) -> None:
        await _mail(own_instance)

        found = await only(own_instance, "stored secrets", encryption_keys=(_OTHER_KEY,))

        assert found.state is State.PROBLEM
        assert "that are not configured" in found.message

    async def test_without_a_key_file_are_a_problem(self, own_instance: Instance) -> None:
        await _mail(own_instance)
        (own_instance.data_dir / "encryption.keys").unlink()

        found = await only(own_instance, "stored secrets")

        assert found.state is State.PROBLEM
        assert "encryption.keys is missing" in found.message

    async def test_that_were_altered_are_a_problem_each(self, own_instance: Instance) -> None:
        await _mail(own_instance)
        await execute(own_instance, "update secrets set ciphertext = ciphertext || '\\x00'")

        findings = await findings_of(own_instance)

        wrong = [each for each in findings if each.check == "stored secrets"]
        assert [each.state for each in wrong] == [State.PROBLEM] * 2
        assert wrong[0].message.startswith("The stored password cannot be decrypted.")
        assert wrong[1].message.startswith("A secret of the mail ")

    async def test_need_no_key_file_while_there_are_none(self, own_instance: Instance) -> None:
        (own_instance.data_dir / "encryption.keys").unlink()

        assert (await only(own_instance, "stored secrets")).state is State.OK


async def _mail(instance: Instance) -> None:
    """A mail with a secret that waits to be sent."""
    await instance.admin.call(instance.admin.smtp.AddSMTPConfig, given.smtp_config())
    await enqueue(instance)
