"""What params and results look like, by method (MCP schema of all five releases).

What other rules say better is not here: the version in the result of ``initialize`` (LIF013), what its
params lack (LIF007), the envelope in ``_meta`` (MOD001), ``resultType``, ``ttlMs`` and ``cacheScope``
(MOD003, MOD012), whether a tool's result has content and structuredContent (RES001, TOL011).
"""

from __future__ import annotations

from functools import cache

from mcp_tap.model.methods import METHODS
from mcp_tap.rules.jsonrpc._containers import Items, Members, Named, Tagged
from mcp_tap.rules.jsonrpc._shape_parts import (
    ANY,
    BLOCK,
    BOOLEAN,
    CLIENT_CAPABILITIES,
    CLIENT_INFO,
    CONTENTS,
    FILLED_IN,
    FILTER,
    FORM,
    INTEGER,
    LEVEL,
    META,
    NUMBER,
    OBJECT,
    PORTION,
    PROMPT,
    PROMPT_MESSAGE,
    RESOURCE,
    ROLE,
    ROOT,
    SAMPLING_MESSAGE,
    SERVER_CAPABILITIES,
    SERVER_INFO,
    STRING,
    STRINGS,
    TASK,
    TEMPLATE,
    TOKEN,
    TOOL,
    URL,
    sampled,
)
from mcp_tap.rules.jsonrpc._shapes import Check, Either, In, Nullable, Shape, Word, since, until


def asked(**members: Shape) -> Shape:
    """The params of a request."""
    return Members({**members, "_meta?": Members({"progressToken?": TOKEN})})


def told(**members: Shape) -> Shape:
    """The params of a notification, or a result."""
    return Members({**members, **META})


def page(**members: Shape) -> Shape:
    """A page of a list."""
    return told(**members, **{"nextCursor?": STRING})


LISTING = asked(**{"cursor?": STRING})
COMES_BACK: dict[str, Shape] = {
    "inputResponses?": since("2026-07-28", OBJECT),
    "requestState?": since("2026-07-28", STRING),
}
"""What a client says that tries again with what the server has asked for."""
OF_RESOURCE = asked(uri=STRING)
OF_TASK = asked(taskId=STRING)
IN_TASK: dict[str, Shape] = {
    "task?": In("2025-11-25", "2025-11-25", Members({"ttl?": NUMBER})),
}
REFERENCE = Tagged(
    "type",
    {
        "ref/prompt": Members({"name": STRING, "title?": since("2025-06-18", STRING)}),
        "ref/resource": Members({"uri": STRING}),
    },
)

