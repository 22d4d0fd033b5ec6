"""The SMTP configurations of the instance and of organizations, each of which has at most one.

RPCs: AddSMTPConfig, GetSMTPConfig, UpdateSMTPConfig, UpdateSMTPConfigPassword,
RemoveSMTPConfig, SetSMTPOAuth, RemoveSMTPOAuth, TestSMTPConfig.

The rule: the stored password can be decrypted only for the host, port, tls and user that it was
given for. A change of one of them requires the password again. The folder `oauth` has access
tokens, which replace the password.

`server/deliveries/smtp` delivers mails by a configuration.
"""
