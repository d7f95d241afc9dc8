"""PRO: how the server ended: of its own accord, by a crash, or not cleanly when it was asked to."""

from __future__ import annotations

from collections.abc import Iterable

from mcp_tap.model.ending import FROM_ELSEWHERE
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.case import Case, plural, seconds
from mcp_tap.rules.facts.life import CRASHES, KILLED_NEXT, SIGNAL_NUMBERS, how_ended, is_windows
from mcp_tap.rules.facts.pending import EXPLAINED_KEPT, explain, is_all_on_file, named, subject
from mcp_tap.rules.finding import Culprit
from mcp_tap.rules.rule import Rule
from mcp_tap.rules.start import add_evidence, last_words

NAMED = 3
"""Requests that a sentence names."""

WINDOWS_CRASHES = {
    0xC0000005: "an access violation",
    0xC0000374: "a corrupted heap",
    0xC0000409: "a stack buffer overrun, or abort()",
    0xC00000FD: "a stack overflow",
    0xC000001D: "an illegal instruction",
}
"""Exit codes of crashes on Windows (NTSTATUS)."""

CONTROL_C_EXIT = 0xC000013A
"""The exit code on Windows of what was ended by ^C."""


def named_few(requests: list[Exchange]) -> str:
    """``tools/call export (id 5), ping (id 6) and 2 more``"""
    names = ", ".join(named(each) for each in requests[:NAMED])
    more = len(requests) - NAMED
    return f"{names} and {more:,} more" if more > 0 else names


def records_between(first: int, last: int) -> Iterable[int]:
    """The numbers of the records from ``first`` to ``last``, of many the later ones."""
    return range(max(first, last - EXPLAINED_KEPT + 1), last + 1)


def exit_number(case: Case) -> int:
    """The number of the record of the exit."""
    return case.life.exit.seq if case.life.exit is not None else 0


def spoke_and_left(case: Case) -> bool:
    """Whether the server had said something that is a message, and then ended unasked."""
    session = case.session
    return is_all_on_file(case) and session.messages["s2c"] > 0 and case.life.unasked(session.ending)


def open_at_death(case: Case) -> list[Exchange]:
    """The client's requests that the server had to answer when it ended."""
    died = case.life.died_t or 0.0
    return [each for each in case.session.unanswered() if each.side == "c2s" and each.t <= died]


class DiedInACall(Rule):
    """The server died in the middle of a call.

    What it means: the process ended, or closed its stdout, of its own accord while requests of the
    client were open. They were never answered.

    Why it matters: the client reports "Connection closed" (-32000) for each of them, all tools are
    gone, and what the call has done so far is unknown.

    Fails:
        1 → 5 tools/call {"name":"export","arguments":{}}
        1.2 2> panic: index out of range
        1.2 ·· eof stream=s2c
        1.2 ·· exit code=2 first=server-exit

    Passes:
        1 → 5 tools/call {"name":"export","arguments":{}}
        1.5 ·· signal name=SIGINT forwarded=true
        1.6 ·· exit code=130 first=client-signal

    What to do: look at the end of stderr, and call the same tool with the same arguments again.
    Let handlers catch what goes wrong and answer with an error or `isError`.
    """

    id = "PRO003"
    title = "the server died in the middle of a call"
    severity = "error"
    culprit = "server"
    next = "look at the end of stderr; repeat the call with the same arguments"

    def end(self) -> None:
        case = self.case
        if not spoke_and_left(case):
            return
        pending = open_at_death(case)
        if not pending:
            return
        ending, life, why = case.session.ending, case.life, last_words(case)
        said = f"; {why.quoted}" if why is not None else "; nothing on stderr"
        last = exit_number(case)
        told = why.told if why is not None else None
        hit = self.hit(
            [*(each.seq for each in pending), last],
            f"server {how_ended(ending)} after {seconds(life.lived)} with {plural(len(pending), 'request')} "
            f"open: {named_few(pending)}{said}",
            key=subject(pending[-1]),
            next=told.next if told is not None else None,
            culprit=blamed(case),
        )
        explain(hit, records_between(pending[0].seq, last))
        add_evidence(hit, case)


def blamed(case: Case) -> Culprit:
    """Who is at fault for an end: nobody is for a signal that anybody may have sent."""
    signal = case.session.ending.signal
    return "server" if signal is None or signal in CRASHES else "undecided"


