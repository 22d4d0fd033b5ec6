/** The accessibility of the sign-in and account pages: `test_passkey_page.py` runs it. */
import "./account_pages/accessibility.js";
