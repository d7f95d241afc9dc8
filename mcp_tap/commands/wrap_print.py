"""``mcp-tap wrap --print``: a wrapped configuration, or a client's own options for one; no file is touched.

What is printed lands on screens and in shell histories, so the values of ``env`` and headers are not in it
unless the user asks for them: they are references to variables of the same name where the client knows
such, and masked where it does not; words of the command line that look like secrets are masked.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

from mcp_tap.clients.edit import replaced_at
from mcp_tap.clients.entry import label, quote
from mcp_tap.clients.known import Client, EntryShape
from mcp_tap.clients.request import WrapRequest
from mcp_tap.clients.search import FoundServer
from mcp_tap.clients.tap_command import run_options, tap_command
from mcp_tap.commands.rewriting import RewriteSummary, report_unresolved
from mcp_tap.commands.selecting import resolve, shell_line
from mcp_tap.commands.wrappable import wrappable
from mcp_tap.errors import ExitStatus, TapError
from mcp_tap.process.own_streams import warn_stderr
from mcp_tap.record.argv_masking import MASK, is_secret_name, mask_argv
from mcp_tap.views.changes import sentences
from mcp_tap.views.payload import json_safe, json_text
from mcp_tap.views.terminal import visible

_ENVIRONMENTS = ("env", "envs", "environment")
_HEADERS = ("headers", "http_headers")
_REFERENCE = re.compile(r"^(?:\$\{[^{}]*\}|\{env:[^{}]*\}|\$\w+)$")
_BARE_KEY = re.compile(r"^[A-Za-z0-9_-]+$")

Configuration = dict[str, Any]

Sensitivity = Literal["plain", "variable", "secret"]
"""A value that may be shown; one of the environment, which a reference could stand for; another secret."""


def wrap_print(request: WrapRequest) -> int:
    """Print what would start the servers that ``request`` names through the tap.

    For Claude Code, Codex and Copilot CLI that is a command line that does so once; for the others, and
    as JSON for all, a configuration. Statuses and errors are those of ``wrap``; the servers have to be of
    one client.
    """
    options = run_options(request.log_dir)
    resolution = resolve(request)
    if resolution.unresolved:
        return report_unresolved(request, resolution)
    summary = RewriteSummary(dry_run=True)
    chosen = wrappable(request, summary, resolution.found)
    for sentence in sentences(summary.changes):
        warn_stderr(sentence)
    clients = {each.location.client.name: each.location.client for each in chosen}
    if len(clients) > 1:
        raise TapError(f"--print works for one client at a time: add --client ({', '.join(clients)})")
    if not chosen:
        return summary.status or ExitStatus.OK
    tap = tap_command(request.command_style or "absolute")
    printer = Printer(next(iter(clients.values())), tap, options, with_secrets=request.with_secrets)
    try:
        text = printer.text(chosen, as_json=request.as_json)
    except RecursionError:
        raise TapError("an entry is nested too deeply to print: wrap it in the file instead") from None
    sys.stdout.write(text)
    sys.stdout.flush()
    printer.report_omissions()
    return summary.status


class Printer:
    """Makes the text, and remembers what it has left out of it."""

    def __init__(
        self, client: Client, tap: list[str], options: dict[str, str], *, with_secrets: bool
    ) -> None:
        self.client, self.tap, self.options, self.with_secrets = client, tap, options, with_secrets
        self.hidden: list[str] = []
        self.referred: list[str] = []
        self.masked = 0

    def text(self, chosen: Sequence[FoundServer], *, as_json: bool) -> str:
        """What is printed."""
        as_options = _OPTIONS.get(self.client.name)
        if as_options is not None and not as_json:
            return shell_line(as_options(self, chosen)) + "\n"
        if self.client.form == "yaml" and not as_json:
            import yaml

            text = yaml.safe_dump(self.configuration(chosen), sort_keys=False, allow_unicode=True)
            if all(visible(line) == line for line in text.splitlines()):
                return text
            return yaml.safe_dump(self.configuration(chosen), sort_keys=False)
        return json_text(self.configuration(chosen), indent=2) + "\n"

    def configuration(self, chosen: Sequence[FoundServer]) -> Configuration:
        """The map of servers, where its client looks for it, with these in it."""
        key = chosen[0].location.known.keys[-1]
        servers = {each.entry.name: self.entry(each) for each in chosen}
        if all(isinstance(each.entry.path[-1], int) for each in chosen):
            return {key: list(servers.values())}
        return {key: servers}

    def entry(self, found: FoundServer) -> Configuration:
        """An entry with the tap in it."""
        entry = found.entry
        shape = entry.sure_slot.shape
        blank = partial(self._with_command, shape, [""])
        rest = self._without_secrets(replaced_at(value_of(found), shape.holder, blank))
        result: Configuration = replaced_at(
            rest, shape.holder, partial(self._with_command, shape, self.words(found))
        )
        return result

    def words(self, found: FoundServer) -> list[str]:
        """The command line of an entry, through the tap."""
        argv = found.entry.sure_slot.argv
        server = argv if self.with_secrets else mask_argv(argv)
        self.masked += sum(MASK in word for word in server) if not self.with_secrets else 0
        options = [word for pair in self.options.items() for word in pair]
        return [*self.tap, "run", "--name", label(found.entry.name), *options, "--", *server]

    def _with_command(self, shape: EntryShape, words: list[str], holder: Configuration) -> Configuration:
        if shape.args is None:
            return {**holder, shape.command: words}
        return {**holder, shape.command: words[0], shape.args: words[1:]}

    def _without_secrets(self, value: Any, key: str = "", *, kind: Sensitivity = "plain") -> Any:
        if self.with_secrets:
            return value
        if isinstance(value, dict):
            return {
                name: self._without_secrets(each, name, kind=sensitivity_of(name, kind))
                for name, each in value.items()
            }
        if isinstance(value, list):
            return [self._without_secrets(each, key, kind=kind) for each in value]
        if kind == "plain" and isinstance(value, str):
            masked = mask_argv([value])[0]
            self.masked += masked != value
            return masked
        if kind == "plain" or value is None or isinstance(value, bool):
            return value
        if isinstance(value, str) and _REFERENCE.match(value):
            return value
        reference = self.client.reference if kind == "variable" else None
        (self.referred if reference else self.hidden).append(key)
        return reference.replace("NAME", key) if reference else MASK

    def report_omissions(self) -> None:
        """Say on stderr what is missing in what was printed."""
        for keys, how in (
            (self.referred, "printed as references to environment variables of the same name"),
            (self.hidden, "masked"),
        ):
            if keys:
                warn_stderr(
                    f"{how}: {', '.join(dict.fromkeys(keys))} (use --with-secrets to print the values)"
                )
        if self.masked:
            warn_stderr(
                "values that look like secrets are masked, so this will not work as printed "
                "(use --with-secrets to print them)"
            )


def sensitivity_of(key: str, above: Sensitivity) -> Sensitivity:
    """What is to be thought of the value of ``key``, below what is ``above``."""
    if above == "plain" and key in _ENVIRONMENTS:
        return "variable"
    if above == "plain" and (key in _HEADERS or is_secret_name(key)):
        return "secret"
    return above


def value_of(found: FoundServer) -> Configuration:
    """An entry's meaning, with numbers as numbers, which the tree of a YAML file has as they are written."""
    value: Any = found.entry.node.value
    if found.opened.form == "yaml":
        import yaml

        try:
            value = yaml.safe_load(found.opened.text)
        except (yaml.YAMLError, ValueError):
            raise TapError(
                f"{found.location.path} has values that cannot be printed: wrap it in the file instead"
            ) from None
        for key in found.entry.path:
            value = value[key]
    entry: Configuration = value
    return entry


