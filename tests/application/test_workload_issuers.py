"""The issuers whose workloads get tokens as an application."""

from typing import Any

import asyncpg
import grpc
import httpx2
import pytest
from google.protobuf import json_format

from keystead.application.v1 import application_service_pb2 as pb
from tests.application import calls
from tests.application.calls import WORKLOADS
from tests.event import calls as events
from tests.support import given
from tests.support.given import Client

_SERVICE = {"kind": pb.APPLICATION_KIND_SERVICE}
_NONE = {"token_endpoint_auth_method": pb.TOKEN_ENDPOINT_AUTH_METHOD_NONE}
_CLAIMS = {"repository_owner_id": "4711"}


async def _service(owner: Client, *issuers: dict[str, Any], **fields: Any) -> str:
    return await calls.application(owner, workload_issuers=issuers, **_SERVICE, **fields)


async def test_issuers_are_read_back_and_replaced(owner: Client, sql: asyncpg.Connection) -> None:
    first, second = WORKLOADS | {"claims": _CLAIMS}, WORKLOADS | {"subject": "*", "claims": _CLAIMS}

    application_id = await _service(owner, first, second)
    added = await calls.get(owner, application_id)
    patched = await calls.patch(owner, application_id, workload_issuers=[second])
    again = await calls.patch(owner, application_id, workload_issuers=[second])
    changed = await calls.get(owner, application_id)

    assert added.workload_issuers == [pb.WorkloadIssuer(**each) for each in (first, second)]
    assert changed.workload_issuers == [pb.WorkloadIssuer(**second)]
    assert again.details == patched.details
    [listed] = await calls.list_all(owner)
    assert listed.workload_issuers == changed.workload_issuers
    last = (await given.logged(sql, application_id))[-1]
    assert last["payload"] == {"workload_issuers": [second]}


async def test_events_show_the_issuers(owner: Client) -> None:
    application_id = await _service(owner, WORKLOADS | {"claims": _CLAIMS})

    [event] = await events.events(owner, aggregate_id=application_id)

    payload = json_format.MessageToDict(event.payload)
    assert payload["workload_issuers"] == [WORKLOADS | {"claims": _CLAIMS}]


async def test_a_service_needs_a_secret_unless_it_has_issuers(owner: Client) -> None:
    application_id = await _service(owner, WORKLOADS, **_NONE)

    secret = await given.refusal(calls.create_secret(owner, application_id))
    emptied = await given.refusal(calls.patch(owner, application_id, ["workload_issuers"]))
    basic = pb.TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_BASIC
    mask = ["workload_issuers", "token_endpoint_auth_method"]
    await calls.patch(owner, application_id, mask, token_endpoint_auth_method=basic)

    assert secret.reason == "APPLICATION_WITHOUT_SECRETS"
    assert emptied.violations.keys() == {"application.tokenEndpointAuthMethod"}
    assert not (await calls.get(owner, application_id)).workload_issuers


_MANY = {f"claim-{n}": "x" for n in range(11)}


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"issuer": ""}, "issuer"),
        ({"issuer": "http://localhost"}, "issuer"),
        ({"issuer": "https://issuer.example/?tenant=a"}, "issuer"),
        ({"issuer": "https://a@issuer.example"}, "issuer"),
        ({"audience": ""}, "audience"),
        ({"audience": "a\nb"}, "audience"),
        ({"audience": "x" * 501}, "audience"),
        ({"subject": ""}, "subject"),
        ({"subject": "x" * 1001}, "subject"),
        ({"subject": "*"}, "subject"),
        ({"subject": "**"}, "subject"),
        ({"subject": "repo:*:main"}, "subject"),
        ({"subject": "repo:*/*"}, "subject"),
        ({"claims": _MANY}, "claims"),
        ({"claims": {"": "x"}}, "claims"),
        ({"claims": {"x" * 201: "x"}}, "claims"),
        ({"claims": {"a": ""}}, "claims"),
        ({"claims": {"a": "x" * 501}}, "claims"),
        ({"claims": {"a": "x\n"}}, "claims"),
        ({"claims": {"a\n": "x"}}, "claims"),
        ({"subject": "*", "claims": {"a": ""}}, "claims"),
    ],
)
async def test_a_wrong_field_of_an_issuer_is_named_with_its_index(
    owner: Client, wrong: dict[str, Any], path: str
) -> None:
    issuers = [WORKLOADS, {**WORKLOADS, **wrong}]

    for call in (
        calls.add(owner, workload_issuers=issuers, **_SERVICE),
        calls.patch(owner, "any", workload_issuers=issuers),
    ):
        refused = await given.refusal(call)
        assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
        assert refused.violations.keys() == {f"application.workloadIssuers.1.{path}"}


async def test_all_wrong_fields_are_named_together(owner: Client) -> None:
    issuers = [{**WORKLOADS, "issuer": "", "audience": ""}, {**WORKLOADS, "subject": ""}]

    refused = await given.refusal(calls.add(owner, name="", workload_issuers=issuers, **_SERVICE))

    assert refused.violations.keys() == {
        "application.name",
        "application.workloadIssuers.0.issuer",
        "application.workloadIssuers.0.audience",
        "application.workloadIssuers.1.subject",
    }


async def test_an_application_has_at_most_20_issuers(owner: Client) -> None:
    await _service(owner, *[WORKLOADS] * 20)

    refused = await given.refusal(_service(owner, *[WORKLOADS] * 21))

    assert refused.violations.keys() == {"application.workloadIssuers"}


async def test_issuers_are_json_over_http(owner: Client, web: httpx2.AsyncClient) -> None:
    sent = {"name": "CI", "kind": "APPLICATION_KIND_SERVICE", "workloadIssuers": [
        {**WORKLOADS, "claims": _CLAIMS}
    ]}  # fmt: skip
    headers = {"authorization": f"Bearer {owner.token}"}

    added = await web.post("/v1/applications", json={"application": sent}, headers=headers)
    path = f"/v1/applications/{added.json()['applicationId']}"
    read = await web.get(path, headers=headers)

    assert read.json()["application"]["workloadIssuers"] == sent["workloadIssuers"]


async def test_the_openapi_document_has_the_limits(web: httpx2.AsyncClient) -> None:
    schemas = (await web.get("/openapi.json")).json()["components"]["schemas"]

    request = schemas["keystead.application.v1.CreateApplicationRequest"]
    issuers = request["properties"]["application"]["properties"]["workloadIssuers"]
    assert issuers["maxItems"] == 20
    assert issuers["items"]["required"] == ["issuer", "audience", "subject"]
    assert issuers["items"]["properties"]["subject"]["maxLength"] == 1000
    assert issuers["items"]["properties"]["claims"]["maxProperties"] == 10
