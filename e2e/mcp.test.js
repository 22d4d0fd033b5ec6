/** An MCP client of the official SDK in Chromium: `test_mcp.py` runs it. */
import "./mcp/sign_in.js";
