/** Ten questions of an administrator: `test_console.py` runs it. */
import "./console/questions.js";
