"""PRO014: the client gave up while the launcher was still installing."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import check, names
from tests.record_cases import Tape, told
from tests.recordings.cases import CASES, agreed, closed, offer
from tests.rules.process.start_cases import RULES, found, one


def gave_up(*stderr: str, argv: tuple[str, ...] = ("npx", "-y", "notes"), t: float = 30.1) -> Tape:
    """A client that closes stdin since nothing comes."""
    tape = Tape().start(argv=list(argv)).client(offer(), 0.1)
    for line in stderr:
        tape.stderr(line, 2)
    return tape.event("eof", t, stream="c2s").event("eof", t + 0.1, stream="s2c").exit(t + 0.1, "client-eof")


def test_a_client_that_gives_up_during_an_installation_is_told_so() -> None:
    tape = CASES["A21"]()
    assert found(tape) == [("PRO014", "error", "launcher", (2, 3), "npx")]


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (("uvx", "notes"), "Downloading numpy (16.0MiB)"),
        (("docker", "run", "-i", "notes"), "Unable to find image 'notes:latest' locally"),
        ((r"C:\node\npx.cmd", "notes"), "npm warn deprecated glob@7"),
        (("uv", "run", "notes"), "   Building notes @ file:///notes"),
    ],
)
def test_each_installer_is_known_by_what_it_says(argv: tuple[str, ...], line: str) -> None:
    assert one(gave_up(line, argv=argv)).rule == "PRO014"


@pytest.mark.parametrize(
    "tape",
    [
        gave_up(),
        gave_up("notes: warming up"),
        gave_up("Downloading the model", argv=("notes",)),
        gave_up("npm http fetch GET 200", t=2.1),
        Tape().start(argv=["npx", "notes"]).stderr("npm http fetch", 1).event("eof", 30, stream="c2s"),
        Tape().start(argv=["npx", "notes"]).client(offer(), 0.1).stderr("npm http fetch", 1),
        closed(Tape().start(argv=["npx", "notes"]).client(offer(), 0.1).stderr("npm http fetch", 1)
               .server(agreed(), 20).client(told("notifications/initialized"), 20), 40),
        Tape().start(argv=["npx", "notes"]).client(offer(), 0.1).stderr("npm http fetch", 1)
        .event("gap", 2, records=1, bytes=9, reason="full").event("eof", 30, stream="c2s"),
    ],
    ids=["no word", "another word", "no launcher", "soon", "not asked", "still waiting", "answered", "gap"],
)  # fmt: skip
def test_without_an_installation_in_the_way_nothing_is_said(tape: Tape) -> None:
    assert "PRO014" not in names(check(tape, rules=RULES))


def test_a_launcher_that_prints_to_stdout_has_sent_bytes_but_no_message() -> None:
    tape = Tape().start(argv=["npx", "notes"]).client(offer(), 0.1).stderr("npm http fetch", 1)
    tape.server(b"> notes@1.0.0 start", 2).event("eof", 30.1, stream="c2s").exit(30.2, "client-eof")
    assert one(tape).rule == "PRO014"
