/** The console of an organization with 100,000 users: `test_console.py` runs it. */
import "./console/many_users.js";
