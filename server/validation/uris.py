"""The URIs of applications, checked when they are set.

Redirect URIs are compared as strings (RFC 9700, section 4.1.3). So a URI is accepted only in the
form in which browsers send it: a URI that a browser normalizes would lead somewhere else than its
string says.

- Loopback addresses and private-use schemes of native applications: RFC 8252, sections 7.1, 7.3
- Normal forms of hosts and paths: https://url.spec.whatwg.org
"""

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import unquote

import idna

from server.values.errors import WrongValueError
from server.values.origins import is_web_origin

MAX_URI: Final = 2000

# RFC 3986, section 2: no space, control character, backslash, or letter that is not ASCII.
_URI: Final = re.compile(r"(?:[A-Za-z0-9._~:/?\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+")
_WEB: Final = re.compile(r"(?P<origin>(?P<scheme>https?)://(?P<host>[^/?]*))(?P<path>[^?]*).*")
# Of a domain in reverse, at least two labels: com.example.app
_PRIVATE: Final = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+):(//(?P<host>[^/?]*))?(?P<path>[^?]*).*"
)
_LOOPBACK: Final = frozenset({"127.0.0.1", "[::1]", "localhost"})
# Names that no public DNS has (RFC 6762, RFC 8375; `.internal` by ICANN), and addresses of private
# networks (RFC 1918, RFC 4193).
_PRIVATE_NAMES: Final = (".internal", ".local", ".lan", ".home.arpa")
_PRIVATE_NETWORKS: Final = tuple(
    map(ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"))
)
# Browsers take a host for an IPv4 address if its last label is a number, also in hexadecimal.
_ACE: Final = "xn--"
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_ENCODED_CONTROL: Final = re.compile(r"%(?:[01][0-9A-Fa-f]|7[Ff]|5[Cc])")


def is_web(uri: str) -> bool:
    """Whether it is an http or https URI, not one with a private-use scheme."""
    return uri.startswith(("https://", "http://"))


def check_redirect_uri(uri: str) -> str:
    """A URI that people may be sent back to. ValueError with the correction.

    It may be `is_private_http`, which only some applications can have.
    """
    _check_characters(uri)
    if web := _WEB.fullmatch(uri):
        _check_web(web, allows_private=True)
        return uri
    match = _PRIVATE.fullmatch(uri)
    if match is None:
        raise ValueError(
            "must begin with https://, or for a native application with a private-use scheme with a"
            " dot, such as com.example.app:/"
        )
    if "@" in (match["host"] or ""):
        raise ValueError("must have no user information before the host")
    if not (match["host"] or match["path"]):
        raise ValueError("must have a path after the scheme, such as com.example.app:/signed-in")
    _check_path(match["path"])
    return uri


def is_private_http(uri: str) -> bool:
    """Whether a checked URI is one over http that leads to another machine."""
    match = _WEB.fullmatch(uri)
    return bool(match and match["scheme"] == "http" and _name(match) not in _LOOPBACK)


def check_https_uri(uri: str) -> str:
    """An https URI that the server connects to. ValueError with the correction."""
    if check_secure_uri(uri).startswith("http://"):
        raise WrongValueError("HTTPS_REQUIRED", "must begin with https://")
    return uri


def check_secure_uri(uri: str) -> str:
    """A URI of https, or of http on this machine. ValueError with the correction."""
    _check_characters(uri)
    match = _WEB.fullmatch(uri)
    if match is None:
        raise WrongValueError("HTTPS_REQUIRED", "must begin with https://")
    _check_web(match)
    return uri


def check_secure_origin(origin: str) -> str:
    """An origin of pages, over https or on this machine. ValueError with the correction."""
    _check_characters(origin)
    match = _WEB.fullmatch(origin)
    if match is None or match["origin"] != origin:
        raise ValueError("must be https://host or https://host:port, without a path")
    _check_web(match)
    return origin


def page_origin(url: str) -> str:
    """The origin of a page, whose URL every browser takes as it is. ValueError with the correction.

    Unlike the other URIs, it may have a fragment.
    """
    address, _, fragment = url.partition("#")
    _check_characters(address)
    if fragment:
        _check_characters(fragment)
    match = _WEB.fullmatch(address)
    if match is None:
        raise WrongValueError("HTTPS_REQUIRED", "must begin with https://")
    _check_web(match, allows_private=True)
    return match["origin"]


def _check_characters(uri: str) -> None:
    if len(uri) > MAX_URI:
        raise WrongValueError("TOO_LONG", f"must be at most {MAX_URI} characters")
    if "#" in uri:
        raise ValueError("must have no fragment")
    if not _URI.fullmatch(uri):
        raise ValueError(
            "must be a URI of ASCII characters, without spaces, quotes, backslashes and control"
            " characters"
        )


def _name(match: re.Match[str]) -> str:
    return re.sub(r":[0-9]*$", "", match["host"])


def _check_web(match: re.Match[str], *, allows_private: bool = False) -> None:
    if "@" in match["host"]:
        raise ValueError("must have no user information before the host")
    name = _name(match)
    if not is_web_origin(match["origin"]) or not _is_normal(name):
        raise ValueError(
            "must have a host as browsers write it: in lower case, letters like \u00fc as xn--, an"
            " IP address in its usual form, without the default port"
        )
    is_http = match["scheme"] == "http" and name not in _LOOPBACK
    if is_http and not (allows_private and _is_private(name)):
        raise ValueError("must begin with https://, except on 127.0.0.1, [::1] and localhost")
    _check_path(match["path"])


def _is_normal(name: str) -> bool:
    """Whether a browser keeps the host, as far as it takes it for an IP address."""
    try:
        if name.startswith("["):
            return f"[{IPv6Address(name[1:-1]).compressed}]" == name
        if _NUMBER.fullmatch(name.rpartition(".")[2]):
            return str(IPv4Address(name)) == name
    except AddressValueError:
        return False
    return all(map(_is_normal_label, name.split(".")))


def _is_private(name: str) -> bool:
    """Whether a host in its normal form is a private name or address."""
    try:
        address = ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return "." not in name or name.endswith(_PRIVATE_NAMES)
    return any(address in network for network in _PRIVATE_NETWORKS)


def _is_normal_label(label: str) -> bool:
    """Whether browsers take the label, if it is one of other letters (UTS 46, section 4)."""
    if not label.startswith(_ACE):
        return True
    try:
        text = label.removeprefix(_ACE).encode().decode("punycode")
        is_kept = idna.uts46_remap(text, std3_rules=False) == text
    except (UnicodeError, idna.IDNAError):
        return False
    return is_kept and not text.isascii() and f"{_ACE}{text.encode('punycode').decode()}" == label


def _check_path(path: str) -> None:
    if _ENCODED_CONTROL.search(path):
        raise ValueError("must have no encoded control character or backslash")
    if any(segment in (".", "..") for segment in unquote(path).split("/")):
        raise ValueError("must have no path segment . or .., also percent-encoded")
