"""TLS to remote servers, whose certificates and names are verified."""

import functools
import ssl
from pathlib import Path


def verifying(ca_file: Path | None, *, purpose: str) -> ssl.SSLContext:
    """Trusts the system's authorities, and those of the file, which is read again if it changes.

    Each purpose has a context of its own, because HTTP clients set ALPN protocols in theirs.
    Raises OSError (also as ssl.SSLError): the file cannot be used.
    """
    changed_at = ca_file.stat().st_mtime_ns if ca_file else 0
    return _verifying(purpose, ca_file, changed_at)


@functools.lru_cache(maxsize=4)
def _verifying(_purpose: str, ca_file: Path | None, _changed_at: int) -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if ca_file is not None:
        context.load_verify_locations(cafile=ca_file)
    return context
