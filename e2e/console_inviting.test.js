/** Invitations of many people in the console: `test_console.py` runs it. */
import "./console/inviting.js";
