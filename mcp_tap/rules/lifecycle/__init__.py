"""LIF: the handshake, the version that is agreed on, and waiting for answers (MCP basic/lifecycle)."""
