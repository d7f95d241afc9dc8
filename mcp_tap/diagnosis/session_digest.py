"""What is kept of a session once it has been examined, to hold it against others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from mcp_tap.diagnosis.finding import Finding
from mcp_tap.model.session import Session, SessionKind


@dataclass(frozen=True, slots=True)
class Digest:
    """One session in a few words. ``begins`` and ``ends`` are seconds since 1970, by the wall clock.

    ``command`` is the server's command line as recorded (masked), ``rules`` the rules that found an
    error; ``complete`` is whether the recording has both ends of the session.
    """

    session: str
    name: str | None
    command: tuple[str, ...]
    cwd: str | None
    pid: int | None
    ppid: int | None
    begins: float | None
    ends: float | None
    kind: SessionKind
    complete: bool
    rules: frozenset[str]


def digest_of(session: Session, findings: Iterable[Finding]) -> Digest:
    """What to keep of ``session``."""
    start = session.start
    argv, begins = start.get("argv"), moment(session.ts)
    return Digest(
        session=session.id,
        name=session.name,
        command=tuple(str(word) for word in argv) if isinstance(argv, list) else (),
        cwd=str(start["cwd"]) if isinstance(start.get("cwd"), str) else None,
        pid=number(start.get("pid")),
        ppid=number(start.get("ppid")),
        begins=begins,
        ends=None if begins is None else begins + session.last_t,
        kind=session.kind,
        complete=bool(start) and (session.exit is not None or session.spawn_failed is not None),
        rules=frozenset(finding.rule for finding in findings if finding.severity == "error"),
    )


def moment(ts: str | None) -> float | None:
    """A recorded time in seconds since 1970; None where it is none."""
    try:
        return datetime.fromisoformat(ts or "").timestamp()
    except (ValueError, OverflowError):
        return None


def number(value: object) -> int | None:
    """``value`` if it is an integer."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
