"""Keystead called by the clients of web pages and scripts: `make e2e`; needs Node and Chromium.

`cases.js` says what every client must see. `node.test.js` runs it in Node, `browser.test.js` in a
page of another origin in Chromium; `test_programs.py` starts both against a real server.
`passkeys/` says what becomes of a registration in Chromium with virtual authenticators;
`passkeys.test.js` runs it, and `test_passkeys.py` starts that. `test_passkey_page.py` is about the
page that the server itself serves, `postfix/` about mail.
"""
