"""Every verb's options in one place, the dispatch, and the one boundary for errors.

``run`` is read by hand and everything else by ``argparse``: the client waits for ``run``, and
``argparse`` would drop the server's own "--" and cost 6 ms before the server could start.
"""

from __future__ import annotations

import io
import os
import sys

from mcp_tap import __version__
from mcp_tap.errors import ExitStatus, TapError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    import signal as _signal
    from collections.abc import Callable, Sequence

    from mcp_tap.commands.selecting import Selection
else:
    import _signal  # signal's enums would cost 3 ms of the client's patience


def prefer_own_modules(path: list[str], own: str, variable: str) -> list[str]:
    """``path`` with what is meant for the server at its end.

    The client's PYTHONPATH (``variable``) and the working directory come before Python's own
    modules: a ``types.py`` or an old ``anyio`` there is the server's business.
    """
    given = set(variable.split(os.pathsep)) if variable else set()
    theirs = [entry for at, entry in enumerate(path) if entry != own and (at == 0 or entry in given)]
    return [entry for entry in path if entry not in theirs] + theirs


if sys.argv[1:2] == ["run"]:
    # Here and not later: until Signals.hold() a ^C is to end the tap as silently as it would end
    # a server that has not got far, and what is imported next is to be the tap's own.
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    sys.path[:] = prefer_own_modules(
        sys.path,
        os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
        os.environ.get("PYTHONPATH", ""),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb; returns its exit status, and lets nothing but a sentence reach the user."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["run"]:
        from mcp_tap.commands.run import run_command

        status = guarded(run_command, words[1:], ExitStatus.TAP_FAILED)
        if sys.flags.inspect or os.environ.get("PYTHONINSPECT"):
            if sys.stdout is not None:
                sys.stdout.flush()  # the help page
            os._exit(status)  # or the interpreter, meant to stay, would have a status of its own
        return status
    return guarded(review, words, ExitStatus.FAILED)


def guarded(command: Callable[[list[str]], int], words: list[str], unexpected: int) -> int:
    """Run ``command``, and turn what it raises into a sentence and an exit status."""
    try:
        return command(words)
    except TapError as error:
        say(str(error))
        return error.status
    except KeyboardInterrupt:
        return ExitStatus.INTERRUPTED
    except BrokenPipeError:
        # What is still buffered must not fail once more when the interpreter flushes it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitStatus.OK
    except OSError as error:
        show_traceback()
        say(f"cannot go on: {error.strerror or error}" + (f": {error.filename}" if error.filename else ""))
        return unexpected
    except Exception as error:
        show_traceback()
        reason = f"{type(error).__name__}: {error}"
        say(f"unexpected error, please report it with the output under MCP_TAP_DEBUG=1: {reason}")
        return unexpected


def show_traceback() -> None:
    """Print the traceback of what is being handled, for those who ask for it."""
    if os.environ.get("MCP_TAP_DEBUG") == "1":
        import traceback

        traceback.print_exc()


def say(sentence: str) -> None:
    """One line on stderr."""
    from mcp_tap.process.own_streams import talk

    talk(sentence)


def review(words: list[str]) -> int:
    """Everything but ``run``."""
    speak_utf8()
    if sys.stdout is None:
        raise TapError("there is nothing to write to: stdout is closed")
    options = make_parser().parse_args(words)
    status: int = options.command(options)
    return status


def speak_utf8() -> None:
    """Let arrows and foreign letters reach whatever stdout is, at worst as a question mark.

    A pipe on Windows has the code page of the machine, which every other tool there has
    stopped expecting.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = "utf-8" if os.name == "nt" and not sys.stdout.isatty() else None
        sys.stdout.reconfigure(encoding=encoding, errors="replace")


def make_parser() -> argparse.ArgumentParser:
    """The parser of all verbs; each sets ``command`` to a function of the parsed options."""
    import argparse

    from mcp_tap.commands.run_help import help_text
    from mcp_tap.record.schema import STREAMS

    parser = argparse.ArgumentParser(
        prog="mcp-tap",
        description="The flight recorder for MCP: stands in place of a stdio server, "
        "forwards everything, records it.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"mcp-tap {__version__} (mcp-tap-recorder)")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)

    # For the list of verbs alone: main() has taken the verb before it can come here.
    verbs.add_parser(
        "run", help="start a server, forward everything, record it", usage=help_text(), add_help=False
    )

    cat = verbs.add_parser("cat", help="the raw bytes of one direction back out", allow_abbrev=False)
    cat.add_argument(
        "recording", nargs="?", metavar="RECORDING", help="a file or a session id (default: the newest)"
    )
    cat.add_argument("--dir", required=True, choices=STREAMS, help="which direction")
    cat.add_argument("--session", metavar="ID", help="which session of a file that holds several")
    cat.add_argument(
        "--log-dir", metavar="DIR", help="where to look for sessions (default: where run puts them)"
    )
    cat.set_defaults(command=run_cat)

    demo = verbs.add_parser(
        "demo", help="record a session of a small bundled server, and show it", allow_abbrev=False
    )
    demo.add_argument(
        "--log-dir", metavar="DIR", help="where to put the recording (default: where run puts them)"
    )
    demo.set_defaults(command=run_demo)
    add_sessions(verbs)
    add_stats(verbs)
    add_show(verbs)
    add_wrap(verbs)
    add_unwrap(verbs)
    add_wrapped(verbs)
    return parser


def run_cat(options: argparse.Namespace) -> int:
    """``mcp-tap cat``"""
    from mcp_tap.commands.cat import cat

    return cat(options.recording, options.dir, session=options.session, log_dir=options.log_dir)


def run_demo(options: argparse.Namespace) -> int:
    """``mcp-tap demo``"""
    from mcp_tap.commands.demo import demo

    return demo(options.log_dir)


def add_show(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The options of ``show``."""
    show = verbs.add_parser(
        "show",
        help="a session as a readable conversation",
        description="A session as a readable conversation: seconds since its start, → from the client, "
        "← from the server, 2> the server's stderr, ·· the tap itself.",
        allow_abbrev=False,
    )
    show.add_argument(
        "recording",
        nargs="?",
        metavar="RECORDING",
        help="a file, a directory or a session id (default: the newest recording)",
    )
    shape = show.add_mutually_exclusive_group()
    shape.add_argument("--full", action="store_true", help="whole payloads, indented")
    shape.add_argument("--raw", action="store_true", help="the lines as they were sent")
    shape.add_argument("--json", action="store_true", help="JSON Lines, a record a line")
    show.add_argument("--follow", action="store_true", help="go on as the recording grows, until interrupted")
    show.add_argument("--session", metavar="ID", help="one session (the beginning or end of its id)")
    several = "; may be given several times"
    dirs = ("c2s", "s2c", "stderr", "tap")
    show.add_argument("--dir", action="append", default=[], choices=dirs, help=f"one direction{several}")
    show.add_argument("--id", action="append", default=[], help=f"a request and its answer{several}")
    show.add_argument("--method", action="append", default=[], help=f"a method and its answers{several}")
    show.add_argument("--tool", action="append", default=[], help=f"a tool's calls and answers{several}")
    show.add_argument("--errors", action="store_true", help="errors, what led to them, and other trouble")
    show.add_argument("--grep", metavar="REGEX", help="lines in which this is found")
    when = "1.5, 2m (from the start), 18:37:40 (UTC) or an RFC 3339 time"
    show.add_argument("--since", metavar="TIME", help=f"from then on: {when}")
    show.add_argument("--until", metavar="TIME", help="up to then")
    show.add_argument(
        "--log-dir", metavar="DIR", help="where to look for sessions (default: where run puts them)"
    )
    show.set_defaults(command=run_show)


def run_show(options: argparse.Namespace) -> int:
    """``mcp-tap show``"""
    from mcp_tap.commands.show import show
    from mcp_tap.model.filters import Filter, read_bound, read_pattern

    wanted = Filter(
        dirs=frozenset(options.dir),
        methods=frozenset(options.method),
        tools=frozenset(options.tool),
        ids=frozenset(options.id),
        errors=options.errors,
        grep=None if options.grep is None else read_pattern(options.grep),
        since=None if options.since is None else read_bound(options.since, "--since"),
        until=None if options.until is None else read_bound(options.until, "--until"),
    )
    return show(
        options.recording,
        shape="full" if options.full else "raw" if options.raw else "json" if options.json else "short",
        wanted=wanted,
        session=options.session,
        log_dir=options.log_dir,
        following=options.follow,
    )


def add_sessions(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The options of ``sessions``."""
    sessions = verbs.add_parser(
        "sessions", help="list what has been recorded, the newest last", allow_abbrev=False
    )
    sessions.add_argument(
        "recordings",
        nargs="*",
        metavar="RECORDING",
        help="files, directories or session ids (default: all recordings)",
    )
    sessions.add_argument(
        "--brief",
        action="store_true",
        help="read only the two ends of each file: start, name, duration and ending, at once",
    )
    sessions.add_argument("--json", action="store_true", help="JSON Lines, a session a line")
    sessions.add_argument(
        "--log-dir", metavar="DIR", help="where to look for sessions (default: where run puts them)"
    )
    sessions.set_defaults(command=run_sessions)


def run_sessions(options: argparse.Namespace) -> int:
    """``mcp-tap sessions``"""
    from mcp_tap.commands.sessions import sessions

    return sessions(options.recordings, brief=options.brief, as_json=options.json, log_dir=options.log_dir)


def add_stats(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The options of ``stats``."""
    stats = verbs.add_parser(
        "stats",
        help="how often, how fast, how large, by method and tool",
        description="How often, how fast and how large, by method and tool; → asked by the client, "
        "← by the server.",
        allow_abbrev=False,
    )
    stats.add_argument(
        "recordings",
        nargs="*",
        metavar="RECORDING",
        help="files, directories or session ids (default: the newest recording)",
    )
    several = "; may be given several times"
    stats.add_argument(
        "--dir", action="append", default=[], choices=("c2s", "s2c"), help=f"what one side asked{several}"
    )
    stats.add_argument("--method", action="append", default=[], help=f"one method{several}")
    stats.add_argument("--tool", action="append", default=[], help=f"the calls of one tool{several}")
    stats.add_argument("--since", metavar="TIME", help="count from then on (ISO 8601; without a zone: UTC)")
    stats.add_argument("--until", metavar="TIME", help="count what was before then")
    stats.add_argument("--json", action="store_true", help="one JSON object")
    stats.add_argument(
        "--log-dir", metavar="DIR", help="where to look for sessions (default: where run puts them)"
    )
    stats.set_defaults(command=run_stats)


def run_stats(options: argparse.Namespace) -> int:
    """``mcp-tap stats``"""
    from mcp_tap.commands.stats import Wanted, Window, parse_moment, stats

    return stats(
        options.recordings,
        wanted=Wanted(frozenset(options.dir), frozenset(options.method), frozenset(options.tool)),
        window=Window(
            None if options.since is None else parse_moment(options.since),
            None if options.until is None else parse_moment(options.until),
        ),
        as_json=options.json,
        log_dir=options.log_dir,
    )


STATUSES = (
    "Exit status: 0 done; 1 something was refused, for the reason that is printed; 2 nothing was done, for "
    "it is not certain what is meant, or the file cannot be used."
)


def add_wrap(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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
        "(default in files of a repository), or as python -m mcp_tap",
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


def add_unwrap(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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


def add_wrapped(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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
