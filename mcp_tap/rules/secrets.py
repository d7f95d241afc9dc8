"""SEC001, SEC002, SEC003, SEC012: credentials that pass, are written down, or are asked for."""

from __future__ import annotations

import re
from typing import Any

from mcp_tap.record.reader import Record
from mcp_tap.rules.case import Seen, plural, since
from mcp_tap.rules.facts.credentials import Credential, credentials_in, in_line, looks_secret, shapes_in
from mcp_tap.rules.finding import Hit, Severity
from mcp_tap.rules.rule import Rule

VALUES_KEPT = 1000
"""Different credentials of a session that are told apart."""

INDEX = re.compile(r"\[\d+\]")


def may_hold(seen: Seen) -> bool:
    """Whether a message is worth walking through; of one recorded in parts only the last is at hand."""
    return not seen.record.is_message or looks_secret(seen.record.payload)


def named(text: str | None, limit: int = 60) -> str:
    """A name from the wire as part of a sentence."""
    line = " ".join((text or "?").split())
    return f"`{line if len(line) <= limit else line[: limit - 1] + '…'}`"


def article(kind: str) -> str:
    """``a GitHub token``, ``an AWS access key``."""
    return f"{'an' if kind[0] in 'aeiouA' else 'a'} {kind}"


class SecretInArguments(Rule):
    """A credential in the arguments of a tool.

    What it means: the client passed something to a tool that has the shape of a well-known token (a
    GitHub or Slack token, a private key, a password in a URL…), or a value whose name says that it is
    a credential (`password`, `api_key`, `Authorization`). A placeholder or a masked value is neither.

    Why it matters: what a model passes to a tool has been in its context, goes to logs, and stays in the
    conversation. With a shape it is an error; by its name alone a value only looks like a credential,
    and that is a warning.

    Fails (and SEC003):
        → 5 tools/call {"name":"fetch","arguments":{"url":"https://ann:s3cr3t-w0rd@build.test/feed"}}
        ← 5 result {"content":[{"type":"text","text":"ok"}]}

    Fails (and SEC003):
        → 5 tools/call {"name":"login","arguments":{"user":"ann","password":"tr0ub4dor&3"}}
        ← 5 result {"content":[{"type":"text","text":"ok"}]}

    Passes:
        → 5 tools/call {"name":"fetch","arguments":{"headers":{"Authorization":"Bearer ${API_TOKEN}"},
            "pageToken":"CAUQAA-2938475","password":"[masked]"}}
        ← 5 result {"content":[{"type":"text","text":"ok"}]}

    What to do: give the credential to the server by its environment or configuration, so that the model
    need not know it. If it was real, revoke it.
    """

    id = "SEC001"
    title = "credential in tool arguments"
    severity = "error"
    culprit = "client"
    methods = frozenset({"tools/call"})
    next = "give the credential to the server by its environment or configuration; if it is real, revoke it"
    spec = "2025-11-25/basic/security_best_practices"

    def request(self, seen: Seen) -> None:
        if seen.side != "c2s" or not may_hold(seen):
            return
        tool = seen.params.get("name")
        tool = tool if isinstance(tool, str) else "?"
        for each in credentials_in(seen.params.get("arguments"), "arguments"):
            self._tell(seen, tool, each)

    def _tell(self, seen: Seen, tool: str, each: Credential) -> None:
        what = article(each.kind) if each.proven else "what looks like a credential"
        self.hit(
            seen,
            f"client passed {what} to tool {named(tool)} in {each.path}: {each.masked}",
            key=f"{tool} {INDEX.sub('[]', each.path)}",
            evidence=f"{each.path} {each.masked}",
            severity="error" if each.proven else "warning",
            culprit="client" if each.proven else "undecided",
            certainty="proven" if each.proven else "heuristic",
        )


SPEAKS = frozenset({"tools/call", "resources/read", "prompts/get"})
"""Requests whose results hold content."""


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

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if seen.side != "s2c" or exchange is None or not may_hold(seen):
            return
        about = (
            f"`{exchange.method}`"
            if exchange.target is None
            else f"{exchange.method} {named(exchange.target)}"
        )
        if seen.error:
            self._tell(seen, f"the error of {about}", f"{exchange.method} error", seen.error, "error")
        elif exchange.method in SPEAKS:
            where = f"{exchange.method} {exchange.target or ''}".strip()
            self._tell(seen, f"the result of {about}", where, seen.result, "")

    def notification(self, seen: Seen) -> None:
        if seen.side == "s2c" and seen.message.method == "notifications/message" and may_hold(seen):
            self._tell(seen, "a log message", "notifications/message", seen.params.get("data"), "data")

    def _tell(self, seen: Seen, where: str, key: str, value: Any, path: str) -> None:
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


