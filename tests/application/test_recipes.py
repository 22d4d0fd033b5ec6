"""The recipes of programs: each is an application that the server takes, and has no gap."""

import re

import pytest
from google.protobuf.json_format import ParseDict

from keystead.application.v1 import application_service_pb2 as pb
from server.application.recipes import (
    NAMES,
    SettingsText,
    application_at,
    note_at,
    recipe,
    settings_at,
)
from tests.application import calls
from tests.support import software
from tests.support.given import Client

_PLACEHOLDER = re.compile(r"(?<!\{)\{(?:host|issuer|client_id|client_secret)\}")
_CLIENT = {"issuer": "https://id.example.com", "client_id": "client-1", "client_secret": "s3cret"}


@pytest.mark.parametrize(
    "host", ["{name}.example.com", "http://localhost:30{number:02}", "http://{name}.lan"]
)
@pytest.mark.parametrize(("number", "name"), [*enumerate(NAMES)])
async def test_the_server_takes_each_application(
    owner: Client, number: int, name: str, host: str
) -> None:
    at_host = application_at(recipe(name), host.format(name=name, number=number))
    application = ParseDict(at_host, pb.Application())
    fields = {field.name: value for field, value in application.ListFields()}

    added = await calls.add(owner, **fields)

    assert added.application_id


@pytest.mark.parametrize("name", NAMES)
def test_a_recipe_names_its_source_and_fills_every_placeholder(name: str) -> None:
    found = recipe(name)
    texts = [each.text for each in settings_at(found, "app.example.com", **_CLIENT)]
    note = note_at(found, issuer=_CLIENT["issuer"])
    filled = f"{application_at(found, 'app.example.com')}{texts}{note}"

    assert found.source.startswith("https://")
    assert not _PLACEHOLDER.search(filled)
    is_resource = found.application["kind"] == "APPLICATION_KIND_RESOURCE"
    assert ("https://app.example.com" if is_resource else "client-1") in filled


def test_a_host_may_have_a_scheme_and_a_port() -> None:
    found = recipe("streamlit")

    at_home = application_at(found, "http://localhost:3000/")
    [settings] = settings_at(found, "http://localhost:3000", **_CLIENT)

    assert at_home["redirectUris"] == ["http://localhost:3000/oauth2callback"]
    assert 'redirect_uri = "http://localhost:3000/oauth2callback"' in settings.text
    assert settings == SettingsText(".streamlit/secrets.toml", settings.text)


@pytest.mark.parametrize(
    "host", ["https://chat.example.com/login?next=%2F#top", "chat.example.com/a/"]
)
def test_the_path_of_a_pasted_url_is_no_part_of_the_host(host: str) -> None:
    found = recipe("streamlit")

    [settings] = settings_at(found, host, **_CLIENT)

    assert application_at(found, host) == application_at(found, "chat.example.com")
    assert 'redirect_uri = "https://chat.example.com/oauth2callback"' in settings.text


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("app.example.com", "https://app.example.com"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("http://app.lan", None),
    ],
)
def test_logout_tokens_need_tls_on_the_way_to_another_machine(
    host: str, origin: str | None
) -> None:
    found = application_at(recipe("spring-boot"), host)

    path = "/logout/connect/back-channel/keystead"
    assert found.get("backchannelLogoutUri") == (origin and f"{origin}{path}")
    assert found.get("allowsHttp", False) is (origin is None)


def test_the_page_of_programs_is_generated_from_the_recipes() -> None:
    assert software.PAGE.read_text() == software.page()
