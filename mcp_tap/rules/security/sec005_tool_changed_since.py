"""SEC005: tool changed since the baseline."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_tap.diagnosis.baseline import server_key, tool_hash
from mcp_tap.diagnosis.context import Answer, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.listing import ITEMS_KEPT
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural, quoted


class ToolChangedSince(Rule):
    """A tool changed its definition since the baseline.

    What it means: a tool has another title, description, schema or other annotations than the one of
    the same name that the baseline knows, of the same server. Tools that the baseline does not know
    are told in one finding, as information.

    Why it matters: what was read and approved is not what the model is shown now. After an update that
    is to be expected; without one it is not.

    Fails, baseline {"add":"sha256:0000"}:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"add","description":"Adds.","inputSchema":{"type":"object"}}]}

    Passes, baseline {"add":"sha256:721f6e658ca53e1b1b89cd7e9d2d73559454103c810d0fa15abf7dc2b3b7fc7f"}:
        → 1 tools/list
        ← 1 result {"tools":[{"inputSchema":{"type":"object"},"name":"add","description":"Adds."}]}

    What to do: read the new definition (`mcp-tap show` prints it). If it is as it should be, accept it
    with `--write-baseline`.
    """

    id = "SEC005"
    title = "tool changed since the baseline"
    severity = "warning"
    culprit = "server"
    methods = frozenset({"tools/list"})
    next = "read the new definition, and accept it with --write-baseline if it is as it should be"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._first: dict[str, tuple[str | None, int]] = {}
        """Tools as first listed: what becomes of them later in the session is SEC004's."""
        self._compared = False
        self._new: list[str] = []
        """The first tools that the baseline does not know."""

    @sees(sides="s2c")
    def answer(self, answer: Answer) -> None:
        listing = self.context.listings.tools
        if self.context.baseline is None or not listing.complete:
            return
        known = self._known
        for name, tool in listing.items.items():
            if name not in self._first and len(self._first) < ITEMS_KEPT:
                self._first[name] = (tool_hash(tool), answer.seq)
                if known is not None:
                    self._compared = True
                    self._compare(known, name)

    def end(self) -> None:
        """A server without a handshake may say its name after its tools only."""
        known = self._known
        if known is not None and not self._compared:
            for name in self._first:
                self._compare(known, name)

    @property
    def _known(self) -> Mapping[str, str] | None:
        baseline = self.context.baseline
        return None if baseline is None else baseline.tools(server_key(self.context.session))

    def _compare(self, known: Mapping[str, str], name: str) -> None:
        hashed, seq = self._first[name]
        if hashed is None or known.get(name) == hashed:
            return
        if name in known:
            self.hit(seq, f"tool {quoted(name)} is not defined as it was in the baseline", key=name)
            return
        self.hit(
            seq,
            "",
            key="",
            severity="info",
            next="read what the new tools do; accept them with --write-baseline",
        )
        if len(self._new) < 3:
            self._new.append(quoted(name))

    def sentence(self, hit: Hit) -> str:
        new = self._new
        if hit.key != "" or not new:
            return hit.message
        more = f" and {hit.count - len(new):,} more" if hit.count > len(new) else ""
        return f"{plural(hit.count, 'tool')} not in the baseline: {', '.join(new)}{more}"
