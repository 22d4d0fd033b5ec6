"""Templates, mails that were not delivered, and the SMTP server."""

from pathlib import Path

from server.deliveries.loop import Pace
from server.mail.outbox import MailKind
from server.operate import doctor
from server.system.checks.findings import Finding, State
from tests.conftest import Installation, MakeInstance
from tests.operate.doctor.installation import (
    add_smtp_config,
    before_database,
    enqueue,
    execute,
    only,
    settings_of,
)
from tests.support import given, process
from tests.support.given import Instance
from tests.support.mail_server import mail_server

_NETWORKS = ("smtp_allowed_networks", "smtp_org_allowed_networks")


async def test_a_mail_that_fails_is_a_warning_with_the_last_reason(
    installation: Installation,
) -> None:
    await add_smtp_config(installation)
    await enqueue(installation)
    await execute(
        installation,
        """
        insert into mail_attempts (mail_id, number, started_at, ended_at, reason, message)
        select mail_id, 1, now(), now(), 'SMTP_DOWN', 'The server is down.' from mails;
        update mails set state = 'failed', ended_at = now()""",
    )

    found = await only(installation, "mail")

    assert found.state is State.WARNING
    assert "1 mail failed within a day" in found.message
    assert "the last reason was SMTP_DOWN" in found.message
    assert "The server is down." not in found.message  # such texts may name the recipient


async def test_a_mail_that_waits_for_a_mail_server_is_a_warning_with_the_reason(
    make_instance: MakeInstance,
) -> None:
    pace = Pace(poll=0.01)
    async with make_instance(mail_pace=pace, smtp_allowed_networks="127.0.0.1") as instance:
        await _configure(instance, process.free_port())
        await enqueue(instance, user_id=instance.admin.user_id)
        async with given.sql(instance.dsn) as rows:

            async def is_tried() -> bool:
                ended = "select exists (select from mail_attempts where ended_at is not null)"
                return bool(await rows.fetchval(ended))

            await given.eventually(is_tried)

        found = await only(instance, "mail")

    assert found.state is State.WARNING
    assert "0 mails failed within a day, 1 is overdue" in found.message
    assert "the last reason was CONNECTION_REFUSED." in found.message


async def test_a_mail_that_nobody_tries_is_a_warning(installation: Installation) -> None:
    await add_smtp_config(installation)
    await enqueue(installation)

    at_once = await only(installation, "mail")
    await execute(installation, "update mails set next_attempt_at = now() - interval '2 minutes'")
    later = await only(installation, "mail")

    assert (at_once.state, later.state) == (State.OK, State.WARNING)
    assert "none of them was attempted. Check that a server runs." in later.message


async def test_mails_of_an_organization_with_a_server_of_its_own_are_not_counted_as_overdue(
    installation: Installation,
) -> None:
    await add_smtp_config(installation)
    await enqueue(installation)
    await execute(
        installation,
        "update mails set smtp_org_id = 'own', next_attempt_at = now() - interval '2 minutes'",
    )

    assert (await only(installation, "mail")).state is State.OK


async def test_a_mail_that_a_server_would_take_is_found_by_asking_it_and_sends_none(
    installation: Installation,
) -> None:
    async with mail_server() as server:
        await _configure(installation, server.port)

        steps = await _smtp_steps(installation)

    assert {each.state for each in steps} == {State.OK}
    assert steps[0].check == "smtp resolve"
    assert server.received == []


async def test_a_mail_that_no_server_takes_is_found_by_asking_it(
    installation: Installation,
) -> None:
    await _configure(installation, process.free_port())

    *earlier, last = await _smtp_steps(installation)

    assert (last.check, last.state) == ("smtp connect", State.PROBLEM)
    assert [each.state for each in earlier] == [State.OK]


async def test_each_server_is_asked(installation: Installation) -> None:
    async with mail_server() as server:
        await _configure(installation, server.port)
        await add_smtp_config(
            installation,
            organization_id="own",
            host=f"127.0.0.1:{process.free_port()}",
            tls=False,
            user="",
            password="",
        )

        steps = await _smtp_steps(installation)

    found = [(each.check, each.state) for each in steps if each.state is not State.OK]
    assert found == [("smtp connect of organization own", State.WARNING)]


async def test_a_sender_of_another_domain_than_the_login_is_a_warning(
    installation: Installation,
) -> None:
    await add_smtp_config(installation)
    own = {"sender_address": "noreply@example.com", "user": "ada@contoso.com"}
    await add_smtp_config(installation, organization_id="own", **own)

    found = await only(installation, "mail sender")

    assert found.state is State.WARNING
    assert found.message.startswith("Organization own: The sender is at example.com, but the login")


async def _configure(installation: Installation | Instance, port: int) -> None:
    await add_smtp_config(installation, host=f"127.0.0.1:{port}", tls=False, user="", password="")


async def _smtp_steps(installation: Installation) -> list[Finding]:
    settings = settings_of(installation, smtp_timeout=5, **dict.fromkeys(_NETWORKS, ("127.0.0.1",)))
    found = await doctor.examine(settings, installation.dsn, smtp=True)
    return [each for each in found if each.check.startswith("smtp ")]


def test_templates_with_which_the_server_would_not_start_are_found(tmp_path: Path) -> None:
    template = tmp_path / f"{MailKind.PASSKEY_ADDED}.txt"

    template.write_text("{{ passkey_name }}")
    well = before_database(tmp_path, mail_templates_dir=tmp_path)
    template.write_text("{{ no_such_variable }}")
    ill = before_database(tmp_path, mail_templates_dir=tmp_path)["mail templates"]

    assert "mail templates" not in well
    assert ill.state is State.PROBLEM
    assert template.name in ill.message
    assert "no_such_variable" in ill.message
