"""The table of shapes beside the types of the official Python SDK: both take the same for valid.

From the table, an instance of each message is made that has every member; then each part of it is left
out or replaced by a value of another kind. What one side refuses, the other refuses too, but for the few
differences that are listed.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from types import UnionType
from typing import Any, get_args

import pytest
from mcp_types import methods as official
from pydantic import BaseModel, TypeAdapter, ValidationError

from mcp_tap.model.methods import ALL, METHODS
from mcp_tap.rules.jsonrpc._containers import Items, Members, Named, OneOrMany, Tagged
from mcp_tap.rules.jsonrpc._shape_parts import CLIENT_INFO, INPUT_SCHEMA, MEDIA_TOLD, TOOL
from mcp_tap.rules.jsonrpc._shape_table import PARAMS, RESULTS, check_of
from mcp_tap.rules.jsonrpc._shapes import Nullable, Path, Shape, Type, Word

SAMPLES = {"string": "x", "number": 1, "integer": 1, "boolean": True, "object": {}, "array": [], "null": None}

ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"},
}

TOLD_ELSEWHERE: dict[int, dict[str, Any]] = {
    id(MEDIA_TOLD): {"data": "eA==", "mimeType": "image/png"},
    id(TOOL): {"inputSchema": {"type": "object"}},
    id(INPUT_SCHEMA.shape): {"type": "object"},
    id(CLIENT_INFO): {"name": "x", "version": "1"},
}
"""What a shape of the table leaves to other rules."""


def made(shape: Shape, version: str, kind: int = 0) -> Any:
    """An instance with every member; ``kind`` chooses among kinds of it."""
    defined = shape.defined(version)
    assert defined is not None
    match defined:
        case Type(types=types):
            return SAMPLES[types[0]] if types else "x"
        case Word(words=words):
            return words[0]
        case Nullable(of=of) | OneOrMany(of=of):
            return made(of, version, kind)
        case Items(of=of):
            return [made(of, version, kind)]
        case Named(of=of):
            return {"x": made(of, version, kind)}
        case Tagged():
            kinds = list(defined.known(version).items())
            name, of = kinds[kind % len(kinds)]
            return {defined.tag: name} | made(of, version, kind)
        case Members():
            members = {name: made(each, version, kind) for name, _, each in defined.within(version)}
            return TOLD_ELSEWHERE.get(id(defined), {}) | members
    raise AssertionError(shape)


def completed(what: str, method: str, version: str, value: dict[str, Any]) -> dict[str, Any]:
    """``value`` with what other rules look at."""
    if method == "initialize":
        value |= {"protocolVersion": version}
    if version == "2026-07-28" and what == "results":
        value |= {"resultType": "complete", "ttlMs": 0, "cacheScope": "public"}
    if version == "2026-07-28" and what == "params" and METHODS[method].kind == "request":
        value["_meta"] |= ENVELOPE
    return value


MAPS: dict[str, list[Any]] = {
    "params": [
        official.CLIENT_REQUESTS,
        official.SERVER_REQUESTS,
        official.CLIENT_NOTIFICATIONS,
        official.SERVER_NOTIFICATIONS,
    ],
    "results": [official.SERVER_RESULTS, official.CLIENT_RESULTS],
}


@cache
def adapter(model: Any) -> TypeAdapter[Any]:
    """What validates a model."""
    return TypeAdapter(model)


class Official:
    """What the SDK takes for valid of one method, in one version."""

    def __init__(self, what: str, method: str, version: str, valid: dict[str, Any]) -> None:
        self.what, self.method = what, method
        model = next(each[method, version] for each in MAPS[what] if (method, version) in each)
        for each in get_args(model) if isinstance(model, UnionType) else (model,):
            self.adapter = adapter(each)  # a union has a model for the result, and others for what is none
            if self.refuses(valid) is None:
                return

    def wrapped(self, value: Any) -> Any:
        """A message with these params; a result as it is."""
        if self.what == "results":
            return value
        whole = {"jsonrpc": "2.0", "id": 1, "method": self.method, "params": value}
        if METHODS[self.method].kind == "notification":
            del whole["id"]
        return whole

    def refuses(self, value: Any) -> str | None:
        """Why it refuses a value; None where it does not."""
        try:
            self.adapter.validate_json(json.dumps(self.wrapped(value)), strict=True)
        except ValidationError as error:
            return str(error)
        return None


SHAPES = [("params", method, shape) for method, shape in PARAMS.items()] + [
    ("results", method, shape) for method, shape in RESULTS.items()
]

CASES = [
    pytest.param(what, method, shape, version, id=f"{what} {method} {version}")
    for what, method, shape in SHAPES
    for version in ALL
    if any((method, version) in each for each in MAPS[what])
]


def parts(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every part of a value, and where it is."""
    for name, each in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, name), each
        if isinstance(each, dict | list):
            yield from parts(each, (*path, name))


def changed(value: Any, path: Path, new: Any) -> Any:
    """``value`` with another part at ``path``; None leaves it out."""
    whole = copy.deepcopy(value)
    at = whole
    for step in path[:-1]:
        at = at[step]
    if new is None:
        del at[path[-1]]
    else:
        at[path[-1]] = new
    return whole


