"""Ends of sessions that a provider began: of the provider, its settings, the user, or a link."""

from collections.abc import Awaitable, Callable

from tests.idp import calls, oidc_calls, signins
from tests.idp.signins import Site
from tests.user import calls as users


async def remove_idp(site: Site, _user_id: str) -> None:
    await calls.remove(site.owner, site.idp_id)


async def remove_settings(site: Site, _user_id: str) -> None:
    await oidc_calls.remove(site.owner, site.idp_id)


async def change_issuer(site: Site, _user_id: str) -> None:
    await site.set_config(issuer="https://login.example.com")


async def remove_user(site: Site, user_id: str) -> None:
    await users.remove(site.owner, user_id)


async def unlink(site: Site, user_id: str) -> None:
    for link in await signins.links(site.owner, user_id):
        await signins.unlink(site.owner, link.link_id, user_id)


End = Callable[[Site, str], Awaitable[None]]

# By changes of the provider, and all.
OF_PROVIDERS: list[End] = [remove_idp, remove_settings, change_issuer]
ALL: list[End] = [*OF_PROVIDERS, remove_user, unlink]
