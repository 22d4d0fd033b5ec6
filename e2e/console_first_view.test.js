/** The first view of the console, and the ways to it: `test_console.py` runs it. */
import "./console/first_view.js";
