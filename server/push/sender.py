"""One attempt to send a push: its request, and its result.

The rule: every error is a result of this delivery, and does not stop other deliveries. Only a
removed target ends it; all other failures can be corrected, and each attempt reads the current
configuration.
"""

import json
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, Protocol

import structlog

from server.crypto.keyring import EncryptionKeyError, Keyring
from server.deliveries.http.client import PushAnswer, PushClient, PushFailedError, PushRequest
from server.deliveries.results import AttemptResult, DeliveryState
from server.push.delivery_store import PushKind
from server.push.leases import PushAttempt
from server.push.signing_secrets import signed_headers
from server.push.store import SubscriptionAddress
from server.values.errors import Failure

# A target that takes longer is slow.
_SLOW_SECONDS: Final = 2.0
# An attempt: the request, and statements before it.
ATTEMPT_SECONDS: Final = 30.0

_log = structlog.get_logger("push")


class MakeLogout(Protocol):
    """Makes the request with a logout token. None: the application does not get one any more."""

    async def __call__(
        self, application_id: str, *, token_id: str, claims: Mapping[str, str]
    ) -> PushRequest | None: ...


class PushSender:
    """Makes attempts, each with the current configuration."""

    def __init__(self, keyring: Keyring, client: PushClient, *, make_logout: MakeLogout) -> None:
        self._keyring = keyring
        self._client = client
        self._make_logout = make_logout

    async def close(self) -> None:
        """Closes the connections to targets."""
        await self._client.close()

    async def send(self, attempt: PushAttempt) -> AttemptResult:
        """Makes an attempt, and returns its result."""
        try:
            return await self._sent(attempt)
        except PushFailedError as error:
            return AttemptResult(
                DeliveryState.PENDING, error.reason, error.message, destination_works=False
            )
        except Failure as failure:
            return AttemptResult(DeliveryState.PENDING, failure.reason, failure.message)
        except EncryptionKeyError as error:
            return AttemptResult(DeliveryState.PENDING, "PUSH_SECRET_UNREADABLE", str(error))
        except Exception as error:  # noqa: BLE001 -- a bug
            _log.exception("a push cannot be made", delivery_id=attempt.delivery_id)
            text = f"{type(error).__name__}; see the log."
            return AttemptResult(DeliveryState.PENDING, "INTERNAL", text)

    async def _sent(self, attempt: PushAttempt) -> AttemptResult:
        request = await self._request(attempt)
        if request is None:
            return _CANCELLED
        started = time.monotonic()
        answer = await self._client.post(request)
        return _result(answer, is_slow=time.monotonic() - started > _SLOW_SECONDS)

    async def _request(self, attempt: PushAttempt) -> PushRequest | None:
        if attempt.kind is PushKind.LOGOUT:
            return await self._make_logout(
                attempt.target_id, token_id=attempt.delivery_id, claims=json.loads(attempt.payload)
            )
        if attempt.address is None:
            return None
        return webhook_request(
            self._keyring, attempt.address, delivery_id=attempt.delivery_id, payload=attempt.payload
        )


def webhook_request(
    keyring: Keyring, address: SubscriptionAddress, *, delivery_id: str, payload: str
) -> PushRequest:
    """The signed request of a webhook. EncryptionKeyError."""
    body = payload.encode()
    headers = signed_headers(
        keyring, address.secrets, delivery_id=delivery_id, now=datetime.now(UTC), body=body
    )
    return PushRequest(address.url, {**headers, "content-type": "application/json"}, body)


def _result(answer: PushAnswer, *, is_slow: bool) -> AttemptResult:
    reason, message = answer.refusal or ("", "")
    return AttemptResult(
        DeliveryState.PENDING if reason else DeliveryState.SENT,
        reason,
        message,
        destination_works=True,
        is_slow=is_slow,
        status=answer.status,
        answer=answer.content,
    )


_CANCELLED: Final = AttemptResult(
    DeliveryState.CANCELLED, "TARGET_REMOVED", "The target was removed, or gets no more pushes."
)
