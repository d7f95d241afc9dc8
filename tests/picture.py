"""The README's picture: what ``show`` and ``check`` print of the demo's session, as rich exports it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock
from xml.etree import ElementTree as ET

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from mcp_tap.cli import main
from mcp_tap.demo.client import messages
from mcp_tap.demo.server import respond
from tests.record_cases import Tape

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "demo.svg"

COLUMNS = 96
"""Wide enough for the findings to be read, narrow enough for the letters not to become small on a page."""

THEME = TerminalTheme(
    (27, 31, 36), (222, 228, 234),
    [(72, 79, 88), (255, 123, 114), (126, 211, 130), (227, 179, 65),
     (121, 184, 255), (215, 160, 255), (86, 212, 221), (222, 228, 234)],
)  # fmt: skip
"""A dark window of its own, so that it can be read on a light page and on a dark one."""

WEB_FONT = re.compile(r"@font-face \{\{.*?\}\}\s*", re.DOTALL)
FORMAT = WEB_FONT.sub("", CONSOLE_SVG_FORMAT).replace("Fira Code, ", "ui-monospace, Menlo, Consolas, ")
"""Rich's own, without the fonts that it fetches from elsewhere."""

SVG = "{http://www.w3.org/2000/svg}"


class Terminal(io.StringIO):
    """A stdout that wants colour."""

    def isatty(self) -> bool:
        return True


def session() -> bytes:
    """A recording of the demo's session, with times that are the same every time."""
    argv = ["python", "-m", "mcp_tap.demo.server"]
    tape = Tape().event("start", format=1, tap="0.1.0", argv=argv, name="notes-demo")
    tape.event("spawn", 0.001, pid=4712, exe="/usr/bin/python3")
    tape.stderr("notes server 0.1.0: 4 notes", 0.080)
    for at, (message, _) in enumerate(messages()):
        t = 0.081 + at / 1000
        tape.client(message, t)
        answer = respond(json.dumps(message))
        if answer is not None:
            tape.server(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode(), t + 0.0004)
    for stream, t in (("c2s", 0.090), ("stderr", 0.098), ("s2c", 0.099)):
        tape.event("eof", t, stream=stream)
    return b"".join(tape.exit(0.100, "client-eof").lines)


@contextlib.contextmanager
def surroundings() -> Iterator[None]:
    """A directory with the recording in it, and a terminal of ``COLUMNS`` columns."""
    shown = {"COLUMNS": str(COLUMNS), "NO_COLOR": "", "TERM": "xterm-256color"}
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        mock.patch.dict(os.environ, shown),
    ):
        Path("demo.jsonl").write_bytes(session())
        yield


def output() -> str:
    """What the two commands print in the demo's session, with the colours of a terminal."""
    told = Terminal()
    with surroundings(), contextlib.redirect_stdout(told):
        for verb in ("show", "check"):
            print(f"\x1b[1m$ mcp-tap {verb} demo.jsonl\x1b[0m")
            main([verb, "demo.jsonl"])
            print()
    return told.getvalue().rstrip()


def picture() -> str:
    """The picture as it has to be."""
    console = Console(
        record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor",
        legacy_windows=False,
    )  # fmt: skip
    console.print(Text.from_ansi(output()), soft_wrap=True)
    return console.export_svg(title="mcp-tap", theme=THEME, code_format=FORMAT, unique_id="demo")


def text_of(svg: str) -> list[str]:
    """What stands in a picture, line by line: the same for every version of rich."""
    lines: dict[float, list[tuple[float, str]]] = {}
    for element in ET.fromstring(svg).iter(f"{SVG}text"):
        place = lines.setdefault(float(element.get("y", "0")), [])
        place.append((float(element.get("x", "0")), (element.text or "").replace("\N{NO-BREAK SPACE}", " ")))
    return ["".join(text for _, text in sorted(lines[y])).rstrip() for y in sorted(lines)]
