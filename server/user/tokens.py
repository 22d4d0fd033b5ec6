"""The commands on the tokens of a user: bearer tokens, client certificates and workloads."""

import base64
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Final

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema

from server.access import admission, certificates, user_aggregate
from server.access.admission import LockedUser
from server.access.caller import OPERATOR, Actor, Caller
from server.access.certificates import MAX_PEM, ClientCertificate, read_certificate
from server.access.checked_append import check_admitted
from server.access.tokens import (
    TokenKind,
    new_token,
    thumbprint_hash,
    token_hash,
    workload_hash,
)
from server.mail.outbox import MailKind, Notice, Outbox
from server.relying_party.workload_issuers import WorkloadIssuer, WorkloadIssuerFields
from server.store.database import Statements
from server.store.refusals import UNIQUE_CLAIMS_KEY, UniqueConflictError
from server.store.rows import Details
from server.user import token_store
from server.user.events import TokenCreated, TokenRevoked
from server.user.other_features import OtherFeatures
from server.user.token_store import OwnedToken
from server.validation.fields import Command, Id, OptionalName
from server.validation.paging import Page
from server.values.errors import (
    Failure,
    FixedFailure,
    Kind,
    Violation,
    WrongValueError,
    invalid,
)
from server.values.ids import new_id


def _in_the_future(at: datetime | None) -> datetime | None:
    if at is not None and at <= datetime.now(UTC):
        raise WrongValueError(
            "TIME_PASSED", "must be in the future; leave it out for a token that does not expire"
        )
    return at


_Expiry = Annotated[datetime | None, AfterValidator(_in_the_future)]


class CreateToken(Command):
    """Create a token for a user."""

    user_id: Id
    name: OptionalName
    expires_at: _Expiry


class CreateCertificate(Command):
    """Let a user authenticate by a client certificate."""

    user_id: Id
    name: OptionalName
    certificate: Annotated[
        ClientCertificate,
        BeforeValidator(read_certificate),
        WithJsonSchema(
            {
                "type": "string",
                "minLength": 1,
                "maxLength": MAX_PEM,
                "pattern": "-----BEGIN (X509 )?CERTIFICATE-----",
            }
        ),
    ]


class CreateWorkloadCredential(Command):
    """Let a workload act as a user by the tokens of its platform."""

    user_id: Id
    name: OptionalName
    workload: WorkloadIssuerFields
    expires_at: _Expiry


class OneToken(Command):
    """Select a token of a user."""

    user_id: Id
    token_id: Id


class ListTokens(Page):
    """List the tokens of a user."""

    user_id: Id


@dataclass(frozen=True, slots=True)
class NewToken:
    """A new token. This is the only time that `token` is in plaintext."""

    token_id: str
    token: str = field(repr=False)
    details: Details


async def create_token(
    database: Statements, command: CreateToken, *, actor: Actor, limit: int, outbox: Outbox | None
) -> NewToken:
    """Creates a token, and mails its user a notice, unless there is no outbox.

    `limit` is the maximum number of tokens of a user.
    """
    token = new_token(TokenKind.USER)
    token_id, details = await _create(
        database,
        command,
        actor=actor,
        limit=limit,
        outbox=outbox,
        hashed=token_hash(token),
        expires_at=command.expires_at,
    )
    return NewToken(token_id, token, details)


async def create_certificate(
    database: Statements,
    command: CreateCertificate,
    *,
    actor: Actor,
    presented: bytes | None,
    limit: int,
    outbox: Outbox,
) -> tuple[str, Details]:
    """Makes the certificate a token of the user until it expires; returns its id and details.

    The user gets a notice.

    `presented` is the thumbprint of the certificate whose private key the caller has proven to have
    in the handshake of its connection. Only callers with all permissions can add another one, since
    certificates are public: anybody could take one away from its service, which then would act as
    another user.
    """
    certificate = command.certificate
    is_proven = presented == certificate.thumbprint
    if not is_proven and not _has_all_permissions(actor):
        raise _certificate_not_presented()
    thumbprint = certificates.shown(certificate.thumbprint)
    try:
        return await _create(
            database,
            command,
            actor=actor,
            needs_role=not is_proven,
            limit=limit,
            outbox=outbox,
            hashed=thumbprint_hash(certificate.thumbprint),
            expires_at=certificate.expires_at,
            thumbprint=thumbprint,
        )
    except UniqueConflictError as conflict:
        conflict.must_be(UNIQUE_CLAIMS_KEY)
        found = None
        if _has_all_permissions(actor):
            found = await token_store.FIND_CERTIFICATE.one_or_none(database, thumbprint=thumbprint)
        raise _certificate_already_added(found) from None


