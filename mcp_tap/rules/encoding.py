"""FRM009-013, 019: lines that are in the wrong encoding, or not strictly JSON (RFC 8259, 3629)."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Hashable

from mcp_tap.model.message import Side
from mcp_tap.record.reader import Record
from mcp_tap.rules.case import Case, Seen, quoted
from mcp_tap.rules.facts.codepages import SAMPLE, encoded_twice, guess, is_cut_utf_8, may_be_encoded_twice
from mcp_tap.rules.facts.kinds import HALF_PAIR, LOOKED_AT
from mcp_tap.rules.facts.strays import Stray, StrayRule
from mcp_tap.rules.finding import Finding, Hit
from mcp_tap.rules.rule import Rule, excerpt

TRANSPORTS = "2025-11-25/basic/transports"

UTF_8 = "write UTF-8: PYTHONUTF8=1 or PYTHONIOENCODING=utf-8 for Python, chcp 65001 in a Windows console"

CONSTANT = re.compile(r'"([^"\\]{1,60})"\s*:\s*(?:\[\s*)?(-?(?:NaN|Infinity))\b')
"""A member that is no number of JSON."""

BARE_CONSTANT = re.compile(r"[\[,:]\s*(-?(?:NaN|Infinity))\b")

AWAITED = 1000
"""Requests that are no JSON whose answers are awaited."""

TWICE_HITS = 3
"""Places that look encoded twice from which on it is reported; fewer may be chance."""


class NotUtf8(StrayRule):
    """A line that is not UTF-8.

    What it means: the bytes of a line are in another encoding: the code page of the system, where the
    program has not chosen UTF-8.

    Why it matters: the message is lost, or its text is garbled. The client of the Python SDK reads
    nothing more after such a line; the TypeScript SDK puts U+FFFD. ASCII works, so it shows
    only with some data.

    Fails:
        → 1 tools/call {"name":"read"}
        ←| {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"\\xd6\\xd0\\xce\\xc4"}]}}

    Passes:
        → 1 tools/call {"name":"read"}
        ← 1 result {"content":[{"type":"text","text":"中文 Ü"}]}

    What to do: set PYTHONUTF8=1 or PYTHONIOENCODING=utf-8 for a server in Python; chcp 65001 in a Windows
    console; an explicit UTF-8 writer in Java and .NET.
    """

    id = "FRM009"
    title = "not UTF-8"
    severity = "error"
    culprit = "sender"
    next = UTF_8
    spec = TRANSPORTS
    kinds = frozenset({"not-utf-8"})

    def stray(self, stray: Stray) -> None:
        what = f", {stray.what}," if stray.exchange or (stray.message and stray.message.method) else ""
        told = f"line {stray.number} of {stray.stream}{what} is not UTF-8"
        if is_cut_utf_8(stray.line):
            self.note(
                stray,
                f"{told}: a character is cut in its middle",
                key=f"{stray.side} cut",
                next="cut strings between characters, not between bytes",
            )
            return
        found = guess(stray.line)
        page = "" if found is None else f"; the bytes decode as {found[0]}: {quoted(excerpt(found[1]))}"
        self.note(stray, told + page)


class ByteOrderMark(StrayRule):
    """A byte order mark, or UTF-16.

    What it means: a stream begins with the bytes EF BB BF, or is in UTF-16 altogether.

    Why it matters: what begins with the mark is no JSON, so the first message is lost; of UTF-16 no
    message is read.

    Fails, from the start:
        →| \\xef\\xbb\\xbf{"jsonrpc":"2.0","id":0,"method":"initialize"}

    Passes:
        → 1 tools/call {"name":"read"}
        ← 1 result {"content":[{"type":"text","text":"\\ufeffname;value"}]}

    What to do: write UTF-8 without a byte order mark. A PowerShell redirection (>) is the usual cause;
    in .NET, new UTF8Encoding(false).
    """

    id = "FRM010"
    title = "byte order mark or UTF-16"
    severity = "error"
    culprit = "sender"
    next = (
        "write UTF-8 without a byte order mark; look for a PowerShell redirection, or new UTF8Encoding(false)"
    )
    spec = TRANSPORTS
    kinds = frozenset({"byte-order-mark", "utf-16"})

    def stray(self, stray: Stray) -> None:
        where = "stdout" if stray.side == "s2c" else "the server's stdin"
        if stray.kind == "utf-16":
            self.note(stray, f"{stray.culprit} wrote UTF-16 to {where}", key=f"{stray.side} utf-16")
            return
        self.note(stray, f"{stray.culprit} put a byte order mark before {stray.what}, so that it is no JSON")

    def sentence(self, hit: Hit) -> str:
        return super().sentence(hit) if hit.key in ("c2s", "s2c") else hit.message


class NotANumber(StrayRule):
    """NaN or Infinity in a message.

    What it means: a number was written that JSON does not have.

    Why it matters: JavaScript clients drop the whole message, and wait for it until they time out;
    those in Python read it.

    Fails:
        → 4 tools/call {"name":"mean"}
        ← {"jsonrpc":"2.0","id":4,"result":{"content":[],"structuredContent":{"mean":NaN}}}

    Passes:
        → 4 tools/call {"name":"mean"}
        ← 4 result {"content":[{"type":"text","text":"NaN"}],"structuredContent":{"mean":null}}

    What to do: write null, or a string. In Python json.dumps(…, allow_nan=False) shows the place.
    """

    id = "FRM011"
    title = "NaN or Infinity"
    severity = "error"
    culprit = "sender"
    next = "write null or a string instead; json.dumps(…, allow_nan=False) shows the place"
    kinds = frozenset({"constant"})

    def stray(self, stray: Stray) -> None:
        member = CONSTANT.search(stray.text)
        bare = BARE_CONSTANT.search(stray.text)
        name = member[2] if member else bare[1] if bare else "NaN or Infinity"
        place = f" in `{quoted(member[1])[1:-1]}`" if member else ""
        peers = "clients" if stray.side == "s2c" else "servers"
        self.note(
            stray,
            f"{stray.what} of the {stray.culprit} is not strict JSON ({name}{place}); "
            f"JavaScript {peers} drop it",
            key=stray.key,
        )


class HalfAPair(StrayRule):
    """Half of a surrogate pair in a string.

    What it means: an escape such as \\\\ud83d stands alone: a text was cut in the middle of an emoji by
    UTF-16 units.

    Why it matters: it is no character, and cannot be written as UTF-8. The Python SDK drops the whole
    message without a word; the TypeScript SDK takes it.

    Fails:
        → {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"w","arguments":{"s":"\\ud83d"}}}

    Passes:
        → {"jsonrpc":"2.0","id":6,"method":"tools/call",
            "params":{"name":"w","arguments":{"s":"\\ud83d\\ude00"}}}
        ← 6 result {"content":[]}

    What to do: cut texts between characters (code points), not between UTF-16 units.
    """

    id = "FRM013"
    title = "half of a surrogate pair"
    severity = "warning"
    culprit = "sender"
    next = "cut texts between characters (code points), not between UTF-16 units"
    kinds = frozenset({"surrogate"})

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._awaited: OrderedDict[tuple[Side, Hashable], Hit] = OrderedDict()

    def stray(self, stray: Stray) -> None:
        hit = self.note(stray, f"{stray.what} contains half of a UTF-16 pair{which(stray)}", key=stray.key)
        meant = stray.message
        if meant is not None and meant.kind == "request" and len(self._awaited) < AWAITED:
            self._awaited[(stray.side, meant.key)] = hit

    def astray(self, seen: Seen) -> None:
        super().astray(seen)
        asker: Side = "s2c" if seen.side == "c2s" else "c2s"
        self._awaited.pop((asker, seen.message.key), None)

    def finding(self, hit: Hit) -> Finding:
        case = self.case
        lost = sum(each is hit for each in self._awaited.values())
        tail = "; strict UTF-8 decoders reject it"
        if lost and case.whole and case.over:
            tail = f" and got no answer{tail}" if hit.count == 1 else f"; {lost} got no answer{tail}"
        message, hit.message = hit.message, hit.message + tail
        found = super().finding(hit)
        hit.message = message
        return found


class EncodedTwice(Rule):
    """Text that looks encoded twice.

    What it means: text has `Ã©` where `é` is meant: UTF-8 was read as cp1252 somewhere, and encoded again.
    What the file or the web page holds may look so, too: this is a guess, made only where there are several.

    Why it matters: the session works, the model and the user read garbled text.

    Fails:
        → 1 tools/call {"name":"read"}
        ← 1 result {"content":[{"type":"text","text":"cafÃ© crÃ¨me, dÃ©jÃ\xa0 vu"}]}

    Passes:
        → 1 tools/call {"name":"read"}
        ← 1 result {"content":[{"type":"text","text":"Ã É À: café crème, déjà vu"}]}

    What to do: find who reads UTF-8 as the system's code page: open(…, encoding="utf-8"), PYTHONUTF8=1.
    """

    id = "FRM019"
    title = "text that looks double-encoded"
    severity = "warning"
    culprit = "undecided"
    next = 'find who reads UTF-8 in the system\'s code page: open(…, encoding="utf-8"), or PYTHONUTF8=1'
    certainty = "heuristic"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._found: dict[str, tuple[set[str], list[int]]] = {"c2s": (set(), []), "s2c": (set(), [])}

    def line(self, record: Record) -> None:
        payload = record.payload
        if not record.is_message or not may_be_encoded_twice(payload):
            return
        found = encoded_twice(payload[:SAMPLE].decode(errors="ignore"))
        if found:
            self._gather(record, found)

    def _gather(self, record: Record, found: list[str]) -> None:
        """Count what this side was the first to say; the other may repeat it."""
        said, records = self._found[record.dir]
        theirs = self._found["c2s" if record.dir == "s2c" else "s2c"][0]
        own = [each for each in found if each not in theirs]
        if not own:
            return
        said.update(own[: AWAITED - len(said)])
        records.append(record.seq)
        if len(said) < TWICE_HITS:
            del records[TWICE_HITS:]
            return
        who = "server" if record.dir == "s2c" else "client"
        sample = ", ".join(quoted(each) for each in sorted(said)[:TWICE_HITS])
        self.hit(records[:], f"text of the {who} looks double-encoded ({sample})", key=record.dir)
        records.clear()


def which(stray: Stray) -> str:
    """The half, as it stands in the line."""
    told = re.search(r" \(\\u\w+\)$", stray.seen.message.why or "")
    if told is not None:
        return told[0]
    raw = HALF_PAIR.search(stray.line[:LOOKED_AT])
    return "" if raw is None else f" (bytes {raw[0].hex(' ').upper()})"


RULES: tuple[type[Rule], ...] = (NotUtf8, ByteOrderMark, NotANumber, HalfAPair, EncodedTwice)
