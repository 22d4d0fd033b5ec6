"""The decision about a request to an application behind the gate."""

import secrets
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlencode

from cachetools import TTLCache

from server.access.cached_callers import CACHE_SECONDS
from server.application import store as application_store
from server.application.store import Application
from server.crypto.keyring import Keyring
from server.gate import decisions, upstream
from server.gate.cookie import COOKIE, GateSeals
from server.gate.decisions import Allowed, Decision, Denied
from server.gate.forwarded import ForwardedHttp
from server.oauth.admission import admits
from server.oauth.refused.causes import Cause
from server.oauth.request import CHALLENGE_METHOD, GATE_CALLBACK, RESPONSE_TYPE
from server.oauth.visits import Visit, Visits
from server.store.database import Statements
from server.values.cache import Cache
from server.values.errors import Failure, Kind
from server.values.pkce import challenge_of

_AUTHORIZE: Final = "/oauth/authorize"
_MAX_PARAMETERS: Final = 20
# Of the applications and of the visits in the cache.
_MOST: Final = 10_000


class _Visitor(NamedTuple):
    """A request to an application, and its cookie; empty without one."""

    application: Application
    request: ForwardedHttp
    origin: str
    cookie: str


class Gate:
    """Decides about requests to applications of the kind GATE."""

    def __init__(
        self, database: Statements, keyring: Keyring, *, visits: Visits, issuer: str
    ) -> None:
        self._database = database
        self._people = visits
        self._issuer = issuer
        self._seals = GateSeals(keyring)
        self._applications: Cache[str, Application | None] = Cache(_MOST)
        self._visits: Cache[tuple[str, str], Visit | None] = Cache(_MOST)
        # Users whose rights ended since visits were remembered, which are read again.
        self._ended: TTLCache[str, None] = TTLCache(_MOST, CACHE_SECONDS, timer=monotonic)

    def forget(self, user_id: str) -> None:
        """Remembers no visit of a user that was read before now."""
        self._ended[user_id] = None

    async def check(self, request: ForwardedHttp, *, organization_id: str) -> Decision:
        """The decision. `Failure` UNAVAILABLE `SIGNING_KEY_UNAVAILABLE`."""
        origin = request.origin
        application = await self._applications.get(
            origin,
            lambda: application_store.FIND_BY_ORIGIN.one_or_none(self._database, origin=origin),
            seconds=CACHE_SECONDS,
        )
        if application is None or application.details.owner != organization_id:
            return decisions.page(
                403,
                Cause.UNKNOWN_ORIGIN,
                "Not behind this gate",
                f"No application of the gate's organization has the origin {origin}.",
            )
        decision = await self._decide(application, request, origin)
        if isinstance(decision, Denied):
            return replace(decision, client_id=application.application_id)
        return decision

    async def _decide(
        self, application: Application, request: ForwardedHttp, origin: str
    ) -> Decision:
        """The decision about a request to an application of the gate's organization."""
        if request.has_two_hosts:
            text = "The request names two different hosts."
            return decisions.page(400, Cause.TWO_HOSTS, "Two hosts", text)
        found, other_cookies = request.cookies(COOKIE)
        visitor = _Visitor(application, request, origin, found[0] if len(found) == 1 else "")
        visit = await self._visit(visitor)
        path, _, query = request.path.partition("?")
        if path == GATE_CALLBACK and request.method == "GET":
            return await self._called_back(visitor, visit, query)
        if visit is None:
            return self._begin(visitor)
        profile = visit.profile
        if not await admits(
            self._database,
            application,
            organization_id=profile.user.details.owner,
            group_ids=profile.groups,
        ):
            return _not_admitted(f"{origin}{request.return_path}")
        headers = dict(upstream.given(application.configuration, visit))
        removed = upstream.removed(request, headers)
        if other_cookies:
            return Allowed({**headers, "cookie": other_cookies}, removed)
        return Allowed(headers, [*removed, "cookie"])

    async def _visit(self, visitor: _Visitor) -> Visit | None:
        """The user of the cookie. None: no valid cookie, or its session has ended."""
        application = visitor.application
        application_id = application.application_id
        authorization_id = self._seals.open_complete(visitor.cookie, application_id)
        if authorization_id is None:
            return None
        read = partial(self._people.visit, application, authorization_id)
        key = application_id, authorization_id
        visit = await self._visits.get(key, read, seconds=CACHE_SECONDS)
        if visit is not None and visit.profile.user.user_id in self._ended:
            return await read()
        return visit

    def _begin(self, visitor: _Visitor) -> Denied:
        """Sends a person to the sign-in, and refuses a program.

        Several tabs of a browser share a code verifier, since they share the cookie.
        """
        application, request, origin, cookie = visitor
        if not request.asks_for_page:
            return decisions.sign_in_needed(origin)
        client_id = application.application_id
        begun = self._seals.open_begun(cookie, client_id)
        verifier = begun.code_verifier if begun else secrets.token_urlsafe(32)
        challenge = challenge_of(verifier)
        parameters = {
            "client_id": client_id,
            "redirect_uri": f"{origin}{GATE_CALLBACK}",
            "response_type": RESPONSE_TYPE,
            "scope": " ".join(application.configuration.scopes),
            "state": self._seals.state(client_id, request.return_path, challenge),
            "code_challenge": challenge,
            "code_challenge_method": CHALLENGE_METHOD,
        }
        return decisions.redirect(
            f"{self._issuer}{_AUTHORIZE}?{urlencode(parameters)}",
            cookie=self._seals.begun(client_id, verifier),
        )

    async def _called_back(self, visitor: _Visitor, visit: Visit | None, query: str) -> Denied:
        """Takes the response of the authorization, and returns to the page that was asked for."""
        application, _, origin, cookie = visitor
        client_id = application.application_id
        parameters = _parameters(query)
        state = self._seals.open_state(parameters.get("state", ""), client_id)
        if state is None:
            return decisions.page(
                400,
                Cause.SIGN_IN_EXPIRED,
                "This sign-in has expired",
                "It took too long, or its address is incomplete.",
                url=f"{origin}/",
            )
        back = f"{origin}{state.path}"
        if visit is not None:
            return decisions.redirect(back)
        begun = self._seals.open_begun(cookie, client_id)
        # RFC 9207: not the response of another server.
        is_ours = begun and challenge_of(begun.code_verifier) == state.code_challenge
        if begun is None or not is_ours or parameters.get("iss") != self._issuer:
            return decisions.page(
                403,
                Cause.ANOTHER_BROWSER,
                "This sign-in cannot be completed",
                "It was begun in another browser, or the browser did not keep its cookie.",
                url=back,
            )
        if "code" not in parameters:
            return decisions.page(
                403,
                Cause.SIGN_IN_REFUSED,
                "You are not signed in",
                "The sign-in was refused or canceled.",
                url=back,
            )
        try:
            authorization_id = await self._people.enter(
                application,
                code=parameters["code"],
                redirect_uri=f"{origin}{GATE_CALLBACK}",
                code_verifier=begun.code_verifier,
            )
        except Failure as failure:
            if failure.kind is not Kind.FAILED_PRECONDITION:
                raise
            return _expired(back)
        entered = await self._people.visit(application, authorization_id)
        if entered is None:
            return _expired(back)
        lifetime = entered.session.expires_at - entered.now
        return decisions.redirect(
            back, cookie=self._seals.complete(client_id, authorization_id, lifetime=lifetime)
        )


def _parameters(query: str) -> dict[str, str]:
    """The parameters of a response; none if one is sent twice or there are too many."""
    try:
        pairs = parse_qsl(query, max_num_fields=_MAX_PARAMETERS)
    except ValueError:
        return {}
    return dict(pairs) if len(dict(pairs)) == len(pairs) else {}


def _not_admitted(url: str) -> Denied:
    return decisions.page(
        403,
        Cause.APPLICATION_NOT_ALLOWED,
        "Your account may not use this application",
        "Ask the administrator of the application for access.",
        url=url,
    )


def _expired(url: str) -> Denied:
    return decisions.page(
        403,
        Cause.SIGN_IN_EXPIRED,
        "This sign-in has expired",
        "Its code was used, or the session has ended.",
        url=url,
    )
