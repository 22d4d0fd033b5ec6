"""Keystead called by the clients of web pages and scripts: `make e2e`; needs Node and Chromium.

`cases.js` says what every client must see. `node.test.js` runs it in Node, `browser.test.js` in a
page of another origin in Chromium; `test_programs.py` starts both against a real server.
"""
