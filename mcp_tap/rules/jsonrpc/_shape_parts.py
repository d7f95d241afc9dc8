"""The parts of which params and results are made (MCP schema of all five releases).

A member whose value another rule judges better is left out, or has that type only; the comment beside
it names the rule.
"""

from __future__ import annotations

from mcp_tap.diagnosis.levels import LEVELS
from mcp_tap.rules.jsonrpc._containers import Items, Members, Named, OneOrMany, Tagged
from mcp_tap.rules.jsonrpc._shapes import Either, In, Portion, Shape, Type, Word, since, until

STRING = Type("string")
NUMBER = Type("number")
PORTION = Portion()
INTEGER = Type("integer")
BOOLEAN = Type("boolean")
OBJECT = Type("object")
ANY = Type()
STRINGS = Items(STRING)
TOKEN = Type("string", "integer")
"""Ids of requests, and progress tokens."""

ROLE = Word("user", "assistant")
LEVEL = Word(*LEVELS)

META: dict[str, Shape] = {"_meta?": OBJECT}
LATER_META: dict[str, Shape] = {"_meta?": since("2025-06-18", OBJECT)}
"""That of parts of a message, which came later."""

ICONS = Items(
    Members({"src": STRING, "mimeType?": STRING, "sizes?": STRINGS, "theme?": Word("light", "dark")})
)
TITLED: dict[str, Shape] = {"title?": since("2025-06-18", STRING), "icons?": since("2025-11-25", ICONS)}

INFO: dict[str, Shape] = {
    **TITLED,
    "description?": since("2025-11-25", STRING),
    "websiteUrl?": since("2025-11-25", STRING),
}
CLIENT_INFO = Members(INFO, told=True)  # its name and version: LIF007
SERVER_INFO = Members({"name": STRING, "version": STRING, **INFO})

LISTED = Members({"listChanged?": BOOLEAN})
EXTENSIONS: dict[str, Shape] = {
    "experimental?": Named(OBJECT),
    "extensions?": since("2026-07-28", Named(OBJECT)),
}


def tasks(**requests: Shape) -> Shape:
    """The capability of tasks, for these requests."""
    members: dict[str, Shape] = {f"{name}?": shape for name, shape in requests.items()}
    of_tasks: dict[str, Shape] = {"list?": OBJECT, "cancel?": OBJECT, "requests?": Members(members)}
    return In("2025-11-25", "2025-11-25", Members(of_tasks))


SERVER_CAPABILITIES = Members(
    {
        **EXTENSIONS,
        "logging?": OBJECT,
        "completions?": since("2025-03-26", OBJECT),
        "prompts?": LISTED,
        "resources?": Members({"subscribe?": BOOLEAN, "listChanged?": BOOLEAN}),
        "tools?": LISTED,
        "tasks?": tasks(tools=Members({"call?": OBJECT})),
    }
)
CLIENT_CAPABILITIES = Members(
    {
        **EXTENSIONS,
        "roots?": LISTED,
        "sampling?": Members(
            {"context?": since("2025-11-25", OBJECT), "tools?": since("2025-11-25", OBJECT)}
        ),
        "elicitation?": since(
            "2025-06-18",
            Members({"form?": since("2025-11-25", OBJECT), "url?": since("2025-11-25", OBJECT)}),
        ),
        "tasks?": tasks(
            sampling=Members({"createMessage?": OBJECT}), elicitation=Members({"create?": OBJECT})
        ),
    },
    told=True,  # LIF007
)

ANNOTATIONS = Members(
    {"audience?": Items(ROLE), "priority?": PORTION, "lastModified?": since("2025-06-18", STRING)}
)
ANNOTATED: dict[str, Shape] = {"annotations?": ANNOTATIONS}

NAMED_RESOURCE: dict[str, Shape] = {
    "name": STRING,
    "description?": STRING,
    "mimeType?": STRING,
    **TITLED,
    **ANNOTATED,
    **LATER_META,
}
RESOURCE = Members({"uri": STRING, "size?": since("2025-03-26", INTEGER), **NAMED_RESOURCE})
TEMPLATE = Members({"uriTemplate": STRING, **NAMED_RESOURCE})

CONTENTS = Members({"uri": STRING, "mimeType?": STRING, "text?": STRING, **LATER_META})  # RES003, RES005

TEXT = Members({"text": STRING, **ANNOTATED, **LATER_META})
EMBEDDED = Members({"resource": CONTENTS, **ANNOTATED, **LATER_META})
MEDIA_TOLD = Members({**ANNOTATED, **LATER_META})
"""An image or sound in a result: RES003 tells of its data and type."""

BLOCK = Tagged(
    "type",
    {
        "text": TEXT,
        "image": MEDIA_TOLD,
        "audio": since("2025-03-26", MEDIA_TOLD),
        "resource": EMBEDDED,
        "resource_link": since("2025-06-18", RESOURCE),
    },
    tag_told=True,  # RES002
)

