"""PRV: what MCP allows and the APIs of models refuse, and what clients hand on unfinished."""
