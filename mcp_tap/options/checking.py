"""The options of ``check``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mcp_tap.errors import UsageError
from mcp_tap.options.parser import Verbs

if TYPE_CHECKING:
    from mcp_tap.commands.check_options import Form


def add_check(verbs: Verbs) -> None:
    """The options of ``check``."""
    check = verbs.add_parser(
        "check",
        help="what is wrong, who is at fault, how sure that is, what to do",
        description="Diagnose sessions: what is wrong, who is at fault, how sure that is, what to do next. "
        "#12 is the record with that number (show --json has it as seq).",
        epilog="Exit status: 0 nothing of the severity of --fail-on, 1 findings, 2 could not read something.",
        allow_abbrev=False,
    )
    check.add_argument(
        "recordings",
        nargs="*",
        metavar="RECORDING",
        help="files, directories or session ids (default: the newest recording)",
    )
    forms = ("text", "json", "sarif", "junit", "github")
    check.add_argument("--format", choices=forms, help="text (default); json; sarif 2.1.0; junit; github")
    check.add_argument("--json", action="store_true", help="the same as --format json: one JSON object")
    check.add_argument(
        "--fail-on",
        choices=("error", "warning", "info", "never"),
        help="what makes the exit status 1 (default: error)",
    )
    several = "; may be given several times, or with commas"
    rule = "a rule (FRM001) or a family (FRM)"
    check.add_argument(
        "--disable", action="append", default=[], metavar="RULE", help=f"leave out {rule}{several}"
    )
    check.add_argument("--only", action="append", default=[], metavar="RULE", help=f"only {rule}{several}")
    check.add_argument(
        "--config",
        metavar="FILE",
        help="severities, thresholds and disabled rules (default: [tool.mcp-tap.check] in ./pyproject.toml)",
    )
    check.add_argument("--baseline", metavar="FILE", help="leave out what is accepted in FILE")
    check.add_argument(
        "--write-baseline", metavar="FILE", help="accept what is found now: write it to FILE, and report none"
    )
    check.add_argument(
        "--follow", action="store_true", help="go on as the recording grows, until interrupted"
    )
    check.add_argument("--rules", action="store_true", help="list all rules")
    check.add_argument("--explain", metavar="RULE", help="what a rule means, with examples, and what to do")
    check.add_argument(
        "--log-dir", metavar="DIR", help="where to look for sessions (default: where run puts them)"
    )
    check.set_defaults(command=run_check)


def run_check(options: argparse.Namespace) -> int:
    """``mcp-tap check``"""
    from mcp_tap.commands.check_help import explain, list_rules

    form: Form = options.format or ("json" if options.json else "text")
    if options.explain is not None:
        return explain(options.explain)
    if options.rules:
        return list_rules(as_json=form == "json")
    from mcp_tap.commands.check import check
    from mcp_tap.commands.check_follow import check_following
    from mcp_tap.commands.check_options import read_options

    asked = read_options(
        form=form,
        fail_on=options.fail_on,
        disable=options.disable,
        only=options.only,
        config=options.config,
        baseline=options.baseline,
        write_baseline=options.write_baseline,
    )
    if not options.follow:
        return check(options.recordings, asked, log_dir=options.log_dir)
    if len(options.recordings) > 1 or form not in ("text", "json") or options.write_baseline is not None:
        raise UsageError("--follow takes one RECORDING at most, as text or --json, and writes no baseline")
    return check_following(next(iter(options.recordings), None), asked, log_dir=options.log_dir)
