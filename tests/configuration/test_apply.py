"""A file makes an organization what it says, once."""

from typing import Any

from tests.configuration.files import Configured

# Something of each kind that needs nothing of the instance.
WHOLE: dict[str, Any] = {
    "settings": {"allows_mail_recovery": True, "client_metadata_hosts": ["app.example.com"]},
    "brand": {"name": "Shop", "color": "#1a3c6e"},
    "smtp_config": {
        "sender_address": "noreply@shop.example",
        "sender_name": "Shop",
        "tls": True,
        "host": "smtp.shop.example:587",
    },
    "mail_texts": {
        "passkey_invitation.de": {"subject": "Willkommen bei {rp_name}", "title": "Willkommen"},
        "passkey_added.en": {"text": "A passkey was added on {created_at}:"},
    },
    "attributes": {
        "department": {"type": "ATTRIBUTE_TYPE_TEXT", "user_access": "ATTRIBUTE_ACCESS_READ"}
    },
    "groups": {"engineering": {"display_name": "Engineering"}, "on": None},
    "service_users": {"proxy": {"roles": ["ROLE_GATE"]}},
    "applications": {
        "Grafana": {
            "kind": "APPLICATION_KIND_WEB",
            "redirect_uris": ["https://grafana.example.com/login/generic_oauth"],
            "allowed_groups": ["engineering"],
            "claims": [{"name": "dept", "attribute": "department"}],
        },
        "ci": {
            "kind": "APPLICATION_KIND_SERVICE",
            "token_endpoint_auth_method": "TOKEN_ENDPOINT_AUTH_METHOD_NONE",
            "workload_issuers": [
                {
                    "issuer": "https://token.example.com",
                    "audience": "https://id.example.com",
                    "subject": "repo:shop/*",
                    "claims": {"owner_id": "4711"},
                }
            ],
        },
    },
    "idps": {
        "Google": {
            "styling_type": "STYLING_TYPE_PROVIDER",
            "is_disabled": True,
            "mappings": [
                {
                    "claim": "groups",
                    "attribute": "groups",
                    "when": "IDP_MAPPING_TIME_EVERY_SIGN_IN",
                    "groups": {"0d6bd6a0": "engineering"},
                }
            ],
            "oidc_config": {
                "issuer": "https://accounts.google.com",
                "client_id": "keystead",
                "token_endpoint_auth_method": "TOKEN_ENDPOINT_AUTH_METHOD_NONE",
                "scopes": ["email"],
            },
        }
    },
    "mail_domains": {"example.com": {"idp_id": "Google"}, "example.org": {}},
    "subscriptions": {
        "Directory": {
            "url": "https://directory.example.com/keystead",
            "event_types": ["user.added"],
            "secret_kind": "SECRET_KIND_ED25519",
        }
    },
}


async def test_a_second_run_changes_nothing_and_an_export_is_the_file(org: Configured) -> None:
    first = await org.apply(WHOLE)

    assert first.succeeded, first.errors
    assert await org.paths(WHOLE, prunes=True) == []
    [plan] = await org.plan(WHOLE)
    assert [each.partition(":")[0] for each in plan.unfinished] == [
        'mail_domains."example.com" is not proven',
        'mail_domains."example.org" is not proven',
    ]
    assert "_keystead-challenge.example.org with the value keystead-domain-" in plan.unfinished[1]
    exported = await org.export()
    assert await org.paths(exported, prunes=True) == []
    again = await org.apply(exported)
    assert (again.succeeded, again.output, again.errors) == (True, "", "0 objects changed.\n")
    assert exported["groups"] == {
        "engineering": {"display_name": "Engineering"},
        "on": {"display_name": "on"},
    }
    assert exported["applications"]["Grafana"]["allowed_groups"] == ["engineering"]
    assert exported["mail_domains"] == {"example.com": {"idp_id": "Google"}, "example.org": {}}
    assert exported["idps"]["Google"]["mappings"][0]["groups"] == {"0d6bd6a0": "engineering"}
