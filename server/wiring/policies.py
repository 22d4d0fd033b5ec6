"""The policies of features and the rate limits, from the settings.

The rule: a feature does not read settings. It takes a value or one of these objects.
"""

from datetime import timedelta
from functools import partial

from server.application.commands import Reserved
from server.group import mapped_store
from server.group.commands import MAX_MEMBERS
from server.idp.signin.commands import IDPSignInPolicy
from server.mail.outbox import Outbox
from server.moving.commands import ImportPolicy
from server.oauth.policy import OAuthPolicy
from server.org import store as org_store
from server.passkey.signin.commands import FormerPage, SignInPolicy
from server.passkey.webauthn.checks import PagePolicy
from server.passkey.webauthn.registration import CeremonyPolicy
from server.rpc.rate_limits import RateLimit, RateLimits
from server.session.jwt import JWTPolicy
from server.settings.settings import Settings
from server.telemetry.metrics import Metrics
from server.user import commands as user_commands
from server.wiring.dependencies import OTHER_FEATURES


def rate_limits(settings: Settings, metrics: Metrics) -> RateLimits:
    """The rate limits of calls."""

    def limit(kind: str, rate: float, burst: int) -> RateLimit | None:
        refused = metrics.rate_limited.labels(kind).inc  # begins the series with 0
        return RateLimit(rate, burst, refused=refused) if rate else None

    return RateLimits(
        open=limit("open", settings.open_rate_limit, settings.open_rate_burst),
        caller=limit("caller", settings.caller_rate_limit, settings.caller_rate_burst),
    )


def ceremony_policy(settings: Settings) -> CeremonyPolicy:
    """The requirements of new registration ceremonies."""
    return CeremonyPolicy(
        rp_id=settings.rp_id,
        rp_name=settings.rp_name,
        origins=settings.passkey_origins,
        top_origins=settings.rp_top_origins,
        user_verification=settings.rp_user_verification,
    )


def import_policy(settings: Settings) -> ImportPolicy:
    """The limits of imports."""
    return ImportPolicy(
        max_passkeys=settings.max_passkeys_per_user, lock_organization=org_store.lock
    )


def sign_in_policy(settings: Settings) -> SignInPolicy:
    """The policy of sign-ins with passkeys."""

    def page(rp_id: str, *further: str) -> PagePolicy:
        return PagePolicy(
            rp_id=rp_id,
            origins=(*settings.passkey_origins, *further),
            top_origins=settings.rp_top_origins,
            user_verification=settings.rp_user_verification,
        )

    return SignInPolicy(
        page=page(settings.rp_id),
        former=tuple(
            FormerPage(page(rp_id, *(there := settings.origins_of_former(rp_id))), there[0])
            for rp_id in settings.former_rp_ids
        ),
        session_lifetime=timedelta(seconds=settings.session_lifetime),
        max_sessions=settings.max_sessions_per_user,
    )


def idp_sign_in_policy(settings: Settings, *, outbox: Outbox) -> IDPSignInPolicy:
    """The policy of sign-ins with identity providers."""
    return IDPSignInPolicy(
        session_lifetime=timedelta(seconds=settings.session_lifetime),
        max_sessions=settings.max_sessions_per_user,
        lock_organization=org_store.lock,
        register_user=user_commands.register_by_provider,
        update_user=partial(user_commands.update_by_provider, others=OTHER_FEATURES, outbox=outbox),
        plan_groups=partial(mapped_store.plan, limit=MAX_MEMBERS),
    )


def jwt_policy(settings: Settings) -> JWTPolicy:
    """The issuer and the audiences of session JWTs."""
    return JWTPolicy(settings.issuer, settings.rp_id, frozenset(settings.jwt_audiences))


def oauth_policy(settings: Settings) -> OAuthPolicy:
    """The policy of the OpenID provider."""
    return OAuthPolicy(
        settings.issuer,
        timedelta(seconds=settings.session_idle_timeout),
        frozenset(settings.jwt_audiences),
    )


def reserved_values(settings: Settings) -> Reserved:
    """The values that no application can have."""
    return Reserved(settings.own_origins, frozenset(settings.jwt_audiences))
