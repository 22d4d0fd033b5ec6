"""Mail domains: their proof by DNS, the provider to which they lead, and the trust they give."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import Any

import asyncpg
import grpc
import pytest

from keystead.idp.v1 import mail_domain_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.idp.domains import commands
from server.net.txt_records import TXTAnswer, TXTRecords
from server.store.database import Database, connected
from tests.event import calls as events
from tests.idp import calls, signins
from tests.idp.mail_domains import create, discover, get, patch, prove, remove, unused, verify
from tests.idp.signins import Site
from tests.support import given
from tests.support.dns_server import Zone
from tests.support.given import Client, Instance
from tests.user import calls as users

# It looks like `paypal.example`.
_CYRILLIC = "\u0440\u0430\u0443\u0440\u0430l.example"


async def _owner(instance: Instance) -> Client:
    org_id = await given.organization(instance.admin)
    return await given.user(instance.admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])


async def _history(client: Client, mail_domain_id: str) -> list[str]:
    """The types of the events of a mail domain, oldest first."""
    found = await events.events(client, aggregate_id=mail_domain_id)
    return [each.event_type for each in reversed(found)]


@pytest.fixture
async def owner(relying: Instance) -> Client:
    return await _owner(relying)


@pytest.fixture
async def other(relying: Instance) -> Client:
    return await _owner(relying)


async def test_a_claim_gives_a_record_and_its_publication_proves_the_domain(
    owner: Client, zone: Zone
) -> None:
    domain = unused()
    created = await create(owner, domain.upper())
    claim = await get(owner, created.mail_domain_id)
    assert (claim.domain, claim.record_name, claim.record_value) == (
        domain,
        f"_keystead-challenge.{domain}",
        created.record_value,
    )
    assert len(created.record_value.removeprefix("keystead-domain-verification=")) == 32
    assert created.record_value != (await create(owner)).record_value
    assert not claim.HasField("proven_at")

    zone.publish(created.record_name, "v=spf1 -all", created.record_value)
    proven = await verify(owner, created.mail_domain_id)
    again = await verify(owner, created.mail_domain_id)

    assert again.details == proven.details
    assert (await get(owner, created.mail_domain_id)).HasField("proven_at")


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (None, "There is no TXT record"),
        ([], "There is no TXT record"),
        (["keystead-domain-verification=other"], '"keystead-domain-verification=other"'),
        (["{value} ", "x{value}"], "There are the values"),
        (["€" * 80], "\\xe2\\x82\\xac"),
    ],
    ids=str,
)
async def test_a_refusal_names_the_record_and_the_values_that_were_found(
    owner: Client, zone: Zone, values: list[str] | None, found: str
) -> None:
    created = await create(owner)
    value = created.record_value
    if values is not None:
        zone.publish(created.record_name, *(each.format(value=value) for each in values))

    refused = await given.refusal(verify(owner, created.mail_domain_id))

    assert (refused.code, refused.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "MAIL_DOMAIN_NOT_PROVEN",
    )
    assert created.record_name in refused.message
    assert value in refused.message
    assert found in refused.message


async def test_a_record_can_be_in_parts_in_a_long_answer_or_behind_an_alias(
    owner: Client, zone: Zone
) -> None:
    in_parts, long, alias = [await create(owner) for _ in range(3)]
    middle = len(in_parts.record_value) // 2
    zone.publish(
        in_parts.record_name, [in_parts.record_value[:middle], in_parts.record_value[middle:]]
    )
    zone.publish(long.record_name, *(f"{n}{'x' * 200}" for n in range(20)), long.record_value)
    zone.aliases[alias.record_name] = "proofs.hosting.example"
    zone.publish("proofs.hosting.example", alias.record_value)

    for each in (in_parts, long, alias):
        await verify(owner, each.mail_domain_id)


async def test_a_refusal_names_an_alias_and_not_the_values_behind_it(
    owner: Client, zone: Zone
) -> None:
    created = await create(owner)
    zone.aliases[created.record_name] = "secret.internal.example"
    zone.publish("secret.internal.example", "of nobody else")

    refused = await given.refusal(verify(owner, created.mail_domain_id))

    assert "an alias of secret.internal.example" in refused.message
    assert refused.metadata["found"] == "CNAME secret.internal.example"
    assert "of nobody else" not in str(refused)


async def test_an_organization_does_not_take_the_look_ups_of_others(
    owner: Client, other: Client, zone: Zone
) -> None:
    created, elsewhere = await create(owner), await create(other)

    outcomes = await given.outcomes(verify(owner, created.mail_domain_id) for _ in range(60))
    refused = await given.refusal(verify(owner, created.mail_domain_id))

    assert 50 <= outcomes["MAIL_DOMAIN_NOT_PROVEN"] < 55
    assert refused.reason == "RATE_LIMITED"
    assert await given.outcome(verify(other, elsewhere.mail_domain_id)) == "MAIL_DOMAIN_NOT_PROVEN"


async def test_a_silent_server_proves_and_refuses_nothing(owner: Client, zone: Zone) -> None:
    created = await create(owner)
    zone.failing.add(created.record_name)

    refused = await given.refusal(verify(owner, created.mail_domain_id))

    assert (refused.code, refused.reason) == (grpc.StatusCode.UNAVAILABLE, "DNS_UNAVAILABLE")


@pytest.mark.parametrize(
    ("domain", "normal", "record"),
    [
        ("Bücher.Example", "bücher.example", "xn--bcher-kva.example"),
        ("XN--BCHER-KVA.example", "bücher.example", "xn--bcher-kva.example"),
        # Another domain than the one in Latin letters, which needs a proof of its own.
        (_CYRILLIC, _CYRILLIC, _CYRILLIC.encode("idna").decode()),
        ("corp.local", "corp.local", "corp.local"),
    ],
)
async def test_international_domains_have_one_form_and_a_record_in_ascii(
    owner: Client, zone: Zone, domain: str, normal: str, record: str
) -> None:
    created = await create(owner, domain)
    claim = await get(owner, created.mail_domain_id)
    again = await given.refusal(create(owner, normal))

    assert (claim.domain, claim.record_name) == (normal, f"_keystead-challenge.{record}")
    assert again.reason == "MAIL_DOMAIN_ALREADY_EXISTS"
    zone.publish(claim.record_name, claim.record_value)
    await verify(owner, created.mail_domain_id)
    assert f"_keystead-challenge.{record}" in zone.asked


@pytest.mark.parametrize(
    "domain",
    [
        "",
        "corp.example.",
        ".corp.example",
        "ada@corp.example",
        "evil.example@corp.example",
        "*.corp.example",
        "corp..example",
        "corp.example/",
        "[192.0.2.1]",
        "corp example",
        "corp.example\n",
        "a" * 64 + ".example",
        ".".join(["a" * 60] * 4)[:236],
    ],
)
async def test_texts_that_are_no_domain_are_refused(owner: Client, domain: str) -> None:
    claim = pb.CreateMailDomainRequest(domain=domain)
    tried: list[Awaitable[object]] = [owner.call(owner.mail_domains.CreateMailDomain, claim)]
    if len(domain) < 236:  # otherwise it is a domain, and too long only for a record
        tried.append(discover(owner.with_token(""), domain))
    for call in tried:
        refused = await given.refusal(call)
        assert refused.reason == "INVALID_FIELDS"
        assert list(refused.violations) == ["domain"]


async def test_two_organizations_claim_a_domain_and_one_of_them_proves_it(
    owner: Client, other: Client, zone: Zone
) -> None:
    domain = unused()
    claims = [await create(each, domain) for each in (owner, other)]
    zone.publish(claims[0].record_name, *(each.record_value for each in claims))

    outcomes = await given.outcomes(
        verify(client, claim.mail_domain_id)
        for client, claim in zip((owner, other), claims, strict=True)
    )

    assert outcomes == {"OK": 1, "MAIL_DOMAIN_PROVEN_ELSEWHERE": 1}
    proven = [
        (await get(client, claim.mail_domain_id)).HasField("proven_at")
        for client, claim in zip((owner, other), claims, strict=True)
    ]
    assert sorted(proven) == [False, True]


async def test_a_proof_ends_once_dns_names_only_another_organization(
    owner: Client, other: Client, zone: Zone
) -> None:
    domain = unused()
    first = await prove(owner, zone, domain)
    second = await create(other, domain)
    zone.publish(second.record_name, "keystead-domain-verification=other")
    refused = await given.refusal(verify(other, second.mail_domain_id))
    assert refused.reason == "MAIL_DOMAIN_NOT_PROVEN"
    assert (await get(owner, first)).HasField("proven_at")

    zone.publish(second.record_name, second.record_value)
    await verify(other, second.mail_domain_id)

    assert not (await get(owner, first)).HasField("proven_at")
    assert (await discover(owner, domain))[0] != ""
    assert await _history(owner, first) == [
        "mail_domain.added",
        "mail_domain.proven",
        "mail_domain.lapsed",
    ]
    refused = await given.refusal(verify(owner, first))
    assert refused.reason == "MAIL_DOMAIN_NOT_PROVEN"


@contextlib.asynccontextmanager
async def _locked(instance: Instance, mail_domain_id: str) -> AsyncIterator[asyncpg.Connection]:
    """Locks a mail domain, for which calls wait in the order of their arrival."""
    async with given.sql(instance.dsn) as sql, sql.transaction():
        await sql.execute("select from mail_domains where id = $1 for update", mail_domain_id)
        yield sql


async def test_proofs_of_two_organizations_that_wait_for_each_other_leave_one(
    relying: Instance, owner: Client, other: Client, zone: Zone
) -> None:
    domain = unused()
    first = await get(owner, await prove(owner, zone, domain))
    second = await create(other, domain)

    async with asyncio.TaskGroup() as tasks, _locked(relying, first.mail_domain_id) as sql:
        zone.publish(first.record_name, second.record_value)
        moved = tasks.create_task(given.outcome(verify(other, second.mail_domain_id)))
        await given.waiting_for_a_lock(sql)
        zone.publish(first.record_name, first.record_value, second.record_value)
        again = tasks.create_task(given.outcome(verify(owner, first.mail_domain_id)))
        await given.waiting_for_a_lock(sql, statements=2)

    assert (moved.result(), again.result()) == ("OK", "MAIL_DOMAIN_PROVEN_ELSEWHERE")
    assert not (await get(owner, first.mail_domain_id)).HasField("proven_at")


async def test_a_look_up_that_is_older_than_a_proof_does_not_end_it(
    relying: Instance, owner: Client, other: Client, zone: Zone
) -> None:
    domain = unused()
    first = await get(owner, await prove(owner, zone, domain))
    second = await create(other, domain)
    zone.publish(first.record_name, second.record_value)

    async with asyncio.TaskGroup() as tasks, _locked(relying, first.mail_domain_id) as sql:
        outcome = tasks.create_task(given.outcome(verify(other, second.mail_domain_id)))
        await given.waiting_for_a_lock(sql)
        await sql.execute(
            "update mail_domains set proven_at = clock_timestamp() where id = $1",
            first.mail_domain_id,
        )

    assert outcome.result() == "MAIL_DOMAIN_PROVEN_ELSEWHERE"
    assert (await get(owner, first.mail_domain_id)).HasField("proven_at")
    await remove(owner, first.mail_domain_id)  # a rebuild would not find this proof in the log


async def test_a_domain_that_is_removed_while_it_is_proven_is_free(
    relying: Instance, owner: Client, other: Client, zone: Zone
) -> None:
    domain = unused()
    created = await create(owner, domain)
    zone.publish(created.record_name, created.record_value)

    async with asyncio.TaskGroup() as tasks, _locked(relying, created.mail_domain_id) as sql:
        proven = tasks.create_task(given.outcome(verify(owner, created.mail_domain_id)))
        await given.waiting_for_a_lock(sql)
        removed = tasks.create_task(given.outcome(remove(owner, created.mail_domain_id)))
        await given.waiting_for_a_lock(sql, statements=2)

    assert (proven.result(), removed.result()) == ("OK", "OK")
    await prove(other, zone, domain)


async def test_an_organization_claims_a_domain_again_with_another_record(
    owner: Client, zone: Zone
) -> None:
    domain = unused()
    first = await prove(owner, zone, domain)
    await remove(owner, first)
    assert await discover(owner, domain) == ("", "")

    again = await create(owner, domain)

    refused = await given.refusal(verify(owner, again.mail_domain_id))
    assert refused.reason == "MAIL_DOMAIN_NOT_PROVEN"
    refused = await given.refusal(get(owner, first))
    assert refused.reason == "MAIL_DOMAIN_NOT_FOUND"


async def test_an_organization_has_at_most_fifty_claims(owner: Client) -> None:
    for _ in range(50):
        await create(owner)

    refused = await given.refusal(create(owner))

    assert (refused.code, refused.reason) == (
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "TOO_MANY_MAIL_DOMAINS",
    )


async def test_a_claim_names_providers_of_its_organization_alone(site: Site, other: Client) -> None:
    foreign, ambiguous = await given.idp(other), "Provider"
    await given.idp(site.owner, name=ambiguous)
    created = await create(site.owner, idp_id=site.idp_id)

    refused = [
        await given.refusal(create(site.owner, idp_id=foreign)),
        await given.refusal(patch(site.owner, created.mail_domain_id, idp_id=foreign)),
    ]
    several = await given.refusal(create(site.owner, idp_id=ambiguous))

    assert [each.reason for each in refused] == ["IDP_NOT_FOUND"] * 2
    assert several.reason == "IDP_NAME_NOT_UNIQUE"
    refusal = await given.refusal(patch(other, created.mail_domain_id, idp_id=foreign))
    assert refusal.reason == "MAIL_DOMAIN_NOT_FOUND"
    only = await given.idp(site.owner, name="Only")
    await patch(site.owner, created.mail_domain_id, idp_id="Only")
    assert (await get(site.owner, created.mail_domain_id)).idp_id == only
    await patch(site.owner, created.mail_domain_id, idp_id="")
    assert (await get(site.owner, created.mail_domain_id)).idp_id == ""


async def test_a_proven_domain_leads_to_the_only_provider_or_to_the_chosen_one(
    site: Site, zone: Zone
) -> None:
    domain = unused()
    nobody = site.instance.nobody
    created = await create(site.owner, domain)
    assert await discover(nobody, domain) == ("", "")

    zone.publish(created.record_name, created.record_value)
    await verify(site.owner, created.mail_domain_id)
    assert await discover(nobody, domain.upper()) == (site.org_id, site.idp_id)
    assert await discover(nobody, f"sub.{domain}") == ("", "")
    assert await discover(nobody, domain.partition(".")[2]) == ("", "")

    await given.idp(site.owner)  # without settings, it is none of the options
    second = await signins.site(site.instance, site.provider, org_id=site.org_id)
    assert await discover(nobody, domain) == (site.org_id, "")
    await patch(site.owner, created.mail_domain_id, idp_id=second.idp_id)
    assert await discover(nobody, domain) == (site.org_id, second.idp_id)

    await calls.patch(site.owner, second.idp_id, ["is_disabled"], is_disabled=True)
    assert await discover(nobody, domain) == (site.org_id, "")
    await calls.remove(site.owner, second.idp_id)
    assert await discover(nobody, domain) == (site.org_id, "")


async def _is_verified(site: Site, user_id: str) -> bool:
    user = await users.get(site.owner, user_id)
    return user.email_verification == user_pb.EMAIL_VERIFICATION_PROVIDER


async def _sign_in(site: Site, domain: str, **claims: Any) -> str:
    said = {"email": f"ada@{domain}", "email_verified": True} | claims
    site.provider.speak_of("ada", **said)
    return (await site.sign_in()).answer.user_id


_Prepare = Callable[[Site, Zone, str, Client], Awaitable[object]]


async def _claim(site: Site, zone: Zone, domain: str, other: Client) -> None:
    await create(site.owner, domain)


async def _prove(site: Site, zone: Zone, domain: str, other: Client) -> None:
    await prove(site.owner, zone, domain, idp_id=site.idp_id)


async def _prove_elsewhere(site: Site, zone: Zone, domain: str, other: Client) -> None:
    await create(site.owner, domain)
    await site.set_config(auto_register_mail_domains=[domain])
    await prove(other, zone, domain)


async def _prove_parent(site: Site, zone: Zone, domain: str, other: Client) -> None:
    await prove(site.owner, zone, domain.partition(".")[2])


async def _prove_for_another(site: Site, zone: Zone, domain: str, other: Client) -> None:
    await prove(site.owner, zone, domain, idp_id=await given.idp(site.owner))


async def _prove_for_a_removed_one(site: Site, zone: Zone, domain: str, other: Client) -> None:
    removed = await given.idp(site.owner)
    await prove(site.owner, zone, domain, idp_id=removed)
    await calls.remove(site.owner, removed)


async def _prove_and_remove(site: Site, zone: Zone, domain: str, other: Client) -> None:
    await remove(site.owner, await prove(site.owner, zone, domain))


@pytest.mark.parametrize(
    ("prepare", "claims", "is_verified"),
    [
        (_prove, {}, True),
        (_prove, {"email_verified": False}, False),
        (_prove, {"email_verified": None}, False),
        (_prove, {"email": "ada@{DOMAIN}"}, True),
        (_prove, {"email": "ada@evil.example@{domain}"}, False),
        (_prove, {"email": '"ada@evil.example"@{domain}'}, False),
        (_prove, {"email": "ada@{domain}@evil.example"}, False),
        (_prove, {"email": "ada@sub.{domain}"}, False),
        (_prove, {"email": "ada@{domain}."}, False),
        (_claim, {}, False),
        (_prove_elsewhere, {}, False),
        (_prove_parent, {}, False),
        (_prove_for_another, {}, False),
        (_prove_for_a_removed_one, {}, False),
        (_prove_and_remove, {}, False),
    ],
)
async def test_an_address_is_verified_by_a_provider_of_the_organization_of_its_domain(
    site: Site,
    zone: Zone,
    other: Client,
    prepare: _Prepare,
    claims: dict[str, Any],
    is_verified: bool,
) -> None:
    domain = f"a.{unused()}"
    await prepare(site, zone, domain, other)
    said = {
        name: value.replace("{domain}", domain).replace("{DOMAIN}", domain.upper())
        if isinstance(value, str)
        else value
        for name, value in claims.items()
    }

    user_id = await _sign_in(site, domain, **said)

    assert await _is_verified(site, user_id) == is_verified


@pytest.mark.parametrize(("hd", "is_verified"), [("corp.example", True), (None, False)])
async def test_an_account_outside_of_the_hosted_domains_verifies_no_address(
    site: Site, zone: Zone, hd: str | None, is_verified: bool
) -> None:
    domain = unused()
    user_id = await _sign_in(site, domain)
    await site.set_config(auto_register_hosted_domains=["corp.example"])
    await prove(site.owner, zone, domain)

    await _sign_in(site, domain, hd=hd)

    assert await _is_verified(site, user_id) == is_verified


@pytest.fixture
async def database(relying: Instance) -> AsyncIterator[Database]:
    async with connected(relying.dsn, pool_size=4) as database:
        yield database


async def _later(instance: Instance, mail_domain_id: str, **by: float) -> None:
    """Moves the looks at a record into the past."""
    async with given.sql(instance.dsn) as sql:
        past = timedelta(**by)
        await sql.execute(
            "update mail_domain_checks set checked_at = checked_at - $2::interval"
            " where mail_domain_id = $1",
            mail_domain_id,
            past,
        )
        await sql.execute(
            "update mail_domains set missed_at = missed_at - $2::interval where id = $1",
            mail_domain_id,
            past,
        )


async def test_a_proof_ends_when_its_record_has_been_missing_for_days(
    relying: Instance, owner: Client, zone: Zone, database: Database
) -> None:
    domain = unused()
    proven = await prove(owner, zone, domain)
    record = (await get(owner, proven)).record_name
    value = (await get(owner, proven)).record_value
    check = partial(commands.check_proofs, database, TXTRecords([zone.address]))

    await check()
    zone.asked.clear()
    await check()
    assert record not in zone.asked  # it was looked up today

    zone.failing.add(record)
    await _later(relying, proven, days=2)
    await check()
    assert not (await get(owner, proven)).HasField("missed_at")

    zone.failing.clear()
    zone.publish(record)
    await _later(relying, proven, days=2)
    await check()
    claim = await get(owner, proven)
    assert (claim.HasField("missed_at"), claim.HasField("proven_at")) == (True, True)

    zone.publish(record, value)
    await _later(relying, proven, days=4)
    await check()
    claim = await get(owner, proven)
    assert (claim.HasField("missed_at"), claim.HasField("proven_at")) == (False, True)

    del zone.records[record]
    for _ in range(2):
        await _later(relying, proven, days=4)
        await check()
    claim = await get(owner, proven)
    assert (claim.HasField("missed_at"), claim.HasField("proven_at")) == (False, False)
    assert await discover(owner, domain) == ("", "")
    assert await _history(owner, proven) == [
        "mail_domain.added",
        "mail_domain.proven",
        "mail_domain.record_missed",
        "mail_domain.proven",
        "mail_domain.record_missed",
        "mail_domain.lapsed",
    ]
    assert await given.outcome(prove(await _owner(relying), zone, domain)) == "OK"


async def test_a_look_that_is_older_than_a_proof_does_not_end_it(
    relying: Instance, owner: Client, zone: Zone, database: Database
) -> None:
    claim = await get(owner, await prove(owner, zone))
    zone.publish(claim.record_name)
    records = TXTRecords([zone.address])
    await commands.check_proofs(database, records)
    await _later(relying, claim.mail_domain_id, days=4)

    class _Outdated(TXTRecords):
        async def look_up(self, name: str) -> TXTAnswer:
            found = await super().look_up(name)
            if name == claim.record_name:
                zone.publish(name, claim.record_value)
                await verify(owner, claim.mail_domain_id)
            return found

    await commands.check_proofs(database, _Outdated([zone.address]))

    assert (await get(owner, claim.mail_domain_id)).HasField("proven_at")


async def test_all_records_are_looked_up_however_many_domains_are_proven(
    owner: Client, zone: Zone, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "_ROUND", 2)
    records = [(await get(owner, await prove(owner, zone))).record_name for _ in range(5)]
    zone.asked.clear()

    await commands.check_proofs(database, TXTRecords([zone.address]))

    assert set(records) <= set(zone.asked)


async def test_servers_share_the_looks_at_records(
    relying: Instance, owner: Client, zone: Zone, database: Database
) -> None:
    proven = await prove(owner, zone)
    record = (await get(owner, proven)).record_name
    zone.asked.clear()

    records = TXTRecords([zone.address])
    await asyncio.gather(*(commands.check_proofs(database, records) for _ in range(4)))

    assert zone.asked.count(record) == 1
