"""Changes of a victim's objects, over any content type."""

from typing import Any

from tests.hostile.target import Victim
from tests.preconditions.conftest import CHANGES
from tests.support.transports import Answer, Call, Headers, Transports, authorization

_UNIQUE = {"name", "user_name"}
# Those of new objects. Elsewhere, the fields of these names are of objects that exist.
_CHOSEN = {"CreateApplication": {"application_id"}}
# Valid requests of these methods are refused for other reasons.
NEED_A_CREDENTIAL = {
    "CompleteReauthentication",
    "ConfirmEmailChange",
    "VerifyPasskeyRegistration",
}


async def ask(
    transports: Transports,
    door: str,
    victim: Victim,
    name: str,
    *headers: tuple[str, str],
    to: str = "",
) -> Answer:
    """The answer to the change. A repetition over another transport sends the same request."""
    method, _ = CHANGES[name]
    caller = victim.caller_of(method)
    sent: Headers = [*authorization(caller.token), *headers]
    request: Any = victim.right_request(method)
    unique = _UNIQUE | _CHOSEN.get(name, set())
    for field in unique & set(method.input_type.fields_by_name):
        if name.startswith("Create"):
            setattr(request, field, f"{field}-{victim.user.user_id}-{door}".lower())
    return await transports.all[to or door].answer(Call(method, request, sent))
