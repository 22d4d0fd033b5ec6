"""People who sign in with a passkey, and out again."""

from dataclasses import dataclass

from google.protobuf import json_format

from examples.software_authenticator import SoftwareAuthenticator
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.session.v1 import session_service_pb2 as session_pb
from keystead.signin.v1 import signin_service_pb2 as signin_pb
from tests.support import given
from tests.support.given import Client, struct

# The default origin of a server.
_ORIGIN = "http://localhost:8080"


@dataclass(frozen=True, slots=True)
class Person:
    """A user with a passkey."""

    client: Client
    authenticator: SoftwareAuthenticator
    credential_id: bytes

    @classmethod
    async def created(cls, admin: Client, *, org_id: str | None = None) -> "Person":
        """A new user, who has registered a passkey; without `org_id`, in a new organization."""
        client, authenticator = await given.user(admin, org_id=org_id), SoftwareAuthenticator()
        begin = passkey_pb.RegisterPasskeyRequest(user_id=client.user_id)
        begun = await client.call(client.passkeys.RegisterPasskey, begin)
        options = json_format.MessageToDict(begun.public_key_credential_creation_options)
        verify = passkey_pb.VerifyPasskeyRegistrationRequest(
            user_id=client.user_id,
            passkey_id=begun.passkey_id,
            passkey_name="Passkey",
            public_key_credential=struct(authenticator.create(options, origin=_ORIGIN)),
        )
        await client.call(client.passkeys.VerifyPasskeyRegistration, verify)
        [credential_id] = authenticator.credentials
        return cls(client, authenticator, credential_id)

    async def sign_in(self) -> signin_pb.SignedIn:
        """A new session."""
        nobody = self.client.with_token("")
        start = signin_pb.StartPasskeySignInRequest()
        begun = await nobody.call(nobody.sign_ins.StartPasskeySignIn, start)
        options = json_format.MessageToDict(begun.public_key_credential_request_options)
        assertion = self.authenticator.get(
            options, origin=_ORIGIN, credential_id=self.credential_id
        )
        complete = signin_pb.CompletePasskeySignInRequest(public_key_credential=struct(assertion))
        signed_in: signin_pb.SignedIn = await nobody.call(
            nobody.sign_ins.CompletePasskeySignIn, complete
        )
        return signed_in

    async def sign_out(self, session_token: str) -> None:
        """Ends the session."""
        client = self.client.with_token(session_token)
        await client.call(client.sessions.SignOut, session_pb.SignOutRequest())
