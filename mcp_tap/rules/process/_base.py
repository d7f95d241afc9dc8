"""How a server came up and ended, what its stderr says of it, and what was open when the client left."""

from __future__ import annotations

from collections.abc import Iterable

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.finding import EVIDENCE_KEPT, Culprit, Hit
from mcp_tap.diagnosis.life import CRASHES, SIGNAL_NUMBERS, is_windows
from mcp_tap.diagnosis.pending import EXPLAINED_KEPT, is_all_on_file
from mcp_tap.diagnosis.recognise.codepages import decoded
from mcp_tap.diagnosis.recognise.complaints import LINE_EXAMINED, brief, masked, unquoted
from mcp_tap.diagnosis.recognise.reasons import Reason, reason
from mcp_tap.diagnosis.text import excerpt, named_with_id
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import STAYS_OPEN

GREETINGS = frozenset({"initialize", "server/discover"})
"""What a client asks first."""

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

SIGNAL_CODES = frozenset(
    128 + SIGNAL_NUMBERS[name] for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGKILL", "SIGPIPE", "SIGTERM")
)
"""What shells, and programs that handle signals, exit with where a signal has ended them."""

AT_ONCE_SECONDS = 0.05
"""Within which the end of stdin and a signal are one act of the client."""


def named_few(requests: list[Exchange]) -> str:
    """``tools/call export (id 5), ping (id 6) and 2 more``"""
    names = ", ".join(named_with_id(each) for each in requests[:NAMED])
    more = len(requests) - NAMED
    return f"{names} and {more:,} more" if more > 0 else names


def records_between(first: int, last: int) -> Iterable[int]:
    """The numbers of the records from ``first`` to ``last``, of many the later ones."""
    return range(max(first, last - EXPLAINED_KEPT + 1), last + 1)


def exit_number(context: SessionContext) -> int:
    """The number of the record of the exit."""
    return context.life.exit.seq if context.life.exit is not None else 0


def spoke_and_left(context: SessionContext) -> bool:
    """Whether the server had said something that is a message, and then ended unasked."""
    session = context.session
    return is_all_on_file(context) and session.messages["s2c"] > 0 and context.life.unasked(session.ending)


def open_at_death(context: SessionContext) -> list[Exchange]:
    """The client's requests that the server had to answer when it ended."""
    died = context.life.died_t or 0.0
    return [each for each in context.session.unanswered() if each.side == "c2s" and each.t <= died]


def blamed(context: SessionContext) -> Culprit:
    """Who is at fault for an end: nobody is for a signal that anybody may have sent."""
    signal = context.session.ending.signal
    return "server" if signal is None or signal in CRASHES else "undecided"


def is_failure(code: int | None) -> bool:
    """Whether an exit code is a failure, and none that stands for a signal from outside."""
    return code is not None and code != 0 and code not in SIGNAL_CODES and code != CONTROL_C_EXIT


def crash(context: SessionContext) -> str | None:
    """How the server crashed, or was killed; None where it did neither."""
    ending = context.session.ending
    if ending.signal in CRASHES or ending.signal == "SIGKILL":
        return f"was killed by {ending.signal}"
    if ending.code in WINDOWS_CRASHES and is_windows(context.session.start):
        return f"crashed with {WINDOWS_CRASHES[ending.code]} (0x{ending.code:08X})"
    return None


def last_words(context: SessionContext) -> Reason | None:
    """Why the server gave up, as far as its stderr tells."""
    return reason(stderr_tail(context))


def stderr_tail(context: SessionContext) -> list[str]:
    """The last of what the server wrote to stderr, in the encoding that it is in."""
    return decoded(list(context.session.stderr_end))


def add_evidence(hit: Hit, context: SessionContext, why: Reason | None = None) -> None:
    """Let a finding carry the line that names the reason, or the end of stderr, if it quotes less."""
    if why is not None and why.match is not None:
        if (line := unquoted(why.line)) is not None:
            hit.evidence.append(excerpt(line))
        return
    spoken = [line for line in stderr_tail(context) if line.strip()]
    if len(spoken) == 1 and unquoted(spoken[0]) is None and brief(spoken[0]) in hit.message:
        return
    hit.evidence.extend(excerpt(masked(line)) for line in spoken[-EVIDENCE_KEPT:])


def text_of(line: bytes) -> str:
    """The beginning of a line of stderr."""
    return line[:LINE_EXAMINED].decode(errors="replace")


class OpenAtClose:
    """What was open when the client began to end the session."""

    def __init__(self) -> None:
        self.requests: list[Exchange] | None = None
        """The client's requests; those that it had cancelled too. None while it has not begun to."""

    def look(self, context: SessionContext) -> None:
        """Note it, if the client has begun to just now."""
        if self.requests is None and context.closed:
            requests = [*context.session.pairing.superseded, *context.session.pairing.open.values()]
            self.requests = [
                each
                for each in requests
                if each.side == "c2s" and each.outcome == "open" and each.method not in STAYS_OPEN
            ]


def server_was_first(context: SessionContext) -> bool:
    """Whether it was the server that ended the session."""
    if context.over:
        return context.session.ending.by != "client"
    closed = context.life.ends.get("s2c")
    return closed is not None and closed.t <= (context.client_closed_t or 0.0)
