"""URLs that this server connects to (RFC 3986), such as those of identity providers."""

import re
from urllib.parse import urlsplit

from server.values.host_port import split_host_port


def check_https_url(url: str) -> str:
    """An https URL with a host, without user and fragment. ValueError with the correction."""
    if not re.fullmatch(r"[!-~]+", url):
        raise ValueError("must be a URL of ASCII characters without spaces")
    try:
        parts = urlsplit(url)
        split_host_port(parts.netloc if parts.port else f"{parts.netloc}:443")
    except ValueError:
        raise ValueError("must be a URL like https://login.example.com") from None
    if parts.scheme != "https" or "#" in url:
        raise ValueError("must begin with https:// and have no fragment")
    return url
