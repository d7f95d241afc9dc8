"""PRO018: sessions of one command overlapped."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.session_digest import Digest
from mcp_tap.diagnosis.text import plural
from mcp_tap.rules.process._same_command import NAMED, begins, ends, groups, name_of


class Overlapping(Rule):
    """Two sessions of one command overlapped.

    What it means: the same command ran twice or more at the same time. Clients do this: one process
    for each window, a second client on the same machine, an old process that has not ended yet.

    Why it matters: it is legal, and the server must not assume that it is alone: fixed ports, lock
    files and databases are where two instances meet.

    Fails:
        → 1 ping
        ← 1 result
        ══ after 0.5 s
        → 1 ping
        ← 1 result

    Passes:
        → 1 ping
        ← 1 result
        ══ after 5 s
        → 1 ping
        ← 1 result

    What to do: nothing, if the server holds nothing of which there is only one. Otherwise let it
    take any free port, and lock for as short as it can.
    """

    id = "PRO018"
    title = "sessions of one command overlapped"
    severity = "info"
    culprit = "undecided"
    next = "nothing, unless the server holds something of which there is one only: a port, a lock, a file"

    @classmethod
    def across(cls, digests: Sequence[Digest]) -> list[Finding]:
        found = [most_at_once(group) for group in groups(digests, by_parent=False)]
        return [cls._finding(together) for together in found if len(together) > 1]

    @classmethod
    def _finding(cls, together: list[Digest]) -> Finding:
        about = about_processes(together)
        return Finding(
            rule=cls.id,
            severity=cls.severity,
            culprit="undecided",
            certainty="proven",
            message=f"{plural(len(together), 'session')} of {name_of(together[0])} overlapped"
            f"{f' ({about})' if about else ''}; clients do this, the server must not assume that it is alone",
            next=cls.next,
            session=together[-1].session,
            count=len(together),
            evidence=tuple(digest.session for digest in together[:NAMED]),
            key=name_of(together[0]),
        )


def most_at_once(group: list[Digest]) -> list[Digest]:
    """The most sessions that ran at one time; ``group`` is in order."""
    best: list[Digest] = []
    running: list[Digest] = []
    for digest in group:
        running = [*(each for each in running if ends(each) > begins(digest)), digest]
        if len(running) > len(best):
            best = running
    return best


def about_processes(together: list[Digest]) -> str:
    """``processes 410, 455, same parent``, as far as the recordings tell."""
    words = []
    pids = [digest.pid for digest in together if digest.pid is not None]
    if len(set(pids)) == len(together):
        more = f" and {len(pids) - NAMED:,} more" if len(pids) > NAMED else ""
        words.append(f"processes {', '.join(map(str, pids[:NAMED]))}{more}")
    parents = {digest.ppid for digest in together}
    if None not in parents:
        words.append("same parent" if len(parents) == 1 else f"{len(parents)} parents")
    return ", ".join(words)
