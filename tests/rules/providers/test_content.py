"""PRV007 to PRV009: content of results that the APIs of models refuse, or cannot use."""

from __future__ import annotations

import base64
import json
import random
from typing import Any

import pytest

from tests.diagnosis.checking import begun, check
from tests.record_cases import Tape, request, result
from tests.rules.providers.cases import found, loud, returned, text

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00"
NOISE = random.Random(1).randbytes(3_000)


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def image(data: str, kind: str = "image/png") -> dict[str, Any]:
    return {"type": "image", "mimeType": kind, "data": data}


@pytest.mark.parametrize("words", ["", " ", "\n\t"])
def test_an_empty_text_is_told_wherever_it_stands(words: str) -> None:
    assert found(returned(text("found:"), text(words))) == [("PRV007", "warning", "server", (6,), "snap")]
    assert loud(returned(text(words), isError=True)) == [("PRV007", "snap")]
    prompt = begun().client(request(5, "prompts/get", name="greet"), 1)
    prompt.server(result(5, messages=[{"role": "user", "content": text(words)}]), 1.1)
    assert loud(prompt) == [("PRV007", "greet")]


def test_empty_content_and_empty_strings_elsewhere_are_silent() -> None:
    assert found(returned()) == []
    assert found(returned(text('{"text": ""}'), text("0"))) == []
    assert found(returned(text("ok"), structuredContent={"text": "", "type": "text"})) == []
    assert found(returned({"type": "resource", "resource": {"uri": "a://b", "text": ""}})) == []


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "image/jpeg"),
        (JPEG, "image/png"),
        (b"GIF89a12", "image/png; charset=binary"),
        (b"RIFF\x10\x00\x00\x00WEBPVP8 ", "image/png"),
        (b"<!DOCTYPE html><title>Sign in", "image/png"),
        (b"%PDF-1.7 abcdefg", "image/png"),
        (b"\x00\x00\x00\x1cftypheic\x00\x00", "image/jpeg"),
        (PNG, "application/octet-stream"),
        (b"<svg xmlns='http'></svg>", "image/svg+xml"),
        (JPEG, "image/jpg"),
        (b"", "image/png"),
    ],
)
def test_an_image_that_apis_refuse_is_told(data: bytes, kind: str) -> None:
    assert found(returned(text("done"), image(b64(data), kind))) == [
        ("PRV008", "warning", "server", (6,), "snap image")
    ]


def test_a_sound_and_a_blob_are_held_against_their_type_as_well() -> None:
    assert loud(returned({"type": "audio", "mimeType": "audio/wav", "data": b64(b"OggS" + NOISE)})) == [
        ("PRV008", "snap audio")
    ]
    blob = {"uri": "a://b", "mimeType": "image/png", "blob": b64(JPEG)}
    assert loud(returned({"type": "resource", "resource": blob})) == [("PRV008", "snap blob")]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b64(PNG), "image/png"),
        (b64(PNG), "IMAGE/PNG"),
        (b64(JPEG), "image/jpeg"),
        (b64(b"RIFF\x10\x00\x00\x00WEBPVP8 "), "image/webp"),
        (b64(NOISE), "image/png"),
        ("AAAA", "image/gif"),
        ("[masked]", "image/png"),
        ("no base64!", "image/png"),
        ("ab", "image/png"),
    ],
)
def test_an_image_that_is_what_it_says_and_one_that_nobody_can_tell_are_silent(data: str, kind: str) -> None:
    assert found(returned(image(data, kind))) == []


def test_blobs_of_any_other_type_are_silent() -> None:
    for kind in ("application/octet-stream", "application/zip", None):
        blob = {"uri": "a://b", "mimeType": kind, "blob": b64(PNG)}
        assert found(returned({"type": "resource", "resource": blob})) == []


PICTURE = b64(PNG + NOISE)

