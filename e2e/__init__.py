"""Keystead called by the clients of web pages and scripts: `make e2e`; needs Node and Chromium.

`cases.js` has the answers that every client must get. `node.test.js` runs it in Node,
`browser.test.js` in a page of another origin in Chromium; `test_programs.py` starts both against a
real server. `passkeys/` tests registrations in Chromium with virtual authenticators. The tests in
`test_passkey_page.py` are about the page that the server itself serves, those in `postfix/` about
mail.
"""
