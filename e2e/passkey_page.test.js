/** The passkey page in Chromium, as people use it: `test_passkey_page.py` runs it. */
import "./passkey_page/by_link.js";
import "./passkey_page/by_token.js";
