"""The message that a request gives, from its path, query and body."""

import json
from typing import Any

import pytest
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from bridge.json.binding import Binding
from bridge.json.routing import Match, Router, routes_of
from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.event.v1 import event_service_pb2 as event_pb
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.rpc.requests import OF_CALLERS
from server.values.errors import Failure, Kind
from tests.support import given

_ROUTER = Router(
    routes_of(dict.fromkeys(each.containing_service.full_name for each in given.METHODS))
)

_SAME = "must be the same in the path and in the body"
_ELSEWHERE = "must not be in the query, because it is elsewhere"
_ESCAPED = "must be percent-encoded: write % as %25"
_INT32 = "must be a whole number from -2147483648 to 2147483647"


def _request(request: str, body: str = "") -> Message:
    """The message of a request like `GET /v1/users?pageSize=1`."""
    verb, target = request.split(" ", 1)
    path, _, query = target.partition("?")
    match = _ROUTER.match(verb, path.encode())
    assert isinstance(match, Match)
    binding = Binding(match.route)
    return binding.request(match.values, query.encode("latin-1"), body.encode(), OF_CALLERS)


def _refused(request: str, body: str = "") -> Failure:
    with pytest.raises(Failure) as failure:
        _request(request, body)
    assert failure.value.kind is Kind.INVALID_ARGUMENT
    return failure.value


def _violations(request: str, body: str = "") -> dict[str, str]:
    return {each.field: each.description for each in _refused(request, body).violations}


def _update(**fields: Any) -> idp_pb.UpdateIDPRequest:
    return idp_pb.UpdateIDPRequest(**{"idp_id": "1", "name": "b"} | fields)


def _patch(*paths: str, **fields: Any) -> idp_pb.PatchIDPRequest:
    mask = FieldMask(paths=paths) if paths else None
    return idp_pb.PatchIDPRequest(idp=idp_pb.IDP(**{"idp_id": "1"} | fields), update_mask=mask)


_IDPS = idp_pb.ListIDPsRequest
_REVOKE = user_pb.RevokeRoleRequest
_OWNER = _REVOKE(user_id="1", role=user_pb.ROLE_ORG_OWNER)


@pytest.mark.parametrize(
    ("request_", "body", "message"),
    [
        ("POST /v1/idps", "", idp_pb.CreateIDPRequest()),
        ("POST /v1/idps", "{}", idp_pb.CreateIDPRequest()),
        *(
            ("PUT /v1/idps/1", f'{{"name": "b", "{name}": {value}}}', _update())
            for name in ("idpId", "idp_id")
            for value in ('"1"', '""', "null")
        ),
        *(
            ("PATCH /v1/idps/1", f'{{"updateMask": "autoRegister"{more}}}', _patch("auto_register"))
            for more in ("", ', "idp": null', ', "idp": {}', ', "idp": {"idpId": null}')
        ),
        ("DELETE /v1/users/1/roles/ROLE_ORG_OWNER", "", _OWNER),
        ("DELETE /v1/users/1/roles/2", "", _OWNER),
        ("DELETE /v1/users/1/roles/7", "", _REVOKE(user_id="1", role=7)),  # type: ignore[arg-type]
        ("GET /v1/idps?", "", _IDPS()),
        ("GET /v1/idps?pageSize=1&", "", _IDPS(page_size=1)),
        ("GET /v1/idps?page_size=1&pageToken=a", "", _IDPS(page_size=1, page_token="a")),
        ("GET /v1/idps?&&", "", _IDPS()),
        ("GET /v1/idps?page%53ize=1", "", _IDPS(page_size=1)),
        ("GET /v1/idps?pageToken=", "", _IDPS()),
        ("GET /v1/idps?pageToken=a%20b+c", "", _IDPS(page_token="a b c")),
        (
            "GET /v1/events?since=2026-11-21T10:30:00%2B01:00",
            "",
            event_pb.ListEventsRequest(since=Timestamp(seconds=1795253400)),
        ),
        (
            "DELETE /v1/users/1/grants/2?scopes=a&scopes=b",
            "",
            application_pb.RevokeGrantRequest(user_id="1", application_id="2", scopes=["a", "b"]),
        ),
    ],
)
def test_a_message_is_read(request_: str, body: str, message: Message) -> None:
    assert _request(request_, body) == message


