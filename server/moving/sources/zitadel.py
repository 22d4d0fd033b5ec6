"""Zitadel: `POST /admin/v1/export` (ExportData), with the names of fields as JSON of protobuf.

https://github.com/zitadel/zitadel: docs/docs/guides/migrate/users.md and admin.proto. It exports no
passkeys.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from server.moving.sources.moved import (
    Choices,
    Json,
    Left,
    SourceError,
    user_id_of,
    without_empty,
)
from server.moving.sources.zitadel_configuration import names_of_providers, orgs_of


def users(content: bytes, _choices: Choices, left: Left) -> Iterator[dict[str, Any]]:
    """The people of all organizations of an export.

    SourceError: another file, or one name of providers with two issuers.
    """
    if not (orgs := orgs_of(content)):
        raise SourceError("The file has no organizations. Export them by POST /admin/v1/export.")
    for org in orgs:
        links, names = org.get("userLinks", ()), dict(names_of_providers(org))
        for each in org.get("oidcIdps", ()):
            # Links name their provider: users of another one would become those of the first.
            left.rename("identity provider", each["idp"].get("issuer", ""), each["idp"]["name"])
        for human in org.get("humanUsers", ()):
            left.note("people need new passkeys, since Zitadel exports none")
            yield _user(human, links, names, left)
        if machines := org.get("machineUsers"):
            left.note("machine users stay: create applications of the kind SERVICE", len(machines))


def _user(human: Json, links: list[Json], names: Mapping[str, str], left: Left) -> dict[str, Any]:
    user = human["user"]
    profile, email = user.get("profile", {}), user.get("email", {})
    if user.get("hashedPassword"):
        left.note("passwords stay")
    if user.get("otpCode"):
        left.note("one-time codes stay")
    return without_empty(
        {
            "userId": user_id_of(human["userId"], left),
            "userName": user["userName"],
            "displayName": profile.get("displayName"),
            "givenName": profile.get("firstName"),
            "familyName": profile.get("lastName"),
            "locale": profile.get("preferredLanguage"),
            "email": email.get("email"),
            "emailVerified": bool(email.get("email")) and email.get("isEmailVerified", False),
            "idpLinks": _links(human, links, names, left),
        }
    )


def _links(
    human: Json, links: list[Json], names: Mapping[str, str], left: Left
) -> list[dict[str, str]]:
    found = [
        *((each["configId"], each["externalUserId"]) for each in human["user"].get("idps", ())),
        *(
            (each["idpId"], each["providedUserId"])
            for each in links
            if each["userId"] == human["userId"]
        ),
    ]
    named = [{"idp": names.get(idp, idp), "subject": subject} for idp, subject in found]
    for each in named:
        left.note(f"links need an identity provider named {each['idp']}")
    return named
