"""What ``wrap`` and ``unwrap`` have in common: files rewritten with care, and the report on it."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from mcp_tap.clients.edit import EditedText, ServerEntry, entries
from mcp_tap.clients.files import ChangedMeanwhile, ConfigFile, back_up, drop_backup, locked, replace_file
from mcp_tap.clients.locations import ConfigLocation
from mcp_tap.clients.masking import unified_diff
from mcp_tap.clients.memory import forget, remember
from mcp_tap.clients.open_file import OpenFile
from mcp_tap.clients.request import WrapRequest
from mcp_tap.clients.search import FoundServer
from mcp_tap.clients.tree import ConfigError, Node
from mcp_tap.clients.wrapped_command import COMMAND
from mcp_tap.commands.selecting import Resolution, change, print_unresolved
from mcp_tap.errors import ExitStatus
from mcp_tap.process.own_streams import warn_stderr
from mcp_tap.views.changes import Change, ChangeState, changes_json, folded, sentences
from mcp_tap.views.terminal import no_command, output_width, visible

EntryEditor = Callable[[list[ServerEntry]], EditedText]
"""Edits entries of one file together; raises :class:`ConfigError` for all where one is the reason."""


ABOUT_BACKUP = "with any secrets in it, readable only by you, deleted on unwrap"


class FileNotRewritten(Exception):
    """A file was left as it is: ``str()`` is a clause that follows "it" for each of its entries."""


@dataclass(slots=True)
class RewriteSummary:
    """What has been done so far."""

    dry_run: bool
    changes: list[Change] = field(default_factory=list)
    diffs: list[str] = field(default_factory=list)
    touched: list[FoundServer] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    nothing_to_wrap: int = 0
    """Refusals of entries that hold nothing to wrap, where nobody has named them."""
    files_skipped: int = 0

    def refuse(self, found: Sequence[FoundServer], reason: str) -> None:
        """Note that entries were left alone."""
        self.changes += [change(each, "refused", reason) for each in found]

    @property
    def status(self) -> int:
        """1 where something was refused, or a file could not be searched that may have had something."""
        refusals = sum(each.state == "refused" for each in self.changes)
        return ExitStatus.FINDINGS if refusals > self.nothing_to_wrap or self.files_skipped else ExitStatus.OK


def by_file(found: Sequence[FoundServer]) -> list[tuple[OpenFile, list[FoundServer]]]:
    """Entries by the file that they are in, in order."""
    files: dict[int, tuple[OpenFile, list[FoundServer]]] = {}
    for each in found:
        files.setdefault(id(each.opened), (each.opened, []))[1].append(each)
    return list(files.values())


def rewrite(
    summary: RewriteSummary,
    opened: OpenFile,
    chosen: list[FoundServer],
    editor: EntryEditor,
    done: ChangeState,
) -> list[FoundServer]:
    """Edit ``chosen`` entries of one file and replace the file, or with ``--dry-run`` only note the diff.

    What becomes of each entry is noted in ``summary``. Returns the entries that could be edited.
    """
    able, edited = edit_what_can_be(summary, chosen, editor) if chosen else ([], None)
    if edited is None:
        return []
    summary.touched += able
    backup: str | None = None
    if summary.dry_run:
        entries_of_diff = [each.entry for each in able]
        summary.diffs += unified_diff(edited, opened.form, entries_of_diff, visible(opened.file.path))
    else:
        try:
            backup = back_up_and_replace(opened, able, edited)
        except FileNotRewritten as refusal:
            summary.refuse(able, str(refusal))
            return able
        if not any(each.is_wrapped for each in all_entries(edited.roots[1], able)):
            # One that holds the tap was made just now, where that from before was gone.
            backup = drop_backup(opened.file, edited.after, edited.before)
            forget(opened.file.path)
    summary.changes += [change(each, done, backup=backup) for each in able]
    return able


def edit_what_can_be(
    summary: RewriteSummary, found: list[FoundServer], editor: EntryEditor
) -> tuple[list[FoundServer], EditedText | None]:
    """The edit of one file, and the entries that are in it; those that cannot be edited are refused.

    They are found by halves: among thousands there are few.
    """
    try:
        return found, editor([each.entry for each in found])
    except ConfigError as error:
        if len(found) == 1:
            summary.refuse(found, f"is in a file that {error}")
            return [], None
    half = len(found) // 2
    able = [
        each for part in (found[:half], found[half:]) for each in edit_what_can_be(summary, part, editor)[0]
    ]
    if not able or len(able) == len(found):  # each half alone, but not together
        summary.refuse(able, "cannot be edited safely together with the other servers")
        return [], None
    return edit_what_can_be(summary, able, editor)


def back_up_and_replace(opened: OpenFile, found: Sequence[FoundServer], edited: EditedText) -> str:
    """Back the file up and replace it; returns where the backup is. Raises :class:`FileNotRewritten`."""
    is_first = not any(each.is_wrapped for each in all_entries(opened.root, found))
    try:
        with locked(opened.file):
            locations = list({id(each.location): each.location for each in found}.values())
            return _replace_with_backup(opened.file, edited.after, locations, is_first=is_first)
    except ChangedMeanwhile:
        raise FileNotRewritten("is in a file that another program has just changed: try again") from None


def _replace_with_backup(
    file: ConfigFile, text: str, locations: list[ConfigLocation], *, is_first: bool
) -> str:
    """See :func:`back_up_and_replace`; a first backup goes again where the file stays as it is."""
    try:
        backup = back_up(file, is_first=is_first)
    except OSError as error:
        raise FileNotRewritten(
            f"is in a file that cannot be backed up to {error.filename}: {error.strerror}"
        ) from None
    try:
        remember(locations)
        replace_file(file, text)
        return backup
    except BaseException as error:
        if is_first:
            drop_backup(file, file.text)
            forget(file.path)
        if isinstance(error, ConfigError):
            raise FileNotRewritten(f"is in a file that {error}") from None
        if isinstance(error, OSError):
            raise FileNotRewritten(
                f"is in a file that cannot be written{write_failure(error, file)}"
            ) from None
        raise


def write_failure(error: OSError, file: ConfigFile) -> str:
    """What keeps a file from being replaced, as the end of a sentence."""
    if error.errno == errno.EBUSY:
        return ": it is a mount point of its own, so change the original file that is mounted there"
    if isinstance(error, PermissionError):
        if os.name == "nt":  # where nobody replaces what somebody has open
            return ": it is in use or you may not write it; quit the client and try again"
        return f": you have no permission to write in {os.path.dirname(file.real)}"
    return f": {error.strerror}"


def all_entries(root: Node, found: Sequence[FoundServer]) -> list[ServerEntry]:
    """Every entry of a file that its client reads, as far as they can be told."""
    client = found[0].location.client
    keys = dict.fromkeys(
        [*(known.keys for known in client.files), *(each.location.known.keys for each in found)]
    )
    there: list[ServerEntry] = []
    for each in keys:
        with contextlib.suppress(ConfigError):  # a map that is there twice, of which none of these is
            there += entries(root, each, client)
    return there


def report_unresolved(request: WrapRequest, resolution: Resolution) -> int:
    """Say why nothing was done."""
    if request.as_json:
        sys.stdout.write(changes_json([each.change for each in resolution.unresolved]))
    else:
        print_unresolved(resolution.unresolved)
    reasons = [] if request.as_json else [each.change.reason or "" for each in resolution.unresolved]
    for problem in (*resolution.problems, *resolution.hints):
        if not any(problem in reason for reason in reasons):
            warn_stderr(problem)
    return ExitStatus.FAILED


def print_problems(request: WrapRequest, summary: RewriteSummary, resolution: Resolution) -> None:
    """Which files could not be searched, where all servers are meant and not some that were found."""
    if not request.names:
        for problem in (*resolution.problems, *resolution.hints):
            warn_stderr(problem)
        summary.files_skipped = len(resolution.problems)


def report(request: WrapRequest, summary: RewriteSummary, *, notes: bool) -> int:
    """Print what was done and what to do next; ``notes``: and what else the tap changes for a client."""
    if request.as_json:
        sys.stdout.write(changes_json(summary.changes, dry_run=summary.dry_run))
    elif summary.dry_run:
        sys.stdout.write("".join(f"{no_command(visible(line))}\n" for line in summary.diffs))
        sys.stdout.flush()
        for sentence in sentences(summary.changes, dry_run=True):
            warn_stderr(sentence)
    else:
        lines = [*sentences(summary.changes), *backups(summary), *next_steps(summary, notes=notes)]
        sys.stdout.write("".join(f"{folded(line, output_width())}\n" for line in lines))
    sys.stdout.flush()
    return summary.status


def backups(summary: RewriteSummary) -> list[str]:
    """Where the backups are, and until when."""
    made = {each.backup for each in summary.changes if each.backup and each.state == "wrapped"}
    kept = {each.backup for each in summary.changes if each.backup and each.state == "unwrapped"}
    return [f"backup: {visible(path)} ({ABOUT_BACKUP})" for path in sorted(made)] + [
        "note: the file is not byte for byte what it was before wrapping, so the backup is kept "
        f"(with any secrets in it): {visible(path)}"
        for path in sorted(kept)
    ]


def next_steps(summary: RewriteSummary, *, notes: bool) -> list[str]:
    """What the user has to do so that clients take notice, behind the one most important note of each.

    ``notes``: and what else the tap changes; the documentation has all of it.
    """
    done = {(each.client, each.scope) for each in summary.changes if each.state in ("wrapped", "unwrapped")}
    clients: dict[str, list[FoundServer]] = {}
    for each in summary.touched:
        if (each.location.client.name, each.location.known.scope) in done:
            clients.setdefault(each.location.client.name, []).append(each)
    lines = [f"note: {each}" for each in summary.warnings]
    if notes and not lines:
        lines = list(dict.fromkeys(f"note: {note}" for found in clients.values() for note in note_on(found)))
    return [*lines, *(f"next: {found[0].location.client.next}" for found in clients.values())]


def note_on(found: Sequence[FoundServer]) -> list[str]:
    """What else a change means to whoever uses a client, the most important only."""
    if any(each.location.known.in_repository for each in found):
        bare = " (mcp-tap is not on the PATH)" if shutil.which(COMMAND) is None else ""
        return [
            f"the file is part of a project and now contains paths of this machine{bare}: unwrap it before "
            "you commit it"
        ]
    return [*filter(None, (*found[0].location.client.notes, found[0].location.known.note))][:1]
