"""An SMTP client: delivers a mail step by step, for real deliveries and for tests.

`transport` runs the steps on a `connection`: `resolve` and `reach` find the server, `tls` verifies
it, `greeting` and `auth` identify us, `envelope` builds the message, `failures` explains errors.

The rule: a password is sent only over verified TLS, or to a loopback address.
"""
