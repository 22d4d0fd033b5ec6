/** Signing in with an identity provider in Chromium, as people do it: `test_federation.py` runs it. */
import "./federation/callback.js";
import "./federation/discovery.js";
import "./federation/links.js";
import "./federation/requests.js";
import "./federation/sign_in.js";
