"""The options of ``check``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mcp_tap.errors import UsageError
from mcp_tap.options.parser import Verbs
from mcp_tap.options.reading import LOG_DIR, OR_NAMED

if TYPE_CHECKING:
    from mcp_tap.commands.check_options import Form


def add_check(verbs: Verbs) -> None:
    """The options of ``check``."""
    check = verbs.add_parser(
        "check",
        help="diagnose a recording: problem, responsible side, confidence, fix",
        description="Diagnose sessions: what is wrong, who is at fault, how certain that is, and how to fix "
        "it. #12 is the record with that number (seq in show --json).",
        epilog="Exit status: 0 if no finding is as severe as --fail-on, 1 if any is, "
        "2 if a file cannot be read.",
        allow_abbrev=False,
    )
    check.add_argument(
        "recordings",
        nargs="*",
        metavar="RECORDING",
        help=f"files, directories, {OR_NAMED} (default: the newest recording)",
    )
    forms = ("text", "json", "sarif", "junit", "github")
    check.add_argument("--format", choices=forms, help="text (default), json, sarif (2.1.0), junit or github")
    check.add_argument("--json", action="store_true", help="the same as --format json")
    check.add_argument(
        "--fail-on",
        choices=("error", "warning", "info", "never"),
        help="the lowest severity that makes the exit status 1 (default: error)",
    )
    several = "; repeat the option, or separate names with commas"
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
    check.add_argument("--baseline", metavar="FILE", help="ignore findings that FILE accepts")
    check.add_argument(
        "--write-baseline",
        metavar="FILE",
        help="accept all current findings: write them to FILE and report none",
    )
    check.add_argument("-f", "--follow", action="store_true", help="follow the recording until interrupted")
    check.add_argument("--rules", action="store_true", help="list all rules")
    check.add_argument("--explain", metavar="RULE", help="show a rule's help page")
    check.add_argument("--log-dir", metavar="DIR", help=LOG_DIR)
    check.set_defaults(command=run_check)


def run_check(options: argparse.Namespace) -> int:
    """``mcp-tap check``"""
    form: Form = options.format or ("json" if options.json else "text")
    if options.explain is not None or options.rules:
        from mcp_tap.commands.check_help import explain, list_rules

    if options.explain is not None:
        return explain(options.explain)
    if options.rules:
        return list_rules(as_json=form == "json")
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
        from mcp_tap.commands.check import check

        return check(options.recordings, asked, log_dir=options.log_dir)
    if len(options.recordings) > 1 or form not in ("text", "json") or options.write_baseline is not None:
        raise UsageError(
            "--follow takes at most one RECORDING, prints text or --json, and cannot write a baseline"
        )
    from mcp_tap.commands.check_follow import check_following

    return check_following(next(iter(options.recordings), None), asked, log_dir=options.log_dir)
