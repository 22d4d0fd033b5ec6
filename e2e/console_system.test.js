/** The view of the system in the console: `test_console.py` runs it. */
import "./console/system.js";
