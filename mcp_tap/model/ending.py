"""How a session ended: who ended it, and how the server left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mcp_tap.model.units import seconds

Ender = Literal["client", "server", "nobody"]
"""Who ended a session; ``nobody``: it never began."""

ENDED_BY: dict[str, Ender] = {
    "client-eof": "client",
    "client-signal": "client",
    "client-gone": "client",
    "server-exit": "server",
    "server-eof": "server",
    "spawn-failed": "nobody",
}


@dataclass(frozen=True, slots=True)
class Ending:
    """How a session ended. ``first`` as recorded; ``sentence`` says it in a few words.

    ``by`` is who ended it; None where the recording does not say.
    """

    first: str | None
    code: int | None
    signal: str | None
    sentence: str
    by: Ender | None = None


FROM_ELSEWHERE = frozenset({"SIGTERM", "SIGINT", "SIGHUP"})
"""Signals by which nothing dies of itself. One that the tap has not passed on was sent to the server
directly: some clients (OpenCode, measured) look for the processes behind a launcher and end these first."""


def ended(first: str | None, code: int | None, signal: str | None, after: float, sent: str | None) -> Ending:
    """The ending of a server that was started and is gone, ``after`` so many seconds.

    ``first`` is as recorded, ``sent`` the first signal that the client has sent.
    """
    return Ending(first, code, signal, sentence(first, code, signal, after, sent), ENDED_BY.get(first or ""))


def sentence(first: str | None, code: int | None, signal: str | None, after: float, sent: str | None) -> str:
    """The same in a few words."""
    how = f"killed by {signal}" if signal else "ended" if code is None else f"exited {code}"
    if first == "client-eof":
        return "client closed" if code == 0 else f"client closed, server {how}"
    if first == "client-signal":
        return f"client sent {sent or 'a signal'}, server {how}"
    if first == "client-gone":
        return f"client stopped reading, server {how}"
    if first == "server-eof":
        return f"server closed stdout, then {how}"
    if first == "server-exit":
        if signal in FROM_ELSEWHERE:
            return f"server stopped from outside: {how} after {seconds(after)}"
        if code == 0:
            return f"server exited 0 after {seconds(after)}"
        return f"server died: {f'exit {code}' if signal is None else how} after {seconds(after)}"
    return f"server {how}"
