/** What pages elsewhere can do with the session of a browser: `test_passkey_page.py` runs it. */
import "./account_pages/cross_site.js";
