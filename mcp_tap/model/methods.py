"""The methods of MCP, by protocol version.

Read from the specification's schemas of all five releases (schema/VERSION/schema.ts).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Era = Literal["legacy", "modern"]
"""The specification's own words (2026-07-28, basic/versioning): with a handshake, and without."""

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = ("2026-07-28",)
ALL = LEGACY + MODERN

ERAS: dict[str, Era] = {
    "2024-10-07": "legacy",  # a pre-release that one SDK still accepts
    **dict.fromkeys(LEGACY, "legacy"),
    **dict.fromkeys(MODERN, "modern"),
}

MethodKind = Literal["request", "notification"]
Direction = Literal["c2s", "s2c", "both"]


@dataclass(frozen=True, slots=True)
class Method:
    """One method: what it is, who may send it, in which versions it exists."""

    kind: MethodKind
    direction: Direction
    versions: tuple[str, ...] = ALL


METHODS: dict[str, Method] = {
    "initialize": Method("request", "c2s", LEGACY),
    "ping": Method("request", "both", LEGACY),
    "server/discover": Method("request", "c2s", MODERN),
    "subscriptions/listen": Method("request", "c2s", MODERN),
    "tools/list": Method("request", "c2s"),
    "tools/call": Method("request", "c2s"),
    "resources/list": Method("request", "c2s"),
    "resources/templates/list": Method("request", "c2s"),
    "resources/read": Method("request", "c2s"),
    "resources/subscribe": Method("request", "c2s", LEGACY),
    "resources/unsubscribe": Method("request", "c2s", LEGACY),
    "prompts/list": Method("request", "c2s"),
    "prompts/get": Method("request", "c2s"),
    "completion/complete": Method("request", "c2s"),
    "logging/setLevel": Method("request", "c2s", LEGACY),
    "tasks/get": Method("request", "both", ("2025-11-25",)),
    "tasks/result": Method("request", "both", ("2025-11-25",)),
    "tasks/list": Method("request", "both", ("2025-11-25",)),
    "tasks/cancel": Method("request", "both", ("2025-11-25",)),
    # In the modern era these three live on as values in a result's inputRequests alone.
    "roots/list": Method("request", "s2c", LEGACY),
    "sampling/createMessage": Method("request", "s2c", LEGACY),
    "elicitation/create": Method("request", "s2c", ("2025-06-18", "2025-11-25")),
    "notifications/initialized": Method("notification", "c2s", LEGACY),
    "notifications/cancelled": Method("notification", "both"),
    "notifications/progress": Method("notification", "both"),
    "notifications/message": Method("notification", "s2c"),
    "notifications/roots/list_changed": Method("notification", "c2s", LEGACY),
    "notifications/tools/list_changed": Method("notification", "s2c"),
    "notifications/prompts/list_changed": Method("notification", "s2c"),
    "notifications/resources/list_changed": Method("notification", "s2c"),
    "notifications/resources/updated": Method("notification", "s2c"),
    "notifications/elicitation/complete": Method("notification", "s2c", ("2025-11-25",)),
    "notifications/tasks/status": Method("notification", "both", ("2025-11-25",)),
    "notifications/subscriptions/acknowledged": Method("notification", "s2c", MODERN),
}

MODERN_ONLY = frozenset(name for name, method in METHODS.items() if method.versions == MODERN)
"""Methods by which alone a request is one of the modern era."""

TARGETS: dict[str, str] = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "resources/subscribe": "uri",
    "resources/unsubscribe": "uri",
    "notifications/resources/updated": "uri",
    "completion/complete": "ref",
    "logging/setLevel": "level",
    "tasks/get": "taskId",
    "tasks/result": "taskId",
    "tasks/cancel": "taskId",
}
"""The parameter that says what a request is about."""

ASKS_THE_CLIENT = frozenset({"sampling/createMessage", "elicitation/create", "roots/list"})
"""Requests of the server that wait for the client, its model or its user."""

MAY_ASK = frozenset({"tools/call", "resources/read", "prompts/get", "tasks/result"})
"""Requests of the client in the course of which a server asks or logs.

The first three are those that may be answered by ``input_required`` in 2026-07-28; a 2025-11-25
server asks for a task while its result is waited for."""

STAYS_OPEN = frozenset({"subscriptions/listen"})
"""Requests whose answer comes at their end, if at all (2026-07-28, basic/patterns/subscriptions)."""

CATALOGUE = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}
"""The lists that a server offers, and the member of the result that holds a page."""

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CLIENT_INFO_KEY = "io.modelcontextprotocol/clientInfo"
CLIENT_CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"
LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
"""Members of ``_meta`` by which each message of the modern era describes itself."""

UNSUPPORTED_VERSION = -32022
"""The error of a server of the modern era that does not speak the request's version."""
