"""The settings of the relying party."""

from typing import Final
from urllib.parse import urlsplit

from server.settings.ports import is_for_others, local_origin
from server.settings.settings import Settings
from server.settings.sources import PREFIX
from server.system.checks.findings import Finding, ok, problem, warning
from server.values.host_port import split_host_port
from server.values.origins import is_local

_DEFAULT_PORT_OF_HTTP: Final = 80


def check(settings: Settings) -> list[Finding]:
    """The RP ID, its origins, and the page of registration links."""
    return [*_rp_id(settings), *_link_page(settings)]


def _rp_id(settings: Settings) -> list[Finding]:
    """A server that other machines reach needs an RP ID other than localhost."""
    if is_for_others(settings.http_address) and is_local(settings.rp_id):
        return warning(
            "relying party",
            f"{PREFIX}RP_ID is {settings.rp_id}, while the server listens on"
            f" {settings.http_address}: passkeys work only in browsers on this machine.",
            f"Set {PREFIX}RP_ID and {PREFIX}RP_ORIGINS to the domain that users see.",
        )
    return ok("relying party", f"{settings.rp_id}, on {', '.join(settings.rp_origins)}.")


def _link_page(settings: Settings) -> list[Finding]:
    """The page of registration links must belong to the relying party."""
    page = urlsplit(settings.passkey_page)
    origin = f"{page.scheme}://{page.netloc.lower()}"
    if page.scheme == "http" and not is_local(page.hostname or ""):
        return problem(
            "link page",
            f"{settings.passkey_page} is not served over https, so browsers offer no passkeys"
            " there.",
            f"Serve it over TLS and set {PREFIX}PASSKEY_PAGE_URL.",
        )
    _, port = split_host_port(settings.http_address, lowest_port=0)
    tls = settings.tls_files is not None
    if (
        settings.passkey_page_url is None
        and page.scheme == "http"
        and (tls or port not in (0, page.port or _DEFAULT_PORT_OF_HTTP))
    ):
        here = local_origin(settings.http_address, tls=tls)
        return warning(
            "link page",
            f"Registration links open {settings.passkey_page}, but the web port is {here} on this"
            " machine.",
            f"Name {here} first in {PREFIX}RP_ORIGINS, or set {PREFIX}PASSKEY_PAGE_URL.",
        )
    if origin not in settings.passkey_origins:
        return problem(
            "link page",
            f"{settings.passkey_page} is on none of {PREFIX}RP_ORIGINS, so every registration by a"
            " link is refused.",
            f"Add {origin} there, or change {PREFIX}PASSKEY_PAGE_URL.",
        )
    return ok("link page", f"Registration links open {settings.passkey_page}.")
