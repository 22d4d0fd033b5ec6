/** Sign-in for applications in Chromium, as people go through it: `test_passkey_page.py` runs it. */
import "./authorization/requests.js";
