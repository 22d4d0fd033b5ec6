/** The overview in figures: `test_console.py` runs it. */
import "./console/figures.js";
