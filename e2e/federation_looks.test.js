/** How the pages of federation look, and whether everybody can use them: `test_federation.py` runs it. */
import "./federation/looks.js";
