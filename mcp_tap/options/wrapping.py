"""The options of the verbs that change configurations."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from mcp_tap.errors import TapError, one_line
from mcp_tap.options.parser import Verbs

if TYPE_CHECKING:
    from mcp_tap.clients.request import WrapRequest

STATUSES = (
    "Exit status: 0 done; 1 a server or a file was skipped, for the reason that is printed; 2 nothing was "
    "done, because the selection is ambiguous or names nothing, or a file cannot be used."
)


def add_wrap(verbs: Verbs) -> None:
    """The options of ``wrap``."""
    wrap = verbs.add_parser(
        "wrap",
        help="make clients start servers through the tap",
        description="Edit a client's configuration so that it starts servers through the tap. The command "
        "becomes: mcp-tap run --name NAME --log-dir DIR -- OLD-COMMAND. Nothing else in the file changes, "
        "and unwrap restores it exactly.",
        epilog=f"{STATUSES} With --all and no NAME, remote, built-in, disabled and centrally managed "
        "servers do not count as skipped.",
        allow_abbrev=False,
    )
    add_selection(wrap)
    wrap.add_argument(
        "--disabled", action="store_true", dest="with_disabled", help="also wrap disabled entries"
    )
    wrap.add_argument(
        "--log-dir", metavar="DIR", help="directory for the recordings (default: the same as for run)"
    )
    wrap.add_argument(
        "--command-style",
        choices=("absolute", "bare", "module"),
        help="how to write the tap's command: as an absolute path (default in your own files), as the bare "
        "name mcp-tap (default in a project's files if it is on the PATH), or as python -P -m mcp_tap",
    )
    instead = wrap.add_mutually_exclusive_group()
    add_dry_run(instead)
    instead.add_argument(
        "--print",
        action="store_true",
        dest="print_only",
        help="change no file; print a claude, codex or copilot command line that starts the servers through "
        "the tap, or a configuration for any other client (with --json, always a configuration)",
    )
    wrap.add_argument(
        "--with-secrets",
        action="store_true",
        help="with --print: include environment values and anything else that looks like a secret",
    )
    wrap.set_defaults(command=run_wrap)


def add_unwrap(verbs: Verbs) -> None:
    """The options of ``unwrap``."""
    unwrap = verbs.add_parser(
        "unwrap",
        help="undo wrap",
        description="Undo wrap. The file is restored byte for byte; if the client has rewritten it in the "
        "meantime, the entry gets its old command and arguments back.",
        epilog=STATUSES,
        allow_abbrev=False,
    )
    add_selection(unwrap)
    add_dry_run(unwrap)
    unwrap.set_defaults(command=run_unwrap)


def add_wrapped(verbs: Verbs) -> None:
    """The options of ``wrapped``."""
    wrapped = verbs.add_parser(
        "wrapped",
        help="list wrapped servers and flag stale entries",
        description="List the servers that start through the tap, and flag stale entries: the tap has moved, "
        "or the log directory no longer exists.",
        epilog="Exit status: 0 nothing is stale; 1 something is stale; 2 a file cannot be read.",
        allow_abbrev=False,
    )
    add_where(wrapped)
    wrapped.set_defaults(command=run_wrapped)


def add_selection(verb: argparse.ArgumentParser) -> None:
    """Which entries are meant."""
    verb.add_argument("names", nargs="*", metavar="NAME", help="server names, as in the configuration")
    verb.add_argument(
        "--all",
        action="store_true",
        dest="all_servers",
        help="all servers; with NAMEs, every entry with one of these names",
    )
    add_where(verb)


def add_dry_run(verb: argparse._ActionsContainer) -> None:
    """Whether anything is changed at all."""
    verb.add_argument(
        "-n", "--dry-run", action="store_true", help="only show what would change, with secrets masked"
    )


def add_where(verb: argparse.ArgumentParser) -> None:
    """Which files are meant."""
    from mcp_tap.clients.known import CLIENTS, SCOPES

    verb.add_argument(
        "--client", type=client_name, metavar="CLIENT",
        help=f"only this client's files (default: all): {', '.join(client.name for client in CLIENTS)}",
    )  # fmt: skip
    verb.add_argument(
        "--scope",
        choices=SCOPES,
        help="only your own files (user), the project's files (project), or your settings for this project "
        "(local)",
    )
    verb.add_argument("--config", metavar="PATH", help="only this file, which may be anywhere")
    verb.add_argument("--project", metavar="DIR", help="project directory (default: the current directory)")
    verb.add_argument("--json", action="store_true", dest="as_json", help="print one JSON object")


def client_name(word: str) -> str:
    """The client's own name for what people call it. Raises :class:`TapError` for one that is not known."""
    from mcp_tap.clients.aliases import find_client, nearest_client
    from mcp_tap.clients.known import CLIENTS

    if client := find_client(word):
        return client.name
    near = nearest_client(word)
    hint = f"did you mean {near.name}?" if near else f"known: {', '.join(each.name for each in CLIENTS)}"
    raise TapError(f"unknown client '{one_line(word)}' ({hint})")


def request_of(options: argparse.Namespace) -> WrapRequest:
    """What the options say. Raises :class:`TapError` for a file or directory without a name."""
    from mcp_tap.clients.request import WrapRequest

    given = {name: value for name, value in vars(options).items() if name in WrapRequest.__slots__}
    for name, option in (("config", "--config PATH"), ("log_dir", "--log-dir DIR")):
        if given.get(name) == "":
            raise TapError(f"the argument of {option} is empty")
    for name in ("config", "project", "log_dir"):
        if given.get(name):
            given[name] = expand_tilde(given[name])
    return WrapRequest(**given)


def expand_tilde(path: str) -> str:
    """``path`` with a "~" that the shell has left as it is: it does in ``--config=~/x``."""
    return os.path.expanduser(path) if path.startswith("~") and not os.path.lexists(path) else path


def run_wrap(options: argparse.Namespace) -> int:
    """``mcp-tap wrap``"""
    from mcp_tap.commands.wrap import wrap
    from mcp_tap.commands.wrap_print import wrap_print

    if options.with_secrets and not options.print_only:
        raise TapError("--with-secrets works only with --print")
    return (wrap_print if options.print_only else wrap)(request_of(options))


def run_unwrap(options: argparse.Namespace) -> int:
    """``mcp-tap unwrap``"""
    from mcp_tap.commands.unwrap import unwrap

    return unwrap(request_of(options))


def run_wrapped(options: argparse.Namespace) -> int:
    """``mcp-tap wrapped``"""
    from mcp_tap.commands.wrapped import wrapped

    return wrapped(request_of(options))
