/** The page for devices in Chromium: `test_passkey_page.py` runs it. */
import "./account_pages/device.js";
