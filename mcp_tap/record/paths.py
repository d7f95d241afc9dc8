"""Where recordings lie, and what they are called."""

from __future__ import annotations

import os
import re
import stat
import time

from mcp_tap.record.argv_masking import MASK, mask_argv
from mcp_tap.record.patterns import lazy

SUFFIX = ".jsonl"

NAME_LIMIT = 40
"""Characters of a server's name in a file name: at most 160 bytes of the 255 that a name may have."""

_RUNNERS = frozenset(
    {
        "npx", "bunx", "pnpx", "uvx", "pipx", "npm", "pnpm", "yarn", "bun", "deno", "node", "tsx", "ts-node",
        "uv", "poetry", "hatch", "pdm", "rye", "docker", "podman", "env", "sudo", "nohup", "nice", "sh",
        "bash", "zsh", "dash", "cmd", "py",
    }
)  # fmt: skip
_RUNNER_VERBS = frozenset({"run", "exec", "x", "dlx", "tool", "start", "/c", "/d", "/s"})
_OPTIONS_WITH_A_VALUE = frozenset(
    {"--from", "--with", "--python", "--directory", "--project", "--package", "-p", "-e", "-v", "--env",
     "--volume", "--name", "--network", "-w", "--workdir", "--mount", "-u", "--user", "--index",
     "--index-url", "--default-index", "--extra-index-url", "--find-links", "--registry", "--env-file",
     "--with-editable", "--with-requirements", "--header", "-H", "--prefix", "--cache", "--userconfig",
     "--build-arg", "--entrypoint"}
)  # fmt: skip
_PYTHON_FLAGS = frozenset({"-u", "-v", "-e"})
_PYTHON = lazy(r"^(?:python|pypy)[\d.]*w?$")
_EXTENSION = lazy(r"\.(?:exe|cmd|bat|py|pyz|mjs|cjs|js|ts|sh|rb|jar)$", re.IGNORECASE)
_GENERIC = frozenset(
    {"index", "main", "server", "cli", "__main__", "app", "dist", "build", "src", "bin", "run"}
)


def default_directory() -> str:
    """The user's state directory for mcp-tap, by the conventions of the system.

    ``~/.local/state/mcp-tap`` on Linux (or below ``XDG_STATE_HOME``), ``~/Library/Application
    Support/mcp-tap`` on macOS, ``%LOCALAPPDATA%\\mcp-tap`` on Windows. A user without a home
    directory gets one of their own below the temporary directory.
    """
    from platformdirs import user_state_dir

    try:
        directory = user_state_dir("mcp-tap", appauthor=False)
    except RuntimeError:  # platformdirs 4.14 where neither HOME nor the user database has one
        directory = ""
    if not os.path.isabs(directory):
        directory = _private_in(temporary_directory())
    return directory


FALLBACKS = 20
"""Names that somebody else may have taken before a new one is made up for each run."""


def _private_in(shared: str) -> str:
    """This user's directory where others may have made theirs: the first name that is free, or safe."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    for number in range(FALLBACKS):
        directory = os.path.join(shared, f"mcp-tap-{user}" + (f"-{number}" if number else ""))
        if not os.path.lexists(directory) or _is_private(directory):
            return directory
    import tempfile

    return tempfile.mkdtemp(prefix=f"mcp-tap-{user}-", dir=shared)


def _is_private(directory: str) -> bool:
    """Whether nobody but this user can have put anything there: what ssh asks of its own directory."""
    if not hasattr(os, "getuid"):
        return True
    status = os.lstat(directory)
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022


def temporary_directory() -> str:
    """The system's place for temporary files; its usual name where none can be written to."""
    import tempfile  # 7 ms that nobody with a home directory is to wait for

    try:
        return tempfile.gettempdir()
    except FileNotFoundError:  # a container without any: the log then fails as a log does
        return "/tmp"


def file_name(wall_ns: int, name: str, session: str) -> str:
    """``20261129T183740.123Z-notes-01k3….jsonl``: sorts by time, shows the server's name."""
    seconds, ns = divmod(wall_ns, 1_000_000_000)
    moment = time.strftime("%Y%m%dT%H%M%S", time.gmtime(seconds))
    return f"{moment}.{ns // 1_000_000:03d}Z-{safe_name(name)}-{session}{SUFFIX}"


def safe_name(name: str) -> str:
    """``name`` as part of a file name on every system: letters, digits, ``.``, ``_``, ``-``."""
    cleaned = re.sub(r"[^\w.-]+", "-", name.encode("utf-8", "replace").decode()).strip("-._")
    return cleaned[:NAME_LIMIT].strip("-._") or "server"


def server_name(argv: list[str]) -> str:
    """What a person would call the server that ``argv`` starts.

    The program, or what a launcher is told to run: ``npx -y @scope/server-files@1 /dir`` is
    ``server-files``, ``uv run --directory /srv/notes server.py`` is ``server``, ``python -m
    mcp_server_time`` is ``mcp_server_time``. A name is shown in lists and is part of a file's name, so it
    comes from what is left once secrets are masked: a word that holds one is passed over.
    """
    argv = mask_argv(argv)
    words = iter(argv)
    runner = ""
    for word in words:
        base = _EXTENSION.sub("", re.split(r"[/\\]", word.rstrip("/\\"))[-1])
        if _PYTHON.match(base.lower()) or base.lower() in _RUNNERS:
            runner = base.lower()
            continue
        if word in _OPTIONS_WITH_A_VALUE and not (_PYTHON.match(runner) and word in _PYTHON_FLAGS):
            next(words, None)
            continue
        if word == "-m":
            return next((word for word in words if MASK not in word), "python")
        if word == "-c":
            break
        if (
            word.startswith("-")
            or word.lower() in _RUNNER_VERBS
            or re.match(r"^\w+=(?!=)", word)
            or MASK in word
        ):
            continue
        base = re.sub(r"(?<=.)(?:[@:]|==)[^/]*$", "", base)
        if base in _GENERIC:
            return _parent_name(word) or base
        return base
    return re.split(r"[/\\]", argv[0])[-1] if argv and MASK not in argv[0] else ""


def _parent_name(path: str) -> str:
    parts = [part for part in re.split(r"[/\\]", path)[:-1] if part not in ("", ".", "..")]
    return next((part for part in reversed(parts) if part not in _GENERIC), "")
