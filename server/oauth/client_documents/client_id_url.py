"""URLs that are client IDs (draft-ietf-oauth-client-id-metadata-document, section 3). Pure.

The draft compares URLs as strings. So a URL is accepted only in its normal form: no two accepted
URLs are the same resource by a difference in case, port, dot segments or user information.
"""

from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

from server.org.store import ANY_HOST
from server.validation.uris import check_https_uri
from server.values.origins import check_domain

# That of all IDs.
_MAX_URL: Final = 200
_SCHEME: Final = "https://"


def is_url(client_id: str) -> bool:
    """Whether a client ID is a URL, and not the ID of an added application."""
    return client_id.startswith(_SCHEME)


def check_client_id_url(url: str) -> str:
    """A URL that can be a client ID. ValueError with the correction.

    Stricter than the draft: a domain name and no IP address, a path beside `/`, and no query, so
    that people recognise the application by the host.
    """
    check_https_uri(url)
    if len(url) > _MAX_URL:
        raise ValueError(f"must be at most {_MAX_URL} characters")
    parts = urlsplit(url)
    if "?" in url or parts.path in ("", "/"):
        raise ValueError("must have a path such as /client.json, and no query")
    check_domain(parts.hostname or "")
    return url


def host_of(url: str) -> str:
    """The host, with the port if the URL has one, as organizations name it."""
    return urlsplit(url).netloc


def shown(url: str) -> str:
    """The URL as people see it: without the scheme, which is always the same."""
    return url.removeprefix(_SCHEME)


def origin_of(url: str) -> str:
    """The origin of the URL."""
    return f"{_SCHEME}{host_of(url)}"


def is_admitted(url: str, hosts: Collection[str]) -> bool:
    """Whether the `client_metadata_hosts` of an organization admit the application of a URL.

    `*` stands for every host at the default port: anybody chooses the URL, so it must not lead
    to all ports of a host.
    """
    host = host_of(url)
    return host in hosts or (ANY_HOST in hosts and has_default_port(host))


def has_default_port(host: str) -> bool:
    """Whether a host is named without a port."""
    return ":" not in host
