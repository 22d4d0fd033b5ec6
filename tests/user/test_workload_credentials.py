"""CreateWorkloadCredential: a workload acts as a user by the tokens of its platform."""

import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import json_format

from keystead.event.v1 import event_service_pb2 as event_pb
from keystead.user.v1 import user_service_pb2 as pb
from tests.conftest import MakeInstance
from tests.event import calls as events
from tests.idp import signins
from tests.support import given, process
from tests.support.certificates import Authority
from tests.support.given import Client, Instance
from tests.support.oidc_provider import Provider, answering
from tests.support.web_client import web_client
from tests.support.workload_tokens import DOCUMENTED, FORGERIES, SUBJECT, Forge, claims_of
from tests.user import calls

_NOW = int(time.time())
_DAY = 86_400


@dataclass(frozen=True)
class Job:
    """A workload that acts as a user, without a token of Keystead."""

    provider: Provider
    user: Client
    token_id: str

    @property
    def audience(self) -> str:
        return f"https://id.example.com/users/{self.user.user_id}"

    def token(self, **claims: Any) -> str:
        return self.provider.signed(claims_of(self.provider, self.audience, **claims))

    def client(self, **claims: Any) -> Client:
        return self.user.with_token(self.token(**claims), self.user.user_id)


async def _job(instance: Instance, provider: Provider, **workload: Any) -> Job:
    user = await given.user(instance.admin, roles=[pb.ROLE_ORG_OWNER])
    trusted = {**calls.workload(user.user_id, provider.issuer), **workload}
    added = await calls.create_workload_credential(instance.admin, user.user_id, trusted)
    return Job(provider, user, added.token_id)


@pytest.fixture
async def job(relying: Instance, provider: Provider) -> Job:
    """A workload that acts as the owner of an organization."""
    return await _job(relying, provider)


async def _by_grpc(_instance: Instance, client: Client) -> str:
    return (await calls.whoami(client)).user_id


async def _by_json(instance: Instance, client: Client) -> str:
    async with web_client(instance.web_port) as web:
        answer = await web.get("/v1/users/me", headers=_authorization(client))
    return str(answer.json()["user"]["userId"])


async def _by_grpcweb(instance: Instance, client: Client) -> str:
    async with web_client(instance.web_port) as web:
        answer = await web.post(
            "/keystead.user.v1.UserService/GetCurrentUser",
            content=bytes(5),
            headers={"content-type": "application/grpc-web+proto", **_authorization(client)},
        )
    length = int.from_bytes(answer.content[1:5])
    return pb.GetCurrentUserResponse.FromString(answer.content[5 : 5 + length]).user.user_id


def _authorization(client: Client) -> dict[str, str]:
    return {"authorization": f"Bearer {client.token}"}


@pytest.mark.parametrize("caller", [_by_grpc, _by_json, _by_grpcweb])
async def test_a_workload_is_its_user_on_every_transport(
    relying: Instance, job: Job, caller: Callable[[Instance, Client], Awaitable[str]]
) -> None:
    assert await caller(relying, job.client()) == job.user.user_id


async def test_a_workload_writes_as_its_user(job: Job) -> None:
    created = await calls.create(job.client())

    assert (await calls.get(job.user, created.user_id)).details == created.details
    made = await calls.create_token(job.client(), created.user_id)
    [token] = await calls.tokens(job.user, created.user_id)
    assert (token.token_id, token.created_by) == (made.token_id, job.user.user_id)


async def test_a_credential_is_listed_with_its_workload_and_logged_without_its_name(
    relying: Instance, provider: Provider
) -> None:
    org_id = await given.organization(relying.admin)
    user = await given.user(relying.admin, org_id=org_id)
    expires_at = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)
    trusted = {**calls.workload(user.user_id, provider.issuer), "claims": {"owner_id": "4711"}}

    added = await calls.create_workload_credential(
        relying.admin, user.user_id, trusted, name="of Ada", expires_at=expires_at
    )

    [listed] = [
        each
        for each in await calls.tokens(relying.admin, user.user_id)
        if each.token_id == added.token_id
    ]
    assert listed.kind == pb.TOKEN_KIND_WORKLOAD
    assert (listed.workload.issuer, listed.workload.subject) == (provider.issuer, SUBJECT)
    assert dict(listed.workload.claims) == {"owner_id": "4711"}
    assert (listed.name, listed.thumbprint) == ("of Ada", "")
    assert listed.expires_at.ToDatetime(UTC) == expires_at
    bearer = next(e for e in await calls.tokens(relying.admin, user.user_id) if e != listed)
    assert not bearer.HasField("workload")
    logged = await events.events(relying.admin, org_id=org_id, aggregate_id=user.user_id)
    payloads = [json_format.MessageToDict(each.payload) for each in logged]
    [payload] = [each for each in payloads if "workload" in each]
    assert payload["workload"]["subject"] == SUBJECT
    assert not {"name", "hash"} & payload.keys()


