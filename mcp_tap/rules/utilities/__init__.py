"""CAN, PRG: cancellation and progress (MCP basic/utilities)."""
