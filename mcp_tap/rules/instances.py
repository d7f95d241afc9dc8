"""PRO: several sessions of one server, held against each other."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from mcp_tap.rules.case import plural, seconds
from mcp_tap.rules.digest import Digest
from mcp_tap.rules.finding import Culprit, Finding
from mcp_tap.rules.rule import Rule

LOOP_SESSIONS = 3
LOOP_SECONDS = 60.0
"""So many sessions that begin within so long, each of which failed, are a loop."""

FAILED = frozenset({"PRO001", "PRO002", "PRO003", "PRO005", "PRO019"})
"""What is found in a session that ended in a failure."""

NAMED = 5
"""Processes that a sentence names."""


def name_of(digest: Digest) -> str:
    """What the server of a session is called."""
    return digest.name or digest.command[0]


def groups(digests: Iterable[Digest], by_parent: bool) -> list[list[Digest]]:
    """The sessions of one command in one directory each, in order of their start.

    Probes, and sessions of which the start is not on file, are in none of them.
    """
    found: dict[Hashable, list[Digest]] = {}
    for digest in digests:
        if digest.kind == "probe" or digest.begins is None or digest.ends is None or not digest.command:
            continue
        parent = digest.ppid if by_parent else None
        found.setdefault((digest.name, digest.command, digest.cwd, parent), []).append(digest)
    return [sorted(group, key=begins) for group in found.values() if len(group) > 1]


def begins(digest: Digest) -> float:
    """When a session began, in seconds since 1970."""
    return digest.begins or 0.0


def ends(digest: Digest) -> float:
    """When a session ended, or was last heard of."""
    return digest.ends or 0.0


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


RULES: tuple[type[Rule], ...] = (RestartLoop, Overlapping)
