/** The search of the console: `test_console.py` runs it. */
import "./console/search.js";
