"""SEC005: tool changed since the baseline."""

from __future__ import annotations

from mcp_tap.diagnosis.baseline import Baseline, hashes_of
from tests.diagnosis.checking import examined
from tests.record_cases import Tape, modern, result
from tests.rules.security.catalogue_cases import ADD, RULES, SUB, keys, listed, since


def test_a_tool_that_is_not_as_it_was_is_a_warning() -> None:
    known = hashes_of({"add": ADD, "sub": SUB})
    assert since(known, [ADD | {"title": "Add"}, SUB]) == [("SEC005", "warning", (6,), "add")]


def test_a_tool_that_is_as_it_was_is_silent() -> None:
    assert since(hashes_of({"add": ADD, "sub": SUB}), [ADD], [SUB, ADD]) == []


def test_new_tools_are_one_piece_of_information() -> None:
    tools = [SUB | {"name": f"t{number}"} for number in range(5)]
    assert since(hashes_of({"add": ADD}), [ADD, *tools[:1]]) == [("SEC005", "info", (6,), "")]
    (each,) = since(hashes_of({"add": ADD}), [ADD, *tools])
    assert each == ("SEC005", "info", (6,) * 5, "")


def test_without_a_baseline_nothing_is_compared() -> None:
    tape = listed([ADD])
    assert keys(tape) == []
    (checker,) = examined(tape.records(), RULES, baseline=Baseline())
    assert checker.findings() == []


def test_a_server_that_says_its_name_late_is_compared_at_the_end() -> None:
    tape = Tape().start().client(modern(1, "tools/list"), 1)
    tape.server(result(1, tools=[ADD], resultType="complete"), 1)
    tape.client(modern(2, "tools/call", name="add"), 2)
    info = {"io.modelcontextprotocol/serverInfo": {"name": "notes", "version": "1"}}
    tape.server(result(2, content=[], resultType="complete", _meta=info), 2)
    tape.known_tools = {"add": "sha256:0"}
    session = tape.read()
    assert session.server.name == "notes"
    assert [each[:3] for each in keys(tape)] == [("SEC005", "warning", (3,))]
