"""RPC: messages that are not as JSON-RPC 2.0 and the schema of MCP have them."""
