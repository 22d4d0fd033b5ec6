"""Calls and values that several tests of sign-up need."""

from datetime import UTC, datetime
from pathlib import Path

from server.crypto.keyring import load_keyring
from server.crypto.sealed import Sealed
from server.signup.commands import LIFETIME, SignUp
from server.values.ids import new_id
from tests.org import calls as orgs
from tests.support.given import Client


async def allow(admin: Client, org_id: str, *, allows: bool = True) -> None:
    """Has people register themselves in the organization, or not."""
    await orgs.patch(admin, org_id, allows_sign_up=allows)


def sealed(data_dir: Path) -> Sealed[SignUp]:
    """Seals sign-ups as the server with this directory does."""
    keyring = load_keyring((), data_dir / "encryption.keys")
    return Sealed(keyring, SignUp, purpose="keystead sign-up")


def token(data_dir: Path, org_id: str) -> str:
    """The token of a link that nobody has opened."""
    expires_at = int((datetime.now(UTC) + LIFETIME).timestamp())
    sign_up = SignUp(new_id(), org_id, f"{new_id()}@example.com", "", "", expires_at)
    return sealed(data_dir).sealed(sign_up)
