"""The options of ``run``, read by hand: before the server is started there is no time for more."""

from __future__ import annotations

from mcp_tap.errors import ExitStatus, UsageError

DEFAULT_MAX_LOG_SIZE = 1024**3
"""Bytes of one session's records: 1 GiB.

Servers stay connected for weeks, and a log without a bound has filled disks (20 GB in five
days in one client's report). A session of 100,000 tool calls of 10 kB fits."""

SIZE_UNITS = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}

OPTIONS: dict[str, tuple[str, str]] = {
    "--log": ("FILE", "append to FILE instead of creating a new file"),
    "--log-dir": ("DIR", "create the new file in DIR (default: mcp-tap in your state directory)"),
    "--name": ("NAME", "the server's name in lists and file names (default: taken from COMMAND)"),
    "--on-log-error": ("continue|stop", "if the recording fails: carry on (default), or end the session"),
    "--max-log-size": (
        "SIZE",
        "most that one session may record, such as 500M; 0 for no limit (default: 1G)",
    ),
}

USAGE = "usage: mcp-tap run [options] [--] COMMAND [ARG...]"


class RunOptions:
    """What ``run`` was told. ``max_log_size`` is in bytes, None for no limit."""

    def __init__(self) -> None:
        self.log: str | None = None
        self.log_dir: str | None = None
        self.name: str | None = None
        self.stop_on_log_error = False
        self.max_log_size: int | None = DEFAULT_MAX_LOG_SIZE
        self.help = False


def read_run_options(words: list[str]) -> tuple[RunOptions, list[str]]:
    """The options, and the server's own command line exactly as it was given.

    The command begins at the first word that is no option, or after the first "--"; what
    follows, further "--" too, is not looked at. Raises :class:`UsageError` (status 125).
    """
    options = RunOptions()
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--":
            at += 1
            break
        if not word.startswith("-"):
            break
        if word in ("-h", "--help"):
            options.help = True
            return options, []
        name, joined, value = word.partition("=")
        if name not in OPTIONS:
            raise usage(f"run has no option {name}; put the server's own options after its command")
        if not joined:
            at += 1
            if at == len(words):
                raise usage(f"{name} needs a value: {name} {OPTIONS[name][0]}")
            value = words[at]
        take(options, name, value)
        at += 1
    if at == len(words):
        raise usage("run needs the command that starts the server")
    if options.log is not None and options.log_dir is not None:
        raise usage("--log and --log-dir cannot be combined: give a file or a directory")
    return options, words[at:]


def take(options: RunOptions, name: str, value: str) -> None:
    """Set one option; raises :class:`UsageError` for a value it cannot have."""
    if not value or value == "--":
        raise usage(f"{name} needs a value: {name} {OPTIONS[name][0]}")
    if name == "--on-log-error":
        if value not in ("continue", "stop"):
            raise usage(f"--on-log-error must be continue or stop, not {value!r}")
        options.stop_on_log_error = value == "stop"
    elif name == "--max-log-size":
        options.max_log_size = read_size(value)
    else:
        setattr(options, name[2:].replace("-", "_"), value)


def read_size(value: str) -> int | None:
    """``500M``, ``1.5GiB``, ``4096``: bytes, by powers of 1,024; None for 0, which is no limit."""
    number = value.rstrip("bBiIkKmMgGtT")
    unit = value[len(number) :].lower().removesuffix("b").removesuffix("i")
    try:
        size = float(number) * SIZE_UNITS[unit]
        if not (size == 0 or 1 <= size < float("inf")):
            raise ValueError(value)
    except (KeyError, ValueError):
        raise usage(f"--max-log-size must be a size such as 500M or 2G, not {value!r}") from None
    return int(size) or None


def usage(sentence: str) -> UsageError:
    """A usage error of ``run``, whose own failures have a status that no server uses."""
    return UsageError(sentence, ExitStatus.TAP_FAILED)
