"""`/.well-known/webauthn`: the other sites of the same owner, for browsers that ask."""

from collections.abc import AsyncIterator

import httpx
import pytest

from tests.conftest import MakeInstance
from tests.passkey.ceremonies import begin, passkeys
from tests.support import given
from tests.support.given import Instance
from tests.support.json_client import JsonClient

_PATH = "/.well-known/webauthn"
_RELATED = ("https://login.example.org", "https://example.co.uk")


@pytest.fixture
async def related(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server whose passkeys other sites may use too."""
    async with make_instance(rp_related_origins=_RELATED) as instance:
        yield instance


async def _get(instance: Instance, verb: str = "GET") -> httpx.Response:
    async with JsonClient.connected(instance, instance.nobody) as nobody:
        return await nobody.http.request(verb, _PATH)


async def test_related_origins_are_listed_to_everybody_for_a_short_while(related: Instance) -> None:
    answer, head = await _get(related), await _get(related, "HEAD")

    assert answer.status_code == head.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "public, max-age=300"
    assert answer.json() == {"origins": list(_RELATED)}


async def test_without_related_origins_there_is_nothing(instance: Instance) -> None:
    answer = await _get(instance)

    assert (answer.status_code, answer.json()["code"]) == (404, 5)
    assert answer.headers["cache-control"] == "no-store"


async def test_a_passkey_is_registered_on_a_related_origin_and_on_no_other(
    related: Instance,
) -> None:
    user = await given.user(related.admin)
    begun = await begin(user)

    refused = await given.refusal(begun.verify(begun.credential(origin="https://shop.example.org")))
    await begun.verify(begun.credential(origin=_RELATED[0]))

    assert refused.reason == "ORIGIN_NOT_ALLOWED"
    assert [passkey.rp_id for passkey in await passkeys(user)] == ["localhost"]
