"""The options of the verbs that change configurations."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mcp_tap.errors import TapError
from mcp_tap.options.parser import Verbs

if TYPE_CHECKING:
    from mcp_tap.commands.selecting import Selection

STATUSES = (
    "Exit status: 0 done; 1 something was refused, for the reason that is printed; 2 nothing was done, for "
    "it is not certain what is meant, or the file cannot be used."
)


def add_wrap(verbs: Verbs) -> None:
    """The options of ``wrap``."""
    wrap = verbs.add_parser(
        "wrap",
        help="put the tap in front of servers in a client's configuration",
        description="Put the tap in front of configured servers: mcp-tap run --name NAME --log-dir DIR -- "
        "and the old command. Nothing else in the file is touched, and unwrap leaves no trace.",
        epilog=STATUSES,
        allow_abbrev=False,
    )
    add_selection(wrap)
    wrap.add_argument("--disabled", action="store_true", help="wrap entries too that are switched off")
    wrap.add_argument(
        "--log-dir", metavar="DIR", help="where the recordings are to go (default: where run puts them)"
    )
    wrap.add_argument(
        "--command-style",
        choices=("absolute", "bare", "module"),
        help="how to write the tap: by its absolute path (default in a user's own files), as mcp-tap "
        "(default in files of a repository), or as python -P -m mcp_tap",
    )
    instead = wrap.add_mutually_exclusive_group()
    instead.add_argument(
        "--dry-run", action="store_true", help="only print what would change, secrets masked"
    )
    instead.add_argument(
        "--print",
        action="store_true",
        dest="print_only",
        help="print a command line of claude, codex or copilot that starts the servers through the tap once, "
        "or for other clients (with --json: for all) a configuration",
    )
    wrap.add_argument(
        "--with-secrets", action="store_true", help="with --print: values of env, and words that look secret"
    )
    wrap.set_defaults(command=run_wrap)


def add_unwrap(verbs: Verbs) -> None:
    """The options of ``unwrap``."""
    unwrap = verbs.add_parser(
        "unwrap",
        help="take the tap out again, as if it had never been there",
        description="Take the tap out of a configuration. The file becomes what it was, byte for byte; where "
        "its client has rewritten it meanwhile, the entry gets its old command and arguments back.",
        epilog=STATUSES,
        allow_abbrev=False,
    )
    add_selection(unwrap)
    unwrap.add_argument("--dry-run", action="store_true", help="print what would change, secrets masked")
    unwrap.set_defaults(command=run_unwrap)


def add_wrapped(verbs: Verbs) -> None:
    """The options of ``wrapped``."""
    wrapped = verbs.add_parser(
        "wrapped",
        help="list where the tap is, and what of it is stale",
        description="List the entries that have the tap in them, and what is wrong with them: the tap has "
        "moved, or its log directory is gone.",
        epilog="Exit status: 0; 1 something is stale; 2 a file could not be looked into.",
        allow_abbrev=False,
    )
    add_where(wrapped)
    wrapped.set_defaults(command=run_wrapped, names=[], all=True)


def add_selection(verb: argparse.ArgumentParser) -> None:
    """Which entries are meant."""
    verb.add_argument("names", nargs="*", metavar="NAME", help="servers, as the configuration calls them")
    verb.add_argument(
        "--all", action="store_true", help="all servers; with NAMEs, all places where they are configured"
    )
    add_where(verb)


def add_where(verb: argparse.ArgumentParser) -> None:
    """Which files are meant."""
    from mcp_tap.clients.known import CLIENTS, SCOPES

    verb.add_argument(
        "--client", choices=[client.name for client in CLIENTS], metavar="CLIENT",
        help=f"one client's files (default: all): {', '.join(client.name for client in CLIENTS)}",
    )  # fmt: skip
    verb.add_argument(
        "--scope",
        choices=SCOPES,
        help="your own files, a project's, or what you have for a project alone",
    )
    verb.add_argument("--config", metavar="PATH", help="this file, wherever it lies")
    verb.add_argument("--project", metavar="DIR", help="the project's directory (default: this one)")
    verb.add_argument("--json", action="store_true", help="one JSON object")


def selection_of(options: argparse.Namespace) -> Selection:
    """What the options of :func:`add_selection` say."""
    from mcp_tap.commands.selecting import Selection

    return Selection(
        tuple(options.names), options.client, options.scope, options.config, options.all, options.project
    )


def run_wrap(options: argparse.Namespace) -> int:
    """``mcp-tap wrap``"""
    from mcp_tap.commands.wrap import wrap
    from mcp_tap.commands.wrap_print import wrap_print

    if options.print_only:
        return wrap_print(
            selection_of(options),
            as_json=options.json,
            log_dir=options.log_dir,
            style=options.command_style,
            even_disabled=options.disabled,
            with_secrets=options.with_secrets,
        )
    if options.with_secrets:
        raise TapError("--with-secrets is for --print alone")
    return wrap(
        selection_of(options),
        dry_run=options.dry_run,
        as_json=options.json,
        log_dir=options.log_dir,
        style=options.command_style,
        even_disabled=options.disabled,
    )


def run_unwrap(options: argparse.Namespace) -> int:
    """``mcp-tap unwrap``"""
    from mcp_tap.commands.unwrap import unwrap

    return unwrap(selection_of(options), dry_run=options.dry_run, as_json=options.json)


def run_wrapped(options: argparse.Namespace) -> int:
    """``mcp-tap wrapped``"""
    from mcp_tap.commands.wrapped import wrapped

    return wrapped(selection_of(options), as_json=options.json)
