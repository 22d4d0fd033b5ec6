"""What is secret, so that it can be recognized wherever it comes to light.

Three marks tell what was wrong when one is found:

- the password: in every field that is for a password, and as the value of every other field, query
  parameter, header and member, malformed and oversized. It must be nowhere.
- the misplaced one: what a caller uses as a name: of a path, a field, a parameter, a header, an
  identifier. An answer may tell the caller the name again that nothing has; nothing else has it.
- the undecodable one: in headers of gRPC that are not text.

What the server itself makes, tokens, codes and keys, is added as it comes.
"""

from dataclasses import dataclass, field
from uuid import uuid4

from pydantic import SecretStr

PASSWORD, MISPLACED, UNDECODABLE = "a password", "a misplaced one", "an undecodable one"
# Of ceremonies; as it is in the table of those that are pending, and in no other.
CHALLENGE = "a challenge"


@dataclass
class Marks:
    """What is secret, by what it is; `secrets` are never to be seen anywhere."""

    # No secret, and put wherever it may be, so that what is searched is known to be the right text.
    canary: str = field(default_factory=lambda: f"canary-{uuid4().hex}")
    password: str = field(default_factory=lambda: uuid4().hex)
    misplaced: str = field(default_factory=lambda: uuid4().hex)
    undecodable: str = field(default_factory=lambda: uuid4().hex)
    secrets: dict[str, bytes] = field(default_factory=dict)
    # Those that the server was given, if it has no file of its own.
    encryption_keys: tuple[SecretStr, ...] = ()

    def __post_init__(self) -> None:
        for name, mark in (
            (PASSWORD, self.password),
            (MISPLACED, self.misplaced),
            (UNDECODABLE, self.undecodable),
        ):
            self.secrets[name] = mark.encode()

    def token(self, name: str, token: str) -> str:
        """Keeps a token that the server made."""
        # What comes before is the same in all tokens and no secret.
        self.secrets[name] = token.partition("_")[2].encode()
        return token
