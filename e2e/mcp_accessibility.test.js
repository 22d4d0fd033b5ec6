/** The accessibility of the page for MCP clients: `test_mcp.py` runs it. */
import "./mcp/accessibility.js";
