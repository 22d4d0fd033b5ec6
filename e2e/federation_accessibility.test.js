/** The accessibility of the pages of federation: `test_federation.py` runs it. */
import "./federation/accessibility.js";
