"""A session's diagnosis as a whole: a verdict in plain words, how far it got, and what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mcp_tap.diagnosis.baseline import listed_hashes, server_key
from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.finding import SEVERITIES, Finding, Severity
from mcp_tap.diagnosis.session_digest import Digest, digest_of
from mcp_tap.diagnosis.text import plural, seconds
from mcp_tap.model.ending import FROM_ELSEWHERE
from mcp_tap.model.session import PROBE_SECONDS


@dataclass(frozen=True, slots=True)
class Stage:
    """A step of a session's life. ``ok`` is None where it is not known, or was not to come.

    ``t`` is when, in seconds of the session; ``detail`` a few words.
    """

    step: str
    ok: bool | None
    t: float | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SessionReport:
    """What is said of one session. ``file`` is where it was found, ``duration`` is in seconds.

    ``server_key`` is by what its server is known in a baseline, ``tools`` are the hashes of the tools
    that it has listed, None where no whole list was seen."""

    session: str
    file: str
    name: str | None
    start: str | None
    duration: float
    verdict: str
    lifecycle: tuple[Stage, ...]
    findings: tuple[Finding, ...]
    digest: Digest
    server_key: str = "-"
    tools: Mapping[str, str] | None = None

    def counts(self) -> dict[Severity, int]:
        """How many findings there are of each severity."""
        return counts_of(self.findings)


@dataclass(frozen=True, slots=True)
class Report:
    """What is said of all sessions that were read, by their start."""

    sessions: tuple[SessionReport, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, session by session."""
        return tuple(finding for session in self.sessions for finding in session.findings)

    @property
    def summary(self) -> dict[Severity, int]:
        """How many findings there are of each severity."""
        return counts_of(self.findings)


def counts_of(findings: Sequence[Finding]) -> dict[Severity, int]:
    """How many findings there are of each severity."""
    return {each: sum(finding.severity == each for finding in findings) for each in SEVERITIES}


def report_of(context: SessionContext, found: Sequence[Finding], file: str) -> SessionReport:
    """The report of an examined session."""
    session = context.session
    return SessionReport(
        session=session.id,
        file=file,
        name=session.name,
        start=session.ts,
        duration=session.last_t,
        verdict=verdict(context, found),
        lifecycle=tuple(lifecycle(context)),
        findings=tuple(found),
        digest=digest_of(session, found),
        server_key=server_key(session),
        tools=listed_hashes(context.listings.tools),
    )


def with_findings(report: SessionReport, findings: Sequence[Finding]) -> SessionReport:
    """``report`` with other findings: some that came to it, or without those that are accepted."""
    return replace(report, findings=tuple(sorted(findings, key=lambda finding: finding.order)))


def verdict(context: SessionContext, found: Sequence[Finding]) -> str:
    """One or two sentences in plain words."""
    worst = next(iter(found), None)
    if worst is not None and worst.severity == "error":
        return f"{trouble(context)}: {worst.message.rstrip('. ')}.{and_more(found, 'error')}"
    if context.session.spawn_failed is not None:
        return "The server never started."
    if context.session.kind == "empty":
        return nothing_said(context)
    if is_probe(context):
        return "A probe: the client only asked which protocol versions the server supports."
    if unconnected(context):
        if not context.whole:
            return f"Part of the handshake is missing from the recording{ending_words(context)}."
        if not context.over and not context.closed:
            return "The handshake is not complete; no exit has been recorded yet."
        return f"The handshake was not completed{ending_words(context)}; the recording does not show why."
    if worst is not None and worst.severity == "warning":
        works = "Connected, with a warning" if has_worked(context) else "Warning"
        return f"{works}: {worst.message.rstrip('. ')}.{and_more(found, 'warning')}"
    return healthy(context)


def nothing_said(context: SessionContext) -> str:
    """That there is no message, and whether there was none."""
    if not context.whole:
        return "The recording contains no messages, but some records are missing."
    if not context.over:
        return "No messages so far; no exit has been recorded yet."
    return "No messages: neither the client nor the server sent one."


ASKED_BY_PROBES = frozenset({"server/discover", "notifications/cancelled"})


def is_probe(context: SessionContext) -> bool:
    """Whether the client did nothing but ask what the server speaks, and that is sure."""
    session = context.session
    if session.missing or context.cut or not context.closed:
        return False
    # The server may take its time to leave: that is reported, and makes it no session.
    left = "server/discover" in session.methods and session.methods <= ASKED_BY_PROBES
    return session.kind == "probe" or (left and (context.client_closed_t or 0.0) < PROBE_SECONDS)


