"""What people have reported, diagnosed: every case has its exact list of findings, and its verdict."""

from __future__ import annotations

import pytest

from mcp_tap.commands.check import examine
from mcp_tap.commands.check_options import Options
from mcp_tap.record.find import RecordingLocation
from tests.record_cases import RECORDINGS

CASES: dict[str, list[tuple[str, list[str]]]] = {
    "A01": [
        (
            "It works, with something to look at: server wrote 2 lines of plain text to stdout, "
            "the first before the handshake: 'Demo server v1 ready'.",
            ["FRM001 warning server"],
        ),
    ],
    "A02": [
        (
            "It works, with something to look at: server wrote 3 lines with terminal colour codes"
            " to stdout: '10:00:00 WARN cache cold'.",
            ["FRM017 warning server"],
        ),
    ],
    "A03": [
        (
            "It works, with something to look at: server wrote 1 line of JSON to stdout that is "
            "no JSON-RPC (`level`, `msg`, `time`): a logger that writes JSON shares stdout.",
            ["FRM018 warning server"],
        ),
    ],
    "A04": [
        (
            "The connection failed: server frames messages with Content-Length headers (LSP); MCP"
            " over stdio is one JSON object per line.",
            ["FRM016 error server <- LIF010"],
        ),
    ],
    "A05": [
        (
            "The connection failed: server exited 0 without a word right after a line that ends "
            "in CR LF; it looks like its reader does not accept CR. 1 error more.",
            ["FRM007 error undecided <- PRO002", "LIF007 error client"],
        ),
    ],
    "A06": [
        (
            "Connected, with an error: line 2 of stdout, the answer to tools/call `read` (id 3), "
            "is not UTF-8; the bytes decode as GBK: '中文'.",
            ["FRM009 error server <- LIF017"],
        ),
    ],
    "A07": [
        (
            "It works, with something to look at: the request tools/call `w` contains half of a "
            "UTF-16 pair (\\ud83d) and got no answer; strict UTF-8 decoders reject it.",
            ["FRM013 warning client"],
        ),
    ],
    "A08": [
        (
            "Healthy: 2 requests answered, slowest tools/call list_rows 0.50 s.",
            ["PRF010 info server"],
        ),
    ],
    "A09": [
        (
            "It works, with something to look at: answers came in 2 bursts, 3 of them together, "
            "4.90 s after the first request: stdout looks block-buffered.",
            ["LIF022 warning server"],
        ),
    ],
    "A10": [
        (
            "Connected, with an error: the answer to tools/call `statistics` (id 4) of the server"
            " is not strict JSON (NaN in `mean`); JavaScript clients drop it.",
            ["FRM011 error server <- CAN002"],
        ),
    ],
    "A11": [
        (
            'It works, with something to look at: server answered tools/list, id "7", with the id'
            " 7: same value, other JSON type; strict clients wait for ever. 1 warning more.",
            ["RPC008 warning server", "RPC008 warning server"],
        ),
    ],
    "A12": [
        (
            "Connected, with an error: client sent 2 requests with the id null, the first "
            "tools/list: no legal id, and servers ignore it.",
            ["RPC002 error client <- LIF017 LIF017"],
        ),
    ],
    "A13": [
        (
            "Connected, with an error: server answered the notification "
            "`notifications/initialized` with error -32601 'Method not found'; notifications get "
            "no reply; the client closed stdin 0.20 s later, before it had got anything but the "
            "handshake.",
            ["RPC031 error server"],
        ),
    ],
    "A14": [
        (
            "Connected, with an error: client sent tools/list (id 0) before initialize; the "
            "server answered tools/list with error -32602. 1 error more.",
            ["LIF001 error client <- RPC026", "LIF003 error client <- RPC026"],
        ),
    ],
    "A15": [
        (
            "The connection failed: server rejected protocol version 2025-11-25 with error -32602"
            " 'Unsupported protocol version' instead of offering one it knows.",
            ["LIF009 error server <- RPC026"],
        ),
    ],
    "A16": [
        (
            "Connected, with an error: client sent a batch under 2025-06-18; batches exist only "
            "in 2025-03-26; 2 requests unanswered.",
            ["RPC018 error client <- LIF017 LIF017"],
        ),
    ],
    "A17": [
        (
            "Connected, with an error: roots/list from the server got no reply for 60.0 s while "
            "tools/call index waited.",
            ["LIF021 error client <- LIF017"],
        ),
    ],
    "A18": [
        (
            "Healthy: 2 requests answered, slowest resources/list 0.10 s.",
            ["CAP001 info client <- RPC026"],
        ),
    ],
    "A19": [
        (
            "It works, with something to look at: progress for token 5 (tools/call `export`) sent"
            " 2 ms after its result; some clients close the connection.",
            ["PRG003 warning server"],
        ),
    ],
    "A20": [
        (
            "It works, with something to look at: client gave up on `export` after 60.0 s; the "
            "answer came 1.40 s later. No progressToken was sent, so progress cannot extend the "
            "limit.",
            ["CAN003 warning undecided <- CAN002"],
        ),
    ],
    "A21": [
        (
            "The connection failed: no byte from the server in 30.0 s, then the client gave up; "
            "launcher `npx -y` was still installing (stderr: npm http fetch GET 200 "
            "https://registry.example/notes-server 812ms).",
            ["PRO014 error launcher <- LIF010 PRO006"],
        ),
    ],
    "A22": [
        (
            "It works, with something to look at: all streams silent for 63.0 s after 65,536 "
            "bytes of stderr, which the client had stopped reading; 1 request unanswered.",
            ["LIF023 warning client <- TAP006", "TAP004 info undecided"],
        ),
    ],
    "A23": [
        (
            "It works, with something to look at: server still running 2.0 s after stdin closed; "
            "needed SIGTERM (exited in 0.1 s).",
            ["PRO006 warning server"],
        ),
    ],
    "A25": [
        (
            "Healthy: 2 requests answered, slowest tools/call export 1.00 s.",
            ["PRO016 info client <- PRO004"],
        ),
    ],
    "A26": [
        (
            "The server never started: command `npx` was not found on the PATH that the client "
            "gave (C:\\Windows).",
            ["PRO001 error environment"],
        ),
    ],
    "A27": [
        (
            "The connection failed: server exited 127 after 0.02 s, before answering initialize; "
            "stderr says that the command `node` is missing; PATH given by the client is "
            "/usr/bin:/bin:/usr/sbin:/sbin, the launchd default.",
            ["PRO002 error environment <- PRO008"],
        ),
    ],
    "A28": [
        (
            "The connection failed: server exited 1 after 0.40 s, before answering initialize; "
            "last stderr line: KeyError: 'DEMO_TOKEN'.",
            ["PRO002 error environment <- PRO008 PRO009"],
        ),
    ],
    "A29": [
        (
            "Connected, with an error: nothing on stdout for 89.0 s since tools/call git_status "
            "(id 3) until the client closed stdin, ping (id 4) unanswered too: server blocked; a "
            "child process sharing stdin is a common cause.",
            ["LIF024 error undecided <- LIF017 LIF018"],
        ),
    ],
    "A30": [
        (
            'Connected, with an error: tool `a`: inputSchema has no "type":"object" at its top level;'
            " clients drop the whole list (2 tools).",
            ["TOL003 error server"],
        ),
    ],
    "A31": [
        (
            "Connected, with an error: tool name "
            "`mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm…` has 130 characters; "
            "the specification allows 128.",
            ["TOL001 error server", "TOL001 warning server", "TOL001 warning server"],
        ),
    ],
    "A32": [
        (
            "Connected, with an error: tool `price` declares outputSchema, but result 5 has no "
            "structuredContent; clients of the official SDKs raise an error.",
            ["TOL008 error server"],
        ),
    ],
    "A33": [
        (
            "It works, with something to look at: result 5 of `health` reads like an error but "
            'isError is not set: "Error executing Health: 401".',
            ["RES007 warning server"],
        ),
    ],
    "A34": [
        (
            "Healthy: 2 requests answered, slowest tools/call fetch 0.20 s.",
            [],
        ),
    ],
    "A36": [
        (
            "Healthy: 2 requests answered, slowest tools/list 0.10 s.",
            [],
        ),
        (
            "Healthy: 1 request answered.",
            ["PRO018 info undecided"],
        ),
    ],
}
"""Of each session the verdict, and its findings: rule, severity, culprit, and what follows from it."""


def test_there_is_a_recording_of_each() -> None:
    assert sorted(CASES) == sorted(path.stem for path in (RECORDINGS / "cases").glob("*.jsonl"))


@pytest.mark.parametrize("case", CASES)
def test_a_reported_failure_is_diagnosed(case: str) -> None:
    outcome = examine([RecordingLocation(str(RECORDINGS / "cases" / f"{case}.jsonl"))], Options())
    told = []
    for report in outcome.reports:
        findings = []
        for finding in report.findings:
            follows = " ".join(each.rule for each in finding.consequences)
            line = f"{finding.rule} {finding.severity} {finding.culprit}"
            findings.append(f"{line} <- {follows}" if follows else line)
        told.append((report.verdict, findings))
    assert told == CASES[case]
