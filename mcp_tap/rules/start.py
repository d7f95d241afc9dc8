"""PRO: whether the server came up, and what its stderr says about it.

The rest of the family is in :mod:`mcp_tap.rules.exits` and :mod:`mcp_tap.rules.instances`.
"""

from __future__ import annotations

import re

from mcp_tap.errors import ExitStatus
from mcp_tap.model.exchange import Exchange
from mcp_tap.record.reader import Record
from mcp_tap.rules.case import Case, Seen, plural, seconds
from mcp_tap.rules.facts.complaints import (
    LINE_EXAMINED,
    MISSING_PROGRAM,
    Reason,
    Told,
    brief,
    masked,
    read_complaint,
    reason,
)
from mcp_tap.rules.facts.life import (
    CRASHES,
    INSTALLERS,
    KILLED_NEXT,
    how_ended,
    is_windows,
    launcher,
    path_given,
    words_of,
)
from mcp_tap.rules.facts.pending import is_all_on_file
from mcp_tap.rules.finding import EVIDENCE_KEPT, Culprit, Hit
from mcp_tap.rules.rule import Rule, excerpt

GREETINGS = frozenset({"initialize", "server/discover"})
"""What a client asks first."""


def last_words(case: Case) -> Reason | None:
    """Why the server gave up, as far as its stderr tells."""
    names = case.session.start.get("env")
    known = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    return reason(case.session.stderr_tail, known)


def add_evidence(hit: Hit, case: Case) -> None:
    """Let a finding carry the end of stderr."""
    spoken = [line for line in case.session.stderr_tail if line.strip()]
    hit.evidence.extend(excerpt(masked(line)) for line in spoken[-EVIDENCE_KEPT:])


class NotStarted(Rule):
    """The command could not be started.

    What it means: the operating system did not execute the command of the server: there is no such
    file on the PATH that the client gave, or it may not be executed, or its interpreter is missing.

    Why it matters: nothing of the server has run. Clients show "failed to connect", "spawn ENOENT"
    or "Connection closed". Programs with a window have a shorter PATH than your terminal: what nvm,
    pyenv, Homebrew or uv add to it in shell start-up files is not there.

    Fails, from the start:
        ·· spawn_failed error="cannot start 'notes-server': not found on PATH (/usr/bin)" code=127
        ·· exit code=127 first=spawn-failed

    Passes, from the start (and PRO002):
        → 0 initialize …
        2> env: node: No such file or directory
        ·· exit code=127 first=server-exit

    What to do: give the absolute path of the command (`which npx` in a terminal says it), or set
    PATH in the `env` of the server's entry. On Windows start npx and other .cmd files by
    `cmd /c npx …`.
    """

    id = "PRO001"
    title = "the command could not be started"
    severity = "error"
    culprit = "environment"
    next = (
        "give the absolute path of the command, or set PATH in the `env` of the server's entry in the "
        "client's configuration"
    )

    def event(self, record: Record) -> None:
        if record.event != "spawn_failed" or record.fields.get("code") == ExitStatus.TAP_FAILED:
            return
        start = self.case.session.start
        words = words_of(start)
        command = f"command `{masked(words[0])}`" if words else "the server's command"
        missing = record.fields.get("code") != ExitStatus.NOT_EXECUTABLE
        self.hit(
            record,
            self._sentence(command, missing, record),
            next=windows_next(words) if missing and is_windows(start) else None,
            key="not found" if missing else "not executable",
            explains=None,
        )

    def _sentence(self, command: str, missing: bool, record: Record) -> str:
        error = brief(str(record.fields.get("error")))
        if not missing:
            return f"{command} cannot be executed: {error}"
        if "/" in command or "\\" in command:
            return f"{command} was not found: there is no such file"
        path = path_given(self.case.session.start)
        if path is None:
            return f"{command} was not found: {error}"
        return f"{command} was not found on the PATH that the client gave ({path})"


