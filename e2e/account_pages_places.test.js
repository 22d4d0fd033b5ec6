/** Other addresses, other tabs, steps back and blocked storage: `test_passkey_page.py` runs it. */
import "./account_pages/addresses.js";
import "./account_pages/leaving.js";
import "./account_pages/storage.js";
