"""Tests of a running server with real clients, browsers, proxies and mail servers: `make e2e`.

Each `test_*.py` starts the servers that it needs, and most run a `*.test.js` of Node against
these servers. `cases.js` has the answers that every web client must get, in Node and in a page of
another origin in Chromium. `account_pages/`, `federation/` and `passkey_page/` test the pages of
the server; `passkeys/` tests registrations by a page of its own, with virtual authenticators.
`postfix/` tests mails. `support/` has the JavaScript that several of them use.

The rule: a missing program fails a test. Only the Java client is skipped without a JDK.
"""
