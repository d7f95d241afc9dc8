"""What ``wrap`` and ``unwrap`` have in common: files rewritten with care, and the report on it."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from mcp_tap.clients.edit import Edited, Entry, entries
from mcp_tap.clients.files import Changed, ConfigFile, back_up, drop_backup, replace, to_ourselves
from mcp_tap.clients.masking import unified_diff
from mcp_tap.clients.search import Found, OpenFile
from mcp_tap.clients.tree import Broken, Node
from mcp_tap.commands.selecting import Choice, change, say_unresolved
from mcp_tap.errors import ExitStatus
from mcp_tap.process.own_streams import warn_stderr
from mcp_tap.views.changes import Change, State, changes_json, folded, sentence
from mcp_tap.views.terminal import terminal_width, visible


class Refused(Exception):
    """A file was left as it is: ``str()`` is a clause that follows "it" for each of its entries."""


@dataclass(slots=True)
class Outcome:
    """What has been done so far."""

    dry_run: bool
    changes: list[Change] = field(default_factory=list)
    diffs: list[str] = field(default_factory=list)
    touched: list[Found] = field(default_factory=list)
    cautions: list[str] = field(default_factory=list)
    forgivable: int = 0
    """Refusals of entries that hold nothing to wrap, where nobody has named them."""

    def refuse(self, found: Sequence[Found], reason: str) -> None:
        """Note that entries were left alone."""
        self.changes += [change(each, "refused", reason) for each in found]

    @property
    def status(self) -> int:
        """1 where something was refused."""
        refusals = sum(each.state == "refused" for each in self.changes)
        return ExitStatus.FINDINGS if refusals > self.forgivable else ExitStatus.OK


def by_file(found: Sequence[Found]) -> list[tuple[OpenFile, list[Found]]]:
    """Entries by the file that they are in, in order."""
    files: dict[int, tuple[OpenFile, list[Found]]] = {}
    for each in found:
        files.setdefault(id(each.opened), (each.opened, []))[1].append(each)
    return list(files.values())


def edited_as_far_as_possible(
    outcome: Outcome, found: list[Found], make: Callable[[list[Entry]], Edited]
) -> tuple[list[Found], Edited | None]:
    """The edit of one file, and the entries that are in it; those that cannot be edited are refused.

    ``make`` raises :class:`Broken` for all where one of them is the reason.
    """
    try:
        return found, make([each.entry for each in found])
    except Broken as error:
        if len(found) == 1:
            outcome.refuse(found, f"is in a file that {error}")
            return [], None
    able = [each for each in found if edited_as_far_as_possible(outcome, [each], make)[0]]
    if not able or len(able) == len(found):  # each alone, but not together
        outcome.refuse(able, "cannot be edited with certainty together with the others")
        return [], None
    return edited_as_far_as_possible(outcome, able, make)


def rewrite(outcome: Outcome, opened: OpenFile, found: Sequence[Found], edited: Edited, done: State) -> None:
    """Put an edited text in the place of the old one, and note it in ``outcome``; or only its diff."""
    outcome.touched += found
    if outcome.dry_run:
        chosen = [each.entry for each in found]
        outcome.diffs += unified_diff(edited, opened.form, chosen, visible(opened.file.path))
        outcome.changes += [change(each, done) for each in found]
        return
    try:
        backup: str | None = keep(opened, found, edited)
    except Refused as refusal:
        outcome.refuse(found, str(refusal))
        return
    if not any(each.is_wrapped for each in all_entries(edited.roots[1], found)):
        backup = drop_backup(opened.file, edited.after)
    outcome.changes += [change(each, done, backup=backup) for each in found]


def keep(opened: OpenFile, found: Sequence[Found], edited: Edited) -> str:
    """Back the file up and replace it; returns where the backup is. Raises :class:`Refused`."""
    is_first = not any(each.is_wrapped for each in all_entries(opened.root, found))
    try:
        with to_ourselves(opened.file):
            return backed_up_and_replaced(opened.file, edited.after, is_first=is_first)
    except Changed:
        raise Refused("is in a file that was changed by somebody else just now: try again") from None


def backed_up_and_replaced(file: ConfigFile, text: str, *, is_first: bool) -> str:
    """See :func:`keep`; a first backup goes again where the file stays as it is."""
    try:
        backup = back_up(file, is_first=is_first)
    except OSError as error:
        raise Refused(f"could not be backed up in {error.filename}: {error.strerror}") from None
    try:
        replace(file, text)
        return backup
    except BaseException as error:
        if is_first:
            drop_backup(file, file.text)
        if isinstance(error, Broken):
            raise Refused(f"is in a file that {error}") from None
        if isinstance(error, OSError):
            raise Refused(f"is in a file that cannot be written{why(error, file)}") from None
        raise


def why(error: OSError, file: ConfigFile) -> str:
    """What keeps a file from being exchanged, as the end of a sentence."""
    if error.errno == errno.EBUSY:
        return ", for it is mounted by itself: change it where it is mounted from"
    if isinstance(error, PermissionError):
        if os.name == "nt":  # where nobody replaces what somebody has open
            return ": it is in use, or not yours to write: quit its client, and try again"
        return f": nothing may be written in {os.path.dirname(file.real)}"
    return f": {error.strerror}"


def all_entries(root: Node, found: Sequence[Found]) -> list[Entry]:
    """Every entry of a file that its client reads, as far as they can be told."""
    client = found[0].spot.client
    keys = dict.fromkeys(
        [*(place.keys for place in client.places), *(each.spot.place.keys for each in found)]
    )
    there: list[Entry] = []
    for each in keys:
        with contextlib.suppress(Broken):  # a map that is there twice, of which none of these is
            there += entries(root, each, client)
    return there


def report_unresolved(choice: Choice, *, as_json: bool) -> int:
    """Say why nothing was done."""
    if as_json:
        sys.stdout.write(changes_json([each.change for each in choice.unresolved]))
    else:
        say_unresolved(choice.unresolved)
    reasons = [] if as_json else [each.change.reason or "" for each in choice.unresolved]
    for trouble in choice.troubles:
        if not any(trouble in reason for reason in reasons):
            warn_stderr(trouble)
    return ExitStatus.FAILED


def say_troubles(choice: Choice) -> None:
    """Which files could not be looked into."""
    for trouble in choice.troubles:
        warn_stderr(trouble)


def report(outcome: Outcome, *, as_json: bool, advise: bool) -> int:
    """Print what was done, and with ``advise`` what is to be done next and what else has changed by it."""
    if as_json:
        sys.stdout.write(changes_json(outcome.changes, dry_run=outcome.dry_run))
    elif outcome.dry_run:
        sys.stdout.write("".join(f"{visible(line)}\n" for line in outcome.diffs))
        sys.stdout.flush()
        for each in outcome.changes:
            warn_stderr(sentence(each, dry_run=True))
    else:
        width = terminal_width()
        lines = [sentence(each) for each in outcome.changes]
        lines += [
            *(f"note: {each}" for each in outcome.cautions),
            *backups(outcome),
            *next_steps(outcome, notes=advise),
        ]
        sys.stdout.write("".join(f"{folded(line, width)}\n" for line in lines))
    sys.stdout.flush()
    return outcome.status


def backups(outcome: Outcome) -> list[str]:
    """Where the backups are, and until when."""
    wrapped = {each.backup for each in outcome.changes if each.backup and each.state == "wrapped"}
    kept = {each.backup for each in outcome.changes if each.backup and each.state == "unwrapped"}
    lines = [f"backup: {visible(path)}" for path in sorted(wrapped)]
    if wrapped:
        lines.append("A backup is for you alone, holds what secrets its file holds, and goes with the tap.")
    not_the_same = (
        "the file is not byte for byte what it was before the tap; that is still, secrets and all, in"
    )
    return lines + [f"{not_the_same} {visible(path)}" for path in sorted(kept)]


def next_steps(outcome: Outcome, *, notes: bool) -> list[str]:
    """What the user has to do so that clients take notice, and what else a change means to them."""
    done = {(each.client, each.scope) for each in outcome.changes if each.state in ("wrapped", "unwrapped")}
    clients = {
        each.spot.client.name: each.spot.client
        for each in outcome.touched
        if (each.spot.client.name, each.spot.place.scope) in done
    }
    lines = [f"next: {client.next}" for client in clients.values()]
    if notes:
        places = {each.spot.place.note for each in outcome.touched} - {""}
        lines += [f"note: {note}" for client in clients.values() for note in client.notes]
        lines += [f"note: {note}" for note in sorted(places)]
        if any(each.spot.place.in_repository for each in outcome.touched):
            lines.append(
                "note: the file belongs to a repository, and now names your log directory: take the tap out "
                "before you commit it"
            )
    return lines
