"""PRO002: the server died at startup."""

from __future__ import annotations

from mcp_tap.diagnosis.circumstances import is_given, keeps_stdin, on_file, runs_container
from mcp_tap.diagnosis.context import InvalidLine, SessionContext
from mcp_tap.diagnosis.finding import Culprit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.life import CRASHES, KILLED_NEXT, how_ended, launcher, path_given, words_of
from mcp_tap.diagnosis.pending import is_all_on_file
from mcp_tap.diagnosis.recognise.complaints import LINE_EXAMINED, MISSING_PROGRAM, Match, brief
from mcp_tap.diagnosis.recognise.reasons import Reason
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import seconds
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.process._base import GREETINGS, add_evidence, last_words


class DiedAtStart(Rule):
    """The server died at startup.

    What it means: the process ended, or closed its stdout, before it sent any message, and the client
    had not asked it to stop. The reason is usually the last thing on stderr, which many clients do not
    show.

    Why it matters: the client shows "Connection closed" (-32000) or "failed to connect", without a
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

    What to do: read the last lines of stderr. Exit code 127 or 126 means that a program the command
    needs is not on the PATH given by the client. Set what the server needs in the `env` of its entry in
    the client's configuration: clients do not pass on the variables of your shell.
    """

    id = "PRO002"
    title = "the server died at startup"
    severity = "error"
    culprit = "server"
    needs_whole = True
    next = (
        "run the same command in a terminal and read its output; the client's environment has fewer variables"
    )

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
        match = why.match if why is not None else None
        greeting = next((each for each in session.unanswered() if each.method in GREETINGS), None)
        hit = self.hit(
            ([greeting.seq] if greeting else []) + ([life.exit.seq] if life.exit else []),
            f"server {how_ended(session.ending)} after {seconds(life.lived)}, {before(greeting)}"
            f"{self._because(why)}",
            key=match.complaint.name if match is not None else how_ended(session.ending),
            next=self._what_next(why),
            culprit=self._who(match),
            explains=None,
        )
        add_evidence(hit, context, why)

    def _because(self, why: Reason | None) -> str:
        """What is known of the reason, as the end of the sentence."""
        path = path_given(self.context.session.start)
        given = "" if path is None else f"; PATH given by the client is {path}"
        if why is not None and is_missing_program(why.match):
            return f"; stderr says {why.match.title if why.match else ''}{given}"
        said = f"; {why.quoted}" if why is not None else "; nothing on stderr"
        if why is None and self.printed is not None and self.printed.strip():
            said = f"; last line on stdout: {brief(self.printed)}"
        if self.context.session.ending.code in NOT_RUN:
            return f"{said}{given}"
        return said

    def _who(self, match: Match | None) -> Culprit:
        ending = self.context.session.ending
        if ending.code in NOT_RUN:
            return "environment"
        if match is None and ending.signal is not None and ending.signal not in CRASHES:
            return "undecided"  # a signal that anybody may have sent
        if match is None:
            return "server" if ending.signal is not None else "undecided"
        if is_given(match, self.context.session.start):
            return "undecided"
        return match.complaint.culprit

    def _what_next(self, why: Reason | None) -> str | None:
        start, code = self.context.session.start, self.context.session.ending.code
        match = why.match if why is not None else None
        if match is not None:
            return on_file(match, start, self.context.session.stderr_tail) or match.next
        if code in NOT_RUN:
            return NOT_RUN[code]
        if self.context.session.ending.signal == "SIGKILL":
            return KILLED_NEXT
        words = words_of(start)
        if runs_container(words) and not keeps_stdin(words):
            return f"add -i to {launcher(start)} run: without it, the server's stdin is closed from the start"
        return None if why is None else "act on what stderr says; `mcp-tap show` prints all of it"


NOT_RUN = {
    127: "exit code 127 means that a command was not found: use absolute paths, or set PATH in `env`",
    9009: "exit code 9009 means that cmd found no such command: use absolute paths, or set PATH in `env`",
    126: "exit code 126 means that a file cannot be executed: check its permissions and its first line",
}
"""What shells, env and npx answer where a program could not be run."""


def is_missing_program(match: Match | None) -> bool:
    """Whether stderr says that a program is missing."""
    return match is not None and match.complaint.name == MISSING_PROGRAM and match.what is not None


def before(greeting: Exchange | None) -> str:
    """What the server did not come to do."""
    return f"before answering {greeting.method}" if greeting is not None else "before its first message"