MEDIA = Members({"data": STRING, "mimeType": STRING, **ANNOTATED, **LATER_META})
SAMPLED: dict[str, Shape] = {"text": TEXT, "image": MEDIA, "audio": since("2025-03-26", MEDIA)}
TOOL_USE = Members({"id": STRING, "name": STRING, "input": OBJECT, **META})
TOOL_RESULT = Members(
    {
        "toolUseId": STRING,
        "content": Items(BLOCK),
        "structuredContent?": until("2025-11-25", OBJECT),
        "isError?": BOOLEAN,
        **META,
    }
)
SAMPLED_BLOCK = Tagged(
    "type",
    {
        **SAMPLED,
        "tool_use": since("2025-11-25", TOOL_USE),
        "tool_result": since("2025-11-25", TOOL_RESULT),
    },
)


def sampled(name: str) -> dict[str, Shape]:
    """The content of a sampling message: one block, since 2025-11-25 also several."""
    return {name: Either("2025-11-25", SAMPLED_BLOCK, OneOrMany(SAMPLED_BLOCK))}


SAMPLING_MESSAGE = Members({"role": ROLE, **sampled("content"), "_meta?": since("2025-11-25", OBJECT)})

SCHEMA: dict[str, Shape] = {"properties?": Named(OBJECT), "required?": STRINGS}
INPUT_SCHEMA = until("2025-11-25", Members(SCHEMA, told=True))  # TOL003: whether it is of type object
OUTPUT_SCHEMA = Either("2026-07-28", since("2025-06-18", Members({"type": Word("object"), **SCHEMA})), OBJECT)
TOOL_ANNOTATIONS = Members(
    {
        "title?": STRING,
        "readOnlyHint?": BOOLEAN,
        "destructiveHint?": BOOLEAN,
        "idempotentHint?": BOOLEAN,
        "openWorldHint?": BOOLEAN,
    }
)
TOOL = Members(
    {
        "name": STRING,
        "description?": STRING,
        "inputSchema?": INPUT_SCHEMA,
        "outputSchema?": OUTPUT_SCHEMA,
        "annotations?": since("2025-03-26", TOOL_ANNOTATIONS),
        "execution?": In(
            "2025-11-25", "2025-11-25", Members({"taskSupport?": Word("forbidden", "optional", "required")})
        ),
        **TITLED,
        **LATER_META,
    }
)

PROMPT = Members(
    {
        "name": STRING,
        "description?": STRING,
        "arguments?": Items(
            Members(
                {
                    "name": STRING,
                    "title?": since("2025-06-18", STRING),
                    "description?": STRING,
                    "required?": BOOLEAN,
                }
            )
        ),
        **TITLED,
        **LATER_META,
    }
)
PROMPT_MESSAGE = Members({"role": ROLE, "content": BLOCK})
ROOT = Members({"uri": STRING, "name?": STRING, **LATER_META})

OPTION = Members({"const": STRING, "title": STRING})
ABOUT: dict[str, Shape] = {"title?": STRING, "description?": STRING}
NUMBER_FIELD = Members({**ABOUT, "minimum?": NUMBER, "maximum?": NUMBER})
STRING_FIELD = Members(
    {
        **ABOUT,
        "minLength?": INTEGER,
        "maxLength?": INTEGER,
        "format?": Word("email", "uri", "date", "date-time"),
        "enum?": STRINGS,
        "enumNames?": STRINGS,
        "oneOf?": since("2025-11-25", Items(OPTION)),
    }
)
CHOICES = Members(
    {
        **ABOUT,
        "items": Members({"enum?": STRINGS, "anyOf?": Items(OPTION)}),
        "minItems?": INTEGER,
        "maxItems?": INTEGER,
    }
)
FIELD = Tagged(
    "type",
    {
        "string": STRING_FIELD,
        "number": NUMBER_FIELD,
        "integer": NUMBER_FIELD,
        "boolean": Members({**ABOUT, "default?": BOOLEAN}),
        "array": since("2025-11-25", CHOICES),
    },
    noun="a primitive",
)
FORM: dict[str, Shape] = {
    "message": STRING,
    "requestedSchema": Members({"type": Word("object"), "properties": Named(FIELD), "required?": STRINGS}),
}
URL: dict[str, Shape] = {
    "message": STRING,
    "url": STRING,
    "elicitationId": In("2025-11-25", "2025-11-25", STRING),
}
FILLED_IN = Type("string", "number", "boolean", "array", "null")
"""A field of a form that was answered; the SDKs take null, too."""

TASK: dict[str, Shape] = {
    "taskId": STRING,
    "status": Word("working", "input_required", "completed", "failed", "cancelled"),
    "createdAt": STRING,
    "lastUpdatedAt": STRING,
    "ttl": Type("number", "null"),
    "statusMessage?": STRING,
    "pollInterval?": NUMBER,
}
FILTER = Members(
    {
        "toolsListChanged?": BOOLEAN,
        "promptsListChanged?": BOOLEAN,
        "resourcesListChanged?": BOOLEAN,
        "resourceSubscriptions?": STRINGS,
    }
)
