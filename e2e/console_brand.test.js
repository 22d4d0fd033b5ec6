/** The brand in the header of the console: `test_console.py` runs it. */
import "./console/brand.js";
