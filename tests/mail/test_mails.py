"""ListMails, RetryMail and ListMailPreviews, beside a server that sends mails."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

import grpc
import pytest

from keystead.mail.v1 import mail_service_pb2 as pb
from keystead.org.v1 import brand_service_pb2 as brand_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.access import growing
from server.mail import store
from server.mail.outbox import MailKind, cancel_about
from server.store.database import Statements
from server.store.statement import statement
from server.values.ids import created_at
from server.values.languages import LANGUAGES
from tests.mail.mail_instance import LINK
from tests.mail.mailbox import Mailbox
from tests.org.mail_text_calls import remove, set_text
from tests.support import given, process
from tests.support.given import Client, Instance
from tests.support.mail_server import Fault, reply
from tests.user import calls as users

_REFUSED = reply("550 5.1.1 No such user")
_LATER = reply("450 4.2.1 Try again later")


@pytest.fixture
async def user(mailbox: Mailbox) -> Client:
    """A user with an address."""
    return await given.user(mailbox.admin)


async def test_a_mail_that_was_sent_is_listed_with_its_try(mailbox: Mailbox, user: Client) -> None:
    mail_id = await mailbox.enqueue_link(user)

    mail = await mailbox.until(mail_id, pb.MAIL_STATE_SENT)

    [received] = mailbox.server.received
    assert received.message["Message-ID"] == mail.message_id == f"<{mail_id}@example.com>"
    assert LINK in received.message.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert received.recipients == ("ada@example.com",)
    assert received.sender == "noreply@example.com"
    assert mail.kind == "passkey_registration_link"
    assert mail.user_id == user.user_id
    assert mail.recipient_address == "ada@example.com"
    assert mail.HasField("ended_at")
    assert not mail.HasField("next_attempt_at")
    [attempt] = mail.attempts
    assert (attempt.reason, attempt.message) == ("", "")
    assert "ksl_" not in str(await mailbox.list())


async def test_a_mail_and_its_tries_are_those_of_one_moment(mailbox: Mailbox, user: Client) -> None:
    mail_id = await mailbox.enqueue(user)
    await mailbox.until(mail_id, pb.MAIL_STATE_SENT)

    async with given.sql(mailbox.instance.dsn) as sql:
        async with sql.transaction():
            await sql.execute("lock table mail_attempts in access exclusive mode")
            listing = asyncio.create_task(mailbox.mail(mail_id))
            await given.waiting_for_a_lock(sql)
            await sql.execute("update mails set state = 'failed'")
            await sql.execute("update mail_attempts set reason = 'CHANGED'")
        mail = await listing

    assert (mail.state, mail.attempts[0].reason) == (pb.MAIL_STATE_FAILED, "CHANGED")


async def test_nobody_tries_a_mail_before_its_retry_is_answered(
    mailbox: Mailbox, user: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    mailbox.server.faults["RCPT"] = _REFUSED
    mail_id = await mailbox.enqueue(user)
    await mailbox.until(mail_id, pb.MAIL_STATE_FAILED)
    get, free = store.get, []

    async def get_and_see_who_else_may(database: Statements, mail_id: str) -> store.Mail | None:
        async with given.sql(mailbox.instance.dsn) as sql:
            free.extend(await sql.fetch("select from mails for update skip locked"))
        return await get(database, mail_id)

    monkeypatch.setattr(store, "get", get_and_see_who_else_may)

    answer = await mailbox.retry(mail_id)

    assert answer.mail.state == pb.MAIL_STATE_PENDING
    assert not free


@pytest.mark.parametrize(
    ("fault", "state", "reason", "said"),
    [
        ({"MAIL": _LATER}, pb.MAIL_STATE_PENDING, "TEMPORARILY_REFUSED", "Try again later"),
        ({"RCPT": _REFUSED}, pb.MAIL_STATE_FAILED, "RECIPIENT_REFUSED", "No such user"),
    ],
    ids=["a pending link", "a failed notice"],
)
async def test_a_mail_says_why_it_was_not_sent_and_is_retried_at_once(
    mailbox: Mailbox,
    user: Client,
    fault: dict[str, Fault],
    state: pb.MailState.ValueType,
    reason: str,
    said: str,
) -> None:
    is_pending = state == pb.MAIL_STATE_PENDING
    mailbox.server.faults |= fault
    mail_id = await (mailbox.enqueue_link(user) if is_pending else mailbox.enqueue(user))
    mail = await mailbox.until(mail_id, state)
    [attempt] = mail.attempts
    assert attempt.reason == reason
    assert said in attempt.message
    assert mail.HasField("ended_at") is not is_pending
    next_attempt_at = mail.next_attempt_at.ToDatetime()
    assert (next_attempt_at > attempt.ended_at.ToDatetime()) is is_pending
    assert not mailbox.server.received
    mailbox.server.faults.clear()

    answer = await mailbox.retry(mail_id)

    assert (answer.mail.mail_id, answer.mail.state) == (mail_id, pb.MAIL_STATE_PENDING)
    assert not answer.mail.HasField("ended_at")
    mail = await mailbox.until(mail_id, pb.MAIL_STATE_SENT)
    assert [attempt.reason for attempt in mail.attempts] == [reason, ""]
    assert len(mailbox.server.received) == 1


async def _fail(mailbox: Mailbox, user: Client) -> str:
    mailbox.server.faults["RCPT"] = _REFUSED
    mail_id = await mailbox.enqueue_link(user)
    await mailbox.until(mail_id, pb.MAIL_STATE_FAILED)
    return mail_id


async def _send(mailbox: Mailbox, user: Client) -> str:
    mail_id = await mailbox.enqueue(user)
    await mailbox.until(mail_id, pb.MAIL_STATE_SENT)
    return mail_id


async def _cancel(mailbox: Mailbox, user: Client) -> str:
    mailbox.server.faults["MAIL"] = _LATER
    mail_id = await mailbox.enqueue(user, reference="gone")
    await cancel_about(mailbox.database, ["gone"], organization_id="org")
    return mail_id


@pytest.mark.parametrize(
    ("end", "reason"),
    [(_fail, "MAIL_SECRET_ERASED"), (_send, "MAIL_ALREADY_SENT"), (_cancel, "MAIL_CANCELLED")],
)
async def test_a_mail_that_has_ended_is_not_retried(
    mailbox: Mailbox, user: Client, end: Callable[[Mailbox, Client], Awaitable[str]], reason: str
) -> None:
    mail_id = await end(mailbox, user)
    ended = await mailbox.mail(mail_id)

    refused = await given.refusal(mailbox.retry(mail_id))

    assert (refused.code, refused.reason) == (grpc.StatusCode.FAILED_PRECONDITION, reason)
    assert (await mailbox.mail(mail_id)).state == ended.state


async def test_a_mail_that_is_being_sent_is_not_sent_twice_by_a_retry(
    mailbox: Mailbox, user: Client
) -> None:
    async with mailbox.database.transaction() as transaction:  # before the server sees it
        mail_id = await mailbox.enqueue(user, transaction)
        await transaction.fetch(
            statement(
                "update mails set is_leased = true, attempts = 1,"
                " next_attempt_at = now() + interval '1 hour' where mail_id = :mail_id"
            ),
            mail_id=mail_id,
        )
    lease = statement("select next_attempt_at from mails")
    before = await mailbox.database.fetch_one(lease)

    await mailbox.retry(mail_id)

    assert await mailbox.database.fetch_one(lease) == before


@pytest.mark.parametrize("mail_id", ["", "unknown", "0199d3a8-5f1c-7c3a-9b7e-1d5a4f8e0c21"])
async def test_a_mail_that_does_not_exist_is_not_found(instance: Instance, mail_id: str) -> None:
    admin = instance.admin
    request = pb.RetryMailRequest(mail_id=mail_id)

    refused = await given.refusal(admin.call(admin.mails.RetryMail, request))

    expected = grpc.StatusCode.NOT_FOUND if mail_id else grpc.StatusCode.INVALID_ARGUMENT
    assert refused.code is expected


async def test_lists_have_the_newest_first_and_pages(mailbox: Mailbox, user: Client) -> None:
    written = [await mailbox.enqueue(user) for _ in range(5)]

    first = await mailbox.list(page_size=2)
    second = await mailbox.list(page_size=2, page_token=first.next_page_token)
    last = await mailbox.list(page_size=2, page_token=second.next_page_token)

    assert last.next_page_token == ""
    listed = [mail.mail_id for page in (first, second, last) for mail in page.mails]
    assert listed == written[::-1]


async def test_lists_are_of_one_state_and_one_user(mailbox: Mailbox, user: Client) -> None:
    other = await given.user(mailbox.admin)
    sent = [await mailbox.enqueue(user), await mailbox.enqueue(other)]
    for mail_id in sent:
        await mailbox.until(mail_id, pb.MAIL_STATE_SENT)
    mailbox.server.faults["MAIL"] = _LATER
    waiting = await mailbox.enqueue(user)

    async def listed(**fields: object) -> list[str]:
        return [mail.mail_id for mail in (await mailbox.list(**fields)).mails]

    assert await listed() == [waiting, *sent[::-1]]
    of_user = f'user_id = "{user.user_id}"'
    for text, found in (
        ("", [waiting, *sent[::-1]]),
        ("state = SENT", sent[::-1]),
        ("state = MAIL_STATE_PENDING", [waiting]),
        ("state != SENT", [waiting]),
        ("state = CANCELLED", []),
        (of_user, [waiting, sent[0]]),
        (f"{of_user} AND state = PENDING", [waiting]),
        (f"{of_user} AND user_id = {other.user_id}", []),
        ("user_id = nobody", []),
        ("kind = passkey_added", [waiting, *sent[::-1]]),
        ("kind = passkey_added AND state = PENDING", [waiting]),
        ("kind != passkey_added", []),
    ):
        assert await listed(filter=text) == found, text
        assert await listed(filter=text, order_by="created_at") == found[::-1], text
        page = await mailbox.list(with_total_size=True, page_size=1, filter=text)
        assert (page.total_size, page.total_size_is_minimum) == (len(found), False), text


async def test_lists_are_of_a_time(mailbox: Mailbox, user: Client) -> None:
    written = [await mailbox.enqueue(user) for _ in range(3)]
    at = created_at(written[1])
    assert at is not None

    async def listed(comparison: str, at: datetime = at) -> list[str]:
        mails = (await mailbox.list(filter=f'created_at {comparison} "{at.isoformat()}"')).mails
        return [mail.mail_id for mail in mails]

    times = [(each, created_at(each) or at) for each in written]
    before = [each for each, time in times if time < at]
    same = [each for each, time in times if time == at]
    after = [each for each, time in times if time > at]
    assert await listed("=") == same[::-1]
    assert await listed("<") == before[::-1]
    assert await listed("<=") == [*same[::-1], *before[::-1]]
    assert await listed(">") == after[::-1]
    assert await listed(">=") == [*after[::-1], *same[::-1]]
    assert await listed("<", datetime(1969, 1, 1, tzinfo=UTC)) == []
    assert await listed("<", datetime(9999, 1, 1, tzinfo=UTC)) == written[::-1]


async def test_a_page_ends_after_the_mails_that_a_server_examines(
    mailbox: Mailbox, user: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await mailbox.enqueue(user)
    await mailbox.until(first, pb.MAIL_STATE_SENT)
    mailbox.server.faults["MAIL"] = _LATER
    for _ in range(4):
        await mailbox.enqueue(user)
    monkeypatch.setattr(growing, "MOST_EXAMINED", 2)
    monkeypatch.setattr(growing, "_EXAMINED_FOR_NUMBER", 3)

    text = "state = SENT AND kind = passkey_added"
    wanted = f'{text} AND user_id = "{user.user_id}"'
    pages = [await mailbox.list(filter=wanted, with_total_size=True)]
    while token := pages[-1].next_page_token:
        pages.append(await mailbox.list(filter=wanted, page_token=token))

    assert [[each.mail_id for each in page.mails] for page in pages] == [[], [], [first]]
    assert (pages[0].total_size, pages[0].total_size_is_minimum) == (0, True)


@dataclass
class Owner:
    """The owner of an organization."""

    org_id: str
    client: Client

    @classmethod
    async def of_new(cls, admin: Client) -> "Owner":
        org_id = await given.organization(admin)
        owner = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
        return cls(org_id, owner)

    async def listed(self, caller: Client | None = None, **fields: Any) -> pb.ListMailsResponse:
        client = caller or self.client
        request = pb.ListMailsRequest(**fields)
        answer: pb.ListMailsResponse = await client.call(
            client.mails.ListMails, request, x_service_orgid=self.org_id
        )
        return answer


async def test_an_owner_sees_the_mails_of_the_organization_and_of_no_other(
    mailbox: Mailbox, user: Client
) -> None:
    own, other = await Owner.of_new(mailbox.admin), await Owner.of_new(mailbox.admin)
    written = {
        owner.org_id: [
            await mailbox.enqueue(owner.client, organization_id=owner.org_id) for _ in range(2)
        ]
        for owner in (own, other)
    }
    of_instance = await mailbox.enqueue(user)
    for mail_id in [of_instance, *written[own.org_id], *written[other.org_id]]:
        await mailbox.until(mail_id, pb.MAIL_STATE_SENT)

    async def ids(owner: Owner, **fields: Any) -> list[str]:
        return [mail.mail_id for mail in (await owner.listed(**fields)).mails]

    mine = written[own.org_id][::-1]
    assert await ids(own) == mine
    first = await own.listed(page_size=1)
    second = await own.listed(page_size=1, page_token=first.next_page_token)
    assert [each.mails[0].mail_id for each in (first, second)] == mine
    assert second.next_page_token == ""
    assert await ids(own, filter="state = SENT") == mine
    assert await ids(own, filter="state = PENDING") == []
    of_own = f"user_id = {own.client.user_id}"
    assert await ids(own, filter=of_own) == mine
    assert await ids(own, filter=f"{of_own} AND state = FAILED") == []
    for elsewhere in (other.client.user_id, user.user_id):
        assert await ids(own, filter=f"user_id = {elsewhere}") == []
    assert await ids(own, caller=mailbox.admin) == mine
    assert len((await mailbox.list()).mails) == 5
    page_of_another = other.listed(page_token=first.next_page_token)
    assert set((await given.refusal(page_of_another)).violations) == {"pageToken"}
    assert await given.outcome(own.listed(caller=other.client)) == "PERMISSION_DENIED"
    everything = own.client.call(own.client.mails.ListMails, pb.ListMailsRequest())
    assert await given.outcome(everything) == "PERMISSION_DENIED"


async def test_a_list_does_not_tell_of_many_mails_to_a_user_elsewhere(
    mailbox: Mailbox, user: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = await Owner.of_new(mailbox.admin)
    for _ in range(3):
        await mailbox.enqueue(user)
    monkeypatch.setattr(growing, "MOST_EXAMINED", 2)
    monkeypatch.setattr(growing, "_EXAMINED_FOR_NUMBER", 2)

    found, unknown = [
        await own.listed(filter=f"user_id = {each}", with_total_size=True)
        for each in (user.user_id, "unknown")
    ]

    assert found == unknown == pb.ListMailsResponse()


async def test_an_owner_sees_the_answers_of_the_own_server_alone(mailbox: Mailbox) -> None:
    owner = await Owner.of_new(mailbox.admin)
    mailbox.server.faults["RCPT"] = _REFUSED

    async def attempt() -> pb.MailAttempt:
        mail_id = await mailbox.enqueue(owner.client, organization_id=owner.org_id)
        await mailbox.until(mail_id, pb.MAIL_STATE_FAILED)
        [shown_to_all] = (await owner.listed(mailbox.admin)).mails[0].attempts
        assert "No such user" in shown_to_all.message
        [attempt] = (await owner.listed()).mails[0].attempts
        return attempt

    by_instance = await attempt()
    config = given.smtp_config(
        host=f"127.0.0.1:{mailbox.server.port}", tls=False, user="", password=""
    )
    admin = mailbox.admin
    await admin.call(admin.smtp.AddSMTPConfig, config, x_service_orgid=owner.org_id)
    by_own = await attempt()
    help_desk = await given.user(admin, org_id=owner.org_id, roles=[user_pb.ROLE_ORG_HELP_DESK])
    [to_help_desk] = (await owner.listed(help_desk)).mails[0].attempts

    assert (to_help_desk.reason, to_help_desk.message) == (by_own.reason, "")
    assert by_instance.route == pb.MAIL_ROUTE_INSTANCE
    assert (by_instance.reason, by_instance.message) == ("RECIPIENT_REFUSED", "")
    assert by_own.route == pb.MAIL_ROUTE_ORGANIZATION
    assert "No such user" in by_own.message


async def test_a_page_token_is_of_one_list(mailbox: Mailbox, user: Client) -> None:
    for _ in range(2):
        await mailbox.enqueue(user)
    token = (await mailbox.list(page_size=1)).next_page_token

    refused = await given.refusal(mailbox.list(page_token=token, order_by="created_at"))

    assert set(refused.violations) == {"pageToken"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("state = OPEN", "must compare state with one of PENDING, SENT, FAILED, CANCELLED"),
        ("kind = letter", "must compare kind with one of passkey_registration_link"),
        ("user_id != ada", "must have one of = after user_id"),
        ('user_id = ""', "must compare user_id with an ID"),
        ("created_at > yesterday", "an instant as in RFC 3339"),
        ("recipient_address = ada", "the fields are created_at, kind, state, user_id"),
    ],
)
async def test_a_filter_that_cannot_be_is_refused(
    instance: Instance, text: str, problem: str
) -> None:
    admin = instance.admin
    request = pb.ListMailsRequest(filter=text, order_by="state", page_size=-1)

    refused = await given.refusal(admin.call(admin.mails.ListMails, request))

    assert set(refused.violations) == {"filter", "orderBy", "pageSize"}
    assert problem in refused.violations["filter"]
    assert "must be one of created_at" in refused.violations["orderBy"]


async def test_a_removed_user_gets_no_mail(mailbox: Mailbox, user: Client) -> None:
    admin = mailbox.admin
    mailbox.server.faults["MAIL"] = _LATER
    mail_id = await mailbox.enqueue_link(user)
    await mailbox.until_tried(mail_id, 1)

    await users.remove(admin, user.user_id)

    secrets = await mailbox.database.fetch(
        statement("select from secrets where aggregate_id = :mail_id"), mail_id=mail_id
    )
    assert not secrets
    [mail] = (await mailbox.list()).mails
    assert mail.state == pb.MAIL_STATE_CANCELLED
    assert not mail.HasField("next_attempt_at")
    retry = pb.RetryMailRequest(mail_id=mail_id)
    assert await given.outcome(admin.call(admin.mails.RetryMail, retry)) == "MAIL_CANCELLED"
    assert not mailbox.server.received


async def test_operators_list_and_retry_mails_by_the_command_line(
    mailbox: Mailbox, user: Client
) -> None:
    mailbox.server.faults["RCPT"] = _REFUSED
    mail_id = await mailbox.enqueue(user)
    await mailbox.until(mail_id, pb.MAIL_STATE_FAILED)
    mailbox.server.faults.clear()
    keystead = partial(
        process.keystead, data_dir=mailbox.instance.data_dir, database_url=mailbox.instance.dsn
    )

    listed = await keystead("mail", "list", "--filter", "state = FAILED")
    elsewhere = await keystead(
        "mail", "list", "--org", await given.organization(mailbox.admin, name="Without mails")
    )
    retried = await keystead("mail", "retry", mail_id)
    unknown = await keystead("mail", "retry", "unknown")

    assert listed.output.startswith(f"{mail_id}\tpasskey_added\tFAILED\tada@example.com\t")
    assert "RECIPIENT_REFUSED" in listed.output
    assert listed.output.endswith("\tINSTANCE\n")
    assert (elsewhere.status, elsewhere.output) == (0, "")
    assert (retried.status, retried.errors) == (0, "")
    assert unknown.status == 1
    assert "The mail does not exist" in unknown.errors
    await mailbox.until(mail_id, pb.MAIL_STATE_SENT)


async def test_the_next_mail_has_an_own_text_at_once(mailbox: Mailbox, user: Client) -> None:
    texts = []
    for title in ("First", "Second"):
        await set_text(mailbox.admin, "passkey_added.en", title=title)
        await mailbox.until(await mailbox.enqueue(user), pb.MAIL_STATE_SENT)
        body = mailbox.server.received[-1].message.get_body(("html",))
        texts.append(body.get_content() if body else "")
    await remove(mailbox.admin, "passkey_added.en")

    assert "<h1>First</h1>" in texts[0]
    assert "<h1>Second</h1>" in texts[1]


async def test_every_kind_of_mail_is_shown_with_examples(mailbox: Mailbox) -> None:
    admin = mailbox.admin
    brand = brand_pb.SetInstanceBrandRequest(name="Analytical <Engines>", color="#123456")
    await admin.call(admin.brands.SetInstanceBrand, brand)

    async def previews(language: str = "") -> list[pb.MailPreview]:
        request = pb.ListMailPreviewsRequest(language=language)
        answer = await admin.call(admin.mails.ListMailPreviews, request)
        return list(answer.previews)

    async def has_the_brand() -> bool:
        return "Analytical" in (await previews())[0].subject

    await given.eventually(has_the_brand)
    shown = await previews()
    assert [each.kind for each in shown] == list(MailKind)
    assert shown[0].subject == "Register a passkey for Analytical <Engines>"
    assert all("Hello," in each.text for each in shown)
    assert all("<bdi>Analytical &lt;Engines&gt;</bdi>" in each.html for each in shown)
    assert "https://id.example.com/passkeys/#user=ada;code=ksl_0" in shown[0].text
    assert all("#123456" in each.html for each in shown)
    assert [each.subject for each in await previews("en")] == [each.subject for each in shown]
    german = await previews("de")
    assert all("Guten Tag" in each.text and '<html lang="de">' in each.html for each in german)
    refused = await given.refusal(previews("tlh"))
    assert refused.violations == {"language": f"must be one of {', '.join(LANGUAGES)}"}
    assert not mailbox.server.received
