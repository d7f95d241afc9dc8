"""``python -P -m mcp_tap``, the same as the ``mcp-tap`` command."""

import sys

from mcp_tap.cli import main

if __name__ == "__main__":
    sys.exit(main())
