"""TOL: the list of tools, their schemas, and calls of them (MCP server/tools)."""
