"""Finds applications by their `client_id`: added ones, and those with a metadata document."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from server.application import store as application_store
from server.application.store import Application, SecretHash
from server.oauth.client_documents.client_id_url import (
    check_client_id_url,
    has_default_port,
    host_of,
    is_url,
)
from server.oauth.client_documents.documents import ClientDocuments
from server.org import store as org_store
from server.relying_party.provider import Providers
from server.store.database import Statements


@dataclass(frozen=True, slots=True)
class KnownClient:
    """An application, and the means of its authentication."""

    application: Application
    # Reads the keys at its `jwks_uri`.
    providers: Providers
    secret_hashes: Sequence[SecretHash] = ()
    # Somebody here has added the application, or named the host of its metadata document.
    is_named: bool = True


class ClientDirectory:
    """Finds applications of any organization, and of none."""

    def __init__(self, database: Statements, *, providers: Providers) -> None:
        self._database = database
        self._providers = providers
        # Of hosts that anybody chooses.
        self._public = Providers(replace(providers.options, allowed_networks=()))
        self._documents = ClientDocuments(providers.options)

    async def find(self, client_id: str, *, network: str) -> KnownClient | None:
        """The application with this `client_id`. `network` is that of the client.

        `Failure`: see `ClientDocuments.get`, if it has a document.
        """
        if is_url(client_id):
            return await self._find_by_document(client_id, network)
        found = await application_store.find_client(self._database, client_id)
        if found is None:
            return None
        return KnownClient(found.application, self._providers, found.secret_hashes)

    async def _find_by_document(self, url: str, network: str) -> KnownClient | None:
        try:
            host = host_of(check_client_id_url(url))
        except ValueError:
            return None
        admission = await org_store.find_metadata_admission(self._database, host)
        is_any = admission.is_any and has_default_port(host)
        if not admission.is_named and not is_any:
            return None
        application = await self._documents.get(url, is_named=admission.is_named, network=network)
        providers = self._providers if admission.is_named else self._public
        return KnownClient(application, providers, is_named=admission.is_named)
