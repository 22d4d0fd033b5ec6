"""OAuth settings of the SMTP configuration, and the access tokens that they give.

RPCs: SetSMTPOAuth, RemoveSMTPOAuth, of `server/smtp/service.py`.

`secret` encrypts the stored secret, `credential` checks it and signs with it, `token_request` has
the requests and answers of token endpoints, `tokens` fetches and caches access tokens.

The rule: the secret can be decrypted only for the token endpoint, the client, the SMTP server and
the mailbox that it was given for. An access token is sent to that server only.
"""
