"""RES003: image, sound or blob that is not base64."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.rules.results.res003_invalid_base64 import BASE64_LOOKED_AT
from tests.diagnosis.checking import check
from tests.rules.results.cases import PNG, RULES, found, prompt, read, returned


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("data:image/png;base64," + PNG, "whose data begins with data:, which is a URL and not base64"),
        ("iVBORw0K\nGgo=", "whose data is not base64: it has line breaks"),
        ("iVBOR-0KGgo=", "whose data is not base64: it has the URL alphabet"),
        ("iVBOR w0KGgo", 'whose data is not base64: it has " "'),
        ("iVBORw0KGgo", "whose data is not base64: 11 characters, no multiple of four (padding?)"),
        ("iV=ORw0KGgo=", "whose data is not base64: it goes on after its padding"),
        ("A===", "whose data is not base64: it goes on after its padding"),
        (None, "without data"),
        ([137, 80], "whose data is an array, not a string"),
    ],
)
def test_an_image_is_base64(data: Any, problem: str) -> None:
    block = {"type": "image", "mimeType": "image/png", "data": data}
    for tape, name in ((returned(content=[block]), "find"), (prompt(block), "greet")):
        assert found(tape) == [
            ("RES003", "error", "server", (6,), f"result 5 of `{name}` has an image {problem}")
        ]


def test_an_image_says_what_it_is() -> None:
    assert [each[4] for each in found(returned(content=[{"type": "audio", "data": PNG}]))] == [
        "result 5 of `find` has an audio without a mimeType"
    ]


def test_a_blob_is_base64_wherever_it_is() -> None:
    message = "whose data is not base64: it has line breaks"
    blob = {"uri": "note://1", "blob": "AAAA\nAAAA"}
    assert [each[4] for each in found(read(blob, 7))] == [f"result 5 of `note://1` has a blob {message}"]
    assert [each.key for each in check(read(blob), rules=RULES)] == ["resources/read blob"]
    embedded = returned(content=[{"type": "resource", "resource": blob}])
    assert [each[4] for each in found(embedded)] == [f"result 5 of `find` has a blob {message}"]


@pytest.mark.parametrize("data", [PNG, "", "AAAA", "AAA=", "[masked]", "A" * 3 * BASE64_LOOKED_AT])
def test_base64_and_what_was_masked_is_silent(data: str) -> None:
    assert found(returned(content=[{"type": "image", "mimeType": "image/png", "data": data}])) == []


def test_of_long_data_both_ends_are_looked_at() -> None:
    size = 3 * BASE64_LOOKED_AT
    for data in ("\n" + "A" * (size - 1), "A" * (size - 1) + "\n", "=" + "A" * (size - 1)):
        assert len(found(returned(content=[{"type": "image", "mimeType": "image/png", "data": data}]))) == 1
