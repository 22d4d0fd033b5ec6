"""A tour of the server with grpcurl: `make try`.

It starts a server in a temporary directory and calls it by reflection, without .proto files. Read
it from top to bottom: each step is a function, and `expect` and `refused` state the promises of the
server. An unexpected answer ends the tour with status 1.
"""

import os
import signal
import sys
import time
from datetime import UTC, datetime, timedelta
from types import FrameType
from typing import Any

from examples.certificate import authority, client_certificate, server_certificate
from examples.grpcurl import Refusal, Tour, TourError, expect
from examples.mailbox import Mailbox, link_in, mailbox
from examples.server_process import START_SECONDS, WEB, ServerProcess, server_process
from examples.software_authenticator import SoftwareAuthenticator

SMTP = "keystead.smtp.v1.SMTPService"
MAILS = "keystead.mail.v1.MailService"
PASSKEYS = "keystead.passkey.v1.PasskeyService"
IDPS = "keystead.idp.v1.IdentityProviderService"
ORGANIZATIONS = "keystead.org.v1.OrganizationService"
SESSIONS = "keystead.session.v1.SessionService"
SIGN_IN = "keystead.signin.v1.SignInService"
USERS = "keystead.user.v1.UserService"

# A page of the relying party; the server's default setting KEYSTEAD_RP_ORIGINS allows it.
ORIGIN = "http://localhost:8080"

SMTP_USER, SMTP_PASSWORD = "mailer", "not-for-the-log"  # of the tour's own mail server

# The members of the answer to RegisterPasskey.
BEGUN = ["details", "passkeyId", "publicKeyCredentialCreationOptions", "registrationToken"]

DEPRECATED_SINCE = "@1795219200"  # 2026-11-21, as RFC 9745 writes it

EVENTS = [
    # The events of the first start.
    "organization.added",
    "user.added",
    "user.role_granted",
    "user.token_created",
    # The events of the tour. Refused calls and incomplete ceremonies add none.
    "smtp_config.added",
    "user.added",
    "user.passkey_verified",
    "user.passkey_link_created",
    "user.passkey_verified",
    "user.changed",  # its mail address is verified by the link
    "user.session_started",
    "user.session_ended",
    "organization.added",
    "idp.added",
    "idp.added",
    "idp.changed",
    "idp.changed",
]


def main() -> None:
    """Takes the tour."""
    with mailbox(SMTP_USER, SMTP_PASSWORD) as box, server_process() as server:
        tour = start(server)
        look_around(tour)
        default_org = who_am_i(tour, server)
        set_up_mail(tour, default_org, box)
        user_id = create_a_user(tour, default_org)
        authenticator = SoftwareAuthenticator()
        register_a_passkey(tour, default_org, user_id, authenticator)
        mail_a_link(tour, user_id, box)
        sign_in(tour, user_id, authenticator)
        update_identity_providers(tour, default_org)
        make_mistakes(tour)
        read_the_audit_log(tour, server)
        stop(tour, server)
        serve_by_tls(tour, server)
        stop(tour, server)
        authenticate_by_certificate(tour, server)
        stop(tour, server)


def start(server: ServerProcess) -> Tour:
    """Starts a server, and waits until it is healthy."""
    tour = Tour(server.address())
    tour.heading("Start a server")
    tour.shell(f"{server.command} &")
    expect_health(tour)
    return tour


def look_around(tour: Tour) -> None:
    """Reflection describes the server's methods to every caller."""
    tour.heading("Look around")
    services = set(tour.schema("list").splitlines())
    reflection = {"grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"}
    toured = {IDPS, MAILS, ORGANIZATIONS, PASSKEYS, SMTP, USERS, "grpc.health.v1.Health"}
    expect("the services that are missing", (toured | reflection) - services, set())

    message = tour.schema("describe", "keystead.smtp.v1.AddSMTPConfigRequest")
    fields = [line.split()[1] for line in message.splitlines() if " = " in line]
    expect(
        "the fields", fields, ["sender_address", "sender_name", "tls", "host", "user", "password"]
    )


def who_am_i(tour: Tour, server: ServerProcess) -> str:
    """The administrator of the first start calls. Gives the id of the organization `default`."""
    tour.heading("Take the administrator's token")
    token_file = server.data_dir / "admin.token"
    expect("the mode of the token file", oct(token_file.stat().st_mode & 0o777), oct(0o600))
    tour.say(
        "The first start left it in a file that only its owner can read. grpcurl takes it from"
    )
    tour.say("the environment (-expand-headers), because everybody can list its arguments.")
    tour.shell(f'export TOKEN="$(cat {token_file})"')
    tour.keep_secret("TOKEN", token_file.read_text().strip())

    user = tour.call(f"{USERS}/GetCurrentUser", answers=["user", "orgName"])["user"]
    expect("the user's name", user["userName"], "admin")
    expect("the user's roles", user["roles"], ["ROLE_INSTANCE_OWNER"])
    return str(user["details"]["resourceOwner"])


