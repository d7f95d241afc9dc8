"""PRO: how the server's process started, ended, and what it left behind."""