def trouble(context: SessionContext) -> str:
    """How far the session got, where something went wrong."""
    session = context.session
    if session.spawn_failed is not None:
        return "The server never started"
    if unconnected(context) and context.whole:
        return "The connection failed"
    return "Connected, with an error" if has_worked(context) else "Error"


def has_worked(context: SessionContext) -> bool:
    """Whether the server is known to have answered something."""
    return context.session.initialized_t is not None or context.answered > 0


def unconnected(context: SessionContext) -> bool:
    """Whether a client that asked for a handshake has had no answer that it can use."""
    session = context.session
    return session.initialized_t is None and context.asked_t is not None and session.tools_listed_t is None


def and_more(found: Sequence[Finding], severity: Severity) -> str:
    """How much else of that severity there is."""
    others = sum(finding.severity == severity for finding in found) - 1
    return f" {plural(others, f'more {severity}')}." if others else ""


def healthy(context: SessionContext) -> str:
    """That all is well, with what was done."""
    words = f"{plural(context.answered, 'request')} answered"
    if context.slowest_what:
        words += f", slowest: {context.slowest_what} ({seconds(context.slowest)})"
    waiting = sum(each.side == "c2s" for each in context.session.unanswered())
    if not context.over:
        pending = f", {waiting:,} pending" if waiting else ""
        yet = "" if context.closed else " yet"
        return f"No problems so far: {words}{pending}; no exit has been recorded{yet}."
    if not context.whole:
        return f"No problems in what was recorded: {words}."
    if waiting:
        words += (
            f", {waiting:,} pending when the {'client disconnected' if context.closed else 'server exited'}"
        )
    return f"Healthy: {words}." if context.answered else f"No problems found: {words}."


def ending_words(context: SessionContext) -> str:
    """How it ended, as part of a sentence."""
    known = context.over and context.session.kind != "probe"
    return f" ({context.session.ending.sentence})" if known else ""


def lifecycle(context: SessionContext) -> list[Stage]:
    """How far the session got, step by step."""
    session = context.session
    if session.spawn_failed is not None:
        return [Stage("spawned", False, detail=session.ending.sentence), ended(context)]
    spawned = Stage("spawned", True if session.spawned_t is not None else None, session.spawned_t)
    stages = [spawned, Stage("first byte", reached(context, session.first_byte_t), session.first_byte_t)]
    stages.append(greeted(context))
    if session.era != "modern":
        stages.append(Stage("initialized", reached(context, context.ready_t), context.ready_t))
    listed = session.tools_listed_t
    if listed is not None:
        stages.append(
            Stage("tools/list", True, listed, plural(len(session.catalogue.get("tools", ())), "tool"))
        )
    else:
        stages.append(Stage("tools/list", None))
    return [*stages, ended(context)]


def greeted(context: SessionContext) -> Stage:
    """The handshake: ``initialize`` answered, or ``server/discover``."""
    session = context.session
    asks = session.era == "modern" or (
        "server/discover" in session.methods and "initialize" not in session.methods
    )
    step = "server/discover answered" if asks else "initialize answered"
    if session.initialized_t is not None:
        return Stage(step, True, session.initialized_t, session.protocol or ", ".join(session.supported))
    if session.era == "modern" and session.protocol is not None:
        return Stage(step, None, detail=session.protocol)  # a client of that era need not ask
    if context.refused:
        return Stage(step, False, detail="refused")
    return Stage(step, None if context.asked_t is None else reached(context, None))


def reached(context: SessionContext, t: float | None) -> bool | None:
    """Whether a step was taken; None where the recording cannot tell."""
    if t is not None:
        return True
    return False if context.whole and context.over else None


ENDED_BY = {
    "client-eof": "client closed stdin",
    "client-gone": "client stopped reading",
    "server-exit": "server exited on its own",
    "server-eof": "server closed stdout",
    "spawn-failed": "not started",
}


def ended(context: SessionContext) -> Stage:
    """Who ended it, and how the server left."""
    ending = context.session.ending
    if not context.over:
        return Stage("ended", None, detail="no exit recorded (still running, or the tap was killed)")
    if context.session.spawn_failed is not None:
        return Stage("ended", None, context.session.last_t, "not started")
    who = ENDED_BY.get(ending.first or "", "")
    if ending.first == "client-signal":
        who = f"client sent {context.client_closed_by or 'a signal'}"
    how = f"killed by {ending.signal}" if ending.signal else f"exit {ending.code}"
    ok: bool | None = ending.by == "client" or (ending.code == 0 and ending.signal is None)
    if ending.first == "server-exit" and ending.signal in FROM_ELSEWHERE:
        who, ok = "server stopped from outside", None
    return Stage("ended", ok, context.session.last_t, ", ".join(part for part in (who, how) if part))