def set_up_mail(tour: Tour, default_org: str, box: Mailbox) -> None:
    """The SMTP configuration is added only if none is set, and can be tested."""
    tour.heading("Add the SMTP configuration")
    tour.say(f"A mail server listens at {box.address}, and stores the mails.")
    config = {
        "senderAddress": "noreply@example.com",
        "senderName": "Example",
        "tls": False,  # a password goes over a clear connection to this very machine only
        "host": box.address,
        "user": SMTP_USER,
        "password": SMTP_PASSWORD,
    }
    added = tour.call(f"{SMTP}/AddSMTPConfig", config, answers=["details"])
    expect_details(added["details"], owner=default_org)

    tour.say("There is at most one. The error names the sequence of the existing one.")
    tour.refused(
        f"{SMTP}/AddSMTPConfig",
        config,
        Refusal(
            "ALREADY_EXISTS",
            "SMTP_CONFIG_ALREADY_EXISTS",
            metadata={"sequence": added["details"]["sequence"]},
        ),
    )

    tour.say("Test the configuration: the answer lists the steps. A failed step names the change")
    tour.say("that it needs.")
    receiver = {"receiverAddress": "ada@example.com"}
    steps = tour.call(f"{SMTP}/TestSMTPConfig", receiver, answers=["steps"])["steps"]
    names = ["resolve", "connect", "greeting", "auth", "sender", "message"]
    expect("the steps", [step["name"] for step in steps], names)
    expect("whether all succeeded", all(step["succeeded"] for step in steps), True)
    expect("the receiver of the trial", box.next()["to"], "ada@example.com")


def create_a_user(tour: Tour, default_org: str) -> str:
    """The id of a new user in the administrator's organization."""
    tour.heading("Create a user")
    request = {"userName": "ada", "displayName": "Ada Lovelace", "email": "ada@example.com"}
    created = tour.call(f"{USERS}/CreateUser", request, answers=["details", "userId"])
    expect_details(created["details"], owner=default_org)
    return str(created["userId"])


def register_a_passkey(
    tour: Tour, default_org: str, user_id: str, authenticator: SoftwareAuthenticator
) -> None:
    """A backend begins a ceremony; the user's browser completes it with a registration token."""
    tour.heading("Register a passkey")
    begun = tour.call(f"{PASSKEYS}/RegisterPasskey", {"userId": user_id}, answers=BEGUN)
    expect_details(begun["details"], owner=default_org)
    options = begun["publicKeyCredentialCreationOptions"]
    expect("the relying party", options["rp"], {"id": "localhost", "name": "Keystead"})
    expect("the name of the user", options["user"]["name"], "ada")

    tour.say("A browser would now call navigator.credentials.create(); here is one in software.")
    tour.say("The registration token can do nothing but complete this one ceremony.")
    tour.shell("export REGISTRATION_TOKEN=...  # the registrationToken of the answer")
    verification, verified = complete(tour, begun, user_id, "Laptop", authenticator)
    expect_details(verified["details"], owner=default_org, created=False)

    tour.say("A ceremony completes once.")
    tour.refused(
        f"{PASSKEYS}/VerifyPasskeyRegistration",
        verification,
        Refusal("FAILED_PRECONDITION", "CHALLENGE_USED"),
        bearer="REGISTRATION_TOKEN",
    )

    passkey = list_passkeys(tour, user_id, 1)[0]
    expect("the id of the passkey", passkey["passkeyId"], begun["passkeyId"])
    expect("its name", passkey["name"], "Laptop")
    expect("its relying party", passkey["rpId"], "localhost")
    expect("whether its user was verified", passkey["userVerified"], True)
    expect_details(passkey["details"], owner=default_org)
    expect("its sequence", passkey["details"]["sequence"], verified["details"]["sequence"])


