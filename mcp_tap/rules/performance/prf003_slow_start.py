"""PRF003: slow start."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.life import INSTALLERS, launcher
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import seconds


class SlowStart(Rule):
    """A server that takes long to start.

    What it means: more than ten seconds (``slow_start_seconds``) passed before the server answered
    ``initialize`` (or ``server/discover``, or whatever came first), counted from the request. It is
    an error above 30 seconds (``start_limit_seconds``).

    Why it matters: Claude Code, for one, gives up to connect after 30 seconds. What npx or uvx
    downloads at the first start counts; each attempt that is given up may begin it anew.

    Fails, from the start:
        0.1 → 0 initialize …
        14 ← 0 result …
        → notifications/initialized

    Passes, from the start:
        0.1 → 0 initialize …
        4 ← 0 result …
        → notifications/initialized

    What to do: install the server beforehand and start it by its own path; put off what it loads
    until after the handshake.
    """

    id = "PRF003"
    title = "slow start"
    severity = "warning"
    culprit = "server"
    next = "load less before the handshake"

    @sees(sides="s2c")
    def answer(self, answer: Answer) -> None:
        self.retire()  # the first one is all that it is about
        exchange = answer.exchange
        thresholds, took = self.context.thresholds, exchange.own_time or 0.0
        if took <= thresholds.slow_start_seconds or not self.context.whole or self.context.closed:
            return
        tool = launcher(self.context.session.start)
        tool = tool if tool in INSTALLERS else None
        spawned = self.context.session.spawned_t
        after = "" if spawned is None else f", {seconds(answer.t - spawned)} after the server was started"
        by = f" by {tool}" if after and tool else ""
        self.hit(
            [exchange.seq, answer.seq],
            f"{exchange.method[:60]} was answered after {seconds(took)}{after}{by}",
            severity="error" if took > thresholds.start_limit_seconds else None,
            culprit="undecided" if tool else None,
            next=f"install the server beforehand and start it without {tool}" if tool else None,
        )
