"""TAP: what the tap says about its own recording, and where it was the cause itself."""
