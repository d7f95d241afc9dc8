"""``mcp-tap check``: what is wrong in recordings, in every form, and what counts as a failure."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from mcp_tap.cli import main
from mcp_tap.diagnosis import json_schema
from tests.diagnosis.checking import begun, closed
from tests.record_cases import RECORDINGS

BANNER = RECORDINGS / "cases" / "A01.jsonl"
CRASH = RECORDINGS / "cases" / "A28.jsonl"
HEALTHY = RECORDINGS / "v1" / "time-py1.jsonl"


def told(capfd: pytest.CaptureFixture[str], status: int, *words: str) -> str:
    """What is printed, with nothing said on stderr."""
    assert main(["check", *map(str, words)]) == status
    done = capfd.readouterr()
    assert done.err == ""
    return done.out


def found(capfd: pytest.CaptureFixture[str], status: int, *words: str) -> list[tuple[str, str]]:
    """The rules and severities that are found."""
    value: dict[str, Any] = json.loads(told(capfd, status, "--json", *words))
    return [(each["rule"], each["severity"]) for one in value["sessions"] for each in one["findings"]]


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A working directory with no configuration in it."""
    place = tmp_path / "work"
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("COLUMNS", "100")
    return place


def test_a_healthy_session_is_called_so(capfd: pytest.CaptureFixture[str]) -> None:
    assert told(capfd, 0, str(HEALTHY)).splitlines()[1].startswith("Healthy: 5 requests answered, slowest: ")


def test_an_error_makes_the_status_1_and_is_told_with_what_to_do(capfd: pytest.CaptureFixture[str]) -> None:
    text = told(capfd, 1, str(CRASH))
    assert "The connection failed: server exited 1 after 399 ms, before answering initialize" in text
    assert "\n1 error\n  PRO002  at fault: environment  #2 #7\n" in text
    assert "    → set `DEMO_TOKEN` in the `env` of the server's entry" in text
    assert "\x1b" not in text


@pytest.mark.parametrize(("fail_on", "status"), [("error", 0), ("warning", 1), ("info", 1), ("never", 0)])
def test_a_warning_fails_where_it_is_to(fail_on: str, status: int, capfd: pytest.CaptureFixture[str]) -> None:
    told(capfd, status, "--fail-on", fail_on, str(BANNER))


def test_rules_can_be_left_out_or_chosen(capfd: pytest.CaptureFixture[str]) -> None:
    both = [str(BANNER), str(CRASH)]
    assert found(capfd, 1, *both) == [("FRM001", "warning"), ("PRO002", "error")]
    assert found(capfd, 0, "--disable", "PRO", *both) == [("FRM001", "warning")]
    assert found(capfd, 0, "--disable", "frm001,pro002", *both) == []
    assert found(capfd, 1, "--only", "PRO002", *both) == [("PRO002", "error")]


def test_several_sessions_have_a_summary(capfd: pytest.CaptureFixture[str]) -> None:
    assert told(capfd, 1, str(BANNER), str(CRASH)).endswith("\n\n2 sessions: 1 error, 1 warning, 0 notes\n")


def test_the_json_object_has_sessions_and_a_summary(capfd: pytest.CaptureFixture[str]) -> None:
    value = json.loads(told(capfd, 1, "--format", "json", str(CRASH)))
    assert value["summary"] == {"error": 1, "warning": 0, "info": 0}
    (session,) = value["sessions"]
    assert session["name"] == "notes"
    assert [stage["step"] for stage in session["lifecycle"]] == [
        "spawned",
        "first byte",
        "initialize answered",
        "initialized",
        "tools/list",
        "ended",
    ]
    assert session["findings"][0]["records"] == [2, 7]


def two_in_one_file(tmp_path: Path) -> Path:
    path = tmp_path / "two.jsonl"
    path.write_bytes(HEALTHY.read_bytes() + BANNER.read_bytes())
    return path


def test_machines_are_told_the_line_of_the_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = two_in_one_file(tmp_path)
    line = len(HEALTHY.read_bytes().splitlines()) + 4  # the fourth of the second session
    log = json.loads(told(capfd, 0, "--format", "sarif", "--only", "FRM", str(path)))
    (result,) = log["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": line}
    github = told(capfd, 0, "--format", "github", "--only", "FRM", str(path))
    assert github.startswith(f"::warning file={path},line={line},title=FRM001%3A ")


def test_junit_fails_what_makes_the_status_1(capfd: pytest.CaptureFixture[str]) -> None:
    root = ET.fromstring(told(capfd, 1, "--format", "junit", "--fail-on", "warning", str(BANNER)).encode())
    assert (root.get("tests"), root.get("failures")) == ("1", "1")
    root = ET.fromstring(told(capfd, 0, "--format", "junit", str(BANNER)).encode())
    assert (root.get("tests"), root.get("failures")) == ("2", "0")


