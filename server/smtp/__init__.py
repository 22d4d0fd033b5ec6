"""The SMTP configuration, of which there is at most one, and delivery by it.

Its RPCs: AddSMTPConfig, GetSMTPConfig, UpdateSMTPConfig, UpdateSMTPConfigPassword,
RemoveSMTPConfig, TestSMTPConfig.

The rule: the stored password can be decrypted only for the host, port, tls and user that it was
given for. Whoever changes one of them gives the password again. And it is sent only over TLS with
a verified certificate, or to this very machine.

A delivery, `transport.py`, is a sequence of steps on a `connection.py`: `resolve.py` and `reach.py`
say where to, `tls.py` whom to trust, `greeting.py` and `auth.py` who we are, `envelope.py` what is
sent, `failures.py` what a failure means.
"""
