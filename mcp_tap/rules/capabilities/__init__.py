"""CAP: what is used and not declared, or declared and not there (MCP basic/lifecycle)."""
