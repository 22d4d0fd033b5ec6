"""Secrets of the test run, which can be recognized wherever they appear.

The name of a found mark shows the mistake:

- the password: in every field for a password, and as the value of every other field, query
  parameter and header, malformed and oversized. It must appear nowhere.
- the misplaced one: used by a caller as a name: of a path, a field, a parameter, a header, an
  identifier. An answer may repeat an unknown name to the caller; no other place may have it.
- the undecodable one: in gRPC headers that are not text.

Tokens, codes and keys that the server makes are added when they are made.
"""

from dataclasses import dataclass, field
from uuid import uuid4

from pydantic import SecretStr

PASSWORD, MISPLACED, UNDECODABLE = "a password", "a misplaced one", "an undecodable one"
# Of ceremonies. The table of pending ceremonies may contain it, and no other place.
CHALLENGE = "a challenge"


@dataclass
class Marks:
    """The secrets by name. `secrets` must appear nowhere."""

    # Not a secret: it is put into every place, to prove that the searched texts are the right ones.
    canary: str = field(default_factory=lambda: f"canary-{uuid4().hex}")
    password: str = field(default_factory=lambda: uuid4().hex)
    misplaced: str = field(default_factory=lambda: uuid4().hex)
    undecodable: str = field(default_factory=lambda: uuid4().hex)
    secrets: dict[str, bytes] = field(default_factory=dict)
    # The keys of the server, if it has no key file.
    encryption_keys: tuple[SecretStr, ...] = ()

    def __post_init__(self) -> None:
        for name, mark in (
            (PASSWORD, self.password),
            (MISPLACED, self.misplaced),
            (UNDECODABLE, self.undecodable),
        ):
            self.secrets[name] = mark.encode()

    def token(self, name: str, token: str) -> str:
        """Adds a token that the server made."""
        # The prefix is the same in all tokens, and no secret.
        self.secrets[name] = token.partition("_")[2].encode()
        return token
