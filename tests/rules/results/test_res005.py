"""RES005: resource contents with neither text nor blob."""

from __future__ import annotations

from tests.rules.results.cases import found, read, returned


def test_contents_of_a_resource_have_text_or_blob() -> None:
    assert found(read({"uri": "note://1"})) == [("RES005", "error", "server", (6,), "resources/read")]
    assert [
        each[4] for each in found(returned(content=[{"type": "resource", "resource": {"uri": "note://1"}}]))
    ] == ["find"]
    assert (
        found(
            read({"uri": "note://1", "text": ""}, {"uri": "note://2", "blob": ""}, {"uri": "3", "text": None})
        )
        == []
    )
