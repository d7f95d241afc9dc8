"""A session's diagnosis as a whole: a verdict in plain words, how far it got, and what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mcp_tap.diagnosis.baseline import listed_hashes, server_key
from mcp_tap.diagnosis.case import Case
from mcp_tap.diagnosis.digest import Digest, digest_of
from mcp_tap.diagnosis.finding import SEVERITIES, Finding, Severity
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
class Report:
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


def counts_of(findings: Sequence[Finding]) -> dict[Severity, int]:
    """How many findings there are of each severity."""
    return {each: sum(finding.severity == each for finding in findings) for each in SEVERITIES}


def report_of(case: Case, found: Sequence[Finding], file: str) -> Report:
    """The report of an examined session."""
    session = case.session
    return Report(
        session=session.id,
        file=file,
        name=session.name,
        start=session.ts,
        duration=session.last_t,
        verdict=verdict(case, found),
        lifecycle=tuple(lifecycle(case)),
        findings=tuple(found),
        digest=digest_of(session, found),
        server_key=server_key(session),
        tools=listed_hashes(case.listings.tools),
    )


def with_findings(report: Report, findings: Sequence[Finding]) -> Report:
    """``report`` with other findings: some that came to it, or without those that are accepted."""
    return replace(report, findings=tuple(sorted(findings, key=lambda finding: finding.order)))


def verdict(case: Case, found: Sequence[Finding]) -> str:
    """One or two sentences in plain words."""
    worst = next(iter(found), None)
    if worst is not None and worst.severity == "error":
        return f"{trouble(case)}: {worst.message}.{and_more(found, 'error')}"
    if case.session.spawn_failed is not None:
        return "The server never started."
    if case.session.kind == "empty":
        return nothing_said(case)
    if is_probe(case):
        return "A probe: the client asked what the server speaks, and left."
    if unconnected(case):
        if not case.whole:
            return f"The handshake is not on file as a whole{ending_words(case)}."
        if not case.over and not case.closed:
            return "The handshake is not complete; the recording has no end yet."
        return f"The handshake was not completed{ending_words(case)}; the recording does not show why."
    if worst is not None and worst.severity == "warning":
        works = "It works, with something" if has_worked(case) else "Something"
        return f"{works} to look at: {worst.message}.{and_more(found, 'warning')}"
    return healthy(case)


def nothing_said(case: Case) -> str:
    """That there is no message, and whether there was none."""
    if not case.whole:
        return "No message is on file, and records are missing: what was said is not known."
    if not case.over:
        return "Nothing has been said so far; the recording has no end yet."
    return "Nothing was said: neither client nor server wrote a message."


ASKED_BY_PROBES = frozenset({"server/discover", "notifications/cancelled"})


def is_probe(case: Case) -> bool:
    """Whether the client did nothing but ask what the server speaks, and that is sure."""
    session = case.session
    if session.missing or case.cut or not case.closed:
        return False
    # The server may take its time to leave: that is told, and makes it no session.
    left = "server/discover" in session.methods and session.methods <= ASKED_BY_PROBES
    return session.kind == "probe" or (left and (case.client_closed_t or 0.0) < PROBE_SECONDS)


def trouble(case: Case) -> str:
    """How far the session got, where something went wrong."""
    session = case.session
    if session.spawn_failed is not None:
        return "The server never started"
    if unconnected(case) and case.whole:
        return "The connection failed"
    return "Connected, with an error" if has_worked(case) else "An error"


def has_worked(case: Case) -> bool:
    """Whether the server is known to have answered something."""
    return case.session.initialized_t is not None or case.answered > 0


def unconnected(case: Case) -> bool:
    """Whether a client that asked for a handshake has had no answer that it can use."""
    session = case.session
    return session.initialized_t is None and case.asked_t is not None and session.tools_listed_t is None


def and_more(found: Sequence[Finding], severity: Severity) -> str:
    """How much else of that severity there is."""
    others = sum(finding.severity == severity for finding in found) - 1
    return f" {plural(others, f'{severity} more', f'{severity}s more').capitalize()}." if others else ""


def healthy(case: Case) -> str:
    """That all is well, with what was done."""
    words = f"{plural(case.answered, 'request')} answered"
    if case.slowest_what:
        words += f", slowest {case.slowest_what} {seconds(case.slowest)}"
    waiting = sum(each.side == "c2s" for each in case.session.unanswered())
    if not case.over:
        open_ = f", {waiting:,} open" if waiting else ""
        return f"No fault so far: {words}{open_}; the recording has no end{'' if case.closed else ' yet'}."
    if not case.whole:
        return f"No fault in what is on file: {words}."
    if waiting:
        words += f", {waiting:,} not yet when {'the client left' if case.closed else 'it ended'}"
    return f"Healthy: {words}." if case.answered else f"No fault found: {words}."


def ending_words(case: Case) -> str:
    """How it ended, as part of a sentence."""
    known = case.over and case.session.kind != "probe"
    return f" ({case.session.ending.sentence})" if known else ""


def lifecycle(case: Case) -> list[Stage]:
    """How far the session got, step by step."""
    session = case.session
    if session.spawn_failed is not None:
        return [Stage("spawned", False, detail=session.ending.sentence), ended(case)]
    spawned = Stage("spawned", True if session.spawned_t is not None else None, session.spawned_t)
    stages = [spawned, Stage("first byte", reached(case, session.first_byte_t), session.first_byte_t)]
    stages.append(greeted(case))
    if session.era != "modern":
        stages.append(Stage("initialized", reached(case, case.ready_t), case.ready_t))
    listed = session.tools_listed_t
    if listed is not None:
        stages.append(
            Stage("tools/list", True, listed, plural(len(session.catalogue.get("tools", ())), "tool"))
        )
    else:
        stages.append(Stage("tools/list", None))
    return [*stages, ended(case)]


def greeted(case: Case) -> Stage:
    """The handshake: ``initialize`` answered, or ``server/discover``."""
    session = case.session
    asks = session.era == "modern" or (
        "server/discover" in session.methods and "initialize" not in session.methods
    )
    step = "server/discover answered" if asks else "initialize answered"
    if session.initialized_t is not None:
        return Stage(step, True, session.initialized_t, session.protocol or ", ".join(session.supported))
    if session.era == "modern" and session.protocol is not None:
        return Stage(step, None, detail=session.protocol)  # a client of that era need not ask
    if case.refused:
        return Stage(step, False, detail="refused")
    return Stage(step, None if case.asked_t is None else reached(case, None))


def reached(case: Case, t: float | None) -> bool | None:
    """Whether a step was taken; None where the recording cannot tell."""
    if t is not None:
        return True
    return False if case.whole and case.over else None


ENDED_BY = {
    "client-eof": "client closed stdin",
    "client-gone": "client stopped reading",
    "server-exit": "server left of its own accord",
    "server-eof": "server closed its output",
    "spawn-failed": "not started",
}


def ended(case: Case) -> Stage:
    """Who ended it, and how the server left."""
    ending = case.session.ending
    if not case.over:
        return Stage("ended", None, detail="not yet, or the tap was killed")
    if case.session.spawn_failed is not None:
        return Stage("ended", None, case.session.last_t, "not started")
    who = ENDED_BY.get(ending.first or "", "")
    if ending.first == "client-signal":
        who = f"client sent {case.client_closed_by or 'a signal'}"
    how = f"killed by {ending.signal}" if ending.signal else f"exit {ending.code}"
    ok: bool | None = ending.by == "client" or (ending.code == 0 and ending.signal is None)
    if ending.first == "server-exit" and ending.signal in FROM_ELSEWHERE:
        who, ok = "somebody else ended the server", None
    return Stage("ended", ok, case.session.last_t, ", ".join(part for part in (who, how) if part))
