"""Calls and values that several tests of sign-up need."""

from datetime import UTC, datetime
from pathlib import Path

from keystead.org.v1 import organization_service_pb2 as org_pb
from server.crypto.keyring import load_keyring
from server.crypto.sealed import Sealed
from server.signup.commands import LIFETIME, SignUp
from server.store.eventlog import new_id
from tests.support.given import Client


async def allow(admin: Client, org_id: str, *, allows: bool = True) -> None:
    """Has people register themselves in the organization, or not."""
    request = org_pb.PatchOrganizationRequest(
        organization=org_pb.Organization(org_id=org_id, allows_sign_up=allows)
    )
    request.update_mask.paths.append("allows_sign_up")
    await admin.call(admin.orgs.PatchOrganization, request)


def sealed(data_dir: Path) -> Sealed[SignUp]:
    """Seals sign-ups as the server with this directory does."""
    keyring = load_keyring((), data_dir / "encryption.keys")
    return Sealed(keyring, SignUp, purpose="keystead sign-up")


def token(data_dir: Path, org_id: str) -> str:
    """The token of a link that nobody has opened."""
    expires_at = int((datetime.now(UTC) + LIFETIME).timestamp())
    sign_up = SignUp(new_id(), org_id, f"{new_id()}@example.com", "", "", expires_at)
    return sealed(data_dir).sealed(sign_up)
