"""A client certificate authenticates no request that a page of another site can cause."""

from collections.abc import Sequence

import pytest

from bridge.certificates import ClientCertificates
from bridge.http.protocol import THUMBPRINT
from tests.bridge.test_cookies import JSON, LISTED, SITES, Headers, passed_on

_FORM = ("content-type", "application/x-www-form-urlencoded")
_TEXT = ("content-type", "text/plain")


async def _counts(headers: Headers, *, method: str = "POST") -> bool:
    scope = await passed_on(
        lambda app: ClientCertificates(app, [LISTED]),
        headers,
        method=method,
        further={THUMBPRINT: b"thumbprint"},
    )
    return bool(scope.get(THUMBPRINT) == b"thumbprint")


_BROWSERS = {name: site for name, site in SITES.items() if name != "no browser"}


@pytest.mark.parametrize(("site", "is_ours"), _BROWSERS.values(), ids=_BROWSERS)
async def test_of_a_browser_a_page_of_ours_must_make_the_request(
    site: Sequence[tuple[str, str]], is_ours: bool
) -> None:
    assert await _counts([JSON, *site]) == is_ours
    assert await _counts(site, method="GET") == is_ours
    assert not await _counts([_FORM, *site])


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_a_program_needs_no_origin(method: str) -> None:
    assert await _counts([], method=method)
    assert await _counts([JSON])
    assert await _counts([("content-type", "application/grpc-web+proto")])


@pytest.mark.parametrize("content_type", [[], [_FORM], [_TEXT], [JSON, _FORM]])
async def test_a_request_that_a_form_can_send_needs_more_than_the_certificate(
    content_type: Sequence[tuple[str, str]],
) -> None:
    assert not await _counts(content_type)
