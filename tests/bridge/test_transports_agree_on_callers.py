"""Callers and their organization: the same over gRPC, grpc-web and JSON."""

from collections.abc import AsyncIterator, Mapping
from itertools import cycle

import grpc
import pytest

from tests.bridge.callers import CLOSED, Callers
from tests.conftest import MakeInstance
from tests.support.transports import Headers

_OK, _INVALID, _DENIED, _NOT_FOUND = (
    (grpc.StatusCode.OK, ""),
    (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELDS"),
    (grpc.StatusCode.PERMISSION_DENIED, "PERMISSION_DENIED"),
    (grpc.StatusCode.NOT_FOUND, "ORGANIZATION_NOT_FOUND"),
)


@pytest.fixture(scope="module")
async def callers(make_instance: MakeInstance) -> AsyncIterator[Callers]:
    async with Callers.on(make_instance) as callers:
        yield callers


@pytest.mark.parametrize(("method", "by"), list(zip(CLOSED, cycle(["nobody", "removed"]))))
async def test_who_has_no_valid_token_is_refused_alike(
    callers: Callers, method: str, by: str
) -> None:
    refused = (await callers.one_answer(method, by=by)).refusal

    assert (refused.code, refused.reason) == (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED")


@pytest.mark.parametrize("method", sorted({*CLOSED} - {"VerifyPasskeyRegistration"}))
async def test_a_registration_token_opens_nothing_else_alike(callers: Callers, method: str) -> None:
    refused = (await callers.one_answer(method, by="token holder")).refusal

    assert (refused.code, refused.reason) == _DENIED


@pytest.mark.parametrize(
    "headers",
    [
        [("authorization", "")],
        [("authorization", "Bearer")],
        [("authorization", "Bearer nope")],
        [("authorization", f"Bearer kst_{'0' * 72}")],
        [("authorization", "Basic YWRtaW46YWRtaW4=")],
        [("authorization", "Bearer a"), ("authorization", "Bearer b")],
        [("authorization", f"Bearer {'x' * 8000}")],
    ],
    ids=lambda headers: " and ".join(value[:16] for _, value in headers),
)
async def test_an_authorization_that_is_none_is_refused_alike(
    callers: Callers, headers: Headers
) -> None:
    answer = await callers.one_answer("UpdateIDP", by="nobody", headers=headers)

    assert answer.code is grpc.StatusCode.UNAUTHENTICATED
    assert answer.announcements.keys() == {"deprecation", "link"}


@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "Bearer "])
async def test_an_authorization_in_another_spelling_is_taken_alike(
    callers: Callers, scheme: str
) -> None:
    headers = [("authorization", f"{scheme} {callers.tokens['admin']}")]

    answer = await callers.one_answer("GetIDP", by="nobody", headers=headers)

    assert answer.code is grpc.StatusCode.OK


async def test_a_token_that_is_sent_twice_is_refused_alike(callers: Callers) -> None:
    headers = [("authorization", f"Bearer {callers.tokens['admin']}")]

    answer = await callers.one_answer("GetIDP", headers=headers)

    assert answer.code is grpc.StatusCode.UNAUTHENTICATED


# The caller of UpdateIDP, the identity provider, the values of x-service-orgid, and the result
ORGANIZATIONS: Mapping[str, tuple[str, str, list[str], tuple[grpc.StatusCode, str]]] = {
    "absent": ("owner", "<away idp>", [], _OK),
    "one's own": ("owner", "<away idp>", ["<away>"], _OK),
    "twice the same": ("owner", "<away idp>", ["<away>", "<away>"], _OK),
    "another one, for an administrator": ("admin", "<away idp>", ["<away>"], _OK),
    "another one": ("owner", "<idp>", ["<home>"], _DENIED),
    "an unknown one": ("owner", "<idp>", ["<unknown>"], _DENIED),
    "a malformed one": ("owner", "<idp>", ["nope"], _DENIED),
    "an unknown one, for an administrator": ("admin", "<idp>", ["<unknown>"], _NOT_FOUND),
    "a malformed one, for an administrator": ("admin", "<idp>", ["x" * 3000], _NOT_FOUND),
    "where the IDP is not": (
        "admin",
        "<idp>",
        ["<away>"],
        (grpc.StatusCode.NOT_FOUND, "IDP_NOT_FOUND"),
    ),
    "empty": ("admin", "<idp>", [""], _INVALID),
    "twice empty": ("admin", "<idp>", ["", ""], _INVALID),
    "one and empty": ("admin", "<idp>", ["<home>", ""], _INVALID),
    "two": ("admin", "<idp>", ["<home>", "<away>"], _INVALID),
    "two in one": ("admin", "<idp>", ["a, b"], _NOT_FOUND),
    "one, by who may nothing": ("plain", "<idp>", ["<away>"], _DENIED),
    "two, by who may nothing": ("plain", "<idp>", ["<home>", "<away>"], _INVALID),
}


@pytest.mark.parametrize(
    ("by", "idp_id", "organizations", "outcome"), ORGANIZATIONS.values(), ids=ORGANIZATIONS.keys()
)
async def test_the_organization_is_selected_alike(
    callers: Callers,
    by: str,
    idp_id: str,
    organizations: list[str],
    outcome: tuple[grpc.StatusCode, str],
) -> None:
    headers = [("x-service-orgid", organization) for organization in organizations]

    # It changes nothing, so that every transport has the same conditions.
    answer = await callers.one_answer("UpdateIDP", {"idp_id": idp_id}, by=by, headers=headers)

    assert answer.code is outcome[0]
    assert answer.announcements.keys() == {"deprecation", "link"}
    if outcome[1]:
        assert answer.refusal.reason == outcome[1]
