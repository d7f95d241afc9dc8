"""The examples of help pages: how they are written down, and the sessions they stand for."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import orjson

from mcp_tap.wire.lines import Line, Segment
from tests.diagnosis.checking import begun, closed
from tests.record_cases import ENVELOPE, Tape, request, result

HEALTHY_IDS = 700_000
"""Ids that no example uses."""


@dataclass(slots=True)
class Example:
    """An example of a help page: the session it stands for, and what is to be found in it."""

    kind: Literal["Fails", "Passes"]
    from_the_start: bool = False
    version: str = "2025-11-25"
    client: dict[str, Any] = field(default_factory=dict)
    server: dict[str, Any] | None = None
    listed: list[dict[str, Any]] | None = None
    baseline: dict[str, str] | None = None
    also: tuple[str, ...] = ()
    lines: list[str] = field(default_factory=list)
    calls: int = 0
    """Healthy calls between the handshake and what the example shows."""

    def behind_calls(self, calls: int) -> Tape:
        """The one session, in which so many healthy calls come first."""
        return replace(self, calls=calls).tape()

    def tapes(self) -> list[tuple[float, Tape]]:
        """The sessions: ``══ after 5 s`` begins another of the same command, so long after the first."""
        parts: list[tuple[float, list[str]]] = [(0.0, [])]
        for line in self.lines:
            another = ANOTHER.match(line)
            if another:
                parts.append((float(another[1]), []))
            else:
                parts[-1][1].append(line)
        return [(after, replace(self, lines=lines).tape()) for after, lines in parts]

    def tape(self) -> Tape:
        """The one session."""
        tape = (
            Tape().start()
            if self.from_the_start or self.modern
            else begun(self.version, self.client, self.server)
        )
        tape.known_tools = self.baseline
        t = 0.2
        for id in range(HEALTHY_IDS, HEALTHY_IDS + self.calls):
            envelope = {"_meta": ENVELOPE} if self.modern else {}
            complete = {"resultType": "complete"} if self.modern else {}
            tape.client(request(id, "tools/call", name="healthy", arguments={}, **envelope), t)
            tape.server(result(id, content=[{"type": "text", "text": "well"}], **complete), t)
        if self.listed is not None:
            asked = request(1, "tools/list", **({"_meta": ENVELOPE} if self.modern else {}))
            more = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"} if self.modern else {}
            tape.client(asked, 0.3).server(result(1, tools=self.listed, **more), 0.31)
            t = 0.31
        ended = False
        for line in self.lines:
            t, ended = self._play(tape, line, t), ended or line == "..."
        last = self.lines[-1].split() if self.lines else []
        if not ended and "exit" not in last[:3]:
            closed(tape, t + 1)
        return tape

    @property
    def modern(self) -> bool:
        return self.version == "2026-07-28"

    def _play(self, tape: Tape, line: str, t: float) -> float:
        if line == "...":
            return t
        found = re.match(r"(?:(\d+(?:\.\d+)?) +)?(→|←|2>|··)(\|?) ?(.*)$", line)
        assert found, f"no line of an example: {line}"
        t = float(found[1]) if found[1] else round(t + 0.01, 6)
        arrow, rest = found[2], found[4]
        rest = MANY.sub(
            lambda many: ",".join(many[1].replace("#", str(n)) for n in range(int(many[2]))), rest
        )
        rest = re.sub(r"(\w) × ([\d,]+)", lambda many: many[1] * int(many[2].replace(",", "")), rest)
        rest = re.sub(r"<([\d,]+) characters>", lambda size: "x" * int(size[1].replace(",", "")), rest)
        if arrow == "··":
            event, *pairs = shlex.split(rest)
            fields = {key: scalar(value) for key, _, value in (pair.partition("=") for pair in pairs)}
            if event == "exit":
                tape.exit(
                    t, str(fields["first"]), fields.get("code"), fields.get("signal"), fields.get("left", 0)
                )
            elif event == "lost":  # records that the file does not have
                tape.seq += int(fields["records"])
            else:
                tape.event(event, t, **fields)
        elif arrow == "2>":
            tape.stderr(rest, t)
        else:
            raw: Line | None = None
            if found[3]:
                text = rest.removesuffix("\\c").encode().decode("unicode_escape").encode("latin-1")
                # As echo has it: no newline, since the stream ends here.
                raw = Segment((text,)) if rest.endswith("\\c") else text
            if raw is None:
                raw = rest.encode() if rest[:1] in "{[" else orjson.dumps(self._message(rest))
            tape.line("c2s" if arrow == "→" else "s2c", raw, t)
        return t

    def _message(self, text: str) -> dict[str, Any]:
        """A message in the notation of ``mcp-tap show``."""
        if re.match(r'[-\d"]|null\b|true\b|false\b', text):
            id, end = json.JSONDecoder().raw_decode(text)
            verb, _, rest = text[end:].strip().partition(" ")
            if rest == "…":  # what a handshake usually says
                usual = begun(self.version, self.client, self.server)
                sent = [record.value for record in usual.records() if record.is_message]
                return {**sent[0 if verb == "initialize" else 1], "id": id}
            if verb == "result":
                return {"jsonrpc": "2.0", "id": id, "result": json.loads(rest or "{}")}
            if verb == "error":
                code, _, rest = rest.strip().partition(" ")
                words, end = json.JSONDecoder().raw_decode(rest.strip())
                data = rest.strip()[end:].strip()
                error = {"code": int(code), "message": words} | ({"data": json.loads(data)} if data else {})
                return {"jsonrpc": "2.0", "id": id, "error": error}
            asked: dict[str, Any] = {"jsonrpc": "2.0", "id": id, "method": verb}
            params = json.loads(rest) if rest else {}
            if self.modern and "_meta" not in params:
                params["_meta"] = ENVELOPE
            return asked | ({"params": params} if params else {})
        verb, _, rest = text.partition(" ")
        return {"jsonrpc": "2.0", "method": verb} | ({"params": json.loads(rest)} if rest else {})


def scalar(text: str) -> Any:
    """A number, true, false or null as such, anything else as a string."""
    try:
        return json.loads(text)
    except ValueError:
        return text


STARTS = re.compile(r"(?:[\d.]+ +)?(?:→|←|2>|··)|\.\.\.$|══")

MANY = re.compile(r"(\{[^{}]*\{[^{}]*\}\}) × (\d+)")
"""So many objects; ``#`` is the number of each."""

