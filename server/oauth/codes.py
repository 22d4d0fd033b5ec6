"""A code is used up once."""

from datetime import timedelta

from server.application.store import Application
from server.oauth import refusals, store
from server.oauth.refresh_token import RefreshToken
from server.oauth.resources import is_for
from server.oauth.store import Authorization
from server.store.database import Statements
from server.values.errors import Failure


async def use_code(
    database: Statements,
    application: Application,
    *,
    code_hash: bytes,
    redirect_uri: str,
    code_challenge: str,
    resource: str,
    refresh_token: RefreshToken,
    refused: Failure,
) -> Authorization:
    """Uses up a code. Its second use ends the authorization, and raises `refused`.

    `Failure` `INVALID_TARGET` if the code is for another resource.
    """
    configuration = application.configuration
    client_id = application.application_id
    used = await store.use_code(
        database,
        code_hash=code_hash,
        application_id=client_id,
        redirect_uri=redirect_uri,
        code_challenge=code_challenge,
        resource=resource,
        refresh_token=refresh_token,
        idle=timedelta(seconds=configuration.refresh_token_idle_seconds),
        lifetime=timedelta(seconds=configuration.refresh_token_lifetime_seconds),
    )
    if used is None:
        granted = await store.resources_of_code(
            database, code_hash=code_hash, application_id=client_id
        )
        if granted is not None and not is_for(granted, resource):
            raise refusals.invalid_target("of the code")
        await store.end_reused_code(database, code_hash=code_hash, application_id=client_id)
        raise refused
    return used
