"""The settings of the relying party."""

from typing import Final
from urllib.parse import urlsplit

from server.settings.ports import is_for_others, local_origin
from server.settings.settings import Settings
from server.system.checks.findings import Finding
from server.system.checks.reasons import FindingReason, found
from server.values.host_port import split_host_port
from server.values.origins import is_local

_DEFAULT_PORT_OF_HTTP: Final = 80


def check(settings: Settings) -> list[Finding]:
    """The RP ID, its origins, and the page of registration links."""
    return [*_rp_id(settings), *_link_page(settings)]


def _rp_id(settings: Settings) -> list[Finding]:
    """A server that other machines reach needs an RP ID other than localhost."""
    if is_for_others(settings.http_address) and is_local(settings.rp_id):
        return found(FindingReason.RP_ID_LOCAL, rp_id=settings.rp_id, address=settings.http_address)
    return found(FindingReason.RP_ID, rp_id=settings.rp_id, origins=", ".join(settings.rp_origins))


def _link_page(settings: Settings) -> list[Finding]:
    """The page of registration links must belong to the relying party."""
    page = urlsplit(settings.passkey_page)
    origin = f"{page.scheme}://{page.netloc.lower()}"
    if page.scheme == "http" and not is_local(page.hostname or ""):
        return found(FindingReason.LINK_PAGE_PLAINTEXT, page=settings.passkey_page)
    _, port = split_host_port(settings.http_address, lowest_port=0)
    tls = settings.tls_files is not None
    if (
        settings.passkey_page_url is None
        and page.scheme == "http"
        and (tls or port not in (0, page.port or _DEFAULT_PORT_OF_HTTP))
    ):
        here = local_origin(settings.http_address, tls=tls)
        return found(FindingReason.LINK_PAGE_ELSEWHERE, page=settings.passkey_page, here=here)
    if origin not in settings.passkey_origins:
        return found(FindingReason.LINK_PAGE_FOREIGN, page=settings.passkey_page, origin=origin)
    return found(FindingReason.LINK_PAGE, page=settings.passkey_page)