FILES_IN_TEXT = [
    PICTURE,
    f"data:image/png;base64,{PICTURE}",
    f"Screenshot taken:\n{PICTURE}",
    f"![shot](data:image/png;base64,{PICTURE})",
    "\n".join(PICTURE[at : at + 76] for at in range(0, len(PICTURE), 76)),
    json.dumps({"screenshot": PICTURE}),
    json.dumps({"ok": True, "result": [{"name": "a.png", "payload": PICTURE}]}, indent=1),
    json.dumps({"type": "image", "format": "png", "data": b64(NOISE)}),
    json.dumps({"mimeType": "application/pdf", "content": b64(NOISE)}),
    json.dumps({"image": f"data:image/webp;base64,{b64(NOISE)}"}),
    json.dumps({"screenshot": PICTURE, "html": "<p>" * 9_000}),
    json.dumps({"data": PICTURE}).replace("/", r"\/"),
    b64(b"%PDF-1.7" + NOISE),
    b64(NOISE),
]


@pytest.mark.parametrize("words", FILES_IN_TEXT, ids=range(len(FILES_IN_TEXT)))
def test_base64_of_a_file_in_text_is_told(words: str) -> None:
    assert found(returned(text(words))) == [("PRV009", "warning", "server", (6,), "snap")]


def test_base64_as_the_text_of_a_resource_is_told_and_as_a_blob_it_is_silent() -> None:
    read = begun().client(request(5, "resources/read", uri="a://b"), 1)
    read.server(result(5, contents=[{"uri": "a://b", "mimeType": "image/png", "text": PICTURE}]), 1.1)
    assert loud(read) == [("PRV009", "resources/read")]
    assert found(returned({"type": "resource", "resource": {"uri": "a://b", "blob": PICTURE}})) == []
    assert found(returned(image(PICTURE))) == []


def test_what_its_first_bytes_tell_is_proven_and_the_rest_is_likely() -> None:
    certain, likely = ((check(returned(text(words))))[0].certainty for words in (PICTURE, b64(NOISE)))
    assert (certain, likely) == ("proven", "heuristic")


@pytest.mark.parametrize(
    "words",
    [
        "A" * 120_000,
        "-" * 5_000,
        "deadbeef0123" * 500,
        "ACGT" * 2_000,
        "\n".join(f"{n:064x}" for n in range(100)),
        f"<html><body>{'words of a page ' * 1_000}<img src='data:image/png;base64,{PICTURE}'></body></html>",
        "eyJhbGciOiJIUzI1NiJ9." + b64(NOISE)[:400] + "." + b64(NOISE)[:80],
        json.dumps({"cursor": b64(NOISE)[:600], "items": ["a"] * 100}),
        "-----BEGIN CERTIFICATE-----\n" + "\n".join([b64(NOISE)[:64]] * 30),
        json.dumps({"html": f"<p>{'word ' * 2_000}</p><img src='data:image/png;base64,{PICTURE}'>"}),
        "iVBORw0KGgo is how a PNG begins in base64",
    ],
)
def test_long_words_hashes_tokens_and_pages_with_pictures_are_silent(words: str) -> None:
    assert [each for each in found(returned(text(words))) if each[0] == "PRV009"] == []


def test_a_tool_that_is_to_return_base64_is_silent_unless_it_is_an_image() -> None:
    assert found(returned(text(b64(NOISE)), name="base64_encode")) == []
    assert loud(returned(text(PICTURE), name="base64_encode")) == [("PRV009", "base64_encode")]


def test_a_large_result_follows_from_it_and_is_not_to_be_returned_in_pages() -> None:
    large = b64(PNG + NOISE * 50)
    tape: Tape = returned(text(large))
    told = [each for each in check(tape) if each.severity == "warning"]
    assert [each.rule for each in told] == ["PRV009"]
    assert [each.rule for each in told[0].consequences] == ["PRF004"]
    tape.client(request(6, "tools/call", name="snap", arguments={}), 2)
    tape.server(result(6, content=[text("row " * 40_000)]), 2.1)
    assert [each.rule for each in check(tape) if each.severity == "warning"] == ["PRF004", "PRV009"]
