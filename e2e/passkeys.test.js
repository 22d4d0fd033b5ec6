// The registration ceremony in Chromium, with virtual authenticators: `test_passkeys.py` runs it.
import "./passkeys/kinds.js";
import "./passkeys/refusals.js";
import "./passkeys/again.js";
import "./passkeys/links.js";
import "./passkeys/related.js";
import "./passkeys/imported.js";
