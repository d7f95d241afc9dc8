"""One JSON value as a JSON-RPC message, or what it is instead (JSON-RPC 2.0; MCP basic#messages)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Literal

import orjson

from mcp_tap.model.methods import TARGETS

Side = Literal["c2s", "s2c"]
"""Who is speaking: the client or the server."""

Kind = Literal["request", "notification", "response", "error", "batch", "not-json-rpc", "not-json"]


@dataclass(frozen=True, slots=True)
class Message:
    """A message; ``value`` is the parsed JSON.

    ``method`` is set for requests and notifications. ``id`` is as it was sent, None where there is
    none (``key`` tells null from none). ``why`` says what is wrong with what is not a message.
    ``parts`` are the messages of a batch.
    """

    kind: Kind
    method: str | None = None
    id: Any = None
    key: Hashable = None
    value: Any = None
    why: str | None = None
    parts: tuple[Message, ...] = ()

    @property
    def params(self) -> dict[str, Any]:
        """The parameters by name; empty where there are none, or none by name."""
        params = self.value.get("params") if isinstance(self.value, dict) else None
        return params if isinstance(params, dict) else {}

    @property
    def meta(self) -> dict[str, Any]:
        """``params._meta`` of a request or notification, ``result._meta`` of a response."""
        owner = self.value.get("result") if self.kind == "response" else self.params
        meta = owner.get("_meta") if isinstance(owner, dict) else None
        return meta if isinstance(meta, dict) else {}

    @property
    def target(self) -> str | None:
        """What a request is about: the tool, the prompt, the URI."""
        return target_of(self.method, self.params)

    @property
    def is_tool_error(self) -> bool:
        """Whether this is the answer of a tool that failed (``isError``)."""
        result = self.value.get("result") if self.kind == "response" else None
        return isinstance(result, dict) and result.get("isError") is True


NOT_JSON = Message("not-json", why="not JSON")


def id_key(value: Any) -> Hashable:
    """A key that is equal for equal ids of one JSON type only: 1, 1.0, "1" and true are four ids."""
    if type(value) is int or type(value) is str:
        return value
    if isinstance(value, (dict, list)):
        return ("json", orjson.dumps(value))
    return (type(value).__name__, value)


def read_message(value: Any) -> Message:
    """A parsed JSON value as a message. Never raises."""
    if isinstance(value, list):
        return Message("batch", value=value, parts=tuple(read_message(part) for part in value))
    if not isinstance(value, dict):
        return Message("not-json-rpc", value=value, why=f"a JSON {json_type(value)}, not an object")
    method = value.get("method")
    has_id = "id" in value
    key = id_key(value["id"]) if has_id else None
    if isinstance(method, str):
        return Message("request" if has_id else "notification", method, value.get("id"), key, value)
    if "error" in value:
        return Message("error", None, value.get("id"), key, value)
    if "result" in value:
        return Message("response", None, value.get("id"), key, value)
    members = ", ".join(list(value)[:4]) or "none"
    return Message("not-json-rpc", value=value, why=f"no method, result or error (members: {members})")


def json_type(value: Any) -> str:
    """What JSON calls the type of ``value``."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return {str: "string", int: "number", float: "number", dict: "object", list: "array"}[type(value)]


def target_of(method: str | None, params: dict[str, Any]) -> str | None:
    """What the request is about, where its method has such a thing."""
    name = TARGETS.get(method or "")
    if name is None:
        return None
    target = params.get(name)
    if isinstance(target, dict):  # completion/complete: {"type": …, "name" or "uri": …}
        target = target.get("name", target.get("uri"))
    return target if isinstance(target, str) else None
