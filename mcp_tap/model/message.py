"""One JSON value as a JSON-RPC message, or what it is instead (JSON-RPC 2.0; MCP basic#messages)."""

from __future__ import annotations

import json
from collections.abc import Hashable
from typing import Any, Literal

import orjson

from mcp_tap.model.methods import TARGETS
from mcp_tap.model.not_json import Flaw, why_not_json
from mcp_tap.record.schema import is_strict_json

Side = Literal["c2s", "s2c"]
"""Who is speaking: the client or the server."""

SIDES: tuple[Side, ...] = ("c2s", "s2c")

MessageKind = Literal["request", "notification", "response", "error", "batch", "not-json-rpc", "not-json"]


class Message:
    """A message, not to be changed; ``value`` is the parsed JSON.

    ``method`` is set for requests and notifications. ``id`` is as it was sent, None where there is
    none (``key`` tells null from none). The rest is that of an :class:`OddMessage`.
    """

    __slots__ = ("id", "key", "kind", "method", "value")

    why: str | None = None
    parts: tuple[Message, ...] = ()
    flaw: Flaw | None = None
    meant: Message | None = None

    def __init__(
        self,
        kind: MessageKind,
        method: str | None = None,
        id: Any = None,
        key: Hashable = None,
        value: Any = None,
    ) -> None:
        self.kind: MessageKind = kind
        self.method = method
        self.id = id
        self.key = key
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and self._all() == other._all()

    __hash__ = None  # type: ignore[assignment]  # as that of any value that holds JSON

    def _all(self) -> tuple[Any, ...]:
        odd = (self.why, self.parts, self.flaw, self.meant)
        return (self.kind, self.method, self.id, self.key, self.value, *odd)

    @property
    def params(self) -> dict[str, Any]:
        """The parameters by name; empty where there are none, or none by name."""
        params = self.value.get("params") if isinstance(self.value, dict) else None
        return params if type(params) is dict else {}

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


class OddMessage(Message):
    """A batch, or a line that is no message.

    ``why`` says what is wrong with what is not a message, and ``flaw`` the same of what is not JSON.
    ``parts`` are the messages of a batch, which is legal only in 2025-03-26. ``meant`` is what a line
    that is not JSON was meant as, where a lenient reader can tell; its strings may hold half of a
    surrogate pair, which cannot be encoded.
    """

    __slots__ = ("flaw", "meant", "parts", "why")

    def __init__(
        self,
        kind: MessageKind,
        *,
        value: Any = None,
        why: str | None = None,
        parts: tuple[Message, ...] = (),
        flaw: Flaw | None = None,
        meant: Message | None = None,
    ) -> None:
        super().__init__(kind, value=value)
        self.why = why
        self.parts = parts
        self.flaw = flaw
        self.meant = meant


def id_key(value: Any) -> Hashable:
    """A key that is equal for equal ids of one JSON type only: 1, 1.0, "1" and true are four ids."""
    if type(value) is int or type(value) is str:
        return value
    if isinstance(value, (dict, list)):
        try:
            return ("json", orjson.dumps(value))
        except orjson.JSONEncodeError:  # nested deeper than can be written: no id in any sense
            return ("json", None)
    return (type(value).__name__, value)


def read_message(value: Any) -> Message:
    """A parsed JSON value as a message. Never raises."""
    if type(value) is dict:
        return read_object(value)
    if isinstance(value, list) and value:
        return OddMessage("batch", value=value, parts=tuple(map(read_part, value)))
    kind = "an empty array" if isinstance(value, list) else f"a JSON {json_type(value)}"
    return OddMessage("not-json-rpc", value=value, why=f"{kind}, not an object")


def read_part(value: Any) -> Message:
    """A member of a batch, which holds no batches: nesting is no reason to recurse."""
    if isinstance(value, list):
        return OddMessage("not-json-rpc", value=value, why="an array within a batch")
    return read_message(value)


def read_object(value: dict[str, Any]) -> Message:
    """A JSON object as a message."""
    id = value.get("id")
    if type(id) is int or type(id) is str:
        key: Hashable = id
    else:
        key = id_key(id) if "id" in value else None
    method = value.get("method")
    if type(method) is str:
        return Message("request" if "id" in value else "notification", method, id, key, value)
    # ``"error": null`` beside a result is what servers say that know JSON-RPC 1.0.
    if "error" in value and (value["error"] is not None or "result" not in value):
        return Message("error", None, id, key, value)
    if "result" in value:
        return Message("response", None, id, key, value)
    return OddMessage("not-json-rpc", value=value, why=why_no_message(value))


def why_no_message(value: dict[str, Any]) -> str:
    """What an object lacks to be a message."""
    if "method" in value:
        return f"the method is a JSON {json_type(value['method'])}, not a string"
    members = ", ".join(name[:30] for name in list(value)[:4]) or "none"
    return f"no method, result or error (members: {members})"


def read_line(line: bytes, *, whole: bool = True) -> Message:
    """A line that is not recorded as a message: why it is not JSON. Never raises.

    ``whole`` is false where the stream ended before the line did. A line that turns out to be JSON
    after all, put together from segments, is read as a message.
    """
    if whole and is_strict_json(line):
        return with_exact_id(read_message(orjson.loads(line)), line)
    flaw, why, value = why_not_json(line)
    if not whole and flaw not in ("lsp-header", "colours", "text", "empty"):
        flaw, why = "no-newline", "the stream ended before the line did"
    meant = read_object(value) if isinstance(value, dict) else None
    return OddMessage("not-json", why=why, flaw=flaw, meant=meant)


def with_exact_id(message: Message, line: bytes) -> Message:
    """``message`` with the id as it is in ``line``, where the parser has made a float of an integer.

    It does so beyond 64 bits, and would make one of ids that differ.
    """
    if type(message.id) is not float or abs(message.id) < 2**63 or message.kind == "batch":
        return message
    try:
        return read_message(json.loads(line))
    except (ValueError, RecursionError):
        return message


def json_type(value: Any) -> str:
    """What JSON calls the type of ``value``."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return {str: "string", int: "number", float: "number", dict: "object", list: "array"}[type(value)]


def target_of(method: str | None, params: dict[str, Any]) -> str | None:
    """What the request is about, where its method has such a thing."""
    if method not in TARGETS:
        return None
    target = params.get(TARGETS[method])
    if type(target) is str:
        return target
    if isinstance(target, dict):  # completion/complete: {"type": …, "name" or "uri": …}
        target = target.get("name", target.get("uri"))
        return target if isinstance(target, str) else None
    return None
