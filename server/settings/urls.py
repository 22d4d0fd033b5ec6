"""The checks of URLs in settings. Each returns its argument.

The rule: a ValueError says how to correct the value, and shows nothing that may be secret.
"""

import re
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from pydantic import SecretStr

from server.values.host_port import split_host_port
from server.values.mail_address import normal_mail_address
from server.values.origins import is_this_machine, is_web_origin

# A name, an address, an IPv6 address in brackets, or nothing (a socket); then the port.
_DATABASE_HOST = re.compile(r"([\w.-]*|\[[0-9a-fA-F:.]+\])(:[0-9]{1,5})?")
_WRITES: Final = "read-write"
# RFC 3986 without query and fragment: links append their own.
_PAGE_URL = re.compile(r"(?P<origin>[^/?#]+://[^/?#]+)(/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)?")


def database_url(value: SecretStr) -> SecretStr:
    """A URL of PostgreSQL, with one or several hosts, to which Keystead can write."""
    # Not pydantic's PostgresDsn: it requires a host, and a socket (?host=/run/postgresql) has none.
    scheme, _, rest = value.get_secret_value().partition("://")
    authority = re.split("[/?#]", rest, maxsplit=1)[0]
    user, _, hosts = authority.rpartition("@")
    # With these characters, the driver may split the URL at another place than this function, and
    # show a part of the password in an error about a port or an option.
    is_ambiguous = not set("@#[]").isdisjoint(user + rest.removeprefix(authority))
    if (
        scheme not in ("postgresql", "postgres")
        or is_ambiguous
        or not all(map(_DATABASE_HOST.fullmatch, hosts.split(",")))
    ):
        # Without the URL, which contains the password. A password with / or @ ends up here.
        raise ValueError(
            "must be a URL like postgresql://user@host:5432/database?option=value; in a password,"
            " write characters like / and @ as %2F and %40"
        )
    options = dict(parse_qsl(urlsplit(value.get_secret_value()).query))
    if "," in options.get("host", "") or "," in options.get("port", ""):
        raise ValueError(
            "must name several hosts before the database, such as"
            " postgresql://user@one:5432,two:5432/database"
        )
    if options.get("target_session_attrs", _WRITES) not in (_WRITES, "primary"):
        raise ValueError(
            f"target_session_attrs must be {_WRITES} or primary, because Keystead writes; with"
            f" several hosts, the default is {_WRITES}"
        )
    return value


def is_verified_or_local(database_url: SecretStr) -> bool:
    """Whether PostgreSQL proves its name by a certificate, or runs on this machine."""
    url = urlsplit(database_url.get_secret_value())
    options = dict(parse_qsl(url.query))
    hosts = (url.netloc.rpartition("@")[2] or options.get("host", "")).split(",")
    return options.get("sslmode") == "verify-full" or all(map(_is_here, hosts))


def _is_here(host_and_port: str) -> bool:
    host = re.sub(r":[0-9]+$", "", host_and_port)
    return not host or host.startswith("/") or is_this_machine(host)


def _is_page(url: str) -> bool:
    page = _PAGE_URL.fullmatch(url)
    return page is not None and is_web_origin(page["origin"])


def page_url(value: str) -> str:
    """A page for browsers."""
    if not _is_page(value):
        raise ValueError(
            "must be a URL like https://id.example.com/passkeys/ as browsers write it, without"
            " default port, user, query and fragment"
        )
    return value


def contact_url(value: str) -> str:
    """A web page or a mail address for reports of vulnerabilities (RFC 9116, section 2.5.3)."""
    scheme, _, address = value.partition(":")
    try:
        if scheme == "mailto":
            return f"mailto:{normal_mail_address(address)}"
        if scheme == "https" and _is_page(value):
            return value
    except ValueError:
        pass
    raise ValueError(
        "must be a mail address like mailto:security@example.com, or a page like"
        " https://example.com/security"
    )


def issuer_url(value: str) -> str:
    """An issuer, which verifiers compare byte by byte (RFC 8414, section 2)."""
    if not _is_page(value) or value.endswith("/"):
        raise ValueError(
            "must be a URL like https://id.example.com as browsers write it, without default port,"
            " user, query, fragment and a slash at the end"
        )
    return value


def collector_url(value: str) -> str:
    """An OpenTelemetry collector."""
    url = urlsplit(value)
    try:
        split_host_port(url.netloc, lowest_port=1)
        is_address = value == f"{url.scheme}://{url.netloc}" and url.scheme in ("http", "https")
    except ValueError:
        is_address = False
    if not is_address:
        raise ValueError("must be a URL like http://127.0.0.1:4317, with a port and without path")
    return value


def is_plaintext(collector: str) -> bool:
    """Whether a collector on another machine gets traces without TLS."""
    url = urlsplit(collector)
    return url.scheme == "http" and not _is_here(url.netloc)


def redirect_uri(value: str) -> str:
    """A page for each identity provider, so that none receives the response of another."""
    path = value.rpartition("//")[2].partition("/")[2]
    if not _is_page(value.replace("{idp_id}", "id")) or path.count("{idp_id}") != 1:
        raise ValueError(
            "must be URLs like https://id.example.com/signin/callback/{idp_id} as browsers write"
            " them, without default port, user, query and fragment, and with {idp_id} in the path"
        )
    return value
