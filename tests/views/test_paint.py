"""Lines onto a terminal, and into a pipe."""

from __future__ import annotations

import io

from mcp_tap.views.findings import finding_lines
from mcp_tap.views.links import rule_url
from mcp_tap.views.paint import Painter
from tests.views.reports import finding


def printed(*, colour: bool) -> str:
    out = io.StringIO()
    painter = Painter(out, colour)
    for line in finding_lines(finding(), 80):
        painter.print(line)
    return out.getvalue()


def test_on_a_terminal_the_rule_of_a_finding_leads_to_its_page() -> None:
    told = printed(colour=True)
    assert f";{rule_url('FRM001')}\x1b\\" in told
    assert told.count("\x1b]8;;\x1b\\") == 1, "the link ends, and only the rule is one"


def test_in_a_pipe_there_is_the_text_alone() -> None:
    told = printed(colour=False)
    assert told.startswith("  FRM001  ")
    assert "\x1b" not in told
    assert rule_url("FRM001") not in told
