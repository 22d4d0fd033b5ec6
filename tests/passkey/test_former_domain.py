"""A new domain: passkeys of a former RP ID sign in until the ID is removed."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Any

import asyncpg
import grpc
import pytest
from google.protobuf import json_format

from keystead.passkey.v1 import passkey_service_pb2 as pb
from keystead.session.v1 import session_service_pb2 as session_pb
from keystead.signin.v1 import signin_service_pb2 as signin_pb
from tests.conftest import MakeInstance
from tests.passkey import ceremonies
from tests.passkey.links import Link
from tests.session import sessions
from tests.session.sessions import Person
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.scrape import scrape
from tests.support.web_client import web_client

OLD, NEW, RELATED = "old.example", "new.example", "https://shop.example"
AT_OLD, AT_NEW = f"https://{OLD}", f"https://id.{NEW}"
_OLD_SETTINGS = {"rp_id": OLD, "rp_origins": AT_OLD}
_NEW_SETTINGS = {"rp_id": NEW, "rp_origins": AT_NEW, "rp_related_origins": RELATED}


@dataclass(frozen=True)
class _Moved:
    """A server that has moved. `ada` has a passkey of the old domain, `bob` of both, as `new`."""

    server: Instance
    ada: Person
    bob: Person
    new: Person


@pytest.fixture(scope="module")
async def moved(make_instance: MakeInstance) -> AsyncIterator[_Moved]:
    async with make_instance(**_OLD_SETTINGS) as old:
        ada, bob = [
            await sessions.with_passkey(await given.user(old.admin), origin=AT_OLD)
            for _ in range(2)
        ]
    async with make_instance(
        dsn=old.dsn, data_dir=old.data_dir, former_rp_ids=OLD, **_NEW_SETTINGS
    ) as server:
        there = [
            replace(each, client=server.admin.with_token(each.client.token, each.user_id))
            for each in (ada, bob)
        ]
        new = await sessions.with_passkey(there[1].client, origin=AT_NEW)
        yield _Moved(server, there[0], there[1], new)


async def _started(client: Client, rp_id: str = "") -> signin_pb.StartPasskeySignInResponse:
    request = signin_pb.StartPasskeySignInRequest(rp_id=rp_id)
    nobody = client.with_token("")
    return await nobody.call(nobody.sign_ins.StartPasskeySignIn, request)


async def _options(client: Client, rp_id: str = "") -> dict[str, Any]:
    started = await _started(client, rp_id)
    return json_format.MessageToDict(started.public_key_credential_request_options)


async def _session(person: Person, rp_id: str, origin: str) -> Client:
    credential = person.assertion(await _options(person.client, rp_id), origin=origin)
    answer = await sessions.complete(person.client, credential)
    return person.client.with_token(answer.session_token, answer.user_id)


async def test_a_sign_in_begins_with_the_present_domain_and_names_the_former_ones(
    moved: _Moved,
) -> None:
    started = await _started(moved.server.nobody)

    assert started.public_key_credential_request_options["rpId"] == NEW
    assert [(each.rp_id, each.origin) for each in started.former_relying_parties] == [(OLD, AT_OLD)]


# https://www.w3.org/TR/webauthn-3/#sctn-related-origins
async def test_the_present_origins_are_related_to_the_former_domain(moved: _Moved) -> None:
    async with web_client(moved.server.web_port) as client:
        document = await client.get("/.well-known/webauthn", headers={"host": OLD})

    assert document.json() == {"origins": [RELATED, AT_NEW]}


@pytest.mark.parametrize("origin", [AT_NEW, RELATED, AT_OLD])
async def test_a_passkey_of_the_former_domain_signs_in_here_and_at_the_old_address(
    moved: _Moved, origin: str
) -> None:
    signed_in = await _session(moved.ada, OLD, origin)

    assert (await sessions.current(signed_in)).passkey_id == moved.ada.passkey_id


_Make = Callable[[_Moved, dict[str, Any], dict[str, Any]], dict[str, Any]]
_UNKNOWN = (grpc.StatusCode.UNAUTHENTICATED, "PASSKEY_UNKNOWN")
_FAILED = (grpc.StatusCode.UNAUTHENTICATED, "SIGN_IN_FAILED")
_NOT_HERE = (grpc.StatusCode.INVALID_ARGUMENT, "ORIGIN_NOT_ALLOWED")
# By the options for the present and for the former RP ID.
_REFUSED: dict[str, tuple[_Make, tuple[grpc.StatusCode, str]]] = {
    "a passkey of the former ID in a ceremony for the present one": (
        lambda m, present, _: m.ada.assertion(present, origin=AT_NEW),
        _UNKNOWN,
    ),
    "the same, with the hash of the ID that it has": (
        lambda m, present, _: m.ada.assertion(present, origin=AT_NEW, rp_id=OLD),
        _UNKNOWN,
    ),
    "a passkey of the present ID in a ceremony for the former one": (
        lambda m, _, former: m.new.assertion(former, origin=AT_NEW),
        _UNKNOWN,
    ),
    "a passkey of the former ID with the hash of the present one": (
        lambda m, _, former: m.ada.assertion(former, origin=AT_NEW, rp_id=NEW),
        _FAILED,
    ),
    "a passkey of the present ID at the old address": (
        lambda m, present, _: m.new.assertion(present, origin=AT_OLD),
        _NOT_HERE,
    ),
    "a passkey of the former ID at the old address without TLS": (
        lambda m, _, former: m.ada.assertion(former, origin=f"http://{OLD}"),
        _NOT_HERE,
    ),
    "a passkey of the former ID below the old address": (
        lambda m, _, former: m.ada.assertion(former, origin=f"https://www.{OLD}"),
        _NOT_HERE,
    ),
}


@pytest.mark.parametrize("case", _REFUSED)
async def test_a_ceremony_is_of_one_domain(moved: _Moved, case: str) -> None:
    make, expected = _REFUSED[case]
    client = moved.server.nobody
    credential = make(moved, await _options(client), await _options(client, OLD))

    refused = await given.refusal(sessions.complete(client, credential))

    assert (refused.code, refused.reason) == expected


async def test_what_the_old_address_hands_over_signs_in_once(moved: _Moved) -> None:
    credential = moved.ada.assertion(await _options(moved.ada.client, OLD), origin=AT_OLD)
    await sessions.complete(moved.ada.client, credential)

    again = await given.refusal(sessions.complete(moved.ada.client, credential))

    assert again.reason == "CHALLENGE_USED"


async def test_no_sign_in_starts_for_another_domain(moved: _Moved) -> None:
    refused = await given.refusal(_started(moved.server.nobody, "evil.example"))

    assert set(refused.violations) == {"rpId"}


@pytest.mark.parametrize(
    ("who", "asked", "expected"), [("ada", "", OLD), ("bob", "", NEW), ("bob", OLD, OLD)]
)
async def test_a_reauthentication_asks_for_a_passkey_that_the_user_has(
    moved: _Moved, who: str, asked: str, expected: str
) -> None:
    person: Person = getattr(moved, who)
    caller = await _session(person, OLD, AT_NEW)

    started = await caller.call(
        caller.sessions.StartReauthentication,
        session_pb.StartReauthenticationRequest(rp_id=asked),
    )

    options = json_format.MessageToDict(started.public_key_credential_request_options)
    used = person if expected == OLD else moved.new
    assert options["rpId"] == expected
    assert [each["id"] for each in options["allowCredentials"]] == [
        used.assertion(options, origin=AT_NEW)["id"]
    ]
    assert [each.rp_id for each in started.former_relying_parties] == [OLD]
    await caller.call(
        caller.sessions.CompleteReauthentication,
        session_pb.CompleteReauthenticationRequest(
            public_key_credential=given.struct(used.assertion(options, origin=AT_NEW))
        ),
    )


async def test_a_new_passkey_is_of_the_present_domain_beside_those_of_the_former(
    moved: _Moved,
) -> None:
    begun = await ceremonies.begin(moved.bob.client)

    listed = {each.rp_id for each in await ceremonies.passkeys(moved.bob.client)}
    assert (begun.options["rp"]["id"], listed) == (NEW, {OLD, NEW})
    assert [each["id"] for each in begun.options["excludeCredentials"]] == [
        moved.new.assertion(await _options(moved.server.nobody), origin=AT_NEW)["id"]
    ]


async def _unmoved(caller: Client, **fields: Any) -> pb.ListUnmovedUsersResponse:
    request = pb.ListUnmovedUsersRequest(**fields)
    return await caller.call(caller.passkeys.ListUnmovedUsers, request)


@pytest.mark.parametrize("rp_id", ["", OLD])
async def test_those_whom_a_removal_would_lock_out_are_listed(moved: _Moved, rp_id: str) -> None:
    listed = await _unmoved(moved.server.admin, rp_id=rp_id)

    assert [each.user_id for each in listed.users] == [moved.ada.user_id]
    assert (listed.unmoved_count, listed.moved_count, listed.user_count) == (1, 1, 2)
    assert listed.rp_id == NEW


async def test_an_id_that_is_no_former_one_cannot_be_removed(moved: _Moved) -> None:
    refused = await given.refusal(_unmoved(moved.server.admin, rp_id=NEW))

    assert set(refused.violations) == {"rpId"}


async def test_of_several_former_ids_each_may_be_the_last_of_somebody(
    make_instance: MakeInstance,
) -> None:
    async with make_instance(**_OLD_SETTINGS) as first:
        users = [
            await sessions.with_passkey(await given.user(first.admin), origin=AT_OLD)
            for _ in range(3)
        ]
    middle = {"rp_id": "mid.example", "rp_origins": "https://mid.example"}
    async with make_instance(dsn=first.dsn, data_dir=first.data_dir, **middle) as second:
        both = second.admin.with_token(users[0].client.token, users[0].user_id)
        await sessions.with_passkey(both, origin="https://mid.example")
    async with make_instance(
        dsn=first.dsn,
        data_dir=first.data_dir,
        former_rp_ids=f"{OLD},mid.example",
        **_NEW_SETTINGS,
    ) as third:
        one = await _unmoved(third.admin, rp_id=OLD, page_size=1)
        two = await _unmoved(third.admin, rp_id=OLD, page_token=one.next_page_token)
        of_middle = await _unmoved(third.admin, rp_id="mid.example")
        of_all = await _unmoved(third.admin)
        exposed = await scrape(third.web_port)

    ids = sorted(each.user_id for each in users)
    without_both = sorted(each.user_id for each in users[1:])
    assert [each.user_id for each in [*one.users, *two.users]] == without_both
    assert (one.unmoved_count, one.moved_count, one.user_count) == (2, 0, 3)
    assert (two.unmoved_count, two.moved_count, two.user_count) == (0, 0, 0)
    assert exposed.value("keystead_unmoved_users") == 3
    assert (list(of_middle.users), of_middle.user_count) == ([], 1)
    assert [each.user_id for each in of_all.users] == ids


async def test_a_removed_id_signs_nobody_in(make_instance: MakeInstance, moved: _Moved) -> None:
    before = await _options(moved.server.nobody, OLD)
    settings: dict[str, Any] = {**_NEW_SETTINGS}
    async with make_instance(
        dsn=moved.server.dsn, data_dir=moved.server.data_dir, **settings
    ) as after:
        credential = moved.ada.assertion(before, origin=AT_NEW)
        handed = await given.refusal(sessions.complete(after.nobody, credential))
        begun = await given.refusal(_started(after.nobody, OLD))
        forged = moved.ada.assertion(await _options(after.nobody), origin=AT_NEW, rp_id=OLD)
        wrong = await given.refusal(sessions.complete(after.nobody, forged))

    assert (handed.code, handed.reason) == _FAILED
    assert set(begun.violations) == {"rpId"}
    assert (wrong.code, wrong.reason) == _UNKNOWN


# The flags of an automatic upgrade are both false:
# https://groups.google.com/a/fidoalliance.org/g/fido-dev/c/WAaopDGjgaI
async def test_a_browser_that_does_not_ask_makes_a_passkey_which_verifies_at_its_first_use(
    admin: Client,
) -> None:
    user = await given.user(admin)
    begun = await ceremonies.begun_by(user, user_id=user.user_id, conditional=True)
    made = await sessions.registered(begun, user, up=False, uv=False)

    unverified = await given.refusal(made.sign_in(uv=False))
    before = await ceremonies.passkeys(user)
    await made.sign_in()
    after = await ceremonies.passkeys(user)

    assert begun.options["authenticatorSelection"]["userVerification"] == "preferred"
    assert unverified.reason == "USER_NOT_VERIFIED"
    assert [each.user_verified for each in [*before, *after]] == [False, True]


async def test_only_such_a_ceremony_needs_no_presence(admin: Client) -> None:
    begun = await ceremonies.begin(await given.user(admin))

    refused = await given.refusal(begun.verify(begun.credential(up=False)))

    assert refused.reason == "USER_NOT_VERIFIED"


async def test_a_link_signs_in_afterwards_so_its_ceremony_verifies_the_user(
    instance: Instance, sql: asyncpg.Connection
) -> None:
    user = await given.user(instance.admin)
    request = pb.CreatePasskeyRegistrationLinkRequest(
        user_id=user.user_id, return_code=pb.ReturnCode()
    )
    created = await instance.admin.call(
        instance.admin.passkeys.CreatePasskeyRegistrationLink, request
    )
    link = Link.of(created.link, instance.admin)

    refused = await given.refusal(link.begin(conditional=True))

    assert set(refused.violations) == {"conditional"}
