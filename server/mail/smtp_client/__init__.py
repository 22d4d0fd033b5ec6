"""An SMTP client: one delivery, step by step, for mails and for trials alike.

`transport` runs the steps on a `connection`: `resolve` and `reach` find the server, `tls` verifies
it, `greeting` and `auth` identify us, `envelope` carries the message, `failures` explains errors.

The rule: a password is sent only over verified TLS, or to this very machine.
"""
