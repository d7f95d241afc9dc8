"""A session in one line of a list."""

from __future__ import annotations

from dataclasses import dataclass

from mcp_tap.model.ending import Ending
from mcp_tap.model.message import Side
from mcp_tap.model.methods import Era
from mcp_tap.model.session import Party, Session, SessionKind
from mcp_tap.model.sessions import Sessions

UNREAD = "(unread)"
"""Stands for the methods that nobody has looked at: with it a session is no proven probe."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list says of a session; None is what has not been read, or is not recorded.

    ``start`` is RFC 3339 as recorded, ``duration`` in seconds. ``file`` is where it was found.
    """

    session: str
    file: str
    name: str | None
    start: str | None
    duration: float | None
    client: Party
    server: Party
    era: Era | None
    protocol: str | None
    messages: dict[Side, int] | None
    errors: int | None
    tool_errors: int | None
    harmless: int
    """Of ``errors`` those that a client asked for by probing, and went on."""
    unanswered: int | None
    kind: SessionKind | None
    ending: Ending | None

    @property
    def order(self) -> tuple[str, str, str]:
        """A key that sorts by start."""
        return (self.start or "", self.session, self.file)


def summary_of(session: Session, file: str) -> Summary:
    """What is known of a session that was read as a whole."""
    return Summary(
        session=session.id,
        file=file,
        name=session.name,
        start=session.ts,
        duration=session.last_t,
        client=session.client,
        server=session.server,
        era=session.era,
        protocol=session.protocol,
        messages=dict(session.messages),
        errors=session.errors,
        tool_errors=session.tool_errors,
        harmless=session.refused_probes if "initialize" in session.methods or session.kind == "probe" else 0,
        unanswered=len(session.unanswered()),
        kind=session.kind,
        ending=session.ending,
    )


def brief_summaries(head: list[bytes], tail: list[bytes], file: str) -> list[Summary]:
    """What the two ends of a file tell of its first and of its last session, or of the one it has.

    Raises :class:`TapError` at a ``start`` record of a newer format.
    """
    sessions = Sessions()
    for session, _ in sessions.steps(head):
        if session.initialized_t is not None:
            break
    begun = set(sessions.by_id)
    seen = {session.id: session.last_t for session in sessions.by_id.values()}
    # The tap's own events tell how it ended, and the last record when. An answer would find no
    # request, since what is in between has not been read.
    summaries = []
    for session in sessions.read([line for line in tail[:-1] if b'"dir":"tap"' in line[:200]] + tail[-1:]):
        at_the_end = session.id not in begun or session.last_t > seen[session.id] or session.exit is not None
        summaries.append(brief_summary(session, file, begun=session.id in begun, ended=at_the_end))
    return summaries


def brief_summary(session: Session, file: str, *, begun: bool, ended: bool) -> Summary:
    """A session of which the beginning, the end or both have been read."""
    session.methods.add(UNREAD)
    return Summary(
        session=session.id,
        file=file,
        name=session.name,
        start=session.ts if begun else None,
        duration=session.last_t if ended else None,
        client=session.client,
        server=session.server,
        era=session.era,
        protocol=session.protocol,
        messages=None,
        errors=None,
        tool_errors=None,
        harmless=0,
        unanswered=None,
        kind=None,
        ending=session.ending if ended else None,
    )
