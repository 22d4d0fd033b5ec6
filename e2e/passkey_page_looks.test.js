/** How the passkey page looks, and whether everybody can use it: `test_passkey_page.py` runs it. */
import "./passkey_page/looks.js";
