/** Signing in and the account page in Chromium, as people use them: `test_passkey_page.py` runs it. */
import "./account_pages/account.js";
import "./account_pages/recovery.js";
import "./account_pages/sign_in.js";
