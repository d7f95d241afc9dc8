"""SEC002: credential in server output."""

from __future__ import annotations

from typing import Any

from tests.diagnosis.checking import begun, closed
from tests.diagnosis.recognise.credentials_cases import URL
from tests.record_cases import Tape, error, request, result, told
from tests.rules.security.secrets_cases import found


def answer(*content: Any, **more: Any) -> Tape:
    """A session with one result of a tool."""
    tape = begun().client(request(5, "tools/call", name="fetch"), 1)
    return closed(tape.server(result(5, content=list(content), **more), 1.1), 2)


def text(value: str) -> dict[str, Any]:
    """A block of text."""
    return {"type": "text", "text": value}


def test_a_token_in_a_result_is_a_warning() -> None:
    (each,) = found(answer(text("a"), text(f"see {URL}")), "SEC002")
    assert (each.severity, each.culprit, each.certainty, each.records) == (
        "warning",
        "server",
        "proven",
        (6,),
    )
    assert each.key == "tools/call fetch password in a URL"


def test_a_value_with_such_a_name_in_a_result_is_information() -> None:
    (each,) = found(answer(structuredContent={"token": "v2.7fa8b9c0"}), "SEC002")
    assert (each.severity, each.certainty) == ("info", "heuristic")


def test_resources_prompts_logs_and_errors_are_looked_at() -> None:
    tape = begun().client(request(1, "resources/read", uri="db://x"), 1)
    tape.server(result(1, contents=[{"uri": "db://x", "text": URL}]), 1.1)
    tape.client(request(2, "prompts/get", name="p"), 1.2)
    tape.server(result(2, messages=[{"role": "user", "content": text(URL)}]), 1.3)
    tape.server(told("notifications/message", level="info", data={"url": URL}), 1.4)
    tape.client(request(3, "tools/list"), 1.5).server(error(3, -32603, f"no {URL}"), 1.6)
    assert sorted(each.key for each in found(tape, "SEC002")) == [
        "notifications/message password in a URL",
        "prompts/get p password in a URL",
        "resources/read db://x password in a URL",
        "tools/list error password in a URL",
    ]


def test_lists_and_the_clients_own_answers_are_no_output() -> None:
    tape = begun().client(request(1, "tools/list"), 1)
    tape.server(result(1, tools=[{"name": "a", "description": URL}]), 1.1)
    tape.server(request(7, "roots/list"), 1.2).client(result(7, roots=[{"uri": URL}]), 1.3)
    tape.client(told("notifications/message", data=URL), 1.4).server(
        told("notifications/progress", data=URL), 1.5
    )
    assert found(tape, "SEC002") == []
