"""A baseline file: what is written into it, what it accepts, what is no baseline."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from mcp_tap.diagnosis.baseline import (
    Baseline,
    Examined,
    hashes_of,
    listed_hashes,
    server_key,
    settled,
    tool_hash,
    write_baseline,
)
from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.listing import Listing
from mcp_tap.errors import TapError
from mcp_tap.model.session import Session
from tests.diagnosis.checking import begun
from tests.record_cases import Tape

FOUND = Finding(
    "FRM001", "warning", "server", "proven", "server wrote 3 lines", "send them to stderr", "s1", key="s2c"
)
ADD: dict[str, Any] = {"name": "add", "description": "Adds.", "inputSchema": {"type": "object"}}


def written(*findings: Finding, tools: dict[str, str] | None = None, key: str = "notes@1") -> str:
    """A file about one server."""
    return write_baseline([Examined(key, findings, tools)])


def test_what_is_written_is_accepted() -> None:
    known = Baseline.parse(written(FOUND))
    assert known.accepts("notes@1", FOUND)
    assert known.accepts("notes@1", replace(FOUND, session="s2", message="server wrote 5 lines", count=5))


@pytest.mark.parametrize("other", [replace(FOUND, key="c2s"), replace(FOUND, rule="FRM002")])
def test_another_rule_or_key_is_not_accepted(other: Finding) -> None:
    assert not Baseline.parse(written(FOUND)).accepts("notes@1", other)


def test_another_server_accepts_nothing() -> None:
    known = Baseline.parse(written(FOUND))
    assert not known.accepts("notes@2", FOUND)
    assert known.tools("notes@2") is None


def test_what_got_worse_is_reported_again_and_what_got_better_is_not() -> None:
    known = Baseline.parse(written(FOUND))
    assert not known.accepts("notes@1", replace(FOUND, severity="error"))
    assert known.accepts("notes@1", replace(FOUND, severity="info"))


def test_the_worst_of_several_sessions_is_accepted() -> None:
    sessions = [
        Examined("n", (FOUND,), {"a": "sha256:1"}),
        Examined("n", (replace(FOUND, severity="error"),), None),
        Examined("n", (FOUND,), {"b": "sha256:2"}),
    ]
    known = Baseline.parse(write_baseline(sessions))
    assert known.accepts("n", replace(FOUND, severity="error"))
    assert known.tools("n") == {"a": "sha256:1", "b": "sha256:2"}


def test_the_file_is_sorted_and_a_line_a_value() -> None:
    text = write_baseline(
        [
            Examined("z", (), {"b": "sha256:2", "a": "sha256:1"}),
            Examined("a", (replace(FOUND, rule="SEC001"), FOUND), None),
        ]
    )
    assert text == (
        '{\n  "version": 1,\n  "servers": {\n    "a": {\n      "findings": [\n'
        '        {\n          "rule": "FRM001",\n          "key": "s2c",\n          "severity": "warning",\n'
        '          "message": "server wrote 3 lines"\n        },\n'
        '        {\n          "rule": "SEC001",\n          "key": "s2c",\n          "severity": "warning",\n'
        '          "message": "server wrote 3 lines"\n        }\n      ]\n    },\n'
        '    "z": {\n      "findings": [],\n      "tools": {\n'
        '        "a": "sha256:1",\n        "b": "sha256:2"\n      }\n    }\n  }\n}\n'
    )


def test_a_message_is_written_without_secrets_and_on_one_line() -> None:
    token = "ghp_" + "a1B2" * 9
    text = written(replace(FOUND, message=f"client said\n{token} and Bearer {'q7' * 15}"))
    assert token not in text
    assert "q7q7" not in text
    message = json.loads(text)["servers"]["notes@1"]["findings"][0]["message"]
    assert "\n" not in message
    assert len(message) <= 200


def test_half_a_surrogate_pair_in_a_name_is_no_obstacle() -> None:
    text = written(replace(FOUND, key="\ud83d"))
    assert Baseline.parse(text).accepts("notes@1", replace(FOUND, key="\ud83d"))


def test_writing_anew_drops_what_is_no_longer_seen() -> None:
    before = Baseline.parse(written(FOUND, tools={"add": "sha256:1"}))
    text = write_baseline([Examined("notes@1", (), {"sub": "sha256:2"})], before)
    known = Baseline.parse(text)
    assert not known.accepts("notes@1", FOUND)
    assert known.tools("notes@1") == {"sub": "sha256:2"}


def test_writing_anew_keeps_other_servers_and_tools_that_were_not_listed() -> None:
    before = Baseline.parse(
        write_baseline([Examined("a", (FOUND,), {"x": "sha256:1"}), Examined("b", (FOUND,), None)])
    )
    known = Baseline.parse(write_baseline([Examined("a", (), None)], before))
    assert known.tools("a") == {"x": "sha256:1"}
    assert known.accepts("b", FOUND)


def test_reading_and_writing_give_the_same_text() -> None:
    text = written(FOUND, tools={"add": "sha256:1"})
    assert write_baseline([], Baseline.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "b.json is not JSON: "),
        ("[" * 100_000, "b.json is not JSON: "),
        ("[]", "b.json is not an mcp-tap baseline: it has no version"),
        ('{"version":true,"servers":{}}', "b.json is not an mcp-tap baseline: it has no version"),
        ('{"version":1}', "b.json is not an mcp-tap baseline: servers is not an object"),
        (
            '{"version":2,"servers":{}}',
            "b.json has baseline version 2, but this mcp-tap reads only up to 1: upgrade",
        ),
        ('{"version":1,"servers":{"n":5}}', "b.json: server 'n' is not an object with findings"),
        (
            '{"version":1,"servers":{"n":{"findings":{}}}}',
            "b.json: server 'n' is not an object with findings",
        ),
        ('{"version":1,"servers":{"n":{"tools":[]}}}', "b.json: server 'n' is not an object with findings"),
        (
            '{"version":1,"servers":{"n":{"findings":[{"key":""}]}}}',
            "b.json: server 'n' has a finding without a rule",
        ),
        (
            '{"version":1,"servers":{"n":{"findings":[{"rule":"X","severity":"fatal"}]}}}',
            "b.json: server 'n': the severity of X is not one of error, warning, info",
        ),
        (
            '{"version":1,"servers":{"n":{"tools":{"a":1}}}}',
            "b.json: server 'n': the hash of tool 'a' is not a string",
        ),
    ],
)
def test_what_is_no_baseline_is_refused_in_one_sentence(text: str, said: str) -> None:
    with pytest.raises(TapError) as caught:
        Baseline.parse(text, "b.json")
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


def test_a_file_by_hand_may_be_brief() -> None:
    known = Baseline.parse(
        '\ufeff{"version":1,"servers":{"n":{},"m":{"findings":[{"rule":"A","severity":"info"}]}}}'
    )
    assert known.tools("n") is None
    assert known.accepts("m", replace(FOUND, rule="A", key="", severity="info"))


def session(argv: Any = None, name: str | None = "notes") -> Session:
    """A session of a server of that name and command."""
    tape = begun() if name == "notes" else Tape().start()
    read = tape.read()
    if argv is not None:
        read.start = {"argv": argv}
    return read


def test_a_server_is_known_by_its_name_and_command() -> None:
    assert server_key(session(["npx", "notes"])).startswith("notes@")
    assert server_key(session(["npx", "notes"])) == server_key(session(["npx", "notes"]))
    assert server_key(session(["npx", "notes"])) != server_key(session(["npx", "other"]))
    assert server_key(session(["npx", "notes"], name=None)).startswith("-@")


@pytest.mark.parametrize("argv", [[], "npx", {"a": 1}])
def test_without_a_command_on_file_a_server_is_known_by_its_name(argv: Any) -> None:
    assert server_key(session(argv)) == "notes"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["/usr/bin/node", "/home/ann/app/index.js"], ["/opt/bin/node", "/Users/bob/app/index.js"]),
        (["C:\\Programs\\node.exe", "x"], ["/usr/bin/node", "x"]),
        (["npx", "-y", "notes@1.2.3"], ["npx", "-y", "notes@2.0.0-rc.1"]),
        (["npx", "-y", "@scope/notes@1.2.3"], ["npx", "-y", "@scope/notes@latest"]),
        (["uvx", "notes==1.0"], ["uvx", "notes==1.1"]),
        (["notes", "--log=/tmp/run-a1/log"], ["notes", "--log=/tmp/run-b2/log"]),
        (["notes", "--token", "[masked]"], ["notes", "--token", "as an older tap wrote it"]),
    ],
)
def test_what_differs_between_runs_machines_and_updates_does_not_count(
    one: list[str], other: list[str]
) -> None:
    assert server_key(session(one)) == server_key(session(other))


@pytest.mark.parametrize(
    ("word", "kept"),
    [
        ("ann@example.test", "ann@example.test"),
        ("https://x.test/mcp", "https://x.test/mcp"),
        ("--root=/home/ann/notes", "--root=notes"),
        ("/srv/notes/", ""),
        ("-", "-"),
        ("@scope/notes", "@scope/notes"),
    ],
)
def test_a_word_of_a_command_keeps_what_says_something(word: str, kept: str) -> None:
    assert settled(word) == kept


def test_words_that_are_no_strings_and_no_unicode_are_no_obstacle() -> None:
    assert server_key(session([1, None, "\udcff"])).startswith("notes@")


def test_a_tool_has_the_same_hash_however_it_is_written() -> None:
    swapped = {"inputSchema": {"type": "object"}, "name": "add", "description": "Adds."}
    assert tool_hash(ADD) == tool_hash(swapped)
    one = ADD | {"inputSchema": {"required": ["a", "b"], "items": [{"required": ["x"]}]}}
    other = ADD | {"inputSchema": {"items": [{"required": ["x"]}], "required": ["b", "a"]}}
    assert tool_hash(one) == tool_hash(other)


def test_what_no_one_approves_does_not_change_the_hash() -> None:
    assert tool_hash(ADD) == tool_hash(ADD | {"_meta": {"at": 5}, "icons": []})


@pytest.mark.parametrize(
    "change",
    [
        {"description": "Adds!"},
        {"title": "Add"},
        {"annotations": {"readOnlyHint": True}},
        {"outputSchema": {}},
    ],
)
def test_each_part_of_a_definition_changes_the_hash(change: dict[str, Any]) -> None:
    assert tool_hash(ADD) != tool_hash(ADD | change)


def test_a_tool_nested_too_deep_has_no_hash() -> None:
    deep: Any = {}
    for _ in range(5000):
        deep = {"a": deep}
    assert tool_hash({"name": "x", "inputSchema": deep}) is None
    assert hashes_of({"x": {"inputSchema": deep}, "add": ADD}) == {"add": tool_hash(ADD)}


def test_a_session_adds_the_tools_that_were_listed_whole() -> None:
    listing = Listing()
    assert listed_hashes(listing) is None
    listing.take([ADD], True, False)
    assert listed_hashes(listing) is None
    listing.take([ADD | {"name": "sub"}], False, True)
    assert set(listed_hashes(listing) or {}) == {"add", "sub"}
    listing.take([ADD], True, False)
    assert set(listed_hashes(listing) or {}) == {"add", "sub"}
