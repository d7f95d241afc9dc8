"""RES: what tools, prompts and resources answer (MCP server/tools#tool-result, server/resources)."""
