"""A diagnosis in the forms of other programs: SARIF, JUnit, GitHub Actions, and our own JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from jsonschema import Draft202012Validator

from mcp_tap.diagnosis.finding import Finding
from mcp_tap.rules.registry import BY_ID, RULES
from mcp_tap.views.findings_json import to_json
from mcp_tap.views.github import github_lines
from mcp_tap.views.junit import junit_xml
from mcp_tap.views.links import rule_url
from mcp_tap.views.sarif import descriptor, fingerprint, sarif_log
from tests.views.reports import CONSEQUENCE, SESSION, finding, report

SCHEMA = Path(__file__).parent / "schemas" / "sarif-2.1.0.json"
"""The published schema, as it lies in the npm package @microsoft/sarif-multitool-linux 5.7.0 (MIT)."""

FOUND = finding(records=(3, 4), count=2, evidence=("ready\x1b",), consequences=(CONSEQUENCE,))


@pytest.fixture(scope="module")
def sarif() -> Draft202012Validator:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def problems(validator: Draft202012Validator, log: dict[str, Any]) -> list[str]:
    return [error.message for error in validator.iter_errors(log)]


def test_the_sarif_log_is_valid_and_points_at_the_lines(sarif: Draft202012Validator) -> None:
    lines = {("logs/a b.jsonl", SESSION, 3): 7, ("logs/a b.jsonl", SESSION, 4): 9}
    log = sarif_log([report(FOUND, finding(severity="info", records=()))], BY_ID, lines)
    assert problems(sarif, log) == []
    first, second = log["runs"][0]["results"]
    assert first["ruleId"] == "FRM001"
    assert first["level"] == "warning"
    assert first["occurrenceCount"] == 2
    place = first["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "logs/a%20b.jsonl"}, "region": {"startLine": 7}}
    assert first["relatedLocations"][0]["physicalLocation"]["region"] == {"startLine": 9}
    assert (second["level"], second["locations"][0]["physicalLocation"]["region"]) == (
        "note",
        {"startLine": 1},
    )


def test_the_sarif_log_of_a_healthy_session_and_of_every_rule_is_valid(sarif: Draft202012Validator) -> None:
    assert problems(sarif, sarif_log([report()], BY_ID, {})) == []
    everything = report(*(finding(rule=rule.id, severity=rule.severity) for rule in RULES))
    log = sarif_log([everything], BY_ID, {})
    assert problems(sarif, log) == []
    assert len(log["runs"][0]["tool"]["driver"]["rules"]) == len(RULES)


@pytest.mark.parametrize("rule", ["RES001", "PRF001"])
def test_a_rule_in_the_sarif_log_leads_to_its_page_and_names_the_specification(rule: str) -> None:
    told, link = descriptor(BY_ID[rule]), BY_ID[rule].link()
    assert told["helpUri"] == rule_url(rule)
    assert told["help"]["text"].endswith(f"\nSpecification: {link}") == (link is not None)
    assert told.get("properties") == ({"specification": link} if link else None)


def test_the_schema_would_notice(sarif: Draft202012Validator) -> None:
    log = sarif_log([report(FOUND)], BY_ID, {})
    log["runs"][0]["results"][0]["level"] = "info"
    assert problems(sarif, log)


def test_a_fingerprint_is_the_same_in_another_session_and_another_for_another_key() -> None:
    here = fingerprint(FOUND, report())
    assert fingerprint(finding(session="x", records=(9,)), report(session="x", file="y")) == here
    assert fingerprint(finding(key="other"), report()) != here


def test_an_absolute_name_is_a_file_uri(tmp_path: Path) -> None:
    log = sarif_log([report(FOUND, file=str(tmp_path / "ä.jsonl"))], BY_ID, {})
    uri = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.startswith("file:///")
    assert uri.endswith("/%C3%A4.jsonl")


def bad(found: Finding) -> bool:
    return found.severity == "error"


def test_junit_has_a_suite_a_session_and_a_case_a_finding() -> None:
    loud = report(FOUND, finding(severity="error", rule="FRM009", message="bad\x00 <bytes>"))
    root = ET.fromstring(junit_xml([loud, report(verdict="Healthy & well.")], bad).encode())
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "3", "1")
    first, second = root
    assert first.get("timestamp") == "2026-11-29T18:37:40.123456"
    assert [(each_case.get("classname"), [each.tag for each in each_case]) for each_case in first] == [
        ("FRM001", ["system-out"]),
        ("FRM009", ["failure"]),
    ]
    failure = first[1][0]
    assert failure.get("message") == "bad\\u0000 <bytes>"
    assert failure.text is not None
    assert failure.text.splitlines()[1] == "fix: send logs to stderr"
    assert [each.text for each in second.iter("system-out")] == ["Healthy & well."]


def test_junit_without_a_failure_has_a_case_that_passed() -> None:
    root = ET.fromstring(junit_xml([report(FOUND, start=None)], bad).encode())
    assert next(each_case.get("name") for each_case in root.iter("testcase")) == "no problems"
    assert root[0].get("timestamp") is None


def test_github_gets_an_annotation_a_finding_with_everything_escaped() -> None:
    odd = finding(severity="error", message="100%\nbad: a,b", next="do\rit", records=(3,))
    told = list(
        github_lines(
            [report(odd, finding(severity="info", records=()), file="a,b:c.jsonl")],
            {"FRM001": "plain text, on stdout"},
            {("a,b:c.jsonl", SESSION, 3): 7},
        )
    )
    assert told == [
        "::error file=a%2Cb%3Ac.jsonl,line=7,title=FRM001%3A plain text%2C on stdout"
        "::100%25\\nbad: a,b.%0Ado\\rit.",
        "::notice file=a%2Cb%3Ac.jsonl,line=1,title=FRM001%3A plain text%2C on stdout"
        "::Server wrote 1 line of plain text to stdout: 'ready'.%0ASend logs to stderr.",
    ]


def test_the_json_object_is_what_the_contract_says() -> None:
    told = to_json([report(FOUND)])
    assert told["summary"] == {"error": 0, "warning": 1, "info": 0}
    (session,) = told["sessions"]
    assert list(session) == ["session", "file", "name", "start", "verdict", "lifecycle", "findings"]
    assert session["lifecycle"][1] == {
        "step": "initialize answered",
        "ok": True,
        "t": 0.41,
        "detail": "2025-11-25",
    }
    assert session["findings"] == [
        {
            "rule": "FRM001",
            "severity": "warning",
            "culprit": "server",
            "certainty": "proven",
            "message": "server wrote 1 line of plain text to stdout: 'ready'",
            "next": "send logs to stderr",
            "records": [3, 4],
            "count": 2,
            "evidence": ["ready\x1b"],
            "key": "",
            "consequences": [
                {"rule": "LIF017", "message": "no answer to tools/call", "records": [9], "count": 1}
            ],
        }
    ]
