"""PRO010: the server restarts in a loop."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_tap.diagnosis.finding import Culprit, Finding
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.session_digest import Digest
from mcp_tap.diagnosis.text import seconds
from mcp_tap.rules.process._same_command import NAMED, begins, ends, groups, name_of

LOOP_SESSIONS = 3
LOOP_SECONDS = 60.0
"""So many sessions that begin within so long, each of which failed, are a loop."""

FAILED = frozenset({"PRO001", "PRO002", "PRO003", "PRO005", "PRO019"})
"""What is found in a session that ended in a failure."""


class RestartLoop(Rule):
    """The server restarts in a loop.

    What it means: three or more sessions of one command, started by the same process within a
    minute and one after the other, ended in a failure each: not started, died at start, died in a
    call, killed.

    Why it matters: the client tries again and again, which costs time and may lock an account or
    fill a disk. Processes that clients start to find out what a server speaks (probes) do not count.

    Fails, from the start (and PRO002):
        → 0 initialize …
        0.4 ·· exit code=1 first=server-exit
        ══ after 5 s
        → 0 initialize …
        0.4 ·· exit code=1 first=server-exit
        ══ after 10 s
        → 0 initialize …
        0.4 ·· exit code=1 first=server-exit

    Passes, from the start (and PRO002):
        → 0 initialize …
        0.4 ·· exit code=1 first=server-exit
        ══ after 5 s
        → 0 initialize …
        0.4 ·· exit code=1 first=server-exit
        ══ after 120 s
        → 0 initialize …
        0.4 ·· exit code=1 first=server-exit

    What to do: look at the error of each session; it is likely to be the same.
    """

    id = "PRO010"
    title = "the server restarts in a loop"
    severity = "warning"
    culprit = "server"
    next = "look at the error of each session: it is likely to be the same"

    @classmethod
    def across(cls, digests: Sequence[Digest]) -> list[Finding]:
        failed = [digest for digest in digests if digest.complete and digest.rules & FAILED]
        found = [longest_run(group) for group in groups(failed, by_parent=True)]
        return [cls._finding(run) for run in found if len(run) >= LOOP_SESSIONS]

    @classmethod
    def _finding(cls, run: list[Digest]) -> Finding:
        rules = sorted(frozenset[str]().union(*(digest.rules & FAILED for digest in run)))
        culprit: Culprit = "environment" if rules == ["PRO001"] else "server"
        span = begins(run[-1]) - begins(run[0])
        return Finding(
            rule=cls.id,
            severity=cls.severity,
            culprit=culprit,
            certainty="proven",
            message=f"server {name_of(run[0])} was started {len(run):,} times in {seconds(span)} and failed "
            f"each time ({', '.join(rules)})",
            next=cls.next,
            session=run[-1].session,
            count=len(run),
            evidence=tuple(digest.session for digest in run[:NAMED]),
            key=name_of(run[0]),
        )


def longest_run(group: list[Digest]) -> list[Digest]:
    """The most sessions that begin within a minute and follow each other; ``group`` is in order."""
    best: list[Digest] = []
    run: list[Digest] = []
    for digest in group:
        if run and ends(run[-1]) > begins(digest):
            run = []  # at the same time: two clients, not one that tries again
        run.append(digest)
        while begins(digest) - begins(run[0]) > LOOP_SECONDS:
            run.pop(0)
        if len(run) > len(best):
            best = list(run)
    return best
