/** The parts of the console for each role: `test_console.py` runs it. */
import "./console/roles.js";
