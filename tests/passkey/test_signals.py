"""ListPasskeys returns all data that a page sends to the passkey provider of its user."""

from keystead.passkey.v1 import passkey_service_pb2 as pb
from tests.passkey import ceremonies
from tests.support.given import Client


async def _page(user: Client, **fields: object) -> pb.ListPasskeysResponse:
    request = pb.ListPasskeysRequest(user_id=user.user_id, **fields)  # type: ignore[arg-type]
    return await user.call(user.passkeys.ListPasskeys, request)


async def test_the_user_handle_is_the_one_that_authenticators_are_given(user: Client) -> None:
    before = await _page(user)
    begun = await ceremonies.register(user)
    after = await _page(user)

    assert before.passkeys == []
    assert before.user_handle == after.user_handle == begun.options["user"]["id"]
    assert before.rp_id == after.rp_id == begun.options["rp"]["id"]


async def test_the_credential_id_is_the_one_that_the_authenticator_gave(user: Client) -> None:
    begun = await ceremonies.begin(user)
    credential = begun.credential()
    await begun.verify(credential)

    [passkey] = (await _page(user)).passkeys

    assert passkey.credential_id == credential["id"]
    assert passkey.rp_id == begun.options["rp"]["id"]


async def test_every_page_names_the_user(user: Client) -> None:
    for _ in range(2):
        await ceremonies.register(user)

    first = await _page(user, page_size=1)
    second = await _page(user, page_size=1, page_token=first.next_page_token)

    assert first.user_handle == second.user_handle != ""
    assert first.passkeys[0].credential_id != second.passkeys[0].credential_id
    assert second.next_page_token == ""
