"""RPC024-025: params and results that lack a member, or have one of another type."""

from __future__ import annotations

from mcp_tap.model.methods import METHODS
from mcp_tap.rules.jsonrpc._shape_table import OPTIONAL_SINCE, PARAMS, RESULTS
from tests.record_cases import RECORDINGS, Read


def test_the_table_names_methods_that_exist_and_types_of_json() -> None:
    assert PARAMS.keys() | RESULTS.keys() | {method for method, _ in OPTIONAL_SINCE} <= METHODS.keys()
    assert all(METHODS[method].kind == "request" for method in RESULTS)
    kinds = {
        kind for shape in (*PARAMS.values(), *RESULTS.values()) for types in shape.values() for kind in types
    }
    assert kinds <= {"string", "number", "boolean", "object", "array", "null"}


def test_the_table_fits_what_real_servers_and_clients_say() -> None:
    told = {"params": 0, "results": 0}
    for path in sorted((RECORDINGS / "v1").glob("*.jsonl")):
        for item in Read(path).items:
            message, exchange = item.message, item.exchange
            for name in PARAMS.get(message.method or "", {}):
                told["params"] += 1
                assert name in message.params or (message.method, name) in OPTIONAL_SINCE, (path, message)
            if item.role == "answers" and message.kind == "response" and exchange is not None:
                for name in RESULTS.get(exchange.method, {}):
                    told["results"] += 1
                    assert name in message.value["result"], (path, message)
    assert min(told.values()) > 20
