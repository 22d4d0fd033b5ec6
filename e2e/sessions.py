"""Sessions of the administrator, over JSON."""

from typing import Any

import httpx2

from examples.software_authenticator import SoftwareAuthenticator

# Where the software authenticator makes passkeys.
ORIGIN = "http://localhost"


async def post(http: httpx2.AsyncClient, path: str, token: str, **body: Any) -> dict[str, Any]:
    """The answer to a call by JSON, which must succeed."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    answer = await http.post(path, json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    answered: dict[str, Any] = answer.json()
    return answered


async def sign_in(http: httpx2.AsyncClient, admin: str) -> dict[str, Any]:
    """A session of the administrator, by a new passkey."""
    me = await http.get("/v1/users/me", headers={"authorization": f"Bearer {admin}"})
    passkeys = f"/v1/users/{me.json()['user']['userId']}/passkeys"
    authenticator = SoftwareAuthenticator()
    begun = await post(http, passkeys, admin)
    options = begun["publicKeyCredentialCreationOptions"]
    credential = authenticator.create(options, origin=ORIGIN)
    path = f"{passkeys}/{begun['passkeyId']}"
    await post(http, path, admin, publicKeyCredential=credential, passkeyName="Laptop")
    started = await post(http, "/v1/signin/passkey:start", "")
    options = started["publicKeyCredentialRequestOptions"]
    [credential_id] = authenticator.credentials
    answer = authenticator.get(options, origin=ORIGIN, credential_id=credential_id)
    return await post(http, "/v1/signin/passkey", "", publicKeyCredential=answer)
