"""Conversions of results to messages."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.org.v1 import organization_service_pb2 as org_pb
from server.log.event import Event
from server.rpc.messages import details_message, message_of, nested
from server.store.rows import Details


@dataclass(frozen=True)
class _Organization:
    organization_id: str
    name: str
    is_default: bool
    allows_mail_recovery: bool
    client_metadata_hosts: tuple[str, ...]
    allows_sign_up: bool
    keeps_profiles: bool
    allows_mail_fallback: bool
    secret: str


@dataclass(frozen=True, slots=True)
class _Renamed(Event):
    name: str | None
    auto_register: bool


def test_a_message_takes_its_fields_by_name_and_nothing_else() -> None:
    source = _Organization("1", "Example", True, False, (), False, False, False, "hidden")

    message = message_of(org_pb.Organization, source, org_id="1", details=None)

    assert message == org_pb.Organization(org_id="1", name="Example", is_default=True)


def test_a_field_that_nothing_gives_is_an_error() -> None:
    source = _Organization("1", "Example", True, False, (), False, False, False, "hidden")

    with pytest.raises(AttributeError, match="org_id"):
        message_of(org_pb.Organization, source, details=None)


def test_a_message_within_another_one_is_given_by_its_fields() -> None:
    source = _Organization("1", "Example", True, False, (), False, False, False, "hidden")
    changed_at = datetime(2026, 11, 23, 4, 43, 28, 123456, UTC)
    details = Details(7, datetime(1969, 12, 31, 23, 59, 59, 999999, UTC), changed_at, "owner")

    organization = nested(org_pb.Organization, source, org_id="1", details=details_message(details))

    expected = org_pb.Organization(org_id="1", name="Example", is_default=True)
    expected.details.sequence, expected.details.resource_owner = 7, "owner"
    expected.details.creation_date.FromDatetime(details.creation_date)
    expected.details.change_date.FromDatetime(changed_at)
    assert org_pb.GetOrganizationResponse(
        organization=organization
    ) == org_pb.GetOrganizationResponse(organization=expected)


def test_an_event_takes_its_fields_by_name() -> None:
    request = idp_pb.UpdateIDPRequest(idp_id="1", name="Example", auto_register=True)

    assert _Renamed.of(request) == _Renamed("Example", True)
    assert _Renamed.of(request, name=None) == _Renamed(None, True)
