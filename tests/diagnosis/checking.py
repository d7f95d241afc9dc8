"""What the rules find in invented sessions and in recordings; every test reads them here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mcp_tap.diagnosis.baseline import Baseline, Known, server_key
from mcp_tap.diagnosis.dispatch import Checker
from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.recording import Diagnosis
from mcp_tap.diagnosis.report import SessionReport
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.session_digest import digest_of
from mcp_tap.diagnosis.settings import Thresholds
from mcp_tap.model.sessions import Sessions
from mcp_tap.record.reader import Record, read_records
from mcp_tap.rules.registry import RULES
from tests.record_cases import Tape, request, result
from tests.record_cases import told as notified
from tests.rules import sentences

Rules = Sequence[type[Rule]]

Told = tuple[str, str, str, tuple[int, ...], str]
"""Rule, severity, culprit, records and sentence of a finding."""

EVERYTHING: dict[str, Any] = {
    "tools": {"listChanged": True},
    "resources": {"listChanged": True, "subscribe": True},
    "prompts": {"listChanged": True},
    "logging": {},
    "completions": {},
}
"""What the server of an example declares, unless the example says otherwise."""


def rules_of(*beginnings: str) -> tuple[type[Rule], ...]:
    """The rules whose ids begin with one of these, in the registry's order."""
    found = tuple(rule for rule in RULES if rule.id.startswith(beginnings))
    assert all(any(rule.id.startswith(each) for rule in found) for each in beginnings), beginnings
    return found


def examined(
    records: Iterable[Record],
    rules: Rules = RULES,
    *,
    thresholds: Thresholds | None = None,
    baseline: Baseline | None = None,
) -> list[Checker]:
    """Each session of ``records``, shown to ``rules`` record by record, to its end."""
    sessions, found = Sessions(), dict[str, Checker]()
    for record in records:
        session, step = sessions.add(record)
        if session.id not in found:
            found[session.id] = Checker(session, rules, thresholds or Thresholds())
            found[session.id].context.baseline = baseline
        found[session.id].take(step)
    for checker in found.values():
        checker.end()
    return list(found.values())


def check(tape: Tape, *, rules: Rules = RULES, thresholds: Thresholds | None = None) -> list[Finding]:
    """What the rules find in ``tape``, the worst first."""
    every = examined(tape.records(), rules, thresholds=thresholds, baseline=baseline_of(tape))
    return [finding for checker in every for finding in checker.findings()]


def baseline_of(tape: Tape) -> Baseline | None:
    """What is known of the server in ``tape`` from before, where the tape says so."""
    known = tape.known_tools
    return None if known is None else Baseline({server_key(tape.read()): Known(tools=known)})


def check_together(tapes: Sequence[tuple[float, Tape]], *, rules: Rules = RULES) -> list[Finding]:
    """What the rules find in each of several sessions and across them; a session with when it began."""
    found: list[Finding] = []
    digests = []
    for number, (after, tape) in enumerate(tapes):
        here = check(tape, rules=rules)
        kept = digest_of(tape.read(), here)
        begins, ends = (None if at is None else at + after for at in (kept.begins, kept.ends))
        digests.append(replace(kept, session=f"{kept.session}-{number}", begins=begins, ends=ends))
        found += here
    if len(tapes) > 1:
        found += [finding for rule in rules for finding in rule.across(digests)]
    return sorted(found, key=lambda finding: finding.order)


def findings_of(path: Path, rules: Rules) -> list[Finding]:
    """What ``rules`` find in each session of a recording on disk, and across them."""
    every = examined(records_of(path), rules)
    found = [finding for checker in every for finding in checker.findings()]
    digests = [digest_of(each.context.session, each.findings()) for each in every]
    return found + [finding for rule in rules for finding in rule.across(digests)]


def records_of(path: Path) -> Iterator[Record]:
    """The records of a recording that has nothing else in it."""
    with path.open("rb") as lines:
        for record in read_records(lines):
            assert isinstance(record, Record)
            yield record


def diagnosed(
    lines: Iterable[bytes], rules: Rules = RULES, *, baseline: Baseline | None = None
) -> list[SessionReport]:
    """What ``mcp-tap check`` says of these lines."""
    diagnosis = Diagnosis(rules, baseline=baseline)
    for session, step in Sessions().steps(lines):
        diagnosis.take(session, step)
    return list(diagnosis.reports("f"))


def names(found: Sequence[Finding]) -> list[str]:
    """The rules, the worst first, each as often as it has findings."""
    return [finding.rule for finding in found]


def facts(found: Iterable[Finding]) -> list[Told]:
    """What tests of rules compare of findings: all but the words, which are held in one file for all."""
    return [(each.rule, each.severity, each.culprit, each.records, each.key) for each in held(found)]


def held(found: Iterable[Finding]) -> list[Finding]:
    """The findings themselves; their words are held in the same file."""
    known = list(found)
    for each in known:
        sentences.hold(each)
    return known


def told(found: Iterable[Finding]) -> list[Told]:
    """What tests compare of findings."""
    return [(each.rule, each.severity, each.culprit, each.records, each.message) for each in found]


def begun(
    version: str = "2025-11-25", client: dict[str, Any] | None = None, server: dict[str, Any] | None = None
) -> Tape:
    """A session whose handshake is complete at 0.2 s; its only id is 0."""
    offer = request(
        0,
        "initialize",
        protocolVersion=version,
        capabilities=client or {},
        clientInfo={"name": "editor", "version": "2"},
    )
    answer = result(
        0,
        protocolVersion=version,
        capabilities=EVERYTHING if server is None else server,
        serverInfo={"name": "notes", "version": "1.2"},
    )
    return (
        Tape()
        .start()
        .client(offer, 0.1)
        .server(answer, 0.2)
        .client(notified("notifications/initialized"), 0.2)
    )


def closed(tape: Tape, t: float) -> Tape:
    """The client closes stdin, and the server leaves at once with 0."""
    tape.event("eof", t, stream="c2s").event("eof", t + 0.05, stream="s2c")
    return tape.event("eof", t + 0.05, stream="stderr").exit(t + 0.05, "client-eof")
