/** Work in the console from its beginning to its end: `test_console.py` runs it. */
import "./console/administration.js";
