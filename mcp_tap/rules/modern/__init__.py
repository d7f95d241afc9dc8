"""MOD: the era without a handshake (MCP 2026-07-28)."""