def windows_next(words: list[str]) -> str:
    """What to do where a command is not found on Windows."""
    command = words[0] if words else "npx"
    return (
        f"start it as `cmd /c {masked(command)} …` (npx and its like are .cmd files and need a shell), "
        "or give the absolute path"
    )


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
    next = "run the same command in a terminal and see what it says; the client's environment is smaller"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.printed: str | None = None
        """What the server last printed to stdout that is no message."""

    def foreign(self, seen: Seen) -> None:
        if seen.side == "s2c":
            self.printed = seen.record.payload[:LINE_EXAMINED].decode(errors="replace")

    def end(self) -> None:
        case = self.case
        session, life = case.session, case.life
        if not is_all_on_file(case) or session.messages["s2c"] or not life.unasked(session.ending):
            return
        why = last_words(case)
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
        add_evidence(hit, case)

    def _because(self, why: Reason | None) -> str:
        """What is known of the reason, as the end of the sentence."""
        path = path_given(self.case.session.start)
        given = "" if path is None else f"; PATH given by the client is {path}"
        if why is not None and is_missing_program(why.told):
            return f"; stderr says that {why.told.title if why.told else ''}{given}"
        said = f"; {why.quoted}" if why is not None else "; nothing on stderr"
        if why is None and self.printed is not None and self.printed.strip():
            said = f"; last line on stdout: {brief(self.printed)}"
        if self.case.session.ending.code in NOT_RUN:
            return f"{said}{given}"
        return said

    def _who(self, told: Told | None) -> Culprit:
        ending = self.case.session.ending
        if ending.code in NOT_RUN:
            return "environment"
        if told is None and ending.signal is not None and ending.signal not in CRASHES:
            return "undecided"  # a signal that anybody may have sent
        return told.complaint.culprit if told is not None else "server"

    def _what_next(self, told: Told | None) -> str | None:
        start, code = self.case.session.start, self.case.session.ending.code
        if told is not None:
            return told.next
        if code in NOT_RUN:
            return NOT_RUN[code]
        if self.case.session.ending.signal == "SIGKILL":
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


LINES_EXAMINED = 2_000
"""Lines of stderr of one session in which known complaints are looked for: a sixth of a second."""


class KnownComplaint(Rule):
    """stderr says something that is known.

    What it means: a line of stderr is one of those that programs print before they give up: a
    missing module, a port in use, a variable that is not set. stderr is free-form and no sign of
    failure by itself, so this is told for information, and as evidence where the server died.

    Why it matters: clients often keep stderr to themselves, and it is the only place where the
    reason stands.

    Fails:
        2> Error: listen EADDRINUSE: address already in use :::3000
        → 1 ping
        ← 1 result

    Passes:
        2> listening on port 3000
        → 1 ping
        ← 1 result

    What to do: each has a hint of its own. Where the session works, there may be nothing to do.
    """

    id = "PRO008"
    title = "a known complaint on stderr"
    severity = "info"
    culprit = "undecided"
    certainty = "heuristic"
    next = "see what the line says; where the session works there may be nothing to do"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.examined = 0

    def stderr(self, record: Record) -> None:
        if self.examined >= LINES_EXAMINED:
            return
        self.examined += 1
        line = record.payload[:LINE_EXAMINED].decode(errors="replace")
        told = read_complaint(line)
        if told is None:
            return
        message = f"stderr has a line that looks like a known complaint, {told.title}: {brief(line)}"
        self.hit(record, message, key=told.complaint.name, next=told.next, evidence=masked(line))


TRACES = {
    b"Traceback (most recent call last)": "Python",
    b"    at ": "JavaScript",
    b"panic: ": "Go",
    b"thread '": "Rust",
    b"Exception in thread ": "Java",
    b"Unhandled exception. ": ".NET",
}
"""How stack traces begin, and of which language they are."""

TRACE_STARTS = tuple(TRACES)


class StackTrace(Rule):
    """A stack trace on stderr.

    What it means: the server, or a library in it, reported an error with its stack on stderr.

    Why it matters: it may be the reason for a failed call or for the server's end; many servers
    also log errors this way that they have handled.

    Fails:
        2> Traceback (most recent call last):
        2>   File "notes.py", line 7, in search
        2> ValueError: no such note
        → 1 ping
        ← 1 result

    Passes:
        2> ValueError: no such note
        → 1 ping
        ← 1 result

    What to do: hold the time of the trace against the calls around it: `mcp-tap show` prints both.
    """

    id = "PRO009"
    title = "a stack trace on stderr"
    severity = "info"
    culprit = "server"
    next = "look at what was called when it was printed"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.inside: Hit | None = None
        """The finding of the trace that goes on."""
        self.before = b""
        """The line before, which in JavaScript says what the stack is of."""

    def stderr(self, record: Record) -> None:
        line = record.payload
        if self.inside is not None:
            if line[:1].isspace() or not line:
                return
            if "what" not in self.inside.facts:
                self.inside.facts["what"] = text_of(line)
                self.inside.evidence.append(excerpt(masked(text_of(line))))
            self.inside = None
        if line.startswith(TRACE_STARTS):
            start = next(each for each in TRACE_STARTS if line.startswith(each))
            if start != b"thread '" or b"panicked" in line:
                self._begin(record, TRACES[start])
        self.before = line[:LINE_EXAMINED]

    def _begin(self, record: Record, language: str) -> None:
        hit = self.hit(record, "", key=language)
        hit.facts["language"] = language
        if language == "JavaScript":
            hit.facts.setdefault("what", text_of(self.before))
        elif language != "Python":
            hit.facts.setdefault("what", text_of(record.payload))
        self.inside = hit

    def sentence(self, hit: Hit) -> str:
        traces = plural(hit.count, f"{hit.facts['language']} stack trace")
        what = brief(str(hit.facts.get("what", "")))
        first = ", the first of" if hit.count > 1 else " of"
        return f"{traces} on stderr{f'{first}: {what}' if what else ''}"


