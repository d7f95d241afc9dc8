"""FRM: lines that are no messages: how they are framed, ended and encoded (MCP basic/transports#stdio)."""
