/** The accessibility of the sign-in for applications: `test_passkey_page.py` runs it. */
import "./authorization/accessibility.js";
