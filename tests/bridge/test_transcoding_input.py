"""The message that a real request gives, from its body, path and query."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.support.given import Instance
from tests.support.json_client import JsonClient, read_refusal

_SAME = "must be the same in the path and in the body"


@pytest.fixture
async def client(instance: Instance) -> AsyncIterator[JsonClient]:
    """The administrator."""
    async with JsonClient.connected(instance, instance.admin) as client:
        yield client


@pytest.mark.parametrize("text", ["[]", "1", '"a"', "null", "true", '[{"name":"a"}]'])
async def test_a_body_must_be_an_object(client: JsonClient, text: str) -> None:
    refused = read_refusal(await client.send_text("POST", "/v1/idps", text))

    assert (refused.status, refused.code, refused.reason) == (400, 3, "MALFORMED_JSON")
    assert "It must be an object." in refused.message


async def test_an_empty_body_is_an_empty_object(client: JsonClient) -> None:
    empty = read_refusal(await client.send_text("POST", "/v1/idps", ""))
    braces = read_refusal(await client.send_text("POST", "/v1/idps", "{}"))

    assert empty.violations == braces.violations == {"name": "must not be empty"}


async def test_all_mistakes_are_named_at_once(client: JsonClient) -> None:
    refused = read_refusal(
        await client.send("PUT", "/v1/idps/%ff?force=1", json={"nme": "a", "autoRegister": "yes"})
    )

    assert (refused.status, refused.code, refused.reason) == (400, 3, "INVALID_FIELDS")
    assert refused.violations == {
        "nme": "is unknown; known are idpId, name, stylingType, autoRegister",
        "autoRegister": "must be true or false",
        "force": "must be in the body, not in the query",
        "idpId": "must be UTF-8",
    }


async def test_no_more_mistakes_are_named_than_one_would_read(client: JsonClient) -> None:
    body = json.dumps({f"x{number}": 1 for number in range(1000)})

    refused = read_refusal(await client.send_text("POST", "/v1/idps", body))

    assert len(refused.violations) == 50


@pytest.mark.parametrize("name", ["idpId", "idp_id"])
async def test_the_body_may_repeat_what_the_path_says(client: JsonClient, name: str) -> None:
    idp_id = await client.idp()

    await client.call("PUT", f"/v1/idps/{idp_id}", json={"name": "b", name: idp_id})
    await client.call("PUT", f"/v1/idps/{idp_id}", json={"name": "b", name: ""})
    await client.call("PUT", f"/v1/idps/{idp_id}", json={"name": "b", name: None})
    refused = read_refusal(
        await client.send("PUT", f"/v1/idps/{idp_id}", json={"name": "b", name: "x"})
    )

    assert refused.violations == {"idpId": _SAME}


@pytest.mark.parametrize(
    ("body", "violations"),
    [
        ({}, None),
        ({"idp": None}, None),
        ({"idp": {}}, None),
        ({"idp": {"idpId": None}}, None),
        ({"idp": {"idp_id": "x"}}, {"idp.idpId": _SAME}),
        ({"idp": {"idpId": 5}}, {"idp.idpId": "must be a string"}),
        ({"idp": "x"}, {"idp": "must be an object"}),
    ],
)
async def test_a_path_may_name_a_field_of_a_field(
    client: JsonClient, body: dict[str, Any], violations: dict[str, str] | None
) -> None:
    path = f"/v1/idps/{await client.idp()}"

    answer = await client.send("PATCH", path, json={"updateMask": "autoRegister"} | body)

    if violations is None:
        assert answer.status_code == 200, answer.text
    else:
        assert read_refusal(answer).violations == violations


@pytest.mark.parametrize("value", ["%zz", "100%", "%2", "%%32", "%c3%2x"])
async def test_a_path_with_a_malformed_escape_is_refused(client: JsonClient, value: str) -> None:
    refused = read_refusal(await client.send_target("GET", f"/v1/users/{value}"))

    assert (refused.status, refused.reason) == (400, "INVALID_FIELDS")
    assert refused.violations == {"userId": "must be percent-encoded: write % as %25"}


@pytest.mark.parametrize(
    ("role", "violations"),
    [
        ("ROLE_ORG_OWNER", None),
        ("2", None),
        ("role_org_owner", {"role"}),
        ("ORG_OWNER", {"role"}),
        ("2.0", {"role"}),
        ("99999999999", {"role"}),
        ("7", {"role"}),
    ],
)
async def test_a_path_may_name_a_number(
    client: JsonClient, role: str, violations: set[str] | None
) -> None:
    path = f"/v1/users/{await client.user()}/roles"
    await client.call("POST", path, json={"role": "ROLE_ORG_OWNER"})

    answer = await client.send("DELETE", f"{path}/{role}")

    if violations is None:
        assert answer.status_code == 200, answer.text
    else:
        assert read_refusal(answer).violations.keys() == violations


@pytest.mark.parametrize("name", ["pageSize", "page_size"])
async def test_a_query_gives_the_other_fields(client: JsonClient, name: str) -> None:
    for _ in range(2):
        await client.idp()

    first = await client.call("GET", "/v1/idps", params={name: "1"})
    token = first["nextPageToken"]
    second = await client.call("GET", "/v1/idps", params={name: "1", "pageToken": token})

    assert [len(page["idps"]) for page in (first, second)] == [1, 1]
    assert first["idps"] != second["idps"]


@pytest.mark.parametrize(
    ("query", "violations"),
    [
        ("", {}),
        ("pageSize=1&", {}),
        ("&&", {}),
        ("page%53ize=1", {}),
        ("pageToken=", {}),
        ("pageSize=", {"pageSize"}),
        ("pageSize", {"pageSize"}),
        ("pageSize=x", {"pageSize"}),
        ("pageSize=1.5", {"pageSize"}),
        ("pageSize=+1", {"pageSize"}),
        ("pageSize=1_0", {"pageSize"}),
        ("pageSize=%D9%A1", {"pageSize"}),
        ("pageSize=2147483648", {"pageSize"}),
        ("pageSize=1&pageSize=1", {"pageSize"}),
        ("pageSize=1&page_size=1", {"pageSize"}),
        ("pagesize=1", {"pagesize"}),
        ("pageSize.x=1", {"pageSize.x"}),
        ("x=1&y=2&x=3", {"x", "y"}),
        ("=1", {'""'}),
        ("x" * 200 + "=1", {"x" * 100 + "..."}),
    ],
)
async def test_a_query_is_read_strictly(
    client: JsonClient, query: str, violations: set[str]
) -> None:
    answer = await client.send("GET", f"/v1/idps?{query}")

    if violations:
        assert read_refusal(answer).violations.keys() == violations
    else:
        assert answer.status_code == 200, answer.text


@pytest.mark.parametrize(
    "query",
    [
        "pageSize=%ff",
        "%ff=1",
        "&".join(["x=1"] * 101),
        "pageToken=%zz",
        "pageToken=%",
        "pageToken=%2",
        "page%Token=",
    ],
)
async def test_a_query_that_cannot_be_read_is_refused(client: JsonClient, query: str) -> None:
    refused = read_refusal(await client.send_target("GET", f"/v1/idps?{query}"))

    assert (refused.status, refused.reason) == (400, "MALFORMED_QUERY")


async def test_raw_bytes_in_a_query_are_refused(instance: Instance, client: JsonClient) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", instance.web_port)
    head = f"host: x\r\nauthorization: Bearer {client.token}\r\n\r\n".encode()
    writer.write(b"GET /v1/idps?pageToken=\xff HTTP/1.1\r\n" + head)

    assert (await reader.readline()).startswith(b"HTTP/1.1 400 ")
    writer.close()


@pytest.mark.parametrize("query", ["userId=x", "user_id=x"])
async def test_a_query_does_not_say_what_the_path_says(client: JsonClient, query: str) -> None:
    path = f"/v1/users/{await client.user()}/tokens"

    refused = read_refusal(await client.send("GET", f"{path}?{query}"))

    assert refused.violations == {"userId": "must not be in the query, because it is elsewhere"}
