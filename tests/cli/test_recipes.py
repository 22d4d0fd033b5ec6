"""`keystead app create --for`: the application, the secret and the settings of a program."""

import re

from keystead.application.v1 import application_service_pb2 as pb
from tests.application import calls as applications
from tests.cli.words import Keystead, done, objects, unique
from tests.support.given import Instance


async def test_the_settings_have_the_issuer_the_client_and_its_secret(
    instance: Instance, keystead: Keystead
) -> None:
    words = ("app", "create", "--for", "streamlit", "--host", "http://localhost:8501")
    output = await done(keystead(*words))

    application_id = output.partition("\n")[0]
    added = await applications.get(instance.admin, application_id)
    assert added.name == "Streamlit"
    assert added.kind == pb.APPLICATION_KIND_WEB
    assert added.redirect_uris == ["http://localhost:8501/oauth2callback"]
    assert len(added.secrets) == 1
    assert "\n.streamlit/secrets.toml:\n\n[auth]\n" in output
    assert f'client_id = "{application_id}"' in output
    assert re.search(r'client_secret = "kas_000[0-9a-f]{72}"', output)
    assert 'server_metadata_url = "http://localhost:8080/.well-known/' in output
    assert output.endswith("ends the session at Keystead, too.")


async def test_other_options_replace_the_values_of_the_program(
    instance: Instance, keystead: Keystead
) -> None:
    name = unique("proxy")
    words = ("app", "create", name, "--for", "kubernetes", "--host", "k8s.example.com")
    [created] = await objects(keystead(*words, "--scope", "openid", "--json"))

    added = await applications.get(instance.admin, created["application_id"])
    assert (added.name, list(added.scopes)) == (name, ["openid"])
    # It keeps no secret.
    assert not added.secrets
    assert f"--oidc-client-id={added.application_id}" in created["settings"]


async def test_the_settings_have_the_chosen_id_and_secret(keystead: Keystead) -> None:
    application_id, secret = unique("shop"), "0123456789abcdef" * 4
    words = ("app", "create", "--for", "streamlit", "--host", "http://localhost:8501")
    chosen = ("--application-id", application_id, "--secret-file", "-")
    [created] = await objects(keystead(*words, *chosen, "--json", stdin=secret.encode()))

    assert created["application_id"] == application_id
    assert f'client_secret = "{secret}"' in created["settings"]


async def test_an_incomplete_command_says_what_is_missing(keystead: Keystead) -> None:
    together = "Give --for and --host together."
    refused = {
        ("app", "create", "--for", "grafana"): together,
        ("app", "create", "App", "--host", "a.example.com"): together,
        ("app", "create", "--for", "grafana", "--host", "example.com/grafana"): "have no path",
        ("app", "create", "--kind", "web"): "Give a name and --kind, or a program",
    }
    for words, sentence in refused.items():
        finished = await keystead(*words)

        assert finished.status == 2
        assert sentence in finished.errors
