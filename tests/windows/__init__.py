"""The tap on Windows, by way of Wine: ``python -m pytest -m windows`` (needs wine64; see .ci/run)."""