@pytest.mark.parametrize(
    "audience",
    [
        "https://id.example.com",
        "https://id.example.com/users/{user_id}/",
        "https://id.example.com/users/x{user_id}",
        "https://id.example.com/users/another",
    ],
)
async def test_the_audience_must_name_the_user(relying: Instance, audience: str) -> None:
    user_id = (await calls.create(relying.admin)).user_id
    trusted = {**calls.workload(user_id), "audience": audience.format(user_id=user_id)}

    refused = await given.refusal(calls.create_workload_credential(relying.admin, user_id, trusted))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {"workload.audience"}


async def test_this_server_is_no_issuer_of_workloads(make_instance: MakeInstance) -> None:
    url = "https://id.example.com"
    async with make_instance(public_url=url) as instance:
        user_id = (await calls.create(instance.admin)).user_id
        trusted = calls.workload(user_id, url)

        refused = await given.refusal(
            calls.create_workload_credential(instance.admin, user_id, trusted)
        )

    assert refused.violations.keys() == {"workload.issuer"}


@pytest.mark.parametrize("platform", DOCUMENTED)
async def test_jobs_of_platforms_act_by_the_claims_that_these_document(
    relying: Instance, provider: Provider, platform: str
) -> None:
    claims, trusted, of_another = DOCUMENTED[platform]
    job = await _job(relying, provider, **trusted)

    assert (await calls.whoami(job.client(**claims))).user_id == job.user.user_id
    assert await given.outcome(calls.whoami(job.client(**claims | of_another))) == "UNAUTHENTICATED"


async def test_every_wrong_field_is_named(relying: Instance) -> None:
    trusted = {"issuer": "http://ci.example.com", "audience": "", "subject": "a*b"}

    refused = await given.refusal(
        calls.create_workload_credential(
            relying.admin, relying.admin.user_id, trusted, name="x" * 201
        )
    )

    names = {"name", "workload.issuer", "workload.audience", "workload.subject"}
    assert refused.violations.keys() == names


async def test_the_same_workload_of_another_user_changes_nothing(
    relying: Instance, provider: Provider, job: Job
) -> None:
    other = await _job(relying, provider, subject="*", claims={"sub": SUBJECT})

    assert (await calls.whoami(job.client())).user_id == job.user.user_id
    assert (await calls.whoami(other.client())).user_id == other.user.user_id
    both = job.client(aud=[job.audience, other.audience])
    assert await given.outcome(calls.whoami(both)) == "UNAUTHENTICATED"


async def test_one_fitting_credential_of_the_user_suffices(relying: Instance, job: Job) -> None:
    admin, trusted = relying.admin, calls.workload(job.user.user_id, job.provider.issuer)
    second = await calls.create_workload_credential(
        admin, job.user.user_id, {**trusted, "subject": "deploy"}
    )
    for subject in (SUBJECT, "deploy"):
        assert await calls.whoami(job.client(sub=subject))

    await calls.revoke_token(admin, job.user.user_id, second.token_id)

    assert await given.outcome(calls.whoami(job.client(sub="deploy"))) == "UNAUTHENTICATED"
    assert await calls.whoami(job.client())


_WRONG: list[dict[str, Any]] = [
    {"iss": "https://evil.example"},
    {"iss": None},
    {"iss": ["https://evil.example"]},
    {"iss": "\0"},
    {"aud": None},
    {"aud": []},
    {"aud": "https://id.example.com"},
    {"aud": "https://id.example.com/users/another"},
    {"aud": ["\ud800", "\0/a", 1, {}]},
    {"sub": None},
    {"sub": f"{SUBJECT}2"},
    {"sub": "*"},
    {"owner_id": "47110"},
    {"owner_id": None},
    {"exp": None},
    {"exp": _NOW - 1},
    {"exp": _NOW + 3 * _DAY},
    {"exp": _NOW + 10_000, "iat": _NOW - _DAY},
    {"iat": _NOW + _DAY, "exp": _NOW + _DAY + 10},
    {"nbf": _NOW + _DAY},
]


