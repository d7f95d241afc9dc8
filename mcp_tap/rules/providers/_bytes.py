"""What base64 holds, by the first bytes of what it stands for."""

from __future__ import annotations

import binascii
from typing import NamedTuple


class Format(NamedTuple):
    """A format of files: its MIME types, the usual one first, and its name in a sentence."""

    types: tuple[str, ...]
    name: str


PNG = Format(("image/png", "image/apng", "image/x-png"), "a PNG image")
JPEG = Format(("image/jpeg", "image/jpg", "image/pjpeg"), "a JPEG image")
GIF = Format(("image/gif",), "a GIF image")
WEBP = Format(("image/webp",), "a WebP image")
HEIF = Format(("image/heic", "image/heif", "image/avif", "image/heic-sequence"), "a HEIF image")
SVG = Format(("image/svg+xml", "text/xml", "application/xml"), "an SVG image")
WAV = Format(("audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"), "a WAV sound")
OGG = Format(("audio/ogg", "audio/opus", "audio/vorbis", "video/ogg", "application/ogg"), "an Ogg file")
MP4 = Format(
    ("video/mp4", "audio/mp4", "audio/m4a", "audio/x-m4a", "audio/aac", "video/quicktime"), "an MP4 file"
)
PDF = Format(("application/pdf",), "a PDF document")

HEIF_BRANDS = (b"heic", b"heix", b"mif1", b"msf1", b"hevc", b"avif", b"avis")

BEGINNINGS: tuple[tuple[bytes, Format], ...] = (
    (b"\x89PNG\r\n\x1a\n", PNG),
    (b"\xff\xd8\xff", JPEG),
    (b"GIF87a", GIF),
    (b"GIF89a", GIF),
    (b"II*\x00", Format(("image/tiff",), "a TIFF image")),
    (b"MM\x00*", Format(("image/tiff",), "a TIFF image")),
    (b"%PDF-", PDF),
    (b"OggS", OGG),
    (b"fLaC", Format(("audio/flac", "audio/x-flac"), "a FLAC sound")),
    (b"ID3", Format(("audio/mpeg", "audio/mp3"), "an MP3 sound")),
    (b"PK\x03\x04", Format(("application/zip",), "a ZIP archive")),
    (b"\x1f\x8b\x08", Format(("application/gzip",), "a gzip archive")),
    (b"<svg", SVG),
    (b"<!doctype html", Format(("text/html",), "an HTML page")),
    (b"<html", Format(("text/html",), "an HTML page")),
)

HEAD = 64
"""Characters of base64 that are decoded to tell what it is."""


def format_of(data: str) -> Format | None:
    """What the base64 in ``data`` is of; None where its first bytes do not tell."""
    head = data[:HEAD].translate(STANDARD)
    try:
        first = binascii.a2b_base64(head[: len(head) // 4 * 4])
    except (binascii.Error, ValueError):
        return None
    if first[:4] == b"RIFF":
        return {b"WEBP": WEBP, b"WAVE": WAV}.get(first[8:12])
    if first[4:8] == b"ftyp":
        return HEIF if first[8:12] in HEIF_BRANDS else MP4
    plain = first.lstrip().lower()
    for beginning, found in BEGINNINGS:
        if first.startswith(beginning) or (beginning[:1] == b"<" and plain.startswith(beginning)):
            return found
    return None


STANDARD = str.maketrans("-_", "+/")
"""From the alphabet that is safe in URLs to the usual one."""