@pytest.mark.parametrize(
    ("request_", "body", "violations"),
    [
        (
            "PUT /v1/idps/%ff?force=1",
            '{"nme": "a", "autoRegister": "yes"}',
            {
                "nme": "is unknown; known are idpId, name, stylingType, autoRegister",
                "autoRegister": "must be true or false",
                "force": "must be in the body, not in the query",
                "idpId": "must be UTF-8",
            },
        ),
        ("PUT /v1/idps/1", '{"idpId": "x"}', {"idpId": _SAME}),
        ("PUT /v1/idps/1", '{"idp_id": "x"}', {"idpId": _SAME}),
        ("PATCH /v1/idps/1", '{"idp": {"idp_id": "x"}}', {"idp.idpId": _SAME}),
        ("PATCH /v1/idps/1", '{"idp": {"idpId": 5}}', {"idp.idpId": "must be a string"}),
        ("PATCH /v1/idps/1", '{"idp": "x"}', {"idp": "must be an object"}),
        *(
            (f"GET /v1/users/{value}", "", {"userId": _ESCAPED})
            for value in ("%zz", "100%", "%2", "%%32", "%c3%2x")
        ),
        ("GET /v1/users/1/tokens?userId=x", "", {"userId": _ELSEWHERE}),
        ("GET /v1/users/1/tokens?user_id=x", "", {"userId": _ELSEWHERE}),
        *(
            (f"GET /v1/idps?pageSize{value}", "", {"pageSize": _INT32})
            for value in ("=", "", "=x", "=1.5", "=+1", "=1_0", "=%D9%A1", "=2147483648")
        ),
        ("GET /v1/idps?pageSize=1&pageSize=1", "", {"pageSize": "must not be given twice"}),
        ("GET /v1/idps?pageSize=1&page_size=1", "", {"pageSize": "must not be given twice"}),
        *(
            (
                f"GET /v1/idps?{query}",
                "",
                dict.fromkeys(
                    names, "is unknown as a query parameter; known are pageSize, pageToken"
                ),
            )
            for query, names in (
                ("pagesize=1", ["pagesize"]),
                ("pageSize.x=1", ["pageSize.x"]),
                ("x=1&y=2&x=3", ["x", "y"]),
                ("=1", ['""']),
                ("x" * 200 + "=1", ["x" * 100 + "..."]),
            )
        ),
        ("GET /v1/users/me?x=1", "", {"x": "is unknown as a query parameter; there are none"}),
        *(
            (
                f"GET /v1/events?allOrganizations={value}",
                "",
                {"allOrganizations": "must be true or false"},
            )
            for value in ("True", "1", "yes", "", "TRUE")
        ),
    ],
)
def test_every_mistake_is_named(request_: str, body: str, violations: dict[str, str]) -> None:
    assert _violations(request_, body) == violations


def test_at_most_fifty_mistakes_are_named() -> None:
    assert len(_violations("POST /v1/idps", json.dumps({f"x{n}": 1 for n in range(1000)}))) == 50


@pytest.mark.parametrize(
    ("request_", "body", "reason"),
    [
        *(
            ("POST /v1/idps", body, "MALFORMED_JSON")
            for body in ("[]", "1", '"a"', "null", "true", '[{"name":"a"}]')
        ),
        *(
            (f"GET /v1/idps?{query}", "", "MALFORMED_QUERY")
            for query in (
                *("pageSize=%ff", "%ff=1", "pageToken=\xff", "&".join(["x=1"] * 101)),
                *("pageToken=%zz", "pageToken=%", "pageToken=%2", "page%Token="),
            )
        ),
        ("GET /v1/idps/1", "{}", "UNEXPECTED_BODY"),
        ("DELETE /v1/idps/1", "{}", "UNEXPECTED_BODY"),
    ],
)
def test_an_unreadable_body_or_query_is_refused(request_: str, body: str, reason: str) -> None:
    assert _refused(request_, body).reason == reason