class SecretsRecorded(Rule):
    """Values in the recording that look like credentials.

    What it means: messages, stderr or the command line in this recording hold values that look like
    credentials. The number is that of different values, wherever they are. What the tap has masked on
    the command line does not count, and neither do placeholders.

    Why it matters: a recording holds what passed, by design. It is readable by its owner alone, but a
    recording is made to be sent to somebody.

    Fails:
        2> Using headers: {"X-API-KEY":"5f2d1c9ab34e"}

    Passes:
        2> Using headers: {"X-API-KEY":"EXAMPLE"} and token [masked], max_tokens=1024

    What to do: look through the recording, and redact it, before you share it.
    """

    id = "SEC003"
    title = "recording holds what looks like credentials"
    severity = "info"
    culprit = "undecided"
    certainty = "heuristic"
    next = "look through the recording, and redact it, before sharing it"

    def message(self, seen: Seen) -> None:
        if may_hold(seen):
            value = seen.message.value
            self._note(
                seen.record, self._place(seen), credentials_in(value if isinstance(value, dict) else {})
            )

    @staticmethod
    def _place(seen: Seen) -> str:
        if seen.message.method == "tools/call":
            return "tool arguments"
        if seen.message.method is not None:
            return seen.message.method
        method = None if seen.exchange is None else seen.exchange.method
        return "answers" if method is None else f"answers to {method}"

    def stderr(self, record: Record) -> None:
        self._note(record, "stderr", in_line(record.payload.decode(errors="replace")))

    def event(self, record: Record) -> None:
        argv = record.fields.get("argv") if record.event == "start" else None
        for word in argv if isinstance(argv, list) else ():
            if isinstance(word, str):
                shapes = [Credential(kind, value, "", True) for kind, value in shapes_in(word)]
                self._note(record, "the command line", shapes)

    def _note(self, record: Record, place: str, found: list[Credential]) -> None:
        if not found:
            return
        hit = self.hit(record, "", evidence=f"{place} {found[0].masked}")
        values: set[int] = hit.facts.setdefault("values", set())  # type: ignore[assignment] # facts are ours
        places: dict[str, None] = hit.facts.setdefault("places", {})  # type: ignore[assignment] # in order
        # Hashes: the values themselves are not to lie about in memory, let alone in a report.
        values.update(hash(each.value) for each in found[: max(0, VALUES_KEPT - len(values))])
        if len(places) < 20:
            places[place] = None

    def sentence(self, hit: Hit) -> str:
        values, places = hit.facts["values"], hit.facts["places"]
        assert isinstance(values, set)
        assert isinstance(places, dict)
        told = list(places)
        where = ", ".join(told[:3]) + (f" and {plural(len(told) - 3, 'more place')}" if len(told) > 3 else "")
        return f"recording holds values that look like credentials ({len(values):,}): in {where}"


SENSITIVE = (
    r"(?:password|passwd|passphrase|secret|api_?key|private_?key|access_?key|ssn|social_security_number|cvv|cvc"
    r"|card_?number|credit_?card)$"
)
DOUBTFUL = r"(?:^|_)(?:token|card|pin)$"
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[-\s.]+")


class ElicitsSecret(Rule):
    """A form that asks the user for a secret.

    What it means: the server asks for user input by a form (elicitation), and a property of that form
    is named like a password, a token, an API key, a card number.

    Why it matters: what the user types into a form passes through the client, and its logs, in plain
    text, so the specification forbids to ask for such things this way. The name is all that is known:
    where it may mean something else (`token`, `card`), it is a warning; a choice or a yes-or-no question
    is none of it.

    Fails, client {"elicitation":{}}:
        → 5 tools/call {"name":"login"}
        ← 7 elicitation/create {"message":"Log in","requestedSchema":{"type":"object",
            "properties":{"user":{"type":"string"},"password":{"type":"string"}}}}
        → 7 result {"action":"decline"}
        ← 5 result {"content":[{"type":"text","text":"declined"}]}

    Passes, client {"elicitation":{}}:
        → 5 tools/call {"name":"plan"}
        ← 7 elicitation/create {"message":"How?","requestedSchema":{"type":"object",
            "properties":{"max_tokens":{"type":"integer"},"reset_password":{"type":"boolean"}}}}
        → 7 result {"action":"decline"}
        ← 5 result {"content":[{"type":"text","text":"declined"}]}

    What to do: take the secret from the server's configuration or environment, or let the user enter it
    on a page of yours (URL mode, since 2025-11-25).
    """

    id = "SEC012"
    title = "elicitation asks for a secret"
    severity = "error"
    culprit = "server"
    certainty = "heuristic"
    versions = since("2025-06-18")
    methods = SPEAKS | {"elicitation/create"}
    next = "take the secret from the server's configuration, or ask in URL mode (since 2025-11-25)"
    spec = "2025-11-25/client/elicitation#user-interaction-model"

    def request(self, seen: Seen) -> None:
        if seen.side == "s2c" and seen.message.method == "elicitation/create":
            self._look(seen, seen.params)

    def answer(self, seen: Seen) -> None:
        """In 2026-07-28 what the server asks is part of a result."""
        asked = seen.result.get("inputRequests") if seen.side == "s2c" else None
        for each in list(asked.values())[:100] if isinstance(asked, dict) else ():
            if isinstance(each, dict) and each.get("method") == "elicitation/create":
                params = each.get("params")
                self._look(seen, params if isinstance(params, dict) else {})

    def _look(self, seen: Seen, params: dict[str, Any]) -> None:
        schema = params.get("requestedSchema")
        properties = schema.get("properties") if isinstance(schema, dict) else None
        for name, field in list(properties.items())[:1000] if isinstance(properties, dict) else ():
            severity = asks_for(name, field)
            if severity is not None:
                self.hit(
                    seen,
                    f"server asks the user for {named(name)} in a form, which looks like a secret",
                    key=name,
                    severity=severity,
                )


def asks_for(name: str, field: Any) -> Severity | None:
    """How bad it is to ask for a property of a form; None where it is no secret."""
    if not isinstance(field, dict) or field.get("type") in ("boolean", "array"):
        return None
    if any(key in field for key in ("enum", "oneOf", "anyOf", "const")):
        return None
    if re.search(r"^(?:has|is|use|reset|forgot|change)[-_A-Z]", name):
        return None
    plain = HUMP.sub("_", name)
    if re.search(SENSITIVE, plain, re.IGNORECASE):
        return "error"
    return "warning" if re.search(DOUBTFUL, plain, re.IGNORECASE) else None


RULES: tuple[type[Rule], ...] = (SecretInArguments, SecretInOutput, SecretsRecorded, ElicitsSecret)