def text_of(line: bytes) -> str:
    """The beginning of a line of stderr."""
    return line[:LINE_EXAMINED].decode(errors="replace")


GAVE_UP_SECONDS = 5.0
"""Seconds without an answer after which a client that leaves has given up; somebody who changes
their mind leaves sooner."""

INSTALLING = re.compile(
    r"npm (?:http|info|notice|warn|WARN|verb|sill|timing)|added \d+ packages?|Need to install|reify:"
    r"|(?:Downloading|Downloaded|Installed|Resolved|Prepared|Updating|Building|Built|Collecting|Installing) "
    r"|Resolving dependencies|Progress: resolved|Unable to find image|Pulling (?:from|fs layer)|Pull complete"
    r"|creating virtual environment|Compiling ",
)
"""What installers say while they are at it."""


class ColdStart(Rule):
    """The client gave up while the launcher was still installing.

    What it means: the command is a launcher such as npx or uvx, which fetches the server before it
    starts it. The client waited, had no byte from the server, and closed the connection while the
    installer was still writing to stderr.

    Why it matters: the first use fails, and perhaps every one, since a stopped installation begins
    anew next time. Claude Code gives a server 30 seconds, the Python SDK's probe 10.

    Fails, from the start:
        ·· start format=1 argv='["npx","-y","notes-server"]'
        → 0 initialize …
        2> npm http fetch GET 200 https://registry.example/notes-server 812ms
        30.1 ·· eof stream=c2s
        30.2 ·· exit code=0 first=client-eof

    Passes, from the start:
        ·· start format=1 argv='["npx","-y","notes-server"]'
        → 0 initialize …
        2> npm http fetch GET 200 https://registry.example/notes-server 812ms
        8.0 ← 0 result …
        → notifications/initialized

    What to do: install the server once beforehand (`npm install -g`, `uv tool install`,
    `docker pull`) and start what was installed, or raise the client's limit for the start
    (MCP_TIMEOUT in Claude Code).
    """

    id = "PRO014"
    title = "the client gave up while the launcher was still installing"
    severity = "error"
    culprit = "launcher"
    next = "install the server beforehand and start what was installed, or raise the client's start-up limit"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.installing: tuple[int, str] | None = None
        """The last line of stderr that an installer writes: its number, and the line."""

    def stderr(self, record: Record) -> None:
        # It can only be the reason while nothing has come.
        if self.case.session.first_byte_t is None and not self.case.closed:
            line = text_of(record.payload)
            if INSTALLING.search(line):
                self.installing = (record.seq, line)

    def end(self) -> None:
        case = self.case
        session, closed = case.session, case.client_closed_t
        name = launcher(session.start)
        if self.installing is None or closed is None or name not in INSTALLERS:
            return
        if not is_all_on_file(case) or session.messages["s2c"] or session.ending.by == "server":
            return
        greeting = next((each for each in session.unanswered() if each.method in GREETINGS), None)
        if greeting is None or closed - greeting.t < GAVE_UP_SECONDS:
            return
        seq, line = self.installing
        what = "no byte" if session.first_byte_t is None else "no message"
        self.hit(
            (greeting.seq, seq),
            f"{what} from the server in {seconds(closed - greeting.t)}, then the client gave up; launcher "
            f"`{' '.join(words_of(session.start)[:2])}` was still installing (stderr: {brief(line, 80)})",
            key=name,
            evidence=masked(line),
            explains=None,
        )


RULES: tuple[type[Rule], ...] = (NotStarted, DiedAtStart, KnownComplaint, StackTrace, ColdStart)
