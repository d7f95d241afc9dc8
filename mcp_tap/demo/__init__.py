"""A small notes server and a client that talks to it, so that everything can be tried offline.

Both speak plain JSON-RPC over pipes and use no SDK. ``notes/`` is what the server serves.
"""
