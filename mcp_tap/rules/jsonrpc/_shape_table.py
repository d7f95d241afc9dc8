"""Which members params and results must have, by method (MCP schema of all five releases).

Only what is certain, and only at the top: a member that is required in every version that has the
method, unless a version is named. What other rules say in more detail is not here: the params of
``initialize`` (LIF007) and the version in its result (LIF013), the envelope in ``_meta`` (MOD001),
``resultType``, ``ttlMs`` and ``cacheScope`` (MOD003, MOD012), the content of a tool's result
(RES001), and all that is within a list.
"""

from __future__ import annotations

Types = tuple[str, ...]
"""JSON types that a member may have, as ``json_type`` calls them; empty for any."""

Members = dict[str, Types]

STRING: Types = ("string",)
NUMBER: Types = ("number",)
OBJECT: Types = ("object",)
ARRAY: Types = ("array",)
STRING_OR_NUMBER: Types = ("string", "number")
NUMBER_OR_NULL: Types = ("number", "null")
OBJECT_OR_ARRAY: Types = ("object", "array")
ANY: Types = ()

TASK: Members = {
    "taskId": STRING,
    "status": STRING,
    "createdAt": STRING,
    "lastUpdatedAt": STRING,
    "ttl": NUMBER_OR_NULL,
}

PARAMS: dict[str, Members] = {
    "tools/call": {"name": STRING},
    "resources/read": {"uri": STRING},
    "resources/subscribe": {"uri": STRING},
    "resources/unsubscribe": {"uri": STRING},
    "prompts/get": {"name": STRING},
    "completion/complete": {"ref": OBJECT, "argument": OBJECT},
    "logging/setLevel": {"level": STRING},
    "subscriptions/listen": {"notifications": OBJECT},
    "tasks/get": {"taskId": STRING},
    "tasks/result": {"taskId": STRING},
    "tasks/cancel": {"taskId": STRING},
    "sampling/createMessage": {"messages": ARRAY, "maxTokens": NUMBER},
    "elicitation/create": {"message": STRING, "requestedSchema": OBJECT},
    "notifications/cancelled": {"requestId": STRING_OR_NUMBER},
    "notifications/progress": {"progressToken": STRING_OR_NUMBER, "progress": NUMBER},
    "notifications/message": {"level": STRING, "data": ANY},
    "notifications/resources/updated": {"uri": STRING},
    "notifications/elicitation/complete": {"elicitationId": STRING},
    "notifications/tasks/status": TASK,
    "notifications/subscriptions/acknowledged": {"notifications": OBJECT},
}

OPTIONAL_SINCE: dict[tuple[str, str], frozenset[str]] = {
    ("notifications/cancelled", "requestId"): frozenset({"2025-11-25"}),  # tasks have a way of their own
    ("elicitation/create", "requestedSchema"): frozenset({"2025-11-25"}),  # there is a URL mode, too
}
"""Versions in which a member may be left out; its type holds all the same."""

RESULTS: dict[str, Members] = {
    "initialize": {"capabilities": OBJECT, "serverInfo": OBJECT},
    "server/discover": {"supportedVersions": ARRAY, "capabilities": OBJECT},
    "tools/list": {"tools": ARRAY},
    "resources/list": {"resources": ARRAY},
    "resources/templates/list": {"resourceTemplates": ARRAY},
    "resources/read": {"contents": ARRAY},
    "prompts/list": {"prompts": ARRAY},
    "prompts/get": {"messages": ARRAY},
    "completion/complete": {"completion": OBJECT},
    "roots/list": {"roots": ARRAY},
    "sampling/createMessage": {"role": STRING, "model": STRING, "content": OBJECT_OR_ARRAY},
    "elicitation/create": {"action": STRING},
    "tasks/get": TASK,
    "tasks/cancel": TASK,
    "tasks/list": {"tasks": ARRAY},
}