ANOTHER = re.compile(r"══ after ([\d.]+) s$")

HEADER = re.compile(r"(Fails|Passes)\b(.*?)(?: \(and ([A-Z0-9, ]+)\))?:$")


def examples_of(page: str) -> list[Example]:
    """The examples of a help page, in order."""
    found: list[Example] = []
    open_one: Example | None = None
    for line in page.splitlines():
        header = HEADER.match(line)
        if header:
            open_one = read_header(header)
            found.append(open_one)
        elif line.startswith("    ") and open_one is not None:
            if STARTS.match(line.strip()):
                open_one.lines.append(line.strip())
            else:  # goes on with the line above
                open_one.lines[-1] += line.strip()
        elif line.strip():
            open_one = None
    return found


def read_header(header: re.Match[str]) -> Example:
    """``Fails, 2025-06-18, server {"tools":{}} (and RPC026):`` and the like."""
    also = tuple(name.strip() for name in (header[3] or "").split(",") if name.strip())
    example = Example("Fails" if header[1] == "Fails" else "Passes", also=also)
    rest = header[2].strip(", ")
    while rest:
        if rest.startswith("from the start"):
            example.from_the_start, rest = True, rest.removeprefix("from the start")
        elif version := re.match(r"\d{4}-\d\d-\d\d", rest):
            example.version, rest = version[0], rest[version.end() :]
        else:
            word = re.match(r"(server|client|listed|baseline) ", rest)
            assert word, f"no option of an example: {rest}"
            value, end = json.JSONDecoder().raw_decode(rest, word.end())
            setattr(example, word[1], value)
            rest = rest[end:]
        rest = rest.strip(", ")
    return example
