"""SEC012: elicitation asks for a secret."""

from __future__ import annotations

import re
from typing import Any

from mcp_tap.diagnosis.context import Answer, Occurrence, Request, since
from mcp_tap.diagnosis.finding import Severity
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.record.patterns import lazy
from mcp_tap.rules.security._base import SPEAKS, named

SENSITIVE = (
    r"(?:password|passwd|passphrase|secret|api_?key|private_?key|access_?key|ssn|social_security_number|cvv|cvc"
    r"|card_?number|credit_?card)$"
)
DOUBTFUL = r"(?:^|_)(?:token|card|pin)$"
HUMP = lazy(r"(?<=[a-z0-9])(?=[A-Z])|[-\s.]+")


class ElicitsSecret(Rule):
    """A form that asks the user for a secret.

    What it means: the server asks for user input with a form (elicitation), and a property of that
    form is named like a password, a token, an API key or a card number.

    Why it matters: what the user types into a form passes through the client and its logs in plain
    text, so the specification forbids asking for secrets this way. Only the name is checked: where
    it is ambiguous (`token`, `card`), it is a warning; choices and yes/no questions do not count.

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

    What to do: take the secret from the server's configuration or environment, or let the user
    enter it on your own web page (URL mode, since 2025-11-25).
    """

    id = "SEC012"
    title = "elicitation asks for a secret"
    severity = "error"
    culprit = "server"
    certainty = "heuristic"
    versions = since("2025-06-18")
    next = "take the secret from the server's configuration, or ask in URL mode (since 2025-11-25)"
    spec = "2025-11-25/client/elicitation#user-interaction-model"

    @sees(sides="s2c", methods="elicitation/create")
    def request(self, request: Request) -> None:
        self._look(request, request.params)

    @sees(sides="s2c", methods=SPEAKS, shapes="other")
    def answer(self, answer: Answer) -> None:
        """In 2026-07-28 what the server asks is part of a result."""
        asked = answer.result.get("inputRequests")
        for each in list(asked.values())[:100] if isinstance(asked, dict) else ():
            if isinstance(each, dict) and each.get("method") == "elicitation/create":
                params = each.get("params")
                self._look(answer, params if isinstance(params, dict) else {})

    def _look(self, seen: Occurrence, params: dict[str, Any]) -> None:
        schema = params.get("requestedSchema")
        properties = schema.get("properties") if isinstance(schema, dict) else None
        for name, field in list(properties.items())[:1000] if isinstance(properties, dict) else ():
            severity = asks_for(name, field)
            if severity is not None:
                self.hit(
                    seen,
                    f"server asks the user for {named(name)} in a form; that looks like a secret",
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