class NonZeroExit(Rule):
    """The server did not exit cleanly when the client closed its stdin.

    What it means: the client ended the session the regular way, by closing stdin, and sent no
    signal; the server answered that by an exit code that says failure, or crashed.

    Why it matters: clients and supervisors show it as a failure of the server at each end of a
    session, and it hides real ones. What the server meant to save at its end may be lost.

    Fails:
        2 ·· eof stream=c2s
        2.1 ·· exit code=1 first=client-eof

    Passes:
        2 ·· eof stream=c2s
        3 ·· signal name=SIGTERM forwarded=true
        3.1 ·· exit code=143 first=client-eof

    What to do: treat the end of stdin as the end of the session: leave the read loop, exit 0.
    """

    id = "PRO004"
    title = "the exit was not clean"
    severity = "warning"
    culprit = "server"
    next = "treat the end of stdin as the regular end: leave the read loop and exit 0"
    spec = "2025-11-25/basic/lifecycle#shutdown"

    def end(self) -> None:
        case = self.case
        ending, life = case.session.ending, case.life
        closed = life.ends.get("c2s")
        if not case.whole or ending.first not in ("client-eof", "client-gone") or life.signals:
            return
        if ending.signal not in CRASHES and not is_failure(ending.code):
            return
        if (
            closed is not None
            and (life.died_t or 0.0) - closed.t >= PATIENCE_SECONDS
            and (ending.code == 1 and is_windows(case.session.start))
        ):
            return
        last = exit_number(case)
        when = "after the client had closed stdin" if closed is not None else "after the client was gone"
        said = why.quoted if (why := last_words(case)) is not None else "nothing on stderr"
        hit = self.hit(
            [*([closed.seq] if closed is not None else []), last],
            f"server {how_ended(ending)} {when}; {said}",
            key=ending.signal or f"exit {ending.code}",
        )
        explain(hit, records_between(0 if closed is None else closed.seq, last))
        add_evidence(hit, case)


SIGNAL_CODES = frozenset(
    128 + SIGNAL_NUMBERS[name] for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGKILL", "SIGPIPE", "SIGTERM")
)
"""What shells, and programs that handle signals, exit with where a signal has ended them."""


PATIENCE_SECONDS = 1.9
"""After so long clients use force. On Windows what is ended by force exits with 1, and there is no signal."""


def is_failure(code: int | None) -> bool:
    """Whether an exit code is a failure, and none that stands for a signal from outside."""
    return code is not None and code != 0 and code not in SIGNAL_CODES and code != CONTROL_C_EXIT


class Crashed(Rule):
    """The server crashed or was killed.

    What it means: the process was ended by a signal that neither the client has sent nor the tap
    has passed on. SIGSEGV, SIGBUS, SIGABRT and their like come from the program itself; SIGKILL
    comes from outside, most often from the system when memory has run out.

    Why it matters: the session is over at once, open calls are lost, and there is often nothing on
    stderr.

    Fails:
        3.2 ·· eof stream=s2c
        3.2 ·· exit signal=SIGSEGV first=server-exit

    Passes:
        3.2 ·· eof stream=c2s
        3.3 ·· signal name=SIGTERM forwarded=true
        3.3 ·· exit signal=SIGTERM first=client-eof

    What to do: SIGKILL: look for "Out of memory" in `dmesg` or the journal, and at the memory limit
    of the container. SIGSEGV and its like: a native module is broken; SIGABRT with "heap out of
    memory" on stderr: give Node more memory (--max-old-space-size).
    """

    id = "PRO005"
    title = "the server crashed or was killed"
    severity = "error"
    culprit = "server"
    next = "look for a core dump and for broken native modules"

    def end(self) -> None:
        case = self.case
        what = crash(case)
        if what is None or not spoke_and_left(case):
            return
        pending, last, why = open_at_death(case), exit_number(case), last_words(case)
        with_open = f", with {plural(len(pending), 'request')} open ({named_few(pending)})" if pending else ""
        said = f"; {why.quoted}" if why is not None else ""
        killed = case.session.ending.signal == "SIGKILL"
        told = why.told if why is not None else None
        hit = self.hit(
            [*(each.seq for each in pending), last],
            f"server {what} after {seconds(case.life.lived)}{with_open}, and the client had not asked it to "
            f"end{said}",
            key=case.session.ending.signal or f"exit {case.session.ending.code}",
            next=told.next if told is not None else KILLED_NEXT if killed else None,
            culprit="undecided" if killed else None,
        )
        explain(hit, records_between(pending[0].seq if pending else last, last))
        add_evidence(hit, case)


