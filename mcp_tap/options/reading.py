"""The options of the verbs that read recordings."""

from __future__ import annotations

import argparse

from mcp_tap.options.parser import Verbs

LOG_DIR = "directory of the recordings (default: the same as for run)"

OR_NAMED = (
    "a session id (or its beginning or end), or a server's name, for its newest session; the first that "
    "fits wins"
)
"""What else than a path names a recording: see ``record.find``."""


def add_cat(verbs: Verbs) -> None:
    """The options of ``cat``."""
    from mcp_tap.record.schema import STREAMS

    cat = verbs.add_parser("cat", help="print the raw bytes of one direction", allow_abbrev=False)
    cat.add_argument(
        "recording",
        nargs="?",
        metavar="RECORDING",
        help=f"a file, {OR_NAMED} (default: the newest recording)",
    )
    cat.add_argument("--dir", required=True, choices=STREAMS, help="the direction to print")
    cat.add_argument("--session", metavar="ID", help="the session to print, if the file contains several")
    cat.add_argument("--log-dir", metavar="DIR", help=LOG_DIR)
    cat.set_defaults(command=run_cat)


def add_demo(verbs: Verbs) -> None:
    """The options of ``demo``."""
    demo = verbs.add_parser(
        "demo", help="record and show a session of a small bundled server", allow_abbrev=False
    )
    demo.add_argument(
        "--log-dir", metavar="DIR", help="directory for the recording (default: the same as for run)"
    )
    demo.set_defaults(command=run_demo)


def run_cat(options: argparse.Namespace) -> int:
    """``mcp-tap cat``"""
    from mcp_tap.commands.cat import cat

    return cat(options.recording, options.dir, session=options.session, log_dir=options.log_dir)


def run_demo(options: argparse.Namespace) -> int:
    """``mcp-tap demo``"""
    from mcp_tap.commands.demo import demo

    return demo(options.log_dir)


def add_show(verbs: Verbs) -> None:
    """The options of ``show``."""
    show = verbs.add_parser(
        "show",
        help="show a session as a readable conversation",
        description="Show a session as a readable conversation. Times are seconds since its start; → is the "
        "client, ← the server, 2> the server's stderr, ·· the tap itself.",
        allow_abbrev=False,
    )
    show.add_argument(
        "recording",
        nargs="?",
        metavar="RECORDING",
        help=f"a file, a directory, {OR_NAMED} (default: the newest recording)",
    )
    shape = show.add_mutually_exclusive_group()
    shape.add_argument("--full", action="store_true", help="complete payloads, indented")
    shape.add_argument("--raw", action="store_true", help="the lines exactly as they were sent")
    shape.add_argument("--json", action="store_true", help="JSON Lines, one record per line")
    show.add_argument("-f", "--follow", action="store_true", help="follow the recording until interrupted")
    show.add_argument("--session", metavar="ID", help="only this session (the beginning or end of its id)")
    several = "; repeatable"
    dirs = ("c2s", "s2c", "stderr", "tap")
    show.add_argument(
        "--dir", action="append", default=[], choices=dirs, help=f"only this direction{several}"
    )
    show.add_argument("--id", action="append", default=[], help=f"only this request and its answer{several}")
    show.add_argument(
        "--method", action="append", default=[], help=f"only this method and its answers{several}"
    )
    show.add_argument(
        "--tool", action="append", default=[], help="only calls of this tool and their answers; repeatable"
    )
    show.add_argument(
        "--errors", action="store_true", help="only errors, with their requests, and other problems"
    )
    show.add_argument("--grep", metavar="REGEX", help="only lines that match")
    when = "1.5 or 2m after the start, 18:37:40 (UTC) or an RFC 3339 time"
    show.add_argument("--since", metavar="TIME", help=f"only from this time on: {when}")
    show.add_argument("--until", metavar="TIME", help="only up to this time")
    show.add_argument("--log-dir", metavar="DIR", help=LOG_DIR)
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


def add_sessions(verbs: Verbs) -> None:
    """The options of ``sessions``."""
    sessions = verbs.add_parser("sessions", help="list recorded sessions, newest last", allow_abbrev=False)
    sessions.add_argument(
        "recordings",
        nargs="*",
        metavar="RECORDING",
        help="files, directories, session ids (or the beginning or end of one), or servers' names, for all "
        "their sessions; the first that fits wins (default: all recordings)",
    )
    sessions.add_argument(
        "--brief",
        action="store_true",
        help="read only both ends of each file (fast): start, name, duration and ending",
    )
    sessions.add_argument("-n", "--last", type=positive, metavar="N", help="only the newest N sessions")
    sessions.add_argument("--json", action="store_true", help="JSON Lines, one session per line")
    sessions.add_argument("--log-dir", metavar="DIR", help=LOG_DIR)
    sessions.set_defaults(command=run_sessions)


def run_sessions(options: argparse.Namespace) -> int:
    """``mcp-tap sessions``"""
    from mcp_tap.commands.sessions import sessions

    return sessions(
        options.recordings,
        brief=options.brief,
        as_json=options.json,
        log_dir=options.log_dir,
        last=options.last,
    )


def positive(word: str) -> int:
    """A number of things, at least one. Raises what argparse turns into a sentence."""
    number = int(word) if word.isdecimal() else 0
    if not number:
        raise argparse.ArgumentTypeError(f"{word} is not a number of sessions")
    return number


def add_stats(verbs: Verbs) -> None:
    """The options of ``stats``."""
    stats = verbs.add_parser(
        "stats",
        help="count, latency and size by method and tool",
        description="Count, latency and size by method and tool; → requested by the client, ← by the server.",
        allow_abbrev=False,
    )
    stats.add_argument(
        "recordings",
        nargs="*",
        metavar="RECORDING",
        help=f"files, directories, {OR_NAMED} (default: the newest recording)",
    )
    several = "; repeatable"
    stats.add_argument(
        "--dir",
        action="append",
        default=[],
        choices=("c2s", "s2c"),
        help=f"only what this side sent{several}",
    )
    stats.add_argument("--method", action="append", default=[], help=f"only this method{several}")
    stats.add_argument("--tool", action="append", default=[], help=f"only calls of this tool{several}")
    stats.add_argument(
        "--since", metavar="TIME", help="count from this time on (ISO 8601; default zone: UTC)"
    )
    stats.add_argument("--until", metavar="TIME", help="count up to this time")
    stats.add_argument("--json", action="store_true", help="one JSON object")
    stats.add_argument("--log-dir", metavar="DIR", help=LOG_DIR)
    stats.set_defaults(command=run_stats)


def run_stats(options: argparse.Namespace) -> int:
    """``mcp-tap stats``"""
    from mcp_tap.commands.stats import RowFilter, Window, parse_moment, stats

    return stats(
        options.recordings,
        wanted=RowFilter(frozenset(options.dir), frozenset(options.method), frozenset(options.tool)),
        window=Window(
            None if options.since is None else parse_moment(options.since),
            None if options.until is None else parse_moment(options.until),
        ),
        as_json=options.json,
        log_dir=options.log_dir,
    )
