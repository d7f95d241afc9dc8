"""RES003: image, sound or blob that is not base64."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.rules.results.res003_invalid_base64 import BASE64_LOOKED_AT
from tests.rules.results.cases import PNG, found, prompt, read, returned


@pytest.mark.parametrize(
    "data",
    [
        "data:image/png;base64," + PNG,
        "iVBORw0K\nGgo=",
        "iVBOR-0KGgo=",
        "iVBOR w0KGgo",
        "iVBORw0KGgo",
        "iV=ORw0KGgo=",
        "A===",
        None,
        [137, 80],
    ],
)
def test_an_image_is_base64(data: Any) -> None:
    block = {"type": "image", "mimeType": "image/png", "data": data}
    for tape, name in ((returned(content=[block]), "find"), (prompt(block), "greet")):
        assert found(tape) == [("RES003", "error", "server", (6,), f"{name} image")]


def test_an_image_says_what_it_is() -> None:
    assert [each[4] for each in found(returned(content=[{"type": "audio", "data": PNG}]))] == ["find audio"]


def test_a_blob_is_base64_wherever_it_is() -> None:
    blob = {"uri": "note://1", "blob": "AAAA\nAAAA"}
    assert [each[4] for each in found(read(blob, 7))] == ["resources/read blob"]
    embedded = returned(content=[{"type": "resource", "resource": blob}])
    assert [each[4] for each in found(embedded)] == ["find blob"]


@pytest.mark.parametrize("data", [PNG, "", "AAAA", "AAA=", "[masked]", "A" * 3 * BASE64_LOOKED_AT])
def test_base64_and_what_was_masked_is_silent(data: str) -> None:
    assert found(returned(content=[{"type": "image", "mimeType": "image/png", "data": data}])) == []


def test_of_long_data_both_ends_are_looked_at() -> None:
    size = 3 * BASE64_LOOKED_AT
    for data in ("\n" + "A" * (size - 1), "A" * (size - 1) + "\n", "=" + "A" * (size - 1)):
        assert len(found(returned(content=[{"type": "image", "mimeType": "image/png", "data": data}]))) == 1
