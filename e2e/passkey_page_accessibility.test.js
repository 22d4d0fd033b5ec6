/** The accessibility of the passkey page: `test_passkey_page.py` runs it. */
import "./passkey_page/accessibility.js";