async def test_a_token_with_a_wrong_claim_is_refused_like_an_unknown_one(
    relying: Instance, provider: Provider
) -> None:
    job = await _job(relying, provider, claims={"owner_id": "4711"})
    assert await calls.whoami(job.client(owner_id=4711))
    unknown = await given.refusal(calls.whoami(relying.admin.with_token("unknown")))

    for claims in _WRONG:
        refused = await given.refusal(calls.whoami(job.client(**{"owner_id": "4711"} | claims)))

        assert refused.code is grpc.StatusCode.UNAUTHENTICATED, claims
        assert (refused.reason, refused.message) == (unknown.reason, unknown.message), claims


async def test_a_token_that_its_user_is_one_of_too_many_audiences_of_is_refused(job: Job) -> None:
    audiences = [f"https://other.example.com/{n}" for n in range(10)]

    assert await calls.whoami(job.client(aud=[*audiences[1:], job.audience]))
    many = job.client(aud=[*audiences, job.audience])
    assert await given.outcome(calls.whoami(many)) == "UNAUTHENTICATED"


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
async def test_a_token_that_the_issuer_did_not_sign_is_refused(job: Job, forge: Forge) -> None:
    token = forge(job.provider, claims_of(job.provider, job.audience))

    assert await given.outcome(calls.whoami(job.user.with_token(token))) == "UNAUTHENTICATED"


async def test_a_token_of_another_issuer_with_the_same_claims_is_refused(
    job: Job, other_provider: Provider
) -> None:
    for iss in (job.provider.issuer, other_provider.issuer):
        token = other_provider.signed(claims_of(other_provider, job.audience, iss=iss))

        assert await given.outcome(calls.whoami(job.user.with_token(token))) == "UNAUTHENTICATED"


async def test_forged_tokens_cause_no_request_and_with_right_claims_three(job: Job) -> None:
    provider = job.provider
    for claims in ({"sub": "other"}, {"aud": "other"}, {"iss": "https://evil.example"}):
        await given.refusal(calls.whoami(job.client(**claims)))
    assert provider.connections == 0

    for n in range(20):
        token = provider.signed(claims_of(provider, job.audience, jti=n), kid=f"unknown-{n}")
        await given.refusal(calls.whoami(job.user.with_token(token)))

    assert len(provider.requests) <= 3


async def test_an_issuer_that_cannot_be_read_is_a_temporary_error(job: Job) -> None:
    job.provider.handlers["/keys"] = answering(b"{}", status="500 Internal Server Error")

    refused = await given.refusal(calls.whoami(job.client()))

    assert refused.code is grpc.StatusCode.UNAVAILABLE
    assert refused.reason == "WORKLOAD_ISSUER_UNREACHABLE"


async def test_a_token_of_an_issuer_that_cannot_be_read_counts_as_a_call_without_a_token(
    make_instance: MakeInstance, oidc_authority: Authority, provider: Provider
) -> None:
    provider.handlers["/keys"] = answering(b"{}", status="500 Internal Server Error")
    limits = {"open_rate_limit": 0.001, "open_rate_burst": 1}
    async with make_instance(**signins.settings_for(oidc_authority), **limits) as instance:
        job = await _job(instance, provider)

        outcomes = [await given.outcome(calls.whoami(job.client(jti=n))) for n in range(2)]

    assert outcomes == ["WORKLOAD_ISSUER_UNREACHABLE", "RATE_LIMITED"]


_ENDS: dict[str, tuple[Callable[[Client, Job], Awaitable[object]], str]] = {
    "revoked": (
        lambda admin, job: calls.revoke_token(admin, job.user.user_id, job.token_id),
        "UNAUTHENTICATED",
    ),
    "locked": (lambda admin, job: calls.lock(admin, job.user.user_id), "UNAUTHENTICATED"),
    "removed": (lambda admin, job: calls.remove(admin, job.user.user_id), "UNAUTHENTICATED"),
    "role revoked": (
        lambda admin, job: calls.revoke(admin, job.user.user_id, pb.ROLE_ORG_OWNER),
        "PERMISSION_DENIED",
    ),
}


@pytest.mark.parametrize(("end", "reason"), _ENDS.values(), ids=_ENDS)
async def test_an_end_of_its_rights_holds_at_once(
    relying: Instance,
    job: Job,
    end: Callable[[Client, Job], Awaitable[object]],
    reason: str,
) -> None:
    client = job.client()
    await calls.create(client)

    await end(relying.admin, job)

    assert await given.outcome(calls.create(client)) == reason
    listing = client.call(client.users.ListUsers, pb.ListUsersRequest())
    assert await given.outcome(listing) == reason


