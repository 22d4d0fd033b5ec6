"""JSON as scripts send it: with curl."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import pytest

from e2e.conftest import World
from e2e.programs import FOLDER, output, required

pytestmark = pytest.mark.xdist_group("curl")

_SECONDS = 20
_JSON = ("-H", "content-type: application/json")
_UNICODE = "Zażółć gęślą jaźń, 身份提供者 🔑 מפתח"


@dataclass(frozen=True)
class Answer:
    """A response that curl received."""

    status: int
    headers: Mapping[str, str]
    body: str

    @property
    def json(self) -> dict[str, Any]:
        """The body, which must be a JSON object."""
        assert self.headers["content-type"] == "application/json"
        answer: dict[str, Any] = json.loads(self.body)
        return answer

    def reason(self) -> str:
        """The reason of an error, which must be a Status with all that every error has."""
        details = {detail["@type"].rpartition(".")[2]: detail for detail in self.json["details"]}
        assert self.json["message"]
        assert details["RequestInfo"]["requestId"] == self.headers["x-request-id"]
        return str(details["ErrorInfo"]["reason"])


class Curl(Protocol):
    """Calls a path of the server as the administrator, with further arguments of curl."""

    async def __call__(self, path: str, *words: str, token: str = ...) -> Answer: ...


@pytest.fixture
def curl(world: World) -> Curl:
    """The program, pointed at the server."""
    program = required("curl", "curl")

    async def call(path: str, *words: str, token: str = world.instance.admin.token) -> Answer:
        authorization = ("-H", f"authorization: Bearer {token}") if token else ()
        url = f"{world.description['webUrl']}{path}"
        shown = await output(
            program, "-sS", "-i", *authorization, *words, url, seconds=_SECONDS, cwd=FOLDER
        )
        head, _, body = shown.partition("\r\n\r\n")
        status_line, *lines = head.splitlines()
        headers = dict(line.split(": ", maxsplit=1) for line in lines)
        return Answer(int(status_line.split()[1]), headers, body)

    return call


async def test_an_identity_provider_is_added_replaced_and_read(curl: Curl) -> None:
    added = await curl("/v1/idps", *_JSON, "-d", json.dumps({"name": "By curl"}))
    assert added.status == 200
    path = f"/v1/idps/{added.json['idpId']}"

    replaced = await curl(path, "-X", "PUT", *_JSON, "-d", json.dumps({"name": _UNICODE}))
    assert replaced.status == 200
    assert replaced.headers["deprecation"] == "@1795219200"  # 2026-11-21
    assert "PatchIDP" in replaced.headers["link"]

    idp = (await curl(path)).json["idp"]
    assert idp["name"] == _UNICODE
    assert idp["autoRegister"] is False
    assert idp["details"] == replaced.json["details"]


async def test_a_stream_is_shown_as_it_comes_and_resumes(curl: Curl) -> None:
    cursor = (await curl("/v1/events?pageSize=1")).json["cursor"]
    ends = ("-H", "grpc-timeout: 2S")

    watched = asyncio.create_task(
        curl("/v1/events:watch?aggregateType=idp", "-N", *ends, "-H", f"last-event-id: {cursor}")
    )
    added = (await curl("/v1/idps", *_JSON, "-d", '{"name": "Watched"}')).json
    stream = await watched

    assert stream.headers["content-type"] == "text/event-stream"
    first, *events, last = stream.body.split("\n\n")[:-1]
    assert first.startswith(f"retry: 1000\nid: {cursor}\n")
    assert last.startswith('event: error\ndata: {"code":4')
    assert any(added["idpId"] in event for event in events)

    *_, told = [event.split("\n") for event in events if added["idpId"] in event]
    resumed = await curl(
        "/v1/events:watch", "-N", *ends, "-H", f"last-event-id: {told[0].removeprefix('id: ')}"
    )
    assert added["idpId"] not in resumed.body


async def test_an_error_is_a_status_with_every_wrong_field(curl: Curl) -> None:
    answer = await curl("/v1/idps", *_JSON, "-d", '{"name": "", "stylingType": 7}')

    assert answer.status == 400
    assert answer.json["code"] == 3
    assert answer.reason() == "INVALID_FIELDS"
    violations = next(
        detail["fieldViolations"]
        for detail in answer.json["details"]
        if detail["@type"] == "type.googleapis.com/google.rpc.BadRequest"
    )
    assert {violation["field"] for violation in violations} == {"name", "stylingType"}


async def test_the_request_id_is_the_callers(curl: Curl) -> None:
    answer = await curl("/v1/users/me", "-H", "x-request-id: of the caller")

    assert answer.headers["x-request-id"] == "of the caller"


async def test_a_call_without_a_token_is_told_to_bring_one(curl: Curl) -> None:
    answer = await curl("/v1/users/me", token="")

    assert (answer.status, answer.json["code"]) == (401, 16)
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_a_body_that_curl_labels_by_itself_is_refused(curl: Curl) -> None:
    answer = await curl("/v1/idps", "-d", '{"name": "A form"}')

    assert (answer.status, answer.json["code"]) == (415, 3)
    assert answer.headers["accept-post"] == "application/json"
    assert answer.reason()


async def test_a_wrong_verb_is_told_the_right_ones(curl: Curl) -> None:
    answer = await curl("/v1/idps", "-X", "DELETE")

    assert (answer.status, answer.json["code"]) == (405, 12)
    assert {verb.strip() for verb in answer.headers["allow"].split(",")} >= {"GET", "POST"}
    assert answer.reason()


async def test_an_unknown_path_is_not_found(curl: Curl) -> None:
    answer = await curl("/v1/nothing")

    assert (answer.status, answer.json["code"]) == (404, 5)
    assert answer.reason()


async def test_malformed_json_is_refused(curl: Curl) -> None:
    answer = await curl("/v1/idps", *_JSON, "-d", '{"name": ')

    assert (answer.status, answer.json["code"]) == (400, 3)
    assert answer.reason()


async def test_a_body_may_come_in_chunks(curl: Curl) -> None:
    chunked = ("-H", "transfer-encoding: chunked")

    answer = await curl("/v1/idps", *_JSON, *chunked, "-d", '{"name": "In chunks"}')

    assert answer.status == 200


async def test_the_head_of_a_page_is_that_of_the_page(curl: Curl) -> None:
    page, head = await curl("/livez", token=""), await curl("/livez", "-I", token="")

    assert page.status == head.status == 200
    assert page.json == {"status": "ok"}
    assert head.body == ""
    assert head.headers["content-length"] == str(len(page.body))
