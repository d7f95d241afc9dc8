"""PRV010: placeholder that nobody replaced."""

from __future__ import annotations

from functools import partial

from mcp_tap.diagnosis.content import blocks_in
from mcp_tap.diagnosis.context import Answer, Request, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.life import words_of
from mcp_tap.diagnosis.pending import explain
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import key_of, shown_id, some, ticked
from mcp_tap.record.reader import Record
from mcp_tap.rules.providers._placeholders import COMPLAINS, IN_WORDS, in_argv, in_call, in_prompt

LINE_LOOKED_AT = 4_000
"""Bytes of a line of stderr, characters of a text."""

HEARD_KEPT = 100
"""Complaints of the server that name a placeholder."""

NEXT_IN_CALL = (
    "the client has to replace the placeholder before it sends the request: give it the value itself"
)


def may_have_placeholder(line: bytes) -> bool:
    """Whether a line has what placeholders begin with."""
    return b"$" in line or b"{{" in line or b"%" in line


class Placeholder(Rule):
    """A placeholder that nobody replaced.

    What it means: text like ``${input:token}``, ``${workspaceFolder}``, ``${API_URL}`` or ``$1``, which
    a client is to replace by a value, reached the server as it stands: in its command line, in the
    arguments of a tool or a prompt, or in what the server complains about (then it was in a variable
    of its environment). Command lines of shells, and arguments that are meant as text (a pattern, a
    script, the content of a file), are not looked at.

    Why it matters: the server takes the placeholder for the value: a folder of that name does not
    exist, an account of that name is refused. It is an error where the server died of it.

    Fails:
        → 5 prompts/get {"name":"quick_wins","arguments":{"site":"$1","limit":"$2"}}
        ← 5 result {"messages":[{"role":"user","content":{"type":"text","text":"Look at $1"}}]}

    Fails:
        → 5 tools/call {"name":"index","arguments":{"folder":"${workspaceFolder}/src"}}
        ← 5 result {"content":[{"type":"text","text":"no such folder"}],"isError":true}

    Fails:
        2> Error: organisation '${input:org}' not found

    Passes:
        → 5 tools/call {"name":"replace","arguments":{"pattern":"(a+)","replacement":"${A}"}}
        ← 5 result {"content":[{"type":"text","text":"3 replaced"}]}

    What to do: write the value itself into the client's configuration, or the placeholder in a form that
    this client expands: each knows its own (``${input:x}`` and ``${env:X}`` in VS Code, ``${X}`` in
    Claude Code), and not in every place.
    """

    id = "PRV010"
    title = "placeholder that nobody replaced"
    severity = "warning"
    culprit = "client"
    certainty = "heuristic"
    next = "write the value in place of the placeholder, or use a form that this client expands"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._words: list[str] | None = None
        self._heard: dict[int, str] = {}
        """By record, what the server has said that names a placeholder."""

    @sees(sides="c2s", methods=("tools/call", "prompts/get"), cue=may_have_placeholder)
    def request(self, request: Request) -> None:
        exchange, arguments = request.exchange, request.params.get("arguments")
        if not isinstance(arguments, dict):
            return
        of_tool = exchange.method == "tools/call"
        name = exchange.target or ""
        found = dict(
            in_call(name, arguments) if of_tool else in_prompt(arguments, self._number(name, arguments))
        )
        if not found:
            return
        what, be = ("argument", "is") if len(found) == 1 else ("arguments", "are")
        called = f"{'' if of_tool else 'prompt '}{ticked(name)} (id {shown_id(exchange.id)})"
        hit = self.hit(
            request,
            f"{what} {some(found)} of {called} {be} {some(found.values())}: "
            "the client did not expand the placeholder",
            key=key_of(name, next(iter(found))),
            next=NEXT_IN_CALL,
        )
        self.await_answer(exchange, partial(refused, hit))

    def _number(self, name: str, arguments: dict[str, object]) -> int:
        """How many arguments a prompt has, as far as that is known."""
        listed = self.context.listings.by_method["prompts/list"].items.get(name, {}).get("arguments")
        return max(len(arguments), len(listed) if isinstance(listed, list) else 0)

    @sees(sides="s2c", outcomes=("error", "tool-error"), cue=may_have_placeholder)
    def answer(self, answer: Answer) -> None:
        texts = [str(block["text"]) for block in blocks_in(answer) if isinstance(block.get("text"), str)]
        self._hear(answer.seq, " ".join([str(answer.error.get("message", "")), *texts]).strip())

    def stderr(self, record: Record) -> None:
        if may_have_placeholder(record.payload):
            text = record.payload[:LINE_LOOKED_AT].decode(errors="replace")
            if COMPLAINS.search(text):
                self._hear(record.seq, text)

    def _hear(self, number: int, text: str) -> None:
        text = text[:LINE_LOOKED_AT]
        words = [word for word in self._argv() if word in text] or IN_WORDS.findall(text)
        if words and len(self._heard) < HEARD_KEPT:
            self._heard[number] = text

    def _argv(self) -> list[str]:
        """The placeholders in the server's command line."""
        if self._words is None:
            start = self.context.session.start
            names = start.get("env")
            known = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
            self._words = in_argv(words_of(start), known)
        return self._words

    def end(self) -> None:
        if self.context.life.failed is not None:
            self._hear(self.context.life.failed.seq, str(self.context.life.failed.fields.get("error")))
        words, heard = self._argv(), dict(self._heard)
        for hit in self.hits.values():  # what the server says to a call with a placeholder
            heard = {number: text for number, text in heard.items() if number not in (hit.explains or ())}
        if not words and not heard:
            return
        if words:
            message = (
                f"the server's command line has {some(words)}: the client did not expand the placeholder"
            )
        else:
            quoted = dict.fromkeys(word for text in heard.values() for word in IN_WORDS.findall(text))
            message = (
                f"the server complains about {some(quoted)}: a placeholder that the client did not expand"
            )
        context, life = self.context, self.context.life
        died = life.exit is not None and bool(heard) and life.unasked(context.session.ending)
        failed = life.failed is not None and life.failed.seq in heard
        never = context.session.initialized_t is None and (failed or died or context.refused)
        hit = self.hit(
            [*([0] if words else []), *heard],
            message,
            key="command line" if words else "environment",
            evidence=next(iter(heard.values()), None),
            severity="error" if heard and never else None,
            certainty="proven" if heard and words else None,
            explains=heard,
        )
        if died and life.exit is not None:
            explain(hit, [life.exit.seq])


def refused(hit: Hit, answer: Answer) -> None:
    """A refusal follows from the placeholder."""
    if answer.exchange.outcome in ("error", "tool-error"):
        explain(hit, [answer.seq])