def crash(case: Case) -> str | None:
    """How the server crashed, or was killed; None where it did neither."""
    ending = case.session.ending
    if ending.signal in CRASHES or ending.signal == "SIGKILL":
        return f"was killed by {ending.signal}"
    if ending.code in WINDOWS_CRASHES and is_windows(case.session.start):
        return f"crashed with {WINDOWS_CRASHES[ending.code]} (0x{ending.code:08X})"
    return None


class ClosedStdout(Rule):
    """The server closed its stdout and lived on.

    What it means: the server's stdout ended while its process went on for a second or more.

    Why it matters: nothing it does can reach the client any more; clients take the connection for
    closed, and the process may stay behind.

    Fails:
        3 ·· eof stream=s2c
        3.1 ·· eof stream=c2s
        6 ·· exit code=0 first=server-eof

    Passes:
        3 ·· eof stream=s2c
        3.1 ·· exit code=0 first=server-exit

    What to do: look for what closes or replaces stdout: a redirected descriptor 1, a daemon that
    detaches itself, a launcher that leaves while the server is elsewhere.
    """

    id = "PRO011"
    title = "stdout closed while the server lives"
    severity = "warning"
    culprit = "server"
    next = "look for what closes descriptor 1: a redirection, a process that detaches itself, a launcher"

    def end(self) -> None:
        case = self.case
        life, ending = case.life, case.session.ending
        closed = life.ends.get("s2c")
        if closed is None or life.exit is None or ending.first != "server-eof" or not life.unasked(ending):
            return
        on = life.exit.t - closed.t
        self.hit(
            (closed.seq, life.exit.seq),
            f"server closed its stdout after {seconds(life.lived)} and lived on for {seconds(on)}",
        )


class LeftByItself(Rule):
    """The server ended without being asked.

    What it means: the process ended while the client was connected and waited for nothing. Exit
    code 0 looks intended: some servers leave after a time without work. SIGTERM and its like, if the
    tap has not passed them on, were sent to the server directly, some clients do that at their end;
    both are information.

    Why it matters: the client loses all tools of the server, some of them without a word, and
    starts it anew at best.

    Fails:
        300 2> fatal: lost the database
        300 ·· eof stream=s2c
        300 ·· exit code=1 first=server-exit

    Passes:
        300 ·· eof stream=c2s
        300.1 ·· eof stream=s2c
        300.1 ·· exit code=0 first=client-eof

    What to do: look at the end of stderr. A stdio server should live until its stdin ends.
    """

    id = "PRO019"
    title = "the server ended without being asked"
    severity = "error"
    culprit = "server"
    next = "look at the end of stderr; a stdio server should live until its stdin ends"
    spec = "2025-11-25/basic/lifecycle#shutdown"

    def end(self) -> None:
        case = self.case
        ending = case.session.ending
        if not spoke_and_left(case) or ending.first == "server-eof" or open_at_death(case):
            return
        if crash(case) is not None:
            return
        intended = (ending.code == 0 and ending.signal is None) or ending.signal in FROM_ELSEWHERE
        why = last_words(case)
        said = f"; {why.quoted}" if why is not None and not intended else ""
        told = why.told if why is not None and not intended else None
        last = exit_number(case)
        hit = self.hit(
            last,
            f"server {how_ended(ending)} after {seconds(case.life.lived)} while the client was connected, "
            f"with no request open{said}",
            key=ending.signal or f"exit {ending.code}",
            severity="info" if intended else None,
            culprit=blamed(case),
            next=told.next if told is not None else None,
        )
        if not intended:
            explain(hit, records_between(last - LAST_RECORDS, last))
            add_evidence(hit, case)


LAST_RECORDS = 50
"""Records before an end that may be about it: a traceback."""


RULES: tuple[type[Rule], ...] = (DiedInACall, NonZeroExit, Crashed, ClosedStdout, LeftByItself)
