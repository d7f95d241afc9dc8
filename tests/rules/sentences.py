"""What findings say, in one file: tests of rules assert all but the words, and these are held here.

``sentences.txt`` lists under each rule the sentences (and what to do) that tests have it say. A sentence
that is not in it fails the test. After a change of words write it anew, and read the difference:

    MCP_TAP_SENTENCES=write python -m pytest tests/rules tests/diagnosis -p no:xdist
"""

from __future__ import annotations

import os
from pathlib import Path

from mcp_tap.diagnosis.finding import Finding

FILE = Path(__file__).with_name("sentences.txt")
WRITING = os.environ.get("MCP_TAP_SENTENCES") == "write"
INDENT, REMEDY = "    ", "    → "


def read() -> dict[str, dict[str, None]]:
    """By rule, what it says and what it tells one to do, each once, in order."""
    found: dict[str, dict[str, None]] = {}
    rule = ""
    for line in FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else ():
        if line.startswith(INDENT):
            found[rule][line] = None
        elif line:
            rule = line
            found[rule] = {}
    return found


KNOWN = {} if WRITING else read()


def hold(finding: Finding) -> None:
    """Assert that what ``finding`` says is known (or note it, where the file is written anew)."""
    lines = (one_line(INDENT + finding.message), one_line(REMEDY + finding.next))
    if WRITING:
        KNOWN.setdefault(finding.rule, {}).update(dict.fromkeys(lines))
    for line in lines:
        assert line in KNOWN.get(finding.rule, {}), f"not in {FILE.name}: {finding.rule}{line}"


def hold_verdict(session: str, verdict: str) -> None:
    """The same for the verdict of a session that has a name among the tests."""
    head, line = f"verdict {session}", one_line(INDENT + verdict)
    if WRITING:
        KNOWN.setdefault(head, {})[line] = None
    assert line in KNOWN.get(head, {}), f"not in {FILE.name}: {head}{line}"


def one_line(text: str) -> str:
    """``text`` without line breaks of any kind."""
    return "\\n".join(text.splitlines()) or text


def write() -> None:
    """Write the file."""
    parts = ["\n".join([rule, *sorted(KNOWN[rule])]) for rule in sorted(KNOWN)]
    FILE.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
