"""SetBrand, GetBrand, SetInstanceBrand, GetInstanceBrand, GetShownBrand, and the brand in use."""

import asyncio
import re
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from keystead.event.v1 import event_service_pb2 as event_pb
from keystead.org.v1 import brand_service_pb2 as pb
from server.access.caller import OPERATOR
from server.org.brand import commands, store
from server.org.brand.service import BrandService
from server.org.brand.shown import InstanceBrand, ShownBrand
from server.org.brand.store import Brand
from server.store.database import connected
from server.values.errors import Failure, Kind
from tests.conftest import MakeInstance
from tests.org.brand_calls import (
    FIELDS,
    get_brand,
    get_instance_brand,
    set_brand,
    set_instance_brand,
    shown,
)
from tests.passkey.ceremonies import begin
from tests.support import given
from tests.support.databases import in_call
from tests.support.given import Client, Instance
from tests.support.web_client import web_client


@pytest.fixture(scope="module")
async def branded(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server whose brand the tests of this file change."""
    async with make_instance(rp_name="Unnamed") as server:
        yield server


@pytest.fixture
async def blank(branded: Instance) -> Instance:
    """The same, with an empty brand."""
    await set_instance_brand(branded.admin)
    return branded


async def test_without_a_brand_there_is_none_to_read_and_no_logo(branded: Instance) -> None:
    admin = branded.admin
    org_id = await given.organization(admin)

    refused = [
        await given.refusal(get_instance_brand(admin)),
        await given.refusal(get_brand(admin, org_id)),
        await given.refusal(get_brand(admin, "unknown")),
        await given.refusal(set_brand(admin, "unknown", **FIELDS)),
    ]

    assert [each.reason for each in refused] == [
        *("BRAND_NOT_FOUND", "BRAND_NOT_FOUND"),
        *("ORGANIZATION_NOT_FOUND", "ORGANIZATION_NOT_FOUND"),
    ]
    async with web_client(branded.web_port) as web:
        assert (await web.get("/brand/logo")).status_code == 404
        assert (await web.get("/brand/colors.css")).text == ""
        assert '<body data-brand="later">' in (await web.get("/signin/?org_id=1")).text
        assert "<body>" in (await web.get("/signin/")).text


async def test_a_brand_is_read_back(org_id: str, admin: Client) -> None:
    first = await set_brand(admin, org_id, **FIELDS)
    second = await set_brand(admin, org_id, **{**FIELDS, "color": "#1A3C6F"})

    assert await get_brand(admin, org_id) == pb.Brand(
        details=second.details, **{**FIELDS, "color": "#1a3c6f"}
    )
    assert second.details.resource_owner == org_id
    assert second.details.creation_date == first.details.creation_date
    assert second.details.sequence > first.details.sequence


async def test_the_brand_of_the_default_organization_is_not_that_of_the_instance(
    blank: Instance,
) -> None:
    admin = blank.admin
    of_instance = await set_instance_brand(admin, **FIELDS)
    org_id = of_instance.details.resource_owner
    await set_brand(admin, org_id, name="Staff")

    assert (await get_instance_brand(admin)).name == "Example"
    assert (await get_brand(admin, org_id)).name == "Staff"


async def test_people_see_the_brand_of_their_organization_with_the_values_of_the_instance(
    blank: Instance,
) -> None:
    admin, nobody = blank.admin, blank.nobody
    org_id = await given.organization(admin)
    assert await shown(nobody, org_id) == pb.GetShownBrandResponse(name="Unnamed")

    await set_brand(admin, org_id, name="Own", color="#000000")
    assert await shown(nobody, org_id) == pb.GetShownBrandResponse(
        name="Own", color="#000000", dark_color="#a8a8a8"
    )

    await set_instance_brand(admin, **{**FIELDS, "name": ""})
    rest = {"logo": FIELDS["logo"], "support_address": FIELDS["support_address"]}
    of_instance = pb.GetShownBrandResponse(
        name="Unnamed", color=FIELDS["color"], dark_color="#9aa9bf", **rest
    )
    assert await shown(nobody) == of_instance
    assert await shown(nobody, "unknown") == of_instance
    assert await shown(nobody, org_id) == pb.GetShownBrandResponse(
        name="Own", color="#000000", dark_color="#a8a8a8", **rest
    )


_WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"name": "a\u202eb"}, "name", "must not contain U+202E"),
    ({"name": 201 * "a"}, "name", "must be at most 200 characters"),
    ({"logo": b"<svg/>"}, "logo", "must be a PNG, JPEG or WebP image"),
    ({"logo": FIELDS["logo"] + bytes(32 * 1024)}, "logo", "must be at most 32768 bytes"),
    ({"color": "red"}, "color", "must be a colour like #1a3c6e"),
    (
        {"color": "#ff8800"},
        "color",
        "has a contrast of 2.39 with white; it must be at least 4.5, so choose a darker colour",
    ),
    ({"support_address": "nobody"}, "supportAddress", "must be"),
    ({"support_address": "help%0a@example.com"}, "supportAddress", "must not contain %"),
]


async def test_a_wrong_field_is_refused_with_its_correction(org_id: str, admin: Client) -> None:
    for fields, field, description in _WRONG:
        for refused in (
            await given.refusal(set_brand(admin, org_id, **fields)),
            await given.refusal(set_instance_brand(admin, **fields)),
        ):
            assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
            [(found, text)] = refused.violations.items()
            assert (found, text[: len(description)]) == (field, description)


@pytest.mark.parametrize("of_instance", [True, False])
async def test_a_conditional_change_does_not_wait_in_a_circle_with_another_one(
    blank: Instance, *, of_instance: bool
) -> None:
    admin = blank.admin
    org_id = await given.organization(admin)
    brand = await (set_instance_brand(admin) if of_instance else set_brand(admin, org_id))
    owner = brand.details.resource_owner
    request: Any = pb.SetInstanceBrandRequest() if of_instance else pb.SetBrandRequest(org_id=owner)
    method = admin.brands.SetInstanceBrand if of_instance else admin.brands.SetBrand
    async with given.sql(blank.dsn) as watcher, given.sql(blank.dsn) as other:
        async with other.transaction():
            await other.execute("select from organizations where id = $1 for update", owner)
            tag = f'"{brand.details.sequence}"'
            changed = asyncio.ensure_future(
                given.outcome(admin.call(method, request, if_match=tag))
            )
            await given.waiting_for_a_lock(watcher)
            await other.execute(
                "select from brands where org_id = $1 and of_instance = $2 for update nowait",
                owner,
                of_instance,
            )

        assert await changed == "OK"


async def test_the_event_of_a_brand_shows_it_without_the_logo(org_id: str, admin: Client) -> None:
    await set_brand(admin, org_id, **FIELDS)

    request = event_pb.ListEventsRequest(aggregate_id=org_id)
    events = await admin.call(admin.events.ListEvents, request, x_service_orgid=org_id)

    event = events.events[0]
    assert event.event_type == "organization.brand_set"
    assert dict(event.payload) == {
        **{name: FIELDS[name] for name in ("name", "color", "support_address")},
        "of_instance": False,
    }


async def test_dialogs_of_passkeys_and_pages_have_the_name_of_the_instance_at_once(
    blank: Instance,
) -> None:
    async with web_client(blank.web_port) as web:
        user = await given.user(blank.admin)
        assert (await begin(user)).options["rp"]["name"] == "Unnamed"
        page = (await web.get("/signin/")).text
        assert '<span id="site">Unnamed</span>' in page
        assert "brand/" not in page

        await set_instance_brand(blank.admin, **{**FIELDS, "name": "A & B"})

        assert (await begin(user)).options["rp"]["name"] == "A & B"
        for path in ("/", "/signin/", "/account/", "/signin/callback/1", "/no/where"):
            page = (await web.get(path, headers={"accept": "text/html"})).text
            assert '<span id="site">A &amp; B</span>' in page
            assert 'id="support" href="mailto:help@example.com"' in page
            depth = "../" * (path.count("/") - 1) or "./"
            for found, media_type in (("logo", "image/png"), ("colors.css", "text/css")):
                [query] = re.findall(f'"{re.escape(depth)}brand/{found}([^"]+)"', page)
                file = await web.get(f"/brand/{found}{query}")
                assert file.status_code == 200
                assert file.headers["content-type"].startswith(media_type)
                assert "immutable" in file.headers["cache-control"]
        logo = await web.get("/brand/logo?v=older")
        assert (logo.content, logo.headers["cache-control"]) == (FIELDS["logo"], "no-cache")
        assert (await web.get("/brand/colors.css")).text == (
            ":root{--brand:#1a3c6e;--brand-dark:#9aa9bf}\n"
        )


class _Silent:
    """A database that refuses, or does not answer."""

    def __init__(self) -> None:
        self.answers = False

    async def fetch_row(self, *_arguments: object, **_values: object) -> None:
        if self.answers:
            raise Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "Try again.")
        await asyncio.Event().wait()


@pytest.mark.parametrize("answers", [True, False])
async def test_nothing_waits_for_the_brand_without_a_database(
    monkeypatch: pytest.MonkeyPatch, *, answers: bool
) -> None:
    monkeypatch.setattr("server.org.brand.shown._READ_SECONDS", 0.01)
    database: Any = _Silent()
    database.answers = answers
    brand = InstanceBrand(database, rp_name="Example")

    found = await asyncio.gather(*(brand.get() for _ in range(3)))

    assert found == 3 * [ShownBrand("Example")]
    assert await brand.name() == "Example"


async def test_a_brand_that_was_read_before_a_change_is_not_shown_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads = [asyncio.get_running_loop().create_future() for _ in range(2)]
    waiting = iter(reads)

    unused: Any = None

    class Store:
        async def one_or_none(self, _database: object) -> Brand:
            name: str = await next(waiting)
            return Brand(name=name, logo=b"", color="", support_address="", details=unused)

    monkeypatch.setattr(store, "GET_OF_INSTANCE", Store())
    database: Any = None
    brand = InstanceBrand(database, rp_name="Example")

    before = asyncio.create_task(brand.name())
    await asyncio.sleep(0)
    brand.forget()
    after = asyncio.create_task(brand.name())
    await asyncio.sleep(0)
    reads[1].set_result("New")
    assert await after == "New"
    reads[0].set_result("Old")
    await before

    assert await brand.name() == "New"


async def test_a_brand_is_forgotten_once_its_transaction_is_committed(blank: Instance) -> None:
    """A call with an idempotency key has a transaction: a page could read the old brand before."""
    forgotten: list[str] = []
    shown_brand: Any = SimpleNamespace(forget=lambda: forgotten.append("brand"))
    call: Any = SimpleNamespace(caller=OPERATOR)
    async with connected(blank.dsn, pool_size=1) as database:
        service = BrandService(database, shown_brand)
        with in_call():
            async with database.whole():
                await service.SetInstanceBrand(pb.SetInstanceBrandRequest(name="New"), call)
                assert not forgotten
    assert forgotten == ["brand"]


async def test_a_change_keeps_the_other_fields(blank: Instance) -> None:
    async with connected(blank.dsn, pool_size=1) as database:
        org_id = await given.organization(blank.admin)
        await set_brand(blank.admin, org_id, **FIELDS)

        await commands.change(database, {"name": "New"}, actor=OPERATOR, organization_id=org_id)
        await commands.change(database, {"name": "Instance"}, actor=OPERATOR)

        kept = await get_brand(blank.admin, org_id)
        assert {name: getattr(kept, name) for name in FIELDS} == {**FIELDS, "name": "New"}
        assert (await get_instance_brand(blank.admin)).name == "Instance"
        with pytest.raises(Failure, match="invalid fields: color"):
            await commands.change(database, {"color": "red"}, actor=OPERATOR)
