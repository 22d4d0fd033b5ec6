"""The SMTP configuration, of which there is at most one.

Its RPCs: AddSMTPConfig, GetSMTPConfig, UpdateSMTPConfig, UpdateSMTPConfigPassword,
RemoveSMTPConfig.

The rule: the stored password can be decrypted only for the host, port, tls and user that it was
given for. Whoever changes one of them gives the password again.
"""
