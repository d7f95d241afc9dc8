"""The dispatch of verbs, and the one boundary for errors; ``options`` has what each verb takes.

``run`` is read by hand and everything else by ``argparse``: the client waits for ``run``, and
``argparse`` would drop the server's own "--" and cost 6 ms before the server could start.

Nothing is imported here that is looked for in ``sys.path``, not even ``__future__``: main() first
keeps out what is not the tap's.
"""

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
    from typing import NoReturn
else:
    import _signal  # signal's enums would cost 3 ms of the client's patience


if sys.argv[1:2] == ["run"] and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    # Here and not later: until Signals.hold() a ^C is to end the tap as silently as it would end a
    # server that has not got far.
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)


def own_search_path(path: list[str], own: str, library: str, user: str | None, variable: str) -> list[str]:
    """What of ``path`` is the standard library, in ``library``, or the tap's own installation, in ``own``.

    A project's directory comes before the library, as the working directory, the script's or an
    entry of PYTHONPATH (``variable``); ``user`` is the user's own packages. What lies there is the
    server's business, a ``types.py`` and an old ``anyio`` as well as something that a library of the
    tap's would take if it could.
    """
    archive = f"python{sys.version_info[0]}{sys.version_info[1]}.zip"
    standard = {library, os.path.join(os.path.dirname(library), archive)}
    given = {os.path.abspath(entry) for entry in variable.split(os.pathsep)} if variable else set()
    first = next((at for at, entry in enumerate(path) if entry in standard), 0)
    prefixes = tuple(os.path.join(prefix, "") for prefix in (library, sys.prefix, sys.base_prefix))
    has_users = user in path and user != own
    kept = [
        entry
        for entry in path[first:]
        if entry == own
        or entry in standard
        or entry.startswith(prefixes[0])
        or (entry not in given and not (has_users and (entry == user or not entry.startswith(prefixes))))
    ]
    return kept if own in kept else [*kept, own]


def keep_out_the_projects_modules() -> None:
    """From now on import nothing that is not the tap's: this runs where the user's projects lie."""
    sys.path[:] = own_search_path(
        sys.path,
        os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
        os.path.dirname(os.__file__),
        getattr(sys.modules.get("site"), "USER_SITE", None),
        os.environ.get("PYTHONPATH", ""),
    )


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Run one verb; returns its exit status, and lets nothing but a sentence reach the user."""
    if arguments is None:
        keep_out_the_projects_modules()
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["run"]:
        from mcp_tap.commands.run import run_command

        status = guarded(run_command, words[1:], ExitStatus.TAP_FAILED)
        if arguments is None:
            leave(status)
        return status
    return guarded(review, words, ExitStatus.FAILED)


def leave(status: int) -> "NoReturn":
    """End this process at once, when the recording is closed and every thread has ended.

    The interpreter takes 25 ms to put itself away, for which each client would wait at each
    end of a server; and one that was told to stay (``PYTHONINSPECT``) would have a status of its own.
    """
    try:
        if sys.stdout is not None:
            sys.stdout.flush()  # the help page
    except OSError:  # which nobody wants to read
        status = status or ExitStatus.TAP_FAILED
    os._exit(status)


def guarded(command: "Callable[[list[str]], int]", words: list[str], unexpected: int) -> int:
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
        say(f"cannot continue: {error.strerror or error}" + (f": {error.filename}" if error.filename else ""))
        return unexpected
    except MemoryError:
        say("cannot continue: out of memory")
        return unexpected
    except Exception as error:
        show_traceback()
        reason = f"{type(error).__name__}: {error}"
        say(f"unexpected error; please report it with the output of MCP_TAP_DEBUG=1: {reason}")
        return unexpected


def show_traceback() -> None:
    """Print the traceback of what is being handled, for those who ask for it."""
    if os.environ.get("MCP_TAP_DEBUG") == "1":
        import traceback

        traceback.print_exc()


def say(sentence: str) -> None:
    """One line on stderr."""
    from mcp_tap.process.own_streams import warn_stderr

    warn_stderr(sentence)


def review(words: list[str]) -> int:
    """Everything but ``run``."""
    speak_utf8()
    if sys.stdout is None:
        raise TapError("cannot write: stdout is closed")
    words = asked_for(words)
    if words == RUN_HELP:
        from mcp_tap.commands.run_help import print_help

        return print_help()
    options = make_parser(words[0]).parse_args(words)
    status: int = options.command(options)
    return status


RUN_HELP = ["run", "--help"]


def asked_for(words: list[str]) -> list[str]:
    """``words``, asking for help in one form alone. Raises :class:`TapError` for an unknown verb."""
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    if not words:
        return ["--help"]
    if not words[0].startswith("-") and words[0] not in ("run", *VERBS):
        from mcp_tap.options.parser import unknown_verb

        raise unknown_verb(words[0], ["run", *VERBS])
    return words


def speak_utf8() -> None:
    """Let arrows and foreign letters reach whatever stdout is, at worst as a question mark.

    A pipe on Windows has the code page of the machine, which every other tool there has
    stopped expecting.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = "utf-8" if os.name == "nt" and not sys.stdout.isatty() else None
        sys.stdout.reconfigure(encoding=encoding, errors="replace")


VERBS = {
    "sessions": "reading",
    "show": "reading",
    "check": "checking",
    "stats": "reading",
    "cat": "reading",
    "demo": "reading",
    "wrap": "wrapping",
    "unwrap": "wrapping",
    "wrapped": "wrapping",
}
"""The verbs in the order of the list, and the module of ``options`` that adds each."""


def make_parser(verb: "str | None" = None) -> "argparse.ArgumentParser":
    """The parser of all verbs, or of the one that was typed: reading every verb's options takes time.

    Each verb sets ``command`` to a function of the parsed options.
    """
    from importlib import import_module

    from mcp_tap.options.parser import Parser

    parser = Parser(
        prog="mcp-tap",
        description="The flight recorder for MCP: runs in place of a stdio server, "
        "passes everything through, and records it.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"mcp-tap {__version__} (mcp-tap-recorder)")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    if verb not in VERBS:
        from mcp_tap.commands.run_help import help_text

        # For the list of verbs alone: main() has taken the verb before it can come here.
        verbs.add_parser(
            "run",
            help="start a server, pass everything through, record it",
            usage=help_text(),
            add_help=False,
        )
    for name, module in VERBS.items():
        if verb not in VERBS or name == verb:
            getattr(import_module(f"mcp_tap.options.{module}"), f"add_{name}")(verbs)
    return parser