def test_what_is_healthy_is_empty_in_every_form(capfd: pytest.CaptureFixture[str]) -> None:
    quiet = ["--only", "FRM", str(HEALTHY)]
    assert told(capfd, 0, "--format", "github", *quiet) == ""
    assert json.loads(told(capfd, 0, "--format", "sarif", *quiet))["runs"][0]["results"] == []


def test_sessions_of_one_command_are_held_against_each_other(capfd: pytest.CaptureFixture[str]) -> None:
    assert found(capfd, 0, str(RECORDINGS / "cases" / "A36.jsonl")) == [("PRO018", "info")]


def test_one_session_of_a_directory_is_checked_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    shutil.copy(BANNER, logs / "20261130T221740.000Z-notes-01m8mn0000000000.jsonl")
    shutil.copy(HEALTHY, logs)
    assert found(capfd, 0, "--log-dir", str(logs), "01m8mn00") == [("FRM001", "warning")]


def test_what_cannot_be_read_is_said_and_the_rest_is_checked(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    newer = tmp_path / "newer.jsonl"
    newer.write_text(BANNER.read_text().replace('"format":1', '"format":99'))
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(BANNER.read_bytes()[:-20])
    assert main(["check", "--json", str(newer), str(torn)]) == 2
    done = capfd.readouterr()
    assert [each["file"] for each in json.loads(done.out)["sessions"]] == [str(torn)]
    assert "format 99" in done.err
    assert "skipped 1 line that is not a record" in done.err


@pytest.mark.parametrize("content", [b"", b"nothing\n"])
def test_a_file_without_a_record_is_no_healthy_session(
    content: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "no.jsonl"
    path.write_bytes(content)
    assert main(["check", str(path)]) == 2
    done = capfd.readouterr()
    assert (done.out, done.err) == ("", f"mcp-tap: {path} contains no records: is it a recording?\n")


def test_without_the_schema_library_everything_else_is_checked(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    json_schema.unusable.cache_clear()
    json_schema.remembered.cache_clear()
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    try:
        assert main(["check", "--json", str(RECORDINGS / "cases" / "A30.jsonl")]) == 1
        done = capfd.readouterr()
        assert [each["rule"] for each in json.loads(done.out)["sessions"][0]["findings"]] == [
            "TOL003",
            "PRV001",
        ]
        left_out = "mcp-tap: tool schemas and the values for them were not checked: "
        assert done.err.startswith(f"{left_out}jsonschema cannot be imported (")
        assert done.err.count("\n") == 1
    finally:
        json_schema.unusable.cache_clear()
        json_schema.remembered.cache_clear()


# --- configuration and baseline -----------------------------------------------------------------------------


def test_a_project_s_configuration_is_found_and_the_command_line_has_the_last_word(
    elsewhere: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (elsewhere / "pyproject.toml").write_text(
        '[tool.mcp-tap.check]\nfail-on = "warning"\ndisable = ["PRO"]\n'
        '[tool.mcp-tap.check.severity]\nFRM001 = "info"\n'
    )
    both = [str(BANNER), str(CRASH)]
    assert found(capfd, 0, *both) == [("FRM001", "info")]
    assert found(capfd, 1, "--fail-on", "info", *both) == [("FRM001", "info")]
    assert found(capfd, 1, "--only", "PRO002", *both) == [("PRO002", "error")]


def test_another_project_s_file_is_none_of_our_business(
    elsewhere: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (elsewhere / "pyproject.toml").write_bytes(b"\xff\xfe nothing")
    assert found(capfd, 0, str(BANNER)) == [("FRM001", "warning")]


def test_a_configuration_names_its_baseline_beside_itself(
    elsewhere: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (elsewhere / "sub").mkdir()
    (elsewhere / "sub" / "check.toml").write_text('baseline = "known.json"\n')
    assert main(["check", "--write-baseline", "sub/known.json", str(BANNER)]) == 0
    assert (
        capfd.readouterr().err == "mcp-tap: sub/known.json now accepts 1 finding in 1 session of 1 server\n"
    )
    assert found(capfd, 0, "--config", "sub/check.toml", str(BANNER)) == []


def test_a_baseline_accepts_what_is_known_and_no_more(
    elsewhere: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--write-baseline", "known.json", str(BANNER)]) == 0
    assert main(["check", "--write-baseline", "known.json", str(CRASH)]) == 0
    capfd.readouterr()
    both = [str(BANNER), str(CRASH)]
    assert found(capfd, 0, "--baseline", "known.json", "--fail-on", "info", *both) == []
    worse = elsewhere / "worse.jsonl"
    worse.write_bytes((RECORDINGS / "cases" / "A02.jsonl").read_bytes())
    assert found(capfd, 0, "--baseline", "known.json", str(worse)) == [("FRM017", "warning")]
    assert sorted(os.listdir(elsewhere)) == ["known.json", "worse.jsonl"]


def listing(description: str) -> bytes:
    tools = [{"name": "add", "description": description, "inputSchema": {"type": "object"}}]
    tape = begun().client({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, 1)
    tape.server({"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}}, 1.1)
    return b"".join(closed(tape, 2).lines)


def test_a_tool_that_has_changed_since_is_told(elsewhere: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (elsewhere / "old.jsonl").write_bytes(listing("adds"))
    (elsewhere / "new.jsonl").write_bytes(listing("adds, and tells others"))
    assert main(["check", "--write-baseline", "known.json", "old.jsonl"]) == 0
    capfd.readouterr()
    assert found(capfd, 0, "--baseline", "known.json", "old.jsonl") == []
    assert found(capfd, 0, "--baseline", "known.json", "new.jsonl") == [("SEC005", "warning")]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--disable", "FRM01"], "FRM01"),
        (["--only", "nothing"], "nothing"),
        (["--config", "gone.toml"], "cannot read gone.toml: No such file or directory"),
        (["--baseline", "gone.json"], "cannot read gone.json: No such file or directory"),
        (["--baseline", "bad.json"], "bad.json is not JSON"),
        (["--baseline", "latin.json"], "cannot read latin.json: it is not UTF-8"),
        (["--config", "bad.json"], "bad.json"),
        (["--write-baseline", "no/where.json"], "cannot write no/where.json: No such file or directory"),
        (["--write-baseline", "bad.json"], "bad.json is not JSON"),
        (
            ["--explain", "FRM0001"],
            "unknown rule FRM0001 (did you mean FRM001?): mcp-tap check --rules lists all rules",
        ),
        (["--explain", "?"], "unknown rule ?: mcp-tap check --rules lists all rules"),
        (["--follow", "x", "--format", "sarif"], "--follow takes at most one RECORDING"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    words: list[str], sentence: str, elsewhere: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (elsewhere / "bad.json").write_text("{nothing")
    (elsewhere / "latin.json").write_bytes(b"\xe4")
    assert main(["check", *words, *([] if "--follow" in words else [str(BANNER)])]) == 2
    done = capfd.readouterr()
    assert done.out == ""
    assert done.err.startswith("mcp-tap: ")
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert [name for name in os.listdir(elsewhere) if name.endswith(".new")] == []


def test_a_baseline_that_cannot_replace_the_old_one_leaves_nothing_behind(
    elsewhere: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    assert main(["check", "--write-baseline", "known.json", str(BANNER)]) == 2
    assert "cannot write known.json: Permission denied" in capfd.readouterr().err
    assert os.listdir(elsewhere) == []


# --- the rules ----------------------------------------------------------------------------------------------


def test_a_rule_is_explained(capfd: pytest.CaptureFixture[str]) -> None:
    page = told(capfd, 0, "--explain", "tol007").splitlines()
    assert page[0] == "TOL007: Arguments that do not match the tool's inputSchema."
    assert page[1] == "warning by default; at fault: client; all versions of MCP"
    assert any(line.startswith("Fails") for line in page)
    assert page[-1].startswith("Specification: https://modelcontextprotocol.io/specification/2025-11-25/")


def test_a_guess_and_its_versions_are_said_to_be_so(capfd: pytest.CaptureFixture[str]) -> None:
    assert "likely; not proven" in told(capfd, 0, "--explain", "RES007").splitlines()[1]
    assert told(capfd, 0, "--explain", "MOD003").splitlines()[1].endswith("; MCP 2026-07-28")
    assert told(capfd, 0, "--explain", "LIF003").splitlines()[1].endswith("MCP 2024-11-05 to 2025-11-25")
    assert "whoever sent it" in told(capfd, 0, "--explain", "RPC001").splitlines()[1]
    assert "at fault: unknown" in told(capfd, 0, "--explain", "LIF024").splitlines()[1]
    assert "at fault: environment" in told(capfd, 0, "--explain", "PRO001").splitlines()[1]
    assert not told(capfd, 0, "--explain", "TAP001").splitlines()[-1].startswith("Specification")


def test_all_rules_are_listed_within_the_terminal(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    text = told(capfd, 0, "--rules")
    assert max(map(len, text.splitlines())) <= 60
    assert text.startswith("CAN: cancellation\n  CAN001  warning  sender")
    lines = [line for line in text.splitlines() if line.startswith("  ")]
    assert len(lines) > 140
    assert lines == sorted(lines)
    titles = [line for line in text.splitlines() if line and not line.startswith("  ")]
    assert [title[:3] for title in titles] == sorted({line[2:5] for line in lines})
    rules = json.loads(told(capfd, 0, "--rules", "--json"))
    assert len(rules) == len(lines)
    assert {"rule", "title", "severity", "culprit", "certainty", "versions", "next", "specification"} == set(
        rules[0]
    )