def faulty(value: Any) -> Iterator[tuple[Path, Any]]:
    """Instances with one part left out, or replaced; and where."""
    for path, part in parts(value):
        if not isinstance(path[-1], int):
            yield path, changed(value, path, None)
        for other in ("?", 7, 1.5, True, [7], {"x": 7}):
            if type(other) is not type(part) or isinstance(part, str):
                yield path, changed(value, path, other)


def is_left_to_rules(path: Path, what: str, method: str) -> bool:
    """Whether another rule looks at that part; it has tests of its own."""
    last, above = path[-1], path[-2] if len(path) > 1 else None
    if method == "initialize":
        if last == "protocolVersion" or (above == "clientInfo" and last in ("name", "version")):
            return True  # LIF007, LIF013
        return what == "params" and path in (("capabilities",), ("clientInfo",))
    if last in ("resultType", "ttlMs", "cacheScope"):
        return len(path) == 1  # MOD003, MOD012
    if last == "inputSchema" or (above == "inputSchema" and last == "type"):
        return True  # TOL003
    if path == ("content",):
        return method == "tools/call"  # RES001
    in_block = "content" in path[:-1]
    if last == "text":
        return above == "resource" or path[0] == "contents"  # RES005
    return in_block and last in ("type", "data", "mimeType")  # RES002, RES003


def differs(path: Path, what: str, method: str, version: str) -> bool:
    """Whether the two are known to differ there."""
    if path[:1] == ("requestedSchema",) and len(path) > 2 and path[1] == "properties":
        return True  # the Python SDK looks at no field of a form, the other ones do
    if path[:2] == ("content", "x") and method == "elicitation/create":
        return True  # an array of what
    if path[-2:] == ("properties", "x"):
        return True  # a schema that is a boolean: the TypeScript SDK refuses it
    if path[-1] in ("ttl", "pollInterval"):
        return True  # any number, in the schema of this version
    if path[:1] == ("inputResponses",):
        return True  # MOD009 and its like
    if path[:1] == ("_meta",) and version == "2026-07-28":
        return True  # MOD001
    return is_left_to_rules(path, what, method)


@pytest.mark.parametrize(("what", "method", "shape", "version"), CASES)
def test_what_the_table_takes_for_valid_the_sdk_does(
    what: str, method: str, shape: Shape, version: str
) -> None:
    for kind in range(6):
        value = completed(what, method, version, made(shape, version, kind))
        assert check_of(shape, version)(value)
        assert Official(what, method, version, value).refuses(value) is None


@pytest.mark.parametrize(("what", "method", "shape", "version"), [
    case for case in CASES if case.values[3] in ("2025-11-25", "2026-07-28")
])  # fmt: skip
def test_what_one_refuses_the_other_refuses(what: str, method: str, shape: Shape, version: str) -> None:
    check = check_of(shape, version)
    for kind in range(6):
        value = completed(what, method, version, made(shape, version, kind))
        sdk = Official(what, method, version, value)
        for path, other in faulty(value):
            if not differs(path, what, method, version):
                assert check(other) is (sdk.refuses(other) is None), (path, other, sdk.refuses(other))


def unset(value: Any) -> Iterator[str]:
    """The members that a message has not, of those that the SDK knows."""
    if isinstance(value, BaseModel):
        for name, field in type(value).model_fields.items():
            if name not in value.model_fields_set:
                yield f"{type(value).__name__}.{field.alias or name}"
            yield from unset(getattr(value, name))
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from unset(each)


def members(value: Any) -> Iterator[str]:
    """The members that it has."""
    if isinstance(value, BaseModel):
        for name in value.model_fields_set & type(value).model_fields.keys():
            yield f"{type(value).__name__}.{type(value).model_fields[name].alias or name}"
            yield from members(getattr(value, name))
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from members(each)


NOT_IN_THE_TABLE = [
    "CallToolResult.structuredContent",  # TOL011
    "ClientCapabilities.extensions",  # of the envelope: MOD001, and so are the members of _meta
    "InputSchema.$schema",  # TOL004
    "NotificationMetaObject.io.modelcontextprotocol/subscriptionId",  # MOD017
    "OutputSchema.$schema",
    "RequestMetaObject.io.modelcontextprotocol/logLevel",
    "RequestedSchema.$schema",
    "ResultMetaObject.io.modelcontextprotocol/serverInfo",
]


def test_every_member_that_the_sdk_knows_is_in_the_table() -> None:
    there: set[str] = set()
    missing: set[str] = set()
    for what, method, shape, version in (case.values for case in CASES):
        for kind in range(6):
            assert isinstance(shape, Shape)
            value = completed(str(what), str(method), str(version), made(shape, str(version), kind))
            sdk = Official(str(what), str(method), str(version), value)
            parsed = sdk.adapter.validate_json(json.dumps(sdk.wrapped(value)), strict=True)
            there.update(members(parsed))
            missing.update(unset(parsed))
    assert sorted(missing - there) == NOT_IN_THE_TABLE
