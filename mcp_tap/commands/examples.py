"""What to type: the two examples at the end of each verb's help, and those of the list of verbs."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "": (
        ("mcp-tap demo", "see all of it at work, offline"),
        ("mcp-tap wrap files", "record the server `files` from now on"),
    ),
    "run": (
        ("mcp-tap run -- npx -y @modelcontextprotocol/server-everything", "record a server"),
        ("mcp-tap run --log session.jsonl -- python server.py", "record into this file"),
    ),
    "sessions": (
        ("mcp-tap sessions", "all that was recorded, the newest last"),
        ("mcp-tap sessions --last 5 files", "the last five of the server `files`"),
    ),
    "show": (
        ("mcp-tap show", "the newest session"),
        ("mcp-tap show files -f --errors", "what goes wrong in the server `files`, live"),
    ),
    "check": (
        ("mcp-tap check", "diagnose the newest session"),
        ("mcp-tap check session.jsonl --format sarif", "a recording's findings for other tools"),
    ),
    "stats": (
        ("mcp-tap stats", "the newest session"),
        ("mcp-tap stats files --method tools/call", "calls of the tools of the server `files`"),
    ),
    "cat": (
        ("mcp-tap cat --dir s2c", "all that the server has written to stdout"),
        ("mcp-tap cat session.jsonl --dir stderr", "what it said on stderr"),
    ),
    "demo": (
        ("mcp-tap demo", "record, show and diagnose a session, offline"),
        ("mcp-tap demo --log-dir .", "and leave the recording in this directory"),
    ),
    "wrap": (
        ("mcp-tap wrap files", "record the server `files` from now on"),
        ("mcp-tap wrap --all --client cursor -n", "show what would change, change nothing"),
    ),
    "unwrap": (
        ("mcp-tap unwrap files", "put the server's own command back"),
        ("mcp-tap unwrap --all", "everywhere"),
    ),
    "wrapped": (
        ("mcp-tap wrapped", "where the tap is"),
        ("mcp-tap wrapped --json", "the same for programs"),
    ),
}
"""By verb; the list of verbs is the empty one. Each is a command line that can be typed."""


def examples_of(verb: str) -> str:
    """The paragraph that ends a help page."""
    examples = EXAMPLES[verb]
    width = max(len(line) for line, _ in examples)
    return "examples:\n" + "".join(f"  {line:<{width}}  {meaning}\n" for line, meaning in examples)
