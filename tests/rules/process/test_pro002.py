"""PRO002: the server died at startup."""

from __future__ import annotations

import pytest

from mcp_tap.diagnosis.finding import Finding
from mcp_tap.rules.process.pro002_died_at_start import DiedAtStart
from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import check, names
from tests.record_cases import RECORDINGS, Tape, error
from tests.recordings.cases import CASES, begun, closed, offer
from tests.rules.process.start_cases import RULES, found, one


def consequences(finding: Finding) -> list[str]:
    return [each.rule for each in finding.consequences]


def died(
    *stderr: str, code: int | None = 1, signal: str | None = None, t: float = 0.4, **start: object
) -> Tape:
    """A server that says something on stderr and ends before it answers."""
    tape = Tape().start(**start).client(offer(), 0.1)
    for line in stderr:
        tape.stderr(line, t)
    return tape.event("eof", t, stream="s2c").exit(t, "server-exit", code, signal)


def test_a_server_that_dies_at_its_start_is_told_with_its_last_words() -> None:
    tape = CASES["A28"]()
    assert found(tape) == [("PRO002", "error", "environment", (2, 7), "unset-variable")]
    assert consequences(one(tape)) == ["PRO008", "PRO009"]
    assert "KeyError: 'DEMO_TOKEN'" in one(tape).message


def test_a_missing_program_is_named_with_the_path_that_the_client_gave() -> None:
    tape = CASES["A27"]()
    assert found(tape) == [("PRO002", "error", "environment", (2, 5), "missing-program")]
    assert one(tape).next != DiedAtStart.next


def test_exit_127_without_a_word_still_points_at_the_path() -> None:
    finding = one(died(code=127, path="/bin"))
    assert (finding.culprit, finding.key) == ("environment", "exited 127")
    other = one(died("boom", code=126))
    assert len({finding.next, other.next, DiedAtStart.next}) == 3


def test_a_recording_of_a_real_refusal_gives_one_error() -> None:
    tape = Tape("01m8mnb0kx5exfam")
    tape.lines = (RECORDINGS / "v1" / "filesystem-py1-refused.jsonl").read_bytes().splitlines(keepends=True)
    assert found(tape) == [("PRO002", "error", "environment", (2, 8), "usage")]


def test_the_reason_is_found_above_the_stack() -> None:
    finding = one(
        died(
            "node:internal/modules/cjs/loader:1143",
            "Error: Cannot find module '/opt/notes/dist/index.js'",
            "    at Module._resolveFilename (node:internal/modules/cjs/loader:1140:15)",
            "  code: 'MODULE_NOT_FOUND',",
            "}",
            "",
            "Node.js v20.20.2",
        )
    )
    assert finding.key == "missing-node-module"


def test_an_unknown_reason_is_quoted_and_nobody_is_blamed() -> None:
    finding = one(died("thread main stopped: no sails", "    at sea"))
    assert (finding.culprit, finding.key) == ("undecided", "exited 1")
    assert "terminal" not in finding.next


def test_a_complaint_that_is_not_the_last_word_is_quoted_as_such() -> None:
    assert one(died("Error: A_TOKEN is not set", "bye")).key == "unset-variable"


def test_a_variable_that_the_client_has_set_is_not_what_is_missing() -> None:
    finding = one(died("KeyError: 'DEMO_TOKEN'", env=["PATH", "DEMO_TOKEN"]))
    assert (finding.culprit, finding.key) == ("undecided", "unset-variable")


def test_secrets_in_last_words_are_masked() -> None:
    finding = one(died("fatal: API_KEY=abcdef123456 is refused, password: hunter22 too"))
    assert "abcdef" not in finding.message + str(finding.evidence)
    assert "hunter" not in finding.message + str(finding.evidence)


def test_a_signal_and_a_closed_stdout_are_ends_too() -> None:
    assert one(died(code=None, signal="SIGSEGV")).key == "was killed by SIGSEGV"
    tape = Tape().start().event("eof", 0.4, stream="s2c").exit(3, "server-eof", 0)
    assert one(tape).key == "closed its stdout"
    assert one(died(code=0xC0000005)).key == "exited 0xC0000005"
    assert one(died(code=None)).key == "ended"


def test_what_was_printed_to_stdout_stands_in_for_stderr() -> None:
    tape = Tape().start().client(offer(), 0.1).server(b"cannot start", 0.2)
    tape.event("eof", 0.4, stream="s2c").exit(0.4, "server-exit", 1)
    assert one(tape).key == "exited 1"


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (["docker", "run", "notes"], True),
        (["docker", "run", "-i", "notes"], False),
        (["docker", "run", "-ti", "notes"], False),
        (["docker", "run", "--interactive", "notes"], False),
        (["docker", "start", "notes"], False),
        (["notes"], False),
    ],
)
def test_docker_without_stdin_is_told_what_it_lacks(argv: list[str], hint: bool) -> None:
    assert (one(died(code=0, argv=argv)).next != DiedAtStart.next) is hint


@pytest.mark.parametrize(
    "tape",
    [
        closed(Tape().start().client(offer(), 0.1).stderr("KeyError: 'A'", 0.2), 3),
        begun().event("eof", 1, stream="s2c").exit(1, "server-exit", 1),
        Tape().start().client(offer(), 0.1).server(error(0, -1), 0.2).exit(0.3, "server-exit", 1),
        Tape().start().client(offer(), 0.1).event("signal", 0.3, name="SIGINT", forwarded=True)
        .event("eof", 0.4, stream="s2c").exit(0.4, "server-exit", 1),
        Tape().start().client(offer(), 0.1).exit(0.4, "server-exit", None, "SIGTERM")
        .event("signal", 0.5, name="SIGTERM", forwarded=False),
        Tape().start().client(offer(), 0.1).event("broken_pipe", 0.4, stream="s2c")
        .exit(0.4, "server-exit", 1),
        Tape().start().client(offer(), 0.1).event("eof", 0.3, stream="s2c"),
    ],
    ids=["client left", "said something", "refused", "signalled", "killed", "client gone", "no end"],
)  # fmt: skip
def test_an_end_that_is_not_the_servers_own_start_is_silent(tape: Tape) -> None:
    assert "PRO002" not in names(check(tape, rules=RULES))


@pytest.mark.parametrize("event", ["gap", "limit"])
def test_what_the_tap_did_not_record_may_have_been_an_answer(event: str) -> None:
    tape = Tape().start().client(offer(), 0.1).event(event, 0.2, records=1, bytes=9, reason="full")
    assert found(tape.exit(0.4, "server-exit", 1)) == []


def test_missing_records_a_missing_start_and_half_a_line_prove_nothing() -> None:
    tape = Tape().start().client(offer(), 0.1)
    tape.seq += 1
    assert found(tape.exit(0.4, "server-exit", 1)) == []
    headless = Tape().client(offer(), 0.1)
    assert found(headless.exit(0.4, "server-exit", 1)) == []
    half = Tape().start().client(offer(), 0.1).line("s2c", Segment((b'{"jsonrpc"',), more=True), 0.2)
    assert found(half.exit(0.4, "server-exit", 1)) == []
