"""SEC003: recording holds what looks like credentials."""

from __future__ import annotations

from tests.diagnosis.checking import begun
from tests.diagnosis.recognise.credentials_cases import GITHUB, URL
from tests.record_cases import Tape, request, result, told
from tests.rules.security.secrets_cases import found


def test_the_recording_counts_different_values_wherever_they_are() -> None:
    key = "5f2d1c9ab34e"
    tape = Tape().start(argv=["notes", "--url", URL, "--token", "[masked]", 5])
    tape.stderr(f'Using headers: {{"X-API-KEY":"{key}"}}', 0.5).stderr("API_KEY=[masked]", 0.6)
    tape.client(request(5, "tools/call", name="a", arguments={"url": URL, "token": GITHUB}), 1)
    (each,) = found(tape, "SEC003")
    assert (each.severity, each.records, each.count) == ("info", (0, 2, 4), 3)
    assert key not in repr(each)


def test_many_places_are_counted() -> None:
    tape = begun().client(request(1, "tools/list"), 1).server(result(1, a=URL), 1.1)
    tape.client(told("notifications/a", a=URL), 1.2).server(told("notifications/b", a=URL), 1.3)
    tape.server(result(99, a=URL), 1.4).stderr(URL, 1.5)
    (each,) = found(tape, "SEC003")
    assert each.count == 5
