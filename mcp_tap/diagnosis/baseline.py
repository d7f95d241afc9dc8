"""What is known of servers from before: findings that are accepted, and their tools as they were.

A baseline is a JSON file that people read and compare: sorted, one finding a line or so::

    {
      "version": 1,
      "servers": {
        "notes@1f2e3d4c5b6a": {
          "findings": [
            {"rule": "FRM001", "key": "s2c", "severity": "warning", "message": "server wrote …"}
          ],
          "tools": {"read_note": "sha256:…"}
        }
      }
    }

``message`` is there to be read and is not compared.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import NoneType
from typing import Any

from mcp_tap.diagnosis.finding import SEVERITIES, Finding, Severity
from mcp_tap.diagnosis.listing import Listing
from mcp_tap.diagnosis.recognise.credentials import masked
from mcp_tap.errors import TapError
from mcp_tap.model.session import Session
from mcp_tap.record.argv_masking import mask_argv
from mcp_tap.record.patterns import lazy

BASELINE_VERSION = 1

DEFINES = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
"""What of a tool decides what it is taken for."""

MESSAGE_KEPT = 200
"""Characters of a message in the file."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one server; ``tools`` are hashes by name, None where none were listed.

    ``findings`` has, by rule and key, the severity that is accepted and the message of the day.
    """

    findings: Mapping[tuple[str, str], tuple[Severity, str]] = field(default_factory=dict)
    tools: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Baseline:
    """A baseline file's content, by server (see :func:`server_key`)."""

    servers: Mapping[str, Known] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str, name: str = "the baseline") -> Baseline:
        """The content of a file called ``name``.

        Raises :class:`TapError` where it is none, or one of a newer version.
        """
        try:
            content = json.loads(text.removeprefix("\ufeff"))
        except (ValueError, RecursionError) as error:
            raise TapError(f"{name} is not JSON: {error}") from None
        version = content.get("version") if isinstance(content, dict) else None
        if type(version) is not int or version < 1:
            raise TapError(f"{name} is not an mcp-tap baseline: it has no version")
        if version > BASELINE_VERSION:
            raise TapError(
                f"{name} has baseline version {version}, but this mcp-tap reads only up to "
                f"{BASELINE_VERSION}: upgrade mcp-tap-recorder, or recreate the file with --write-baseline"
            )
        servers = content.get("servers")
        if not isinstance(servers, dict):
            raise TapError(f"{name} is not an mcp-tap baseline: servers is not an object")
        return cls({key: known_from(value, f"{name}: server {key!r}") for key, value in servers.items()})

    def accepts(self, server_key: str, finding: Finding) -> bool:
        """Whether ``finding`` is known, and no worse than it was."""
        known = self.servers.get(server_key)
        accepted = None if known is None else known.findings.get((finding.rule, finding.key))
        return accepted is not None and SEVERITIES.index(finding.severity) >= SEVERITIES.index(accepted[0])

    def tools(self, server_key: str) -> Mapping[str, str] | None:
        """The hashes of a server's tools by name; None where they are not known."""
        known = self.servers.get(server_key)
        return None if known is None else known.tools


def known_from(value: Any, where: str) -> Known:
    """One server's part of a file. Raises :class:`TapError`."""
    part: dict[str, Any] = value if isinstance(value, dict) else {"findings": None}
    findings, tools = part.get("findings", []), part.get("tools")
    if not isinstance(findings, list) or not isinstance(tools, (dict, NoneType)):
        raise TapError(f"{where} is not an object with findings (a list) and tools (an object)")
    accepted: dict[tuple[str, str], tuple[Severity, str]] = {}
    for each in findings:
        if not isinstance(each, dict) or not isinstance(each.get("rule"), str):
            raise TapError(f"{where} has a finding without a rule")
        severity = next((known for known in SEVERITIES if known == each.get("severity")), None)
        if severity is None:
            raise TapError(f"{where}: the severity of {each['rule']} is not one of {', '.join(SEVERITIES)}")
        accepted[each["rule"], str(each.get("key", ""))] = (severity, str(each.get("message", "")))
    for name, hashed in (tools or {}).items():
        if not isinstance(hashed, str):
            raise TapError(f"{where}: the hash of tool {name!r} is not a string")
    return Known(accepted, tools)


@dataclass(frozen=True, slots=True)
class Examined:
    """What a session adds to a baseline. ``tools`` are hashes, None where no whole list was seen."""

    server_key: str
    findings: tuple[Finding, ...]
    tools: Mapping[str, str] | None


def listed_hashes(tools: Listing) -> dict[str, str] | None:
    """The hashes of the tools as they were listed last; None where no whole list was seen."""
    if tools.complete:
        return hashes_of(tools.items)
    return hashes_of(tools.before) if tools.before else None


