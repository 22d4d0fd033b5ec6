"""The first code of a session for an application is an event of its user."""

from collections.abc import Sequence
from typing import Any

from google.protobuf.field_mask_pb2 import FieldMask

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.event.v1 import event_service_pb2 as event_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.application import calls
from tests.oauth import devices, flow
from tests.oauth.flow import App
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client


async def _events(owner: Client, person: Client) -> Sequence[event_pb.Event]:
    """The events, oldest first."""
    request = event_pb.ListEventsRequest(
        aggregate_id=person.user_id, event_types=["user.application_entered"], oldest_first=True
    )
    return (await owner.call(owner.events.ListEvents, request)).events


async def _entered(owner: Client, person: Client) -> list[dict[str, str]]:
    """The payloads of the events, oldest first."""
    events: Sequence[Any] = await _events(owner, person)
    return [dict(each.payload) for each in events]


async def test_the_first_code_of_a_session_is_an_event_and_the_next_ones_are_not(
    app: App, owner: Client, ada: SignedIn
) -> None:
    other = await flow.app(owner, name="Wiki")
    for each in (app, app, other):
        await flow.approved(each, ada.client)
    await flow.tokens(app, ada.client)
    names = [each["application_name"] for each in await _entered(owner, ada.client)]
    assert names == ["Application", "Wiki"]
    [first, _] = await _entered(owner, ada.client)
    assert first["application_id"] == app.client_id
    assert first["session_id"] == ada.session_id


async def test_a_grant_says_when_the_user_last_entered_the_application(
    app: App, owner: Client, ada: SignedIn
) -> None:
    await flow.approved(app, ada.client)
    [first] = await calls.grants(ada.client)
    again = (await ada.person.sign_in()).client
    await flow.approved(app, again)
    await flow.approved(app, again)
    [second] = await calls.grants(ada.client)
    entered = [each.created_at for each in await _events(owner, ada.client)]
    assert [first.entered_at, second.entered_at] == entered
    assert second.details == first.details


async def test_a_user_who_consents_again_enters_the_application(app: App, ada: SignedIn) -> None:
    await flow.approved(app, ada.client)
    await calls.revoke_grant(ada.client, app.client_id)
    await flow.approved(app, ada.client)
    [grant] = await calls.grants(ada.client)
    assert grant.entered_at == grant.details.creation_date


async def test_the_people_of_an_application_say_when_they_last_entered_it(
    app: App, owner: Client, ada: SignedIn
) -> None:
    other = await flow.app(owner, name="Wiki")

    async def entered(text: str) -> dict[str, bool]:
        request = user_pb.ListUsersRequest(filter=text)
        answer = await owner.call(owner.users.ListUsers, request)
        return {each.user_id: each.HasField("entered_application_at") for each in answer.users}

    await flow.approved(app, ada.client)
    of_app, of_other = f"applications:{app.client_id}", f"applications:{other.client_id}"
    person = ada.person.user_id
    assert await entered(of_app) == {person: True, owner.user_id: False}
    assert await entered(of_other) == {person: False, owner.user_id: False}
    assert await entered(f"{of_app} AND {of_other}") == {person: False, owner.user_id: False}
    assert await entered("") == {person: False, owner.user_id: False}


async def test_a_refused_approval_is_no_event(owner: Client, ada: SignedIn) -> None:
    app = await flow.app(owner, admits_groups_only=True)
    await given.outcome(flow.approve(ada.client, await flow.sealed(app)))
    assert await _entered(owner, ada.client) == []


async def test_an_approved_device_enters_its_application(owner: Client, ada: SignedIn) -> None:
    app = await devices.app(owner)
    await devices.approved(app, ada.client)
    [entered] = await _entered(owner, ada.client)
    assert entered["application_id"] == app.client_id


async def test_an_application_can_require_a_mail_address(
    owner: Client, admin: Client, org_id: str
) -> None:
    app = await flow.app(owner, requires_email=True)
    bob = await sessions.signed_in(admin, org_id=org_id)
    request = await flow.sealed(app)
    refused = await given.refusal(flow.approve(bob.client, request))
    assert refused.reason == "EMAIL_REQUIRED"
    user = user_pb.User(user_id=bob.client.user_id, email="bob@example.com")
    await admin.call(
        admin.users.PatchUser,
        user_pb.PatchUserRequest(user=user, update_mask=FieldMask(paths=["email"])),
    )
    assert (await flow.approve(bob.client, request)).redirect_uri


async def test_a_mail_address_is_required_only_with_its_scope(owner: Client) -> None:
    refused = await given.refusal(calls.add(owner, requires_email=True, scopes=["openid"]))
    assert "application.requiresEmail" in refused.violations
    kind = application_pb.APPLICATION_KIND_SERVICE
    refused = await given.refusal(calls.add(owner, requires_email=True, kind=kind))
    assert "application.requiresEmail" in refused.violations
