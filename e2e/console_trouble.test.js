/** Conflicts, ended sessions and outages in the console: `test_console.py` runs it. */
import "./console/trouble.js";
