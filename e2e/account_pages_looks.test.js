/** How the sign-in and account pages look, and whether everybody can use them: `test_passkey_page.py` runs it. */
import "./account_pages/looks.js";
