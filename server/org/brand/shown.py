"""The brand that people see: of an organization, with the values of the instance in empty fields.

The rule: nothing that people see waits for a brand. Without the database it is the last known one.
"""

import asyncio
import contextlib
from dataclasses import dataclass, field, replace

from server.org.brand import store
from server.org.brand.store import Brand
from server.store.database import Database
from server.validation.colors import on_dark
from server.values.cache import Cache
from server.values.errors import Failure

_CACHED_SECONDS = 5.0
_READ_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class ShownBrand:
    """A brand without missing values. `color` and `dark_color` are empty, or both given."""

    name: str
    logo: bytes = field(default=b"", repr=False)
    color: str = ""
    dark_color: str = ""
    support_address: str = ""

    def with_values_of(self, brand: Brand | None) -> "ShownBrand":
        """This brand with the values that `brand` has."""
        if brand is None:
            return self
        given = {
            name: getattr(brand, name) for name in ("name", "logo", "color", "support_address")
        }
        if brand.color:
            given["dark_color"] = on_dark(brand.color)
        return replace(self, **{name: value for name, value in given.items() if value})


class InstanceBrand:
    """The brand of the instance in this process, at most five seconds old."""

    def __init__(self, database: Database, *, rp_name: str) -> None:
        """`rp_name` is the name of an instance without one."""
        self._database = database
        self._unbranded = ShownBrand(rp_name)
        self._reads: Cache[None, ShownBrand] = Cache(failed_seconds=_CACHED_SECONDS)

    async def get(self) -> ShownBrand:
        """The brand, or the last known one if the database does not answer within a second."""
        with contextlib.suppress(TimeoutError, Failure):
            return await self._reads.get(None, self._read, seconds=_CACHED_SECONDS)
        return self._reads.known(None) or self._unbranded

    async def name(self) -> str:
        """The name of the instance."""
        return (await self.get()).name

    def forget(self) -> None:
        """Lets the next `get` read the brand again."""
        self._reads.forget(None)

    async def of(self, organization_id: str) -> ShownBrand:
        """The brand of an organization; that of the instance if it has none, or does not exist.

        `Failure` UNAVAILABLE.
        """
        instance = await self.get()
        if not organization_id:
            return instance
        brand = await store.GET.one_or_none(self._database, organization_id=organization_id)
        return instance.with_values_of(brand)

    async def _read(self) -> ShownBrand:
        async with asyncio.timeout(_READ_SECONDS):
            brand = await store.GET_OF_INSTANCE.one_or_none(self._database)
        return self._unbranded.with_values_of(brand)
