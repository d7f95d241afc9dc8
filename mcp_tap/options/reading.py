"""The options of the verbs that read recordings."""

from __future__ import annotations

import argparse

from mcp_tap.options.parser import Verbs


def add_cat(verbs: Verbs) -> None:
    """The options of ``cat``."""
    from mcp_tap.record.schema import STREAMS

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


def add_demo(verbs: Verbs) -> None:
    """The options of ``demo``."""
    demo = verbs.add_parser(
        "demo", help="record a session of a small bundled server, and show it", allow_abbrev=False
    )
    demo.add_argument(
        "--log-dir", metavar="DIR", help="where to put the recording (default: where run puts them)"
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


def add_sessions(verbs: Verbs) -> None:
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


def add_stats(verbs: Verbs) -> None:
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