async def test_an_end_on_another_server_holds_for_writes_at_once_and_for_reads_within_the_bound(
    relying: Instance, job: Job
) -> None:
    client = job.client()
    await calls.whoami(client)  # so that the server has the token in its cache

    async with given.sql(relying.dsn) as sql:
        await sql.execute("delete from tokens where token_id = $1", job.token_id)

    assert await given.outcome(calls.create(client)) == "UNAUTHENTICATED"

    async def is_refused() -> bool:
        return not await calls.is_good(client)

    await given.eventually(is_refused)


async def test_an_expired_credential_ends(relying: Instance, job: Job) -> None:
    async with given.sql(relying.dsn) as sql:
        await sql.execute("update tokens set expires_at = now() where token_id = $1", job.token_id)

    assert await given.outcome(calls.whoami(job.client())) == "UNAUTHENTICATED"


async def test_neither_the_cache_nor_a_stream_outlives_the_token(job: Job) -> None:
    client = job.client(exp=int(time.time()) + 3)
    stream = client.call(client.events.WatchEvents, event_pb.WatchEventsRequest(), timeout=None)

    async def read() -> None:
        async for _ in stream:
            pass

    assert await calls.is_good(client)
    refused = await given.refusal(read())

    assert refused.code is grpc.StatusCode.UNAUTHENTICATED

    async def is_refused() -> bool:
        return not await calls.is_good(client)

    await given.eventually(is_refused)


async def test_only_user_managers_of_the_organization_trust_workloads(
    relying: Instance, provider: Provider
) -> None:
    admin, org_id = relying.admin, await given.organization(relying.admin)
    user = await given.user(admin, org_id=org_id)
    manager = await given.user(admin, org_id=org_id, roles=[pb.ROLE_ORG_USER_MANAGER])
    owner = await given.user(admin, org_id=org_id, roles=[pb.ROLE_ORG_OWNER])
    stranger = await given.user(admin, roles=[pb.ROLE_ORG_OWNER])

    async def outcome(caller: Client, of: Client) -> str:
        trusted = calls.workload(of.user_id, provider.issuer)
        return await given.outcome(calls.create_workload_credential(caller, of.user_id, trusted))

    assert await outcome(manager, user) == await outcome(manager, manager) == "OK"
    # The server reads the keys at a URL that the caller chooses.
    assert await outcome(user, user) == "PERMISSION_DENIED"
    assert await outcome(manager, owner) == "PERMISSION_DENIED"
    assert await outcome(stranger, user) == "PERMISSION_DENIED"


async def test_a_credential_of_a_lesser_maker_ends_before_its_user_gets_a_greater_role(
    relying: Instance, provider: Provider
) -> None:
    admin, org_id = relying.admin, await given.organization(relying.admin)
    manager = await given.user(admin, org_id=org_id, roles=[pb.ROLE_ORG_USER_MANAGER])
    user = admin.with_token("", (await calls.create(admin, org_id=org_id)).user_id)
    trusted = calls.workload(user.user_id, provider.issuer)
    added = await calls.create_workload_credential(manager, user.user_id, trusted)
    job = Job(provider, user, added.token_id)
    assert await calls.whoami(job.client())

    refused = await given.outcome(calls.grant(admin, user.user_id, pb.ROLE_ORG_OWNER))
    await calls.grant(admin, user.user_id, pb.ROLE_ORG_OWNER, end_foreign=True)

    assert refused == "MADE_BY_OTHERS"
    assert not await calls.is_good(job.client())


async def test_a_job_applies_a_file_by_the_token_of_its_platform(
    relying: Instance, job: Job, tmp_path: Path
) -> None:
    file, token_file = tmp_path / "keystead.json", tmp_path / "token"
    file.write_text(json.dumps({"groups": {f"group-{job.token_id}": {"display_name": "A"}}}))
    token_file.write_text(f"{job.token()}\n")
    url = f"http://127.0.0.1:{relying.web_port}"

    applied = await process.keystead(
        "apply", str(file), "--url", url, "--token-file", str(token_file), data_dir=tmp_path
    )
    checked = await process.keystead(
        "plan", str(file), "--check", data_dir=tmp_path, url=url, token=job.token()
    )

    assert applied.status == checked.status == 0, applied.errors + checked.errors
    assert "Nothing to change" in checked.errors
    assert job.token() not in applied.output + applied.errors
