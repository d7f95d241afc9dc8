"""Failures of the environment that people have reported: each with its healthy twin, and exact findings."""

from __future__ import annotations

import pytest

from mcp_tap.api import diagnose
from mcp_tap.diagnosis.finding import Finding
from tests.record_cases import RECORDINGS

REPORTED: dict[str, list[str]] = {
    "db-lock": ["PRO002 error environment locked <- PRO008"],
    "db-lock.ok": [],
    "native-module-abi": ["PRO002 error environment native-module <- PRO008 PRO009"],
    "native-module-abi.ok": ["PRO008 info undecided native-module"],
    "docker-it": ["PRO002 error environment docker-terminal <- PRO008"],
    "docker-it.ok": [],
    "glibc-too-old": ["PRO002 error environment c-library <- PRO008"],
    "glibc-too-old.ok": [],
    "docker-env-not-passed": ["PRO002 error environment unset-variable"],
    "docker-env-not-passed.ok": [],
    "deno-permission": ["PRO002 error environment deno-permission <- PRO008 PRO009"],
    "deno-permission.ok": [],
    "docker-tty": ["PRO002 error environment docker-terminal <- PRO008"],
    "docker-tty.ok": [],
    "npx-no-bin": ["PRO002 error launcher no-executable <- PRO008"],
    "npx-no-bin.ok": [],
    "node-too-old": ["PRO002 error environment node-too-old <- PRO008 PRO009"],
    "node-too-old.ok": [],
    "uvx-no-solution": ["PRO002 error environment no-such-package <- PRO008 PRO008"],
    "uvx-no-solution.ok": [],
    "cmd-npx-gbk": ["PRO002 error environment missing-program <- PRO008"],
    "cmd-npx-gbk.ok": [],
    "tls-corporate": ["PRO008 warning environment certificate"],
    "tls-corporate.ok": [],
    "docker-desktop-wsl": ["PRO002 error environment docker-not-running <- PRO008"],
    "docker-desktop-wsl.ok": [],
    "nvm-greeting": ["FRM001 warning server s2c"],
    "nvm-greeting.ok": [],
    "command-line-in-one-string": ["PRO001 error client one string"],
    "command-line-in-one-string.ok": [],
    "uv-cwd": ["PRO002 error environment folder-unreadable <- PRO008 PRO008 PRO009"],
    "uv-cwd.ok": [],
    "dotnet-console-log": ["FRM001 warning server s2c"],
    "dotnet-console-log.ok": [],
}
"""Of each recording its findings: rule, severity, culprit, key, and what follows."""

ADVICE = {
    "docker-it": "drop -t",
    "docker-env-not-passed": "which does not pass it on: add `-e CHAT_API_TOKEN`",
    "node-too-old": "Node.js v18.15.0 was started, which PATH as the client gives it has first",
    "deno-permission": "add `--allow-env`",
    "tls-corporate": "NODE_EXTRA_CA_CERTS",
    "command-line-in-one-string": "put only `npx` in `command`",
    "docker-desktop-wsl": "start Docker Desktop",
}
"""Words of what to do."""

NOT_SAID = {
    "docker-desktop-wsl": "add -i",
    "command-line-in-one-string": "set PATH",
    "docker-env-not-passed": "set `CHAT_API_TOKEN` in",
    "db-lock": "terminal",
    "uvx-no-solution": "terminal",
    "native-module-abi": "..",
}
"""What was advised or said once, and cannot help."""


def found(name: str) -> list[Finding]:
    return [
        finding
        for session in diagnose(RECORDINGS / "reported" / f"{name}.jsonl").sessions
        for finding in session.findings
    ]


@pytest.mark.parametrize("name", REPORTED)
def test_a_reported_failure_has_its_findings_and_its_twin_none(name: str) -> None:
    lines = []
    for finding in found(name):
        line = f"{finding.rule} {finding.severity} {finding.culprit} {finding.key}"
        follows = " ".join(each.rule for each in finding.consequences)
        lines.append(f"{line} <- {follows}" if follows else line)
    assert lines == REPORTED[name]


@pytest.mark.parametrize("name", ADVICE)
def test_the_advice_uses_what_is_on_file(name: str) -> None:
    assert ADVICE[name] in found(name)[0].next


@pytest.mark.parametrize("name", NOT_SAID)
def test_a_false_statement_is_gone(name: str) -> None:
    (session,) = diagnose(RECORDINGS / "reported" / f"{name}.jsonl").sessions
    assert all(NOT_SAID[name] not in each.message + each.next for each in session.findings)
    assert NOT_SAID[name] not in session.verdict