def mail_a_link(tour: Tour, user_id: str, box: Mailbox) -> None:
    """A user without a token registers a passkey by a link."""
    expect("the mail about that", "passkey" in box.next()["subject"], True)
    tour.heading("Mail a registration link")
    link = {"userId": user_id, "sendLink": {}}
    answers = ["details", "expiresAt", "mailId"]
    sent = tour.call(f"{PASSKEYS}/CreatePasskeyRegistrationLink", link, answers=answers)
    linked_user, code = link_in(box.next())
    expect("the user of the link", linked_user, user_id)

    tour.say("The page at /passkeys/ would read the code out of the link. It stands for a token.")
    tour.keep_secret("CODE", code)
    request = {"userId": user_id, "code": code}
    begun = tour.call(f"{PASSKEYS}/RegisterPasskey", request, answers=BEGUN, bearer="")
    complete(tour, begun, user_id, "Phone", SoftwareAuthenticator())
    list_passkeys(tour, user_id, 2)
    expect("the mail about that", "passkey" in box.next()["subject"], True)

    tour.say("A link is good for one passkey.")
    used = Refusal("FAILED_PRECONDITION", "LINK_USED")
    tour.refused(f"{PASSKEYS}/RegisterPasskey", request, used, bearer="")

    tour.say("The state of the mails, newest first: two notices, and between them the link.")
    method = f"{MAILS}/ListMails"
    tour.wait_for(method, lambda answer: all("endedAt" in mail for mail in answer["mails"]))
    mails = tour.call(method, answers=["mails"])["mails"]
    kinds = ["passkey_added", "passkey_registration_link", "passkey_added"]
    expect("the mails", [mail["kind"] for mail in mails], kinds)
    expect("the mail of the link", mails[1]["mailId"], sent["mailId"])
    expect("their states", {mail["state"] for mail in mails}, {"MAIL_STATE_SENT"})


