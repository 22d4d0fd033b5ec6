"""Lists page by `page_size` and `page_token`, the same way everywhere.

Sizes and malformed tokens: `test_validation.py`.
"""

from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.org.v1 import organization_service_pb2 as org_pb
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.support import given
from tests.support.given import Client

ListPage = Callable[..., Awaitable[Any]]


def idps(client: Client, **page: Any) -> Awaitable[Any]:
    return client.call(client.idps.ListIDPs, idp_pb.ListIDPsRequest(**page))


def organizations(client: Client, **page: Any) -> Awaitable[Any]:
    request = org_pb.ListOrganizationsRequest(**page)
    return client.call(client.orgs.ListOrganizations, request)


def users(client: Client, **page: Any) -> Awaitable[Any]:
    return client.call(client.users.ListUsers, user_pb.ListUsersRequest(**page))


def tokens(client: Client, **page: Any) -> Awaitable[Any]:
    request = user_pb.ListTokensRequest(user_id=client.user_id, **page)
    return client.call(client.users.ListTokens, request)


def passkeys(client: Client, **page: Any) -> Awaitable[Any]:
    request = passkey_pb.ListPasskeysRequest(user_id=client.user_id, **page)
    return client.call(client.passkeys.ListPasskeys, request)


LISTS = [idps, organizations, users, tokens, passkeys]


@pytest.fixture
async def owner(admin: Client) -> Client:
    """A caller that may read every list, in an organization of its own."""
    return await given.user(admin, roles=[user_pb.ROLE_INSTANCE_OWNER])


async def _another_page_token(list_page: ListPage, owner: Client) -> str:
    """The token of a next page. Every list has at least two rows."""
    if list_page is idps:
        for _ in range(2):
            await given.idp(owner)
    elif list_page is users:
        me = await owner.call(owner.users.GetCurrentUser, user_pb.GetCurrentUserRequest())
        await given.user(owner, org_id=me.user.details.resource_owner)
    elif list_page is tokens:
        await given.token(owner, owner.user_id)
    return (await list_page(owner, page_size=1)).next_page_token


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8])
async def test_all_pages_together_are_the_list(owner: Client, size: int) -> None:
    idp_ids = [await given.idp(owner) for _ in range(7)]

    listed: list[str] = []
    page_token = ""
    while True:
        page = await idps(owner, page_size=size, page_token=page_token)
        assert len(page.idps) <= size
        listed += [idp.idp_id for idp in page.idps]
        page_token = page.next_page_token
        if not page_token:
            break

    assert listed == idp_ids


async def test_the_last_page_has_no_token_even_when_it_is_full(owner: Client) -> None:
    for _ in range(3):
        await given.idp(owner)

    page = await idps(owner, page_size=3)

    assert (len(page.idps), page.next_page_token) == (3, "")


async def test_objects_added_or_removed_meanwhile_shift_nothing(owner: Client) -> None:
    first, second, third = [await given.idp(owner) for _ in range(3)]
    page = await idps(owner, page_size=1)

    await owner.call(owner.idps.RemoveIDP, idp_pb.RemoveIDPRequest(idp_id=first))
    fourth = await given.idp(owner)

    rest = await idps(owner, page_token=page.next_page_token)
    assert [idp.idp_id for idp in rest.idps] == [second, third, fourth]


@pytest.mark.parametrize("list_page", LISTS, ids=lambda each: each.__name__)
@pytest.mark.parametrize(
    ("page", "field"), [({"page_size": -1}, "pageSize"), ({"page_token": "x"}, "pageToken")]
)
async def test_every_list_refuses_a_wrong_page(
    owner: Client, list_page: ListPage, page: dict[str, Any], field: str
) -> None:
    refused = await given.refusal(list_page(owner, **page))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {field}


@pytest.mark.parametrize("list_page", [idps, users, tokens], ids=lambda each: each.__name__)
async def test_a_token_of_another_parent_is_refused(
    admin: Client, owner: Client, list_page: ListPage
) -> None:
    other = await given.user(admin, roles=[user_pb.ROLE_INSTANCE_OWNER])
    page_token = await _another_page_token(list_page, other)
    await list_page(other, page_token=page_token)

    refused = await given.refusal(list_page(owner, page_token=page_token))

    assert refused.violations.keys() == {"pageToken"}


@pytest.mark.parametrize(
    ("from_list", "list_page"),
    [(organizations, idps), (users, idps), (idps, users), (tokens, passkeys)],
    ids=lambda each: each.__name__,
)
async def test_a_token_of_another_list_is_refused(
    owner: Client, from_list: ListPage, list_page: ListPage
) -> None:
    page_token = await _another_page_token(from_list, owner)

    refused = await given.refusal(list_page(owner, page_token=page_token))

    assert refused.violations.keys() == {"pageToken"}