def claude_code(printer: Printer, chosen: Sequence[FoundServer]) -> list[str]:
    """A session with these servers only (run with Claude Code 2.1.197).

    ``--mcp-config`` takes all words up to the next option for files, so it must not be the last one: a
    prompt that the user adds would be a file that is not there.
    """
    return ["claude", "--mcp-config", one_line_json(printer.configuration(chosen)), "--strict-mcp-config"]


def copilot(printer: Printer, chosen: Sequence[FoundServer]) -> list[str]:
    """A session with these servers as well (read in the help of Copilot CLI 1.0.102)."""
    return ["copilot", "--additional-mcp-config", one_line_json(printer.configuration(chosen))]


def codex(printer: Printer, chosen: Sequence[FoundServer]) -> list[str]:
    """A session in which these settings come over those of the file (run with Codex 0.171.0).

    The environment stays in the file. Raises :class:`TapError` for a name that cannot be part of the key.
    """
    words = ["codex"]
    for each in chosen:
        if not _BARE_KEY.match(each.entry.name):
            raise TapError(
                f"codex -c cannot name the server {each.entry.name!r}: wrap it in the file instead"
            )
        command, *arguments = printer.words(each)
        key = f"mcp_servers.{each.entry.name}"
        words += ["-c", f"{key}.command={quote(command)}"]
        words += ["-c", f"{key}.args=[{', '.join(map(quote, arguments))}]"]
    return words


_OPTIONS: dict[str, Callable[[Printer, Sequence[FoundServer]], list[str]]] = {
    "claude-code": claude_code,
    "codex": codex,
    "copilot": copilot,
}
"""Clients that take servers on their own command line."""


def one_line_json(configuration: Configuration) -> str:
    """A configuration as one word."""
    return json_safe(json.dumps(configuration, ensure_ascii=False))
