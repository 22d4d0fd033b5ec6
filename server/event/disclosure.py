"""The fields of events that the API and `keystead audit` show; see decisions 35 and 47.

The rule: a field that is not listed is withheld, and every field of every event is in one of the
two lists (`tests/event/test_disclosure.py`).
"""

from collections.abc import Mapping
from typing import Any, Final

_PASSKEY: Final = (
    *("backed_up", "backup_eligible", "origin", "passkey_id", "sign_count", "top_origin"),
    "user_verified",
)
_SIGN_IN: Final = (
    *_PASSKEY,
    *("backup_eligible_changed", "lifetime_seconds", "session_id", "sign_count_went_back"),
)

# Fields that are shown, by event type: identifiers that the server made, configuration of an
# organization, and facts about these.
SHOWN: Final[Mapping[str, frozenset[str]]] = {
    event_type: frozenset(fields)
    for event_type, fields in {
        "idp.added": ("auto_register", "name", "styling_type"),
        "idp.changed": ("auto_register", "name", "styling_type"),
        "idp.oidc_config_removed": (),
        "idp.oidc_config_set": (
            *("background_color", "client_id", "issuer", "scopes", "text_color"),
            "token_endpoint_auth_method",
        ),
        "idp.removed": (),
        "organization.added": ("is_default", "name", "name_claim"),
        "organization.changed": ("allows_mail_recovery",),
        "smtp_config.added": ("tls",),
        "smtp_config.changed": ("tls",),
        "smtp_config.password_changed": (),
        "smtp_config.removed": (),
        "user.added": ("makers",),
        "user.idp_linked": ("idp_id", "issuer", "link_id", "makers"),
        "user.idp_sessions_ended": ("ended_session_ids", "idp_id"),
        "user.idp_unlinked": ("ended_session_ids", "link_id"),
        "user.changed": ("makers",),
        "user.passkey_clone_suspected": ("passkey_id", "received_sign_count", "stored_sign_count"),
        "user.passkey_link_created": ("delivery", "expires_at", "link_id", "purpose"),
        "user.passkey_removed": ("ended_session_ids", "passkey_id"),
        "user.passkey_renamed": ("passkey_id",),
        "user.passkey_verified": (
            *_PASSKEY,
            *("aaguid", "algorithm", "attachment", "attestation_format", "began_by"),
            *("link_id", "makers", "rp_id", "transports"),
        ),
        "user.removed": ("ended_session_ids",),
        "user.role_granted": ("role",),
        "user.role_revoked": ("role",),
        "user.session_ended": ("session_id",),
        "user.session_renewed": _SIGN_IN,
        "user.session_started": (*_SIGN_IN, "ended_session_ids"),
        "user.session_started_by_idp": (
            *("ended_session_ids", "idp_id", "lifetime_seconds", "link_id", "session_id"),
        ),
        "user.sessions_ended": ("ended_session_ids", "kept_session_id"),
        "user.token_created": ("expires_at", "makers", "thumbprint", "token_id"),
        "user.token_revoked": ("token_id",),
    }.items()
}

EVENT_TYPES: Final = sorted(SHOWN)
AGGREGATE_TYPES: Final = sorted({each.partition(".")[0] for each in EVENT_TYPES})

# Fields that are withheld. Personal: values that identify a person, and text that a person chose.
# Hashes: no reader needs them, although a hash does not reveal its token. Guarded: reading these
# fields requires a further permission (`smtp.read`).
WITHHELD: Final[Mapping[str, Mapping[str, frozenset[str]]]] = {
    "personal": {
        "user.added": frozenset(
            {
                "display_name",
                "email",
                "user_handle",
                "user_name",
                "user_name_claim",
                "user_name_skeleton",
            }
        ),
        "user.changed": frozenset({"display_name", "email"}),
        "user.idp_linked": frozenset({"subject"}),
        "user.passkey_renamed": frozenset({"name"}),
        "user.passkey_verified": frozenset({"credential_id", "name", "public_key"}),
        "user.token_created": frozenset({"name"}),
    },
    "hashes": {
        "user.session_renewed": frozenset({"hash"}),
        "user.session_started": frozenset({"hash"}),
        "user.session_started_by_idp": frozenset({"hash"}),
        "user.token_created": frozenset({"hash"}),
    },
    "guarded": {
        "idp.oidc_config_set": frozenset({"client_secret_id", "logo"}),
        "smtp_config.added": frozenset(
            {"host", "password_secret_id", "sender_address", "sender_name", "user"}
        ),
        "smtp_config.changed": frozenset(
            {"host", "password_secret_id", "sender_address", "sender_name", "user"}
        ),
        "smtp_config.password_changed": frozenset({"password_secret_id"}),
    },
}


# Fields that operators see, by event type: all but personal data.
_SHOWN_TO_OPERATORS: Final = {
    event_type: names.union(
        *(WITHHELD[kind].get(event_type, frozenset()) for kind in ("hashes", "guarded"))
    )
    for event_type, names in SHOWN.items()
}


def disclosed(
    event_type: str, payload: Mapping[str, Any], *, to_operator: bool = False
) -> tuple[dict[str, Any], list[str]]:
    """The shown fields of a payload, and the sorted names of the withheld fields."""
    names = (_SHOWN_TO_OPERATORS if to_operator else SHOWN).get(event_type, frozenset())
    shown = {name: value for name, value in payload.items() if name in names}
    return shown, sorted(payload.keys() - names)
