"""Origins and relying party ids, checked at start by the rules of browsers.

Ceremonies do not use these rules: a ceremony compares whole origins with the list it began with.

- Relying party IDs that an origin may use: WebAuthn L3 §5.1.3 step 8, and "is a registrable domain
  suffix of or is equal to" in https://html.spec.whatwg.org/multipage/browsers.html
- Passkeys need secure contexts: https://www.w3.org/TR/secure-contexts/
- Related origins: WebAuthn L3 §5.11
"""

import re
from collections.abc import Sequence
from functools import cache
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from publicsuffixlist import PublicSuffixList

from server.values.host_port import HIGHEST_PORT

# §5.11.1: clients support at least five labels; the major browsers support no more.
MAX_ORIGIN_LABELS: Final = 5

# Labels of letters, digits and hyphens (RFC 1123, section 2.1), as browsers write them. The last
# label is not a number, because the host would be an IP address, which cannot be a relying party.
_DOMAIN: Final = re.compile(
    r"([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*(?![0-9]+$)[a-z0-9]([a-z0-9-]*[a-z0-9])?"
)
# Hosts of pages need not be domains: `_`, an address, an IPv6 address in brackets.
_WEB_ORIGIN: Final = re.compile(
    r"(?P<scheme>https?)://([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:(?P<port>[1-9][0-9]{0,4}))?"
)
_DEFAULT_PORTS: Final = {"http": "80", "https": "443"}
_ANDROID: Final = "android:apk-key-hash:"


def is_web(origin: str) -> bool:
    """Whether it is the origin of a page, not of an Android app."""
    return not origin.startswith(_ANDROID)


def is_local(host: str) -> bool:
    """Whether the host always means this machine (RFC 6761, section 6.3)."""
    return host == "localhost" or host.endswith(".localhost")


def is_this_machine(host: str) -> bool:
    """Whether the host is local, or an address of loopback. An IPv6 address may have brackets."""
    try:
        return ip_address(host.removeprefix("[").removesuffix("]")).is_loopback
    except ValueError:
        return is_local(host)


def check_domain(value: str) -> str:
    """A relying party id. ValueError with the correction."""
    if not _DOMAIN.fullmatch(value):
        raise ValueError(
            "must be a domain like example.com in lower case, without scheme and port; an IP"
            " address cannot be one"
        )
    return value


def check_origin(value: str) -> str:
    """An origin as browsers write it, or of an Android app. ValueError with the correction."""
    if is_web(value) and not is_web_origin(value):
        raise ValueError(
            f"'{value}' is not an origin: write scheme://host or scheme://host:port as browsers do,"
            " in lower case, letters like \u00fc as xn--, without the default port, a path or *"
        )
    return value


def is_web_origin(value: str) -> bool:
    """Whether browsers write the origin of a page in this form (RFC 6454, section 6.2)."""
    match = _WEB_ORIGIN.fullmatch(value)
    if match is None or match["port"] == _DEFAULT_PORTS[match["scheme"]]:
        return False
    return int(match["port"] or 0) <= HIGHEST_PORT


def check_secure(origin: str) -> str:
    """ValueError for an origin whose pages cannot use passkeys in any browser."""
    parts = urlsplit(origin)
    if parts.scheme == "http" and not is_local(parts.hostname or ""):
        raise ValueError(
            f"has {origin}, where browsers offer no passkeys: serve it over https, or for a trial"
            " use http://localhost"
        )
    return origin


def check_on(rp_id: str, origin: str) -> str:
    """ValueError for an origin that cannot use this relying party id."""
    host = urlsplit(origin).hostname
    if not host or host == rp_id:
        return origin
    if not host.endswith(f".{rp_id}"):
        raise ValueError(
            f"has {origin}, which is not on the relying party id {rp_id}; leave it out, or set"
            " KEYSTEAD_RP_ID to the domain of your origins"
        )
    if registrable_domain(rp_id) is None:
        raise ValueError(
            f"has {origin}, but browsers refuse the relying party id {rp_id}, because anybody can"
            f" register domains below it; use {registrable_domain(host) or host}"
        )
    return origin


def check_former(rp_id: str, present: str | None) -> str:
    """ValueError for an ID that cannot be a former one beside the present one."""
    if rp_id == present:
        raise ValueError(f"has {rp_id}, which is KEYSTEAD_RP_ID; name only IDs from before it")
    if not is_local(rp_id) and registrable_domain(rp_id) is None:
        raise ValueError(f"has {rp_id}, below which anybody can register domains")
    return rp_id


def is_on(rp_id: str, origin: str) -> bool:
    """Whether browsers let pages of the origin use the relying party ID by itself."""
    host = urlsplit(origin).hostname or ""
    return host == rp_id or host.endswith(f".{rp_id}")


def check_related(origin: str, *, rp_id: str | None, rp_origins: Sequence[str]) -> str:
    """ValueError for an origin that no browser accepts as related to this relying party."""
    parts = urlsplit(origin)
    host = parts.hostname or ""
    if parts.scheme != "https" or registrable_domain(host) is None:
        raise ValueError(f"has {origin}; browsers take only https:// and a domain of your own")
    if origin in rp_origins or (rp_id and is_on(rp_id, origin)):
        raise ValueError(f"has {origin}, which is on the relying party id itself")
    return origin


def origin_labels(origins: Sequence[str]) -> list[str]:
    """The labels that browsers count: `shop` for https://shop.example and https://m.shop.test."""
    hosts = [urlsplit(origin).hostname or "" for origin in origins]
    domains = [domain for host in hosts if (domain := registrable_domain(host))]
    return list(dict.fromkeys(domain.partition(".")[0] for domain in domains))


def registrable_domain(host: str) -> str | None:
    """The registrable domain, `example.co.uk` for `www.example.co.uk`.

    None for a public suffix like `co.uk`, and for a name of one label.
    """
    return None if _DOMAIN.fullmatch(host) is None else _public_suffixes().privatesuffix(host)


@cache
def _public_suffixes() -> PublicSuffixList:
    """The list at https://publicsuffix.org/, loaded on first use, which takes 50 milliseconds."""
    return PublicSuffixList()
