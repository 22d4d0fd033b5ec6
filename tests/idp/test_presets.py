"""The settings that presets of well-known providers give."""

import pytest

from server.idp.oidc.commands import SetOIDCConfig
from server.idp.oidc.presets import PRESETS, UNSUPPORTED, VALUES, Preset, preset_of
from server.validation.fields import read
from tests.support import providers

_VALUES = {
    "host": "login.example.com:8443",
    "realm": "main",
    "application": "keystead",
    "pool": "eu-central-1_AbCdEfGhI",
    "region": "eu-central-1",
    "subdomain": "example",
    "tenant": "9188040d-6c67-4c5b-b112-36a304b66dad",
}


def _values(preset: Preset) -> dict[str, str]:
    return {name: _VALUES[name] for name in preset.placeholders}


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_every_preset_is_accepted_as_settings(preset: Preset) -> None:
    fields = {
        "idp_id": "an-id",
        "issuer": preset.issuer_of(_values(preset)),
        "client_id": "keystead",
        "client_secret": "a-secret",
        "scopes": preset.scopes,
        "token_endpoint_auth_method": preset.auth_method,
        "button": {
            "logo": b"",
            "background_color": preset.background_color,
            "text_color": preset.text_color,
        },
        "auto_register_mail_domains": (),
        "auto_register_hosted_domains": (),
        "update_name_at_sign_in": False,
        "update_email_at_sign_in": False,
    }

    settings = read(SetOIDCConfig, fields)

    assert settings.button.background_color
    assert {"profile", "email"} <= {*settings.scopes}


@pytest.mark.parametrize(
    ("preset_id", "values", "sentence"),
    [
        ("google", {"host": "example.com"}, "The values of 'google' are: none."),
        ("keycloak", {"host": "example.com"}, "The values of 'keycloak' are: host, realm."),
        ("okta", {"host": "example.com/evil"}, "'host' must be a host name"),
        ("okta", {"host": "user@example.com"}, "'host' must be a host name"),
        ("keycloak", {"host": "example.com", "realm": "../a"}, "'realm' must be"),
        ("microsoft", {"tenant": "common"}, "'tenant' must be the ID of a tenant"),
        ("microsoft", {"tenant": "example.com"}, "'tenant' must be the ID of a tenant"),
        ("onelogin", {"subdomain": "a.example"}, "'subdomain' must be the subdomain"),
        ("cognito", {"region": "eu-central-1", "pool": "a/b"}, "'pool' must be the ID"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(
    preset_id: str, values: dict[str, str], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        PRESETS[preset_id].issuer_of(values)


@pytest.mark.parametrize(
    ("issuer", "preset_id"),
    [
        ("https://tenant.eu.auth0.com/", "auth0"),
        ("https://login.example.com/application/o/keystead/", "authentik"),
        ("https://gitlab.com", "gitlab"),
        ("https://gitlab.example.com:8443", "gitlab-self-managed"),
        ("https://accounts.google.com", "google"),
        ("https://login.example.com:8443/realms/main", "keycloak"),
        (f"https://login.microsoftonline.com/{_VALUES['tenant']}/v2.0", "microsoft"),
        ("https://example.okta.com", "okta"),
        ("https://example.zitadel.cloud", "zitadel"),
        ("https://example.onelogin.com/oidc/2", "onelogin"),
        ("https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbCdEfGhI", "cognito"),
        ("https://", ""),
        ("https://login.example.com", ""),
        ("https://accounts.google.com.example.com", ""),
        ("https://example.com/okta.com", ""),
        ("https://notokta.com", ""),
        ("https://login.microsoftonline.com/common/v2.0", ""),
    ],
)
def test_the_issuer_tells_the_preset(issuer: str, preset_id: str) -> None:
    assert preset_of(issuer) == preset_id


def test_every_provider_names_its_source_and_every_value_is_of_an_issuer() -> None:
    used = {name for preset in PRESETS.values() for name in preset.placeholders}
    sources = [preset.source for preset in PRESETS.values()]
    sources += [provider.source for provider in UNSUPPORTED.values()]

    assert used == {*VALUES}
    assert [each for each in sources if not each.startswith("https://")] == ["applications.md"]
    assert all(preset.note for preset in PRESETS.values())
    assert not {*PRESETS} & {*UNSUPPORTED}


def test_the_table_of_the_documentation_is_generated_from_the_presets() -> None:
    assert providers.PAGE.read_text() == providers.page()
