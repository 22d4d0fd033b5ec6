"""The first code of a session for an application is an event of its user."""

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


async def _entered(owner: Client, person: Client) -> list[dict[str, str]]:
    """The payloads of the events, oldest first."""
    request = event_pb.ListEventsRequest(
        aggregate_id=person.user_id, event_types=["user.application_entered"], oldest_first=True
    )
    answer = await owner.call(owner.events.ListEvents, request)
    return [dict(each.payload) for each in answer.events]


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