def write_baseline(sessions: Iterable[Examined], before: Baseline | None = None) -> str:
    """The text of a file that accepts what was found in ``sessions``, and knows their tools.

    Of the servers in ``sessions`` nothing else is kept from ``before``, except tools that were not
    listed this time; what is known of other servers stays as it is.
    """
    servers = dict(before.servers) if before is not None else {}
    fresh: dict[str, Known] = {}
    for each in sessions:
        known = fresh.get(each.server_key, Known())
        findings = dict(known.findings)
        for finding in each.findings:
            at = (finding.rule, finding.key)
            if at not in findings or worse(finding.severity, findings[at][0]):
                findings[at] = (finding.severity, comment(finding.message))
        tools = known.tools if each.tools is None else {**(known.tools or {}), **each.tools}
        fresh[each.server_key] = Known(findings, tools)
    for key, known in fresh.items():
        old = servers.get(key, Known())
        servers[key] = Known(known.findings, old.tools if known.tools is None else known.tools)
    return text_of(servers)


def worse(one: Severity, other: Severity) -> bool:
    """Whether ``one`` is the worse severity."""
    return SEVERITIES.index(one) < SEVERITIES.index(other)


def comment(message: str) -> str:
    """A message as it may stand in a file that is committed: short, on one line, without secrets."""
    return mask_argv([masked(" ".join(message.split()))])[0][:MESSAGE_KEPT]


def text_of(servers: Mapping[str, Known]) -> str:
    """The file's text: sorted, indented, a line a value."""
    content = {
        "version": BASELINE_VERSION,
        "servers": {
            key: {
                "findings": [
                    {"rule": rule, "key": at, "severity": severity, "message": message}
                    for (rule, at), (severity, message) in sorted(known.findings.items())
                ],
                **({} if known.tools is None else {"tools": dict(sorted(known.tools.items()))}),
            }
            for key, known in sorted(servers.items())
        },
    }
    # Escapes for what is not ASCII: names from the wire may hold anything, half of a surrogate pair too.
    return json.dumps(content, indent=2, ensure_ascii=True) + "\n"


# What of a command line differs between runs, machines and updates of one server.
_ABSOLUTE = lazy(r"(?:[A-Za-z]:)?[\\/](?:.*[\\/])?([^\\/]*)$", re.DOTALL)
_TEMPORARY = lazy(r"^(?:/private)?/(?:tmp|var/(?:tmp|folders))/|[\\/]AppData[\\/]Local[\\/]Temp[\\/]")
_VERSION = lazy(r"(?<=[\w.-])(?:@|==)(?:v?\d[\w.+-]*|latest|next)$")
_EXECUTABLE = lazy(r"\.(?:exe|cmd|bat|ps1)$", re.IGNORECASE)


def server_key(session: Session) -> str:
    """By what a server is known again in another session: its name, and a hash of its command line.

    The name is the one it gives itself, ``-`` where it never came to that. Of the command line each
    word counts with secrets masked, whatever the tap that recorded it took for one; but of an absolute
    path only the last name (it is another on the next machine), of a path to a temporary place nothing,
    and of a package no version: an update is when its tools change. Without a ``start`` record there is no
    hash.
    """
    argv = session.start.get("argv")
    name = " ".join((session.server.name or "-").split())[:80]
    if not isinstance(argv, list) or not argv:
        return name
    words = [settled(word) for word in mask_argv([str(word) for word in argv])]
    words[0] = _EXECUTABLE.sub("", words[0])
    text = "\0".join(words).encode(errors="surrogatepass")
    return f"{name}@{hashlib.sha256(text).hexdigest()[:12]}"


def settled(word: str) -> str:
    """A word of a command line without what differs from run to run."""
    option, joint, value = word.partition("=") if word.startswith("-") else ("", "", word)
    if _TEMPORARY.search(value):
        value = "[temporary]"
    elif absolute := _ABSOLUTE.match(value):
        value = absolute[1]
    return option + joint + _VERSION.sub("", value)


def hashes_of(tools: Mapping[str, dict[str, Any]]) -> dict[str, str]:
    """The hash of each tool by its name; without those that cannot be hashed."""
    found = {name: tool_hash(tool) for name, tool in tools.items()}
    return {name: hashed for name, hashed in found.items() if hashed is not None}


def tool_hash(tool: Mapping[str, Any]) -> str | None:
    """SHA-256 of what decides what ``tool`` is taken for; None where it is nested too deep to be written."""
    try:
        text = json.dumps(
            definition(tool), sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=True
        )
    except (RecursionError, ValueError):
        return None
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def definition(tool: Mapping[str, Any]) -> dict[str, Any]:
    """What decides what ``tool`` is taken for, with ``required`` in order: it is a set."""
    return {key: in_order(tool[key]) for key in DEFINES if key in tool}


def in_order(value: Any) -> Any:
    """``value`` with each ``required`` sorted: some servers list it in the order of a hash table."""
    if isinstance(value, dict):
        return {
            key: sorted(child) if key == "required" and is_names(child) else in_order(child)
            for key, child in value.items()
        }
    return [in_order(child) for child in value] if isinstance(value, list) else value


def is_names(value: Any) -> bool:
    """Whether ``value`` is a list of strings."""
    return isinstance(value, list) and all(isinstance(each, str) for each in value)