PARAMS: dict[str, Shape] = {
    "initialize": asked(**{"capabilities?": CLIENT_CAPABILITIES, "clientInfo?": CLIENT_INFO}),
    "tools/list": LISTING,
    "resources/list": LISTING,
    "resources/templates/list": LISTING,
    "prompts/list": LISTING,
    "tasks/list": LISTING,
    "tools/call": asked(name=STRING, **{"arguments?": OBJECT}, **IN_TASK, **COMES_BACK),
    "resources/read": asked(uri=STRING, **COMES_BACK),
    "resources/subscribe": OF_RESOURCE,
    "resources/unsubscribe": OF_RESOURCE,
    "prompts/get": asked(name=STRING, **{"arguments?": Named(STRING)}, **COMES_BACK),
    "completion/complete": asked(
        ref=REFERENCE,
        argument=Members({"name": STRING, "value": STRING}),
        **{"context?": since("2025-06-18", Members({"arguments?": Named(STRING)}))},
    ),
    "logging/setLevel": asked(level=LEVEL),
    "subscriptions/listen": asked(notifications=FILTER),
    "tasks/get": OF_TASK,
    "tasks/result": OF_TASK,
    "tasks/cancel": OF_TASK,
    "sampling/createMessage": asked(
        messages=Items(SAMPLING_MESSAGE),
        maxTokens=INTEGER,
        **{
            "modelPreferences?": Members(
                {
                    "hints?": Items(Members({"name?": STRING})),
                    "costPriority?": PORTION,
                    "speedPriority?": PORTION,
                    "intelligencePriority?": PORTION,
                }
            ),
            "systemPrompt?": STRING,
            "includeContext?": Word("none", "thisServer", "allServers"),
            "temperature?": NUMBER,
            "stopSequences?": STRINGS,
            "metadata?": OBJECT,
            "tools?": since("2025-11-25", Items(TOOL)),
            "toolChoice?": since("2025-11-25", Members({"mode?": Word("auto", "required", "none")})),
        },
        **IN_TASK,
    ),
    "elicitation/create": Either(
        "2025-11-25",
        asked(**FORM),
        Tagged("mode", {"form": asked(**FORM, **IN_TASK), "url": asked(**URL, **IN_TASK)}, default="form"),
    ),
    # A task is cancelled in a way of its own: in 2025-11-25 the id may be left out.
    "notifications/cancelled": told(
        requestId=Either("2026-07-28", until("2025-06-18", TOKEN), TOKEN),
        **{"requestId?": In("2025-11-25", "2025-11-25", TOKEN), "reason?": STRING},
    ),
    "notifications/progress": told(
        progressToken=TOKEN,
        progress=NUMBER,
        **{"total?": NUMBER, "message?": since("2025-03-26", STRING)},
    ),
    "notifications/message": told(level=LEVEL, data=ANY, **{"logger?": STRING}),
    "notifications/resources/updated": told(uri=STRING),
    "notifications/elicitation/complete": Members({"elicitationId": STRING}),
    "notifications/tasks/status": told(**TASK),
    "notifications/subscriptions/acknowledged": told(notifications=FILTER),
}

ASKED_BACK = ("sampling/createMessage", "elicitation/create")

COMPLETION = Members({"values": STRINGS, "total?": INTEGER, "hasMore?": BOOLEAN})

RESULTS: dict[str, Shape] = {
    "initialize": told(capabilities=SERVER_CAPABILITIES, serverInfo=SERVER_INFO, **{"instructions?": STRING}),
    "server/discover": told(
        supportedVersions=STRINGS, capabilities=SERVER_CAPABILITIES, **{"instructions?": STRING}
    ),
    "tools/list": page(tools=Items(TOOL)),
    "resources/list": page(resources=Items(RESOURCE)),
    "resources/templates/list": page(resourceTemplates=Items(TEMPLATE)),
    "prompts/list": page(prompts=Items(PROMPT)),
    "tools/call": told(**{"content?": Items(BLOCK, told=True), "isError?": BOOLEAN}),
    "resources/read": told(contents=Items(CONTENTS)),
    "prompts/get": told(messages=Items(PROMPT_MESSAGE), **{"description?": STRING}),
    "completion/complete": told(completion=COMPLETION),
    "roots/list": told(roots=Items(ROOT)),
    "sampling/createMessage": told(role=ROLE, model=STRING, **sampled("content"), **{"stopReason?": STRING}),
    # The official SDKs take a content of null for none.
    "elicitation/create": told(
        action=Word("accept", "decline", "cancel"), **{"content?": Nullable(Named(FILLED_IN))}
    ),
    "tasks/get": told(**TASK),
    "tasks/cancel": told(**TASK),
    "tasks/list": page(tasks=Items(Members(TASK))),
}


ASKS_BACK = told(
    **{
        "inputRequests?": Named(
            Tagged("method", {name: Members({"params?": PARAMS[name]}) for name in ASKED_BACK}, tag_told=True)
        )
    }
)
"""What a server asks back for in the modern era, in place of a result (the rest: MOD006, MOD007)."""


def has_shape(side: str, method: str | None, version: str | None) -> bool:
    """Whether what ``side`` sends as ``method`` in ``version`` has a shape that is known."""
    known = METHODS.get(method or "")
    return known is not None and known.direction in ("both", side) and version in known.versions


@cache
def check_of(shape: Shape, version: str) -> Check:
    """The shape compiled for a version, once."""
    return shape.check(version)