async def create_workload_credential(
    database: Statements,
    command: CreateWorkloadCredential,
    *,
    actor: Actor,
    limit: int,
    outbox: Outbox,
    own_issuer: str,
) -> tuple[str, Details]:
    """Trusts the tokens of a workload as those of the user; returns the ID and the details.

    The user gets a notice.

    `own_issuer` is that of this server, which no workload has: those who manage applications
    choose the claims of its tokens, and would act as the user.

    The audience names the user, so that a token fits the credentials of one user only. Otherwise
    anybody could trust the workload of another user, and its calls would be those of either.
    """
    if command.workload.issuer == own_issuer:
        raise invalid(
            Violation(
                "workload.issuer",
                "must not be this server: whoever manages its applications would act as the user."
                " Name the issuer of the platform that runs the job, or create a token",
            )
        )
    if named_user(command.workload.audience) != command.user_id:
        raise invalid(
            Violation(
                "workload.audience",
                "must be the ID of the user, or end in / and the ID, such as"
                f" https://id.example.com/users/{command.user_id}",
            )
        )
    return await _create(
        database,
        command,
        actor=actor,
        needs_role=True,
        limit=limit,
        outbox=outbox,
        expires_at=command.expires_at,
        workload=command.workload.value,
    )


def named_user(audience: str) -> str:
    """The ID of the user that the audience of a workload names: its last segment."""
    return audience.rpartition("/")[2]


def _has_all_permissions(actor: Actor) -> bool:
    return actor == OPERATOR or (isinstance(actor, Caller) and actor.is_instance_wide)


async def _create(
    database: Statements,
    command: CreateToken | CreateCertificate | CreateWorkloadCredential,
    *,
    actor: Actor,
    needs_role: bool = False,
    limit: int,
    outbox: Outbox | None,
    hashed: bytes | None = None,
    expires_at: datetime | None,
    thumbprint: str | None = None,
    workload: WorkloadIssuer | None = None,
) -> tuple[str, Details]:
    """Writes the token; returns its id. `Failure` RESOURCE_EXHAUSTED `TOO_MANY_TOKENS`.

    `hashed` is None for a workload.
    """
    token_id = new_id()
    async with database.transaction() as transaction:
        user = await admission.lock_user(
            transaction, command.user_id, actor=actor, needs_role=needs_role
        )
        user.check_not_locked()
        event = TokenCreated(
            token_id=token_id,
            name=command.name,
            hash=base64.b64encode(hashed or workload_hash(token_id)).decode(),
            expires_at=expires_at.isoformat() if expires_at else None,
            makers=tuple(sorted(user.makers)),
            thumbprint=thumbprint,
            began_with=user.began_with,
            workload=workload,
        )
        details, within_limit = await token_store.create(
            transaction, event, creator=actor.user_id, user_id=user.user_id, limit=limit
        )
        if outbox and within_limit:
            by_others = actor.user_id != user.user_id
            await outbox.notify(transaction, _notice(event, user, by_others=by_others))
    if not within_limit:
        raise Failure(
            Kind.RESOURCE_EXHAUSTED,
            "TOO_MANY_TOKENS",
            f"The user has {limit} tokens, which is the maximum. Revoke those that are not used.",
        )
    return token_id, details


def _notice(event: TokenCreated, user: LockedUser, *, by_others: bool) -> Notice:
    return Notice(
        kind=MailKind.TOKEN_CREATED,
        user_id=user.user_id,
        organization_id=user.organization_id,
        recipient_address=user.email,
        recipient_name=user.display_name,
        reference=event.token_id,
        parameters={
            "token_name": event.name,
            "expiry": event.expires_at or "",
            "by_others": "true" if by_others else "",
        },
    )


async def revoke_token(
    database: Statements, command: OneToken, *, actor: Actor, others: OtherFeatures
) -> Details:
    """Revokes a token, and ends the ceremonies that its user began; returns its last details.

    Links whose codes the user got stay valid: services renew their tokens, and the recipients of
    links have days to use them.
    """
    event = TokenRevoked(command.token_id)
    async with database.transaction() as transaction:
        await user_aggregate.lock(transaction, command.user_id)
        await check_admitted(transaction, actor)
        revoked = await token_store.REVOKE.details(
            transaction, event, creator=actor.user_id, user_id=command.user_id
        )
        await others.end_begun_by(transaction, command.user_id)
    return revoked


_certificate_not_presented: Final = FixedFailure(
    "CERTIFICATE_NOT_PRESENTED",
    "This connection does not prove that you have the private key of the certificate. Make the call"
    " over TLS with the certificate as that of the client, or ask an instance owner.",
)


def _certificate_already_added(found: OwnedToken | None) -> Failure:
    """`found` is the token with the certificate, if the caller may know it."""
    owner = "A user has this certificate."
    if found:
        owner = f"User {found.user_id} has this certificate as token {found.token_id}."
    return Failure(
        Kind.ALREADY_EXISTS,
        "CERTIFICATE_ALREADY_ADDED",
        f"{owner} Revoke that token first, or have another certificate issued.",
        metadata={"userId": found.user_id, "tokenId": found.token_id} if found else {},
    )
