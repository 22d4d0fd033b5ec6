"""The configuration of postfix: as on a company's mail server, except for its directories.

Every setting is explicit that could read, write or call something outside of the folder.
"""

import contextlib
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from pwd import getpwnam

from tests.support.certificates import Authority
from tests.support.process import free_port

USER, PASSWORD = "mailer@example.com", "of mailer: żółw, $HOME, 100 %"
# The one sender that `USER` may name. Readers are reader@, reader-ada@, ... of the same domain.
SENDER = "noreply@example.com"
# Less than any mail has.
SMALL_BYTES = 100

_MAIN = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
myhostname = mail.example.com
mydestination =
mynetworks = 127.0.0.0/8
inet_protocols = ipv4
alias_maps =
alias_database =
default_transport = error:this server sends nothing
virtual_mailbox_domains = example.com
virtual_mailbox_base = {folder}/mail
virtual_mailbox_maps = regexp:{folder}/etc/readers
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
smtpd_peername_lookup = no
smtpd_sender_login_maps = inline:{{ {{ {sender} = {user} }} }}
smtpd_relay_restrictions = permit_auth_destination, reject
smtpd_recipient_restrictions = check_policy_service unix:{folder}/policy
smtpd_end_of_data_restrictions = check_policy_service unix:{folder}/policy
smtpd_tls_chain_files = {certificate}
smtpd_tls_auth_only = yes
smtpd_sasl_local_domain = example.com
"""
_MASTER = """
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
showq unix n - n - - showq
proxymap unix - - n - - proxymap
anvil unix - - n - 1 anvil
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
postlog unix-dgram n - n - 1 postlogd
"""
_READERS = r"/^reader[-a-z0-9]*@example\.com$/ inbox/"
_SASL = """
pwcheck_method: auxprop
auxprop_plugin: sasldb
sasldb_path: {folder}/users
mech_list: PLAIN LOGIN
"""

_STARTTLS = {"smtpd_tls_security_level": "encrypt"}
_IMPLICIT_TLS = {"smtpd_tls_wrappermode": "yes"}
_LOGIN = {
    "smtpd_sasl_auth_enable": "yes",
    "smtpd_sender_restrictions": "reject_sender_login_mismatch",
    "smtpd_relay_restrictions": "permit_sasl_authenticated,reject",
}


@dataclass(frozen=True)
class Service:
    """A port of postfix, with its deviations from the defaults."""

    host: str  # as in an SMTP configuration: address:port
    options: Mapping[str, str]


def services(authority: Authority, outsider: Authority) -> Mapping[str, Service]:
    """The ports of postfix by name. `outsider` is an authority that no client trusts."""
    mistaken = {
        "login_not_offered": _STARTTLS,
        "small": _STARTTLS | _LOGIN | {"message_size_limit": str(SMALL_BYTES)},
        "implicit_tls_elsewhere": _IMPLICIT_TLS | _LOGIN,
        **{
            name: _STARTTLS | _LOGIN | {"smtpd_tls_chain_files": str(certificate.path)}
            for name, certificate in {
                "wrong_name": authority.certificate(["mail.example.com"]),
                "expired": authority.certificate(days=-1),
                "self_signed": authority.certificate(self_signed=True),
                "unknown_authority": outsider.certificate(),
            }.items()
        },
        "old_tls": _STARTTLS
        | _LOGIN
        | {
            "smtpd_tls_mandatory_protocols": "<=TLSv1.1",
            "smtpd_tls_mandatory_ciphers": "low",
            "tls_low_cipherlist": "ALL:@SECLEVEL=0",
        },
    }
    return {
        "submission": _anywhere(_STARTTLS | _LOGIN),
        # Implicit TLS is this port's alone.
        "smtps": Service(f"{_free_address(465)}:465", _IMPLICIT_TLS | _LOGIN),
        "relay": _anywhere({}),
        **{name: _anywhere(options) for name, options in mistaken.items()},
    }


def _free_address(port: int) -> str:
    """A loopback address on which no server, such as the postfix of other tests, has the port."""
    while True:
        address = f"127.0.0.{secrets.choice(range(2, 255))}"
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind((address, port))
            return address


def _anywhere(options: Mapping[str, str]) -> Service:
    return Service(f"127.0.0.1:{free_port()}", options)


def write(folder: Path, authority: Authority, offered: Mapping[str, Service]) -> None:
    """Writes all files that postfix reads, except its users."""
    owner = getpwnam("nobody")
    smtps, _, _ = offered["smtps"].host.partition(":")
    main = _MAIN.format(
        folder=folder,
        uid=owner.pw_uid,
        gid=owner.pw_gid,
        sender=SENDER,
        user=USER,
        certificate=authority.certificate(["localhost", "127.0.0.1", smtps]).path,
    )
    listening = "".join(_listening(service) for service in offered.values())
    (folder / "etc" / "sasl").mkdir(parents=True)
    (folder / "etc" / "main.cf").write_text(main)
    (folder / "etc" / "master.cf").write_text(_MASTER + listening)
    (folder / "etc" / "readers").write_text(_READERS)
    (folder / "etc" / "sasl" / "smtpd.conf").write_text(_SASL.format(folder=folder))


def _listening(service: Service) -> str:
    options = "".join(f"  -o {name}={value}\n" for name, value in service.options.items())
    return f"{service.host} inet n - n - - smtpd\n{options}"
