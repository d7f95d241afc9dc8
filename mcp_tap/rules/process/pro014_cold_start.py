"""PRO014: the client gave up while the launcher was still installing."""

from __future__ import annotations

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.life import INSTALLERS, launcher, words_of
from mcp_tap.diagnosis.pending import is_all_on_file
from mcp_tap.diagnosis.recognise.complaints import brief, unquoted
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import seconds
from mcp_tap.record.patterns import lazy
from mcp_tap.record.reader import Record
from mcp_tap.rules.process._base import GREETINGS, text_of

GAVE_UP_SECONDS = 5.0
"""Seconds without an answer after which a client that leaves has given up; somebody who changes
their mind leaves sooner."""

LINE_QUOTED = 80
"""Characters of the installer's line in the sentence, which is long enough without it."""

INSTALLING = lazy(
    r"npm (?:http|info|notice|warn|WARN|verb|sill|timing)|added \d+ packages?|Need to install|reify:"
    r"|(?:Downloading|Downloaded|Installed|Resolved|Prepared|Updating|Building|Built|Collecting|Installing) "
    r"|Resolving dependencies|Progress: resolved|Unable to find image|Pulling (?:from|fs layer)|Pull complete"
    r"|creating virtual environment|Compiling ",
)
"""What installers say while they are at it."""


class ColdStart(Rule):
    """The client gave up while the launcher was still installing.

    What it means: the command is a launcher such as npx or uvx, which fetches the server before
    starting it. The client waited, received nothing from the server, and closed the connection while
    the installer was still writing to stderr.

    Why it matters: the first start fails, and perhaps every start, since an interrupted installation
    begins again next time. Claude Code gives a server 30 seconds, the probe of the Python SDK 10.

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

    What to do: install the server beforehand (`npm install -g`, `uv tool install`, `docker pull`) and
    start the installed command, or raise the client's start-up time limit (MCP_TIMEOUT in Claude Code).
    """

    id = "PRO014"
    title = "the client gave up while the launcher was still installing"
    severity = "error"
    culprit = "launcher"
    needs_whole = True
    next = (
        "install the server beforehand and start the installed command, or raise the client's start-up "
        "time limit"
    )

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.installing: tuple[int, str] | None = None
        """The last line of stderr that an installer writes: its number, and the line."""

    def stderr(self, record: Record) -> None:
        # It can only be the reason while nothing has come.
        if self.context.session.first_byte_t is None and not self.context.closed:
            line = text_of(record.payload)
            if INSTALLING.search(line):
                self.installing = (record.seq, line)

    def end(self) -> None:
        context = self.context
        session, closed = context.session, context.client_closed_t
        name = launcher(session.start)
        if self.installing is None or closed is None or name not in INSTALLERS:
            return
        if not is_all_on_file(context) or session.messages["s2c"] or session.ending.by == "server":
            return
        greeting = next((each for each in session.unanswered() if each.method in GREETINGS), None)
        if greeting is None or closed - greeting.t < GAVE_UP_SECONDS:
            return
        seq, line = self.installing
        command = " ".join(words_of(session.start)[:2])
        what = "nothing" if session.first_byte_t is None else "no message"
        self.hit(
            (greeting.seq, seq),
            f"server sent {what} for {seconds(closed - greeting.t)}, then the client gave up; the launcher "
            f"`{command}` was still installing (stderr: {brief(line, LINE_QUOTED)})",
            key=name,
            evidence=unquoted(line, LINE_QUOTED),
            explains=None,
        )
