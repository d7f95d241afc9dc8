"""SEC002: credential in server output."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.context import Answer, Notification, Occurrence
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.credentials import credentials_in, looks_secret
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.rules.security._base import SPEAKS, article, named


class SecretInOutput(Rule):
    """A credential in what the server says.

    What it means: a result, a log notification or an error of the server holds something that has the
    shape of a well-known token, or a value whose name says that it is a credential.

    Why it matters: results go into the model's context, and from there anywhere: into other tools'
    arguments, into the conversation, to the model's provider. The specification forbids credentials in
    log messages. By its name alone a value only looks like a credential; that is told as information.

    Fails (and SEC003):
        → 5 tools/call {"name":"read_config"}
        ← 5 result {"content":[{"type":"text","text":"db = postgres://app:s3cr3t-w0rd@db.test/app"}]}

    Passes:
        → 5 tools/call {"name":"read_config"}
        ← 5 result {"content":[{"type":"text","text":"db = postgres://app:${DB_PASSWORD}@db.test/app"}]}

    What to do: leave the value out, or mask it, before the server answers. If it was real, revoke it.
    """

    id = "SEC002"
    title = "credential in server output"
    severity = "warning"
    culprit = "server"
    next = "leave the value out of results and log messages, or mask it; if it is real, revoke it"
    spec = "2025-11-25/server/utilities/logging#security"

    @sees(sides="s2c", cue=looks_secret)
    def answer(self, answer: Answer) -> None:
        exchange = answer.exchange
        about = (
            f"`{exchange.method}`"
            if exchange.target is None
            else f"{exchange.method} {named(exchange.target)}"
        )
        if answer.error:
            self._report(answer, f"the error of {about}", f"{exchange.method} error", answer.error, "error")
        elif exchange.method in SPEAKS:
            where = f"{exchange.method} {exchange.target or ''}".strip()
            self._report(answer, f"the result of {about}", where, answer.result, "")

    @sees(sides="s2c", methods="notifications/message", cue=looks_secret)
    def notification(self, log: Notification) -> None:
        self._report(log, "a log message", "notifications/message", log.params.get("data"), "data")

    def _report(self, seen: Occurrence, where: str, key: str, value: Any, path: str) -> None:
        for each in credentials_in(value, path):
            what = article(each.kind) if each.proven else "what looks like a credential"
            self.hit(
                seen,
                f"{where} holds {what} in {each.path}: {each.masked}",
                key=f"{key} {each.kind}",
                evidence=f"{each.path} {each.masked}",
                severity="warning" if each.proven else "info",
                certainty="proven" if each.proven else "heuristic",
            )
