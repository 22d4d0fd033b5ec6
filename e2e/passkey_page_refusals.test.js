/** What people are told on the passkey page when it does not work: `test_passkey_page.py` runs it. */
import "./passkey_page/refusals.js";
