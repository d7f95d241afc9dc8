"""The dispatch of verbs, and the one boundary for errors; ``options`` has what each verb takes.

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
    from typing import NoReturn
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
        if arguments is None:
            leave(status)
        return status
    return guarded(review, words, ExitStatus.FAILED)


def leave(status: int) -> NoReturn:
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
        say(f"cannot continue: {error.strerror or error}" + (f": {error.filename}" if error.filename else ""))
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
    from mcp_tap.options.checking import add_check
    from mcp_tap.options.reading import add_cat, add_demo, add_sessions, add_show, add_stats
    from mcp_tap.options.wrapping import add_unwrap, add_wrap, add_wrapped

    parser = argparse.ArgumentParser(
        prog="mcp-tap",
        description="The flight recorder for MCP: runs in place of a stdio server, "
        "passes everything through, and records it.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"mcp-tap {__version__} (mcp-tap-recorder)")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)

    # For the list of verbs alone: main() has taken the verb before it can come here.
    verbs.add_parser(
        "run", help="start a server, pass everything through, record it", usage=help_text(), add_help=False
    )

    for add in (
        *(add_sessions, add_show, add_check, add_stats, add_cat, add_demo),
        *(add_wrap, add_unwrap, add_wrapped),
    ):
        add(verbs)
    return parser
