/** The views of the console: `test_console.py` runs it. */
import "./console/views.js";
