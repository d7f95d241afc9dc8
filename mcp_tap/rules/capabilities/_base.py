"""What a capability is needed for, and where the specification says so."""

from __future__ import annotations

NEGOTIATION = "2025-11-25/basic/lifecycle#capability-negotiation"

SERVES: dict[str, str] = {
    "tools/list": "tools",
    "tools/call": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resources",
    "resources/read": "resources",
    "resources/subscribe": "resources",
    "resources/unsubscribe": "resources",
    "prompts/list": "prompts",
    "prompts/get": "prompts",
    "completion/complete": "completions",
    "logging/setLevel": "logging",
}
"""The server's capability that a method of the client needs."""
