"""PRO002: the server died while it started."""

from __future__ import annotations

import re

from mcp_tap.diagnosis.context import InvalidLine, SessionContext
from mcp_tap.diagnosis.finding import Culprit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.life import CRASHES, KILLED_NEXT, how_ended, launcher, path_given, words_of
from mcp_tap.diagnosis.pending import is_all_on_file
from mcp_tap.diagnosis.recognise.complaints import LINE_EXAMINED, MISSING_PROGRAM, Reason, Told, brief
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import seconds
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.process._base import GREETINGS, add_evidence, last_words


class DiedAtStart(Rule):
    """The server died while it started.

    What it means: the process ended, or closed its stdout, before it said anything that is a
    message, and the client had not asked it to end. Why it did is usually the last thing on stderr,
    which many clients do not show.

    Why it matters: the client shows "Connection closed" (-32000) or "failed to connect", and no
    reason.

    Fails, from the start:
        → 0 initialize …
        0.4 2> KeyError: 'DEMO_TOKEN'
        0.4 ·· eof stream=s2c
        0.4 ·· exit code=1 first=server-exit

    Passes, from the start:
        → 0 initialize …
        2> KeyError: 'DEMO_TOKEN'
        ← 0 result …
        → notifications/initialized

    What to do: read the last lines of stderr. Exit code 127 or 126: a program that the command
    needs is not on the PATH that the client gives. Set what the server needs in the `env` of its
    entry in the client's configuration: clients do not pass on the variables of your shell.
    """

    id = "PRO002"
    title = "the server died while it started"
    severity = "error"
    culprit = "server"
    needs_whole = True
    next = "run the same command in a terminal and see what it says; the client's environment is smaller"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.printed: str | None = None
        """What the server last printed to stdout that is no message."""

    @sees(sides="s2c")
    def invalid_line(self, line: InvalidLine) -> None:
        self.printed = line.record.payload[:LINE_EXAMINED].decode(errors="replace")

    def end(self) -> None:
        context = self.context
        session, life = context.session, context.life
        if not is_all_on_file(context) or session.messages["s2c"] or not life.unasked(session.ending):
            return
        why = last_words(context)
        told = why.told if why is not None else None
        greeting = next((each for each in session.unanswered() if each.method in GREETINGS), None)
        hit = self.hit(
            ([greeting.seq] if greeting else []) + ([life.exit.seq] if life.exit else []),
            f"server {how_ended(session.ending)} after {seconds(life.lived)}, {before(greeting)}"
            f"{self._because(why)}",
            key=told.complaint.name if told is not None else how_ended(session.ending),
            next=self._what_next(told),
            culprit=self._who(told),
            explains=None,
        )
        add_evidence(hit, context)

    def _because(self, why: Reason | None) -> str:
        """What is known of the reason, as the end of the sentence."""
        path = path_given(self.context.session.start)
        given = "" if path is None else f"; PATH given by the client is {path}"
        if why is not None and is_missing_program(why.told):
            return f"; stderr says that {why.told.title if why.told else ''}{given}"
        said = f"; {why.quoted}" if why is not None else "; nothing on stderr"
        if why is None and self.printed is not None and self.printed.strip():
            said = f"; last line on stdout: {brief(self.printed)}"
        if self.context.session.ending.code in NOT_RUN:
            return f"{said}{given}"
        return said

    def _who(self, told: Told | None) -> Culprit:
        ending = self.context.session.ending
        if ending.code in NOT_RUN:
            return "environment"
        if told is None and ending.signal is not None and ending.signal not in CRASHES:
            return "undecided"  # a signal that anybody may have sent
        return told.complaint.culprit if told is not None else "server"

    def _what_next(self, told: Told | None) -> str | None:
        start, code = self.context.session.start, self.context.session.ending.code
        if told is not None:
            return told.next
        if code in NOT_RUN:
            return NOT_RUN[code]
        if self.context.session.ending.signal == "SIGKILL":
            return KILLED_NEXT
        words = words_of(start)
        if launcher(start) in ("docker", "podman") and "run" in words and not keeps_stdin(words):
            return "add -i to docker run: without it the server's stdin is closed from the start"
        return None


NOT_RUN = {
    127: "exit code 127 says that a command was not found: give absolute paths, or set PATH in `env`",
    126: "exit code 126 says that a file cannot be executed: check its mode and its first line",
}
"""What shells, env and npx answer where a program could not be run."""


def is_missing_program(told: Told | None) -> bool:
    """Whether stderr says that a program is missing."""
    return told is not None and told.complaint.name == MISSING_PROGRAM and told.what is not None


def before(greeting: Exchange | None) -> str:
    """What the server did not come to do."""
    return f"before answering {greeting.method}" if greeting is not None else "before its first message"


def keeps_stdin(words: list[str]) -> bool:
    """Whether ``docker run`` is told to leave stdin open."""
    return any(
        word.startswith("--interactive") or (re.match(r"-[a-zA-Z]*i", word) is not None) for word in words
    )