def complete(
    tour: Tour,
    begun: dict[str, Any],
    user_id: str,
    name: str,
    authenticator: SoftwareAuthenticator,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Completes a ceremony as a browser does, and returns the answer."""
    options = begun["publicKeyCredentialCreationOptions"]
    verification = {
        "userId": user_id,
        "passkeyId": begun["passkeyId"],
        "publicKeyCredential": authenticator.create(options, origin=ORIGIN),
        "passkeyName": name,
    }
    method = f"{PASSKEYS}/VerifyPasskeyRegistration"
    return verification, tour.call(
        method, verification, answers=["details"], bearer="REGISTRATION_TOKEN"
    )


def list_passkeys(tour: Tour, user_id: str, count: int) -> list[dict[str, Any]]:
    """The passkeys of the user, oldest first, of which there must be `count`."""
    listed = tour.call(
        f"{PASSKEYS}/ListPasskeys", {"userId": user_id}, answers=["passkeys", "userHandle", "rpId"]
    )
    expect("the number of passkeys", len(listed["passkeys"]), count)
    return list(listed["passkeys"])


def sign_in(tour: Tour, user_id: str, authenticator: SoftwareAuthenticator) -> None:
    """The user signs in with the passkey. The session's token is a bearer token until it ends."""
    tour.heading("Sign in with the passkey")
    answers = ["publicKeyCredentialRequestOptions", "expiresAt"]
    started = tour.call(f"{SIGN_IN}/StartPasskeySignIn", {}, answers=answers, bearer="")
    tour.say("A browser would now call navigator.credentials.get(). Nobody types a user name.")
    options = started["publicKeyCredentialRequestOptions"]
    (credential_id,) = authenticator.credentials
    assertion = {
        "publicKeyCredential": authenticator.get(
            options, origin=ORIGIN, credential_id=credential_id
        ),
        "deviceName": "Tour",
    }
    method = f"{SIGN_IN}/CompletePasskeySignIn"
    tour.shell("export SESSION_TOKEN=...  # the sessionToken of the answer")
    signed_in = tour.call(
        method,
        assertion,
        answers=[
            *("details", "sessionId", "sessionToken", "userId", "expiresAt"),
            *("acceptedCredentialIds", "userHandle"),
        ],
        bearer="",
    )
    expect("the user who signed in", signed_in["userId"], user_id)

    tour.say("A challenge is good for one sign-in.")
    used = Refusal("FAILED_PRECONDITION", "CHALLENGE_USED")
    tour.refused(method, assertion, used, bearer="")

    tour.say("The token acts for its user, and the user sees the session.")
    method = f"{SESSIONS}/GetCurrentSession"
    session = tour.call(method, {}, answers=["session"], bearer="SESSION_TOKEN")["session"]
    expect("the id of the session", session["sessionId"], signed_in["sessionId"])
    expect("its device", session["deviceName"], "Tour")

    tour.say("The user signs out, and the token is no longer valid.")
    tour.call(f"{SESSIONS}/SignOut", {}, answers=["details"], bearer="SESSION_TOKEN")
    ended = Refusal("UNAUTHENTICATED", "UNAUTHENTICATED")
    tour.refused(method, {}, ended, bearer="SESSION_TOKEN")


def update_identity_providers(tour: Tour, default_org: str) -> None:
    """The header x-service-orgid selects the organization; without it, it is the caller's own."""
    tour.heading("Add identity providers in two organizations")
    created = tour.call(
        f"{ORGANIZATIONS}/CreateOrganization", {"name": "other"}, answers=["details", "orgId"]
    )
    other_org = created["orgId"]
    expect_details(created["details"], owner=other_org)

    new = {"name": "Login", "stylingType": "STYLING_TYPE_PROVIDER", "autoRegister": True}
    method, answers = f"{IDPS}/CreateIDP", ["details", "idpId"]
    first = tour.call(method, new, answers=answers)
    expect_details(first["details"], owner=default_org)
    second = tour.call(method, new, answers=answers, organization=other_org)
    expect_details(second["details"], owner=other_org)

    tour.heading("Update them")
    tour.say("Every field is replaced: omitted fields are reset.")
    method = f"{IDPS}/UpdateIDP"
    update = {"idpId": first["idpId"], "name": "New name"}
    updated = tour.call(method, update, answers=["details"])
    expect_details(updated["details"], owner=default_org)
    expect_idp(tour, update | updated)

    tour.say("Without the header, the identity provider of the other organization is not found.")
    update = {"idpId": second["idpId"], "name": "Another name"}
    missing = Refusal("NOT_FOUND", "IDP_NOT_FOUND", resource=("idp", second["idpId"]))
    tour.refused(method, update, missing)

    tour.say("With the header, it is found. The trailing metadata (-v) names the date since which")
    tour.say("UpdateIDP is deprecated, and the method that replaces it.")
    trailers, updated = tour.call_with_trailers(method, update, organization=other_org)
    expect("the metadata deprecation", trailers["deprecation"], DEPRECATED_SINCE)
    expect("the metadata link", trailers["link"], f'</{IDPS}/PatchIDP>; rel="successor-version"')
    expect_details(updated["details"], owner=other_org)
    expect_idp(tour, update | updated, organization=other_org)


def make_mistakes(tour: Tour) -> None:
    """An error names every invalid field at once, with the necessary change."""
    tour.heading("Make several mistakes at once")
    wrong = {
        "senderAddress": "nobody",
        "senderName": "",
        "host": "smtp.example.com",
        "user": "mailer",
    }
    tour.refused(
        f"{SMTP}/AddSMTPConfig",
        wrong,
        Refusal(
            "INVALID_ARGUMENT",
            "INVALID_FIELDS",
            fields=("senderAddress", "senderName", "host", "password"),
        ),
    )


def read_the_audit_log(tour: Tour, server: ServerProcess) -> None:
    """Every change is an event, and no event holds a secret."""
    tour.heading("Read the audit log")
    tour.shell(f"KEYSTEAD_DATA_DIR={server.data_dir} python -m server audit --with-personal-data")
    printed = server.run("audit", "--with-personal-data")
    tour.output(printed)
    expect("the events", [line.split("\t")[2] for line in printed.splitlines()], EVENTS)
    for secret in (*tour.secrets, SMTP_PASSWORD):
        expect("whether the log holds a secret", secret in printed, False)


def stop(tour: Tour, server: ServerProcess) -> None:
    """SIGTERM ends it in order."""
    tour.heading("Stop the server")
    tour.shell("kill -TERM %1; wait %1; echo $?")
    status = server.stop()
    tour.output(str(status))
    expect("the exit status of the server", status, 0)
    expect("whether it left a process behind", server.has_left_nothing(), True)


def serve_by_tls(tour: Tour, server: ServerProcess) -> None:
    """With a certificate, both ports speak only TLS; clients of plaintext get nothing."""
    tour.heading("Serve by TLS")
    tour.say("The same data, with a certificate for 127.0.0.1. On a real server, it comes from an")
    tour.say("authority, and the server takes over renewed files while it runs.")
    certificate = server_certificate(server.folder)
    server.settings |= {
        "KEYSTEAD_TLS_CERTIFICATE_FILE": str(certificate.file),
        "KEYSTEAD_TLS_KEY_FILE": str(certificate.key_file),
    }
    start_again(tour, server)
    expect("whether plaintext is answered", Tour(server.address()).is_healthy(), False)
    tour.use_tls(server.address(), cacert=certificate.file)
    expect_health(tour)
    expect("the user's name", current_user(tour), "admin")


def authenticate_by_certificate(tour: Tour, server: ServerProcess) -> None:
    """A client certificate takes the place of a bearer token, on both ports."""
    tour.heading("Authenticate a service by a certificate")
    tour.say("An authority issues certificates to your services. The server gets its file, and the")
    tour.say("gRPC port requires a certificate of it: without one, the handshake fails.")
    services = authority(server.folder)
    orders = client_certificate(server.folder, "orders", services)
    server.settings["KEYSTEAD_TLS_CLIENT_CA_FILE"] = str(services.file)
    start_again(tour, server)
    ca_file = server.folder / "server.pem"
    tour.use_tls(server.address(), cacert=ca_file)
    expect("whether a client without a certificate is answered", tour.is_healthy(), False)
    tour.use_tls(server.address(), cacert=ca_file, cert=orders.file, key=orders.key_file)
    expect_health(tour)

    tour.say("The authority identifies the service only: its certificate belongs to no user yet.")
    unknown = Refusal("UNAUTHENTICATED", "UNAUTHENTICATED")
    tour.refused(f"{USERS}/GetCurrentUser", {}, unknown, bearer="")

    tour.say("The administrator adds it to a user. A token takes precedence over the certificate.")
    user = {"userName": "orders"}
    created = tour.call(f"{USERS}/CreateUser", user, answers=["details", "userId"])
    user_id = created["userId"]
    added = tour.call(
        f"{USERS}/CreateCertificate",
        {"userId": user_id, "name": "orders", "certificate": orders.file.read_text()},
        answers=["details", "tokenId", "thumbprint"],
    )

    tour.say("Now the service needs no token, neither with gRPC nor with JSON.")
    expect("the user's name", current_user(tour, bearer=""), "orders")
    whoami = f"https://{server.address(WEB)}/v1/users/me"
    expect("the user's name", tour.curl(whoami)["user"]["userName"], "orders")

    tour.say("A certificate is withdrawn like a token. The error says how to go on.")
    token = {"userId": user_id, "tokenId": added["tokenId"]}
    tour.call(f"{USERS}/RevokeToken", token, answers=["details"])
    tour.refused(f"{USERS}/GetCurrentUser", {}, unknown, bearer="")
    refused = tour.curl(whoami, status=401)
    expect("whether it names the method", "CreateCertificate" in refused["message"], True)


def current_user(tour: Tour, *, bearer: str = "TOKEN") -> str:
    """The name of the caller."""
    called = tour.call(f"{USERS}/GetCurrentUser", answers=["user", "orgName"], bearer=bearer)
    return str(called["user"]["userName"])


def start_again(tour: Tour, server: ServerProcess) -> None:
    """Starts the stopped server with its settings, as they are now."""
    tour.shell(f"{server.command} &")
    server.start()


def expect_health(tour: Tour) -> None:
    """Waits until the health service answers, which must report SERVING."""
    until = time.monotonic() + START_SECONDS
    while not tour.is_healthy():
        if time.monotonic() > until:
            raise TourError(f"The server is not healthy after {START_SECONDS} seconds.")
        time.sleep(0.1)
    health = tour.call("grpc.health.v1.Health/Check", answers=["status"], bearer="")
    expect("the health", health, {"status": "SERVING"})


def expect_details(details: dict[str, str], *, owner: str, created: bool = True) -> None:
    """Responses to changes have details; VerifyPasskeyRegistration has no creation date."""
    members = ["sequence", *(["creationDate"] if created else []), "changeDate", "resourceOwner"]
    expect("the members of the details", list(details), members)
    expect("the owner", details["resourceOwner"], owner)
    changed = datetime.fromisoformat(details["changeDate"])
    microseconds = (changed - datetime.fromtimestamp(0, UTC)) // timedelta(microseconds=1)
    expect("the sequence", details["sequence"], str(microseconds))


def expect_idp(tour: Tour, updated: dict[str, Any], *, organization: str = "") -> None:
    """An identity provider has the fields of its last update; omitted fields are empty."""
    method, request = f"{IDPS}/GetIDP", {"idpId": updated["idpId"]}
    found = tour.call(
        method, request, answers=["idp"], organization=organization, flags=["-emit-defaults"]
    )
    empty = {"stylingType": "STYLING_TYPE_UNSPECIFIED", "autoRegister": False}
    empty |= {"isDisabled": False, "mappings": []}  # UpdateIDP leaves them as they are
    expect("the identity provider", found["idp"], empty | updated)


def _end(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)


if __name__ == "__main__":
    # Like Ctrl-C: clean up, then exit.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    try:
        main()
    except TourError as error:
        sys.exit(f"The tour failed: {error}")
    except KeyError as error:
        sys.exit(f"The tour failed: the last answer has no {error}")
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader closed the pipe (`make try | less`); write nothing more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
