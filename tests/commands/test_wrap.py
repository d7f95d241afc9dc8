"""``mcp-tap wrap`` and ``unwrap`` on a home directory with the files of many clients."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from typing import Any

import pytest

import mcp_tap.commands.wrap as wrap_module
from mcp_tap.cli import main
from mcp_tap.clients import edit, files
from mcp_tap.clients.tree import Broken
from mcp_tap.commands.rewriting import why
from mcp_tap.commands.run_options import read_run_options
from mcp_tap.views.terminal import columns
from tests.commands.homes import FILES, SECRETS, contents, make_home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return make_home(tmp_path, monkeypatch)


Capture = pytest.CaptureFixture[str]


def play(capfd: Capture, *words: str) -> tuple[int, str, str]:
    """Status, stdout, stderr of a verb, in which no secret may be."""
    try:
        status = main(list(words))
    except SystemExit as end:
        status = int(str(end.code))
    out, err = capfd.readouterr()
    assert "Traceback" not in err
    assert not [secret for secret in SECRETS if secret in out + err]
    return status, out, err


def changes(capfd: Capture, *words: str, status: int = 0) -> list[dict[str, Any]]:
    code, out, _ = play(capfd, *words, "--json")
    assert code == status
    found: list[dict[str, Any]] = json.loads(out)["changes"]
    return found


def state_directory(home: Path) -> str:
    return str(home / ".local/state/mcp-tap")


def own_command() -> str:
    return os.path.join(sysconfig.get_path("scripts"), "mcp-tap")


def test_a_server_that_is_in_one_place_is_wrapped_and_comes_back(home: Path, capfd: Capture) -> None:
    before = contents(home)
    status, out, err = play(capfd, "wrap", "mine")
    assert (status, err) == (0, "")
    project = str(home / "project")
    assert out.startswith(f"wrapped mine in {home}/.claude.json (Claude Code, local of\n  {project})\n") or (
        f"wrapped mine in {home}/.claude.json" in out
    )
    assert "next: in a running Claude Code choose /mcp, the server, Reconnect" in out
    document = json.loads((home / ".claude.json").read_text())
    entry = document["projects"][project]["mcpServers"]["mine"]
    assert entry["command"] == own_command()
    options, server = read_run_options(entry["args"][1:])
    assert server == ["node", "s.js"]
    assert (options.name, options.log_dir) == ("mine", state_directory(home))
    assert os.path.isdir(state_directory(home))

    status, out, err = play(capfd, "unwrap", "mine")
    assert (status, err) == (0, "")
    assert "unwrapped mine in" in out
    assert contents(home) == before


def test_everything_is_wrapped_and_comes_back_byte_for_byte(home: Path, capfd: Capture) -> None:
    before = contents(home)
    found = changes(capfd, "wrap", "--all", status=1)
    assert {(each["client"], each["name"], each["state"]) for each in found} == {
        ("claude-code", "notes", "wrapped"), ("claude-code", "remote", "refused"),
        ("claude-code", "mine", "wrapped"), ("claude-code", "shared", "wrapped"),
        ("cursor", "line", "refused"), ("cursor", "off", "refused"), ("cursor", "notes", "wrapped"),
        ("codex", "notes", "wrapped"), ("codex", "a.b", "wrapped"), ("goose", "gnotes", "wrapped"),
        ("goose", "developer", "refused"), ("opencode", "oc", "wrapped"), ("vscode", "files", "wrapped"),
    }  # fmt: skip
    assert not [name for name, data in contents(home).items() if data == before[name]]
    backups = {each["backup"] for each in found if each["state"] == "wrapped"}
    assert len(backups) == len(FILES)
    for backup in backups:
        assert stat.S_IMODE(os.stat(backup).st_mode) == 0o600
    assert {Path(backup).read_bytes() for backup in backups} == set(before.values())

    again = changes(capfd, "wrap", "--all", status=1)
    assert {each["state"] for each in again} == {"already", "refused"}

    out = changes(capfd, "unwrap", "--all")
    assert {each["state"] for each in out} == {"unwrapped"}
    assert {each["backup"] for each in out} == {None}
    assert contents(home) == before
    assert not [backup for backup in backups if os.path.exists(backup)]
    assert changes(capfd, "unwrap", "--all") == []


def test_who_asks_for_all_servers_does_not_mean_those_that_have_nothing_to_wrap(
    home: Path, capfd: Capture
) -> None:
    status, out, _ = play(capfd, "wrap", "--all", "--client", "claude-code")
    assert status == 0
    assert "refused remote in" in out
    assert play(capfd, "wrap", "remote")[0] == 1


def test_several_places_are_listed_and_nothing_is_done(home: Path, capfd: Capture) -> None:
    before = contents(home)
    status, out, err = play(capfd, "wrap", "notes", "mine")
    assert (status, out) == (2, "")
    assert err.splitlines() == [
        "mcp-tap: notes is in 3 places: choose one of these, or all with --all",
        f"mcp-tap:   --client claude-code   {home}/.claude.json (Claude Code, user)",
        f"mcp-tap:   --client cursor   {home}/.cursor/mcp.json (Cursor, user)",
        f"mcp-tap:   --client codex   {home}/.codex/config.toml (Codex, user)",
    ]
    found = changes(capfd, "wrap", "notes", status=2)
    assert [each["state"] for each in found] == ["refused"] * 3
    assert found[0]["reason"] == (
        "is in 3 places: choose this one with --client claude-code, or all with --all"
    )
    assert contents(home) == before
    assert play(capfd, "wrap", "notes", "--client", "codex")[0] == 0
    # What is wrapped in one place only is unwrapped there.
    assert [each["client"] for each in changes(capfd, "unwrap", "notes")] == ["codex"]
    assert contents(home) == before
    assert len(changes(capfd, "wrap", "notes", "--all")) == 3
    assert play(capfd, "unwrap", "notes")[0] == 2
    assert len(changes(capfd, "unwrap", "notes", "--all")) == 3
    assert contents(home) == before


def test_places_of_one_client_are_told_apart_by_scope_and_by_file(home: Path, capfd: Capture) -> None:
    (home / "project/.cursor").mkdir()
    (home / "project/.cursor/mcp.json").write_text('{"mcpServers": {"notes": {"command": "x"}}}')
    _, _, err = play(capfd, "wrap", "notes", "--client", "cursor")
    assert f"  --client cursor --scope user   {home}/.cursor/mcp.json" in err
    assert f"  --client cursor --scope project   {home}/project/.cursor/mcp.json" in err
    assert play(capfd, "wrap", "notes", "--client", "cursor", "--scope", "project")[0] == 0
    for profile in ("a b", "c"):
        path = home / ".config/Code/User/profiles" / profile / "mcp.json"
        path.parent.mkdir(parents=True)
        path.write_text('{"servers": {"twin": {"command": "x"}}}')
    _, _, err = play(capfd, "wrap", "twin")
    assert f"--client vscode --config '{home}/.config/Code/User/profiles/a b/mcp.json'   " in err


def test_a_name_that_is_not_there_is_met_with_those_that_are(home: Path, capfd: Capture) -> None:
    assert (
        play(capfd, "wrap", "nots")[2]
        == "mcp-tap: nots is not in any of 7 files looked into; there is notes, gnotes, …\n"
    )
    _, _, err = play(capfd, "wrap", "zzz", "--client", "goose")
    assert err == "mcp-tap: zzz is not in the file looked into; there is developer, gnotes\n"
    _, _, err = play(capfd, "wrap", "far")
    assert err == "mcp-tap: far is configured for another project only: add --project /elsewhere\n"
    assert changes(capfd, "wrap", "far", "--project", "/elsewhere")[0]["project"] == "/elsewhere"
    _, _, err = play(capfd, "wrap", "x", "--client", "kiro")
    assert err.startswith("mcp-tap: x was not found: no configuration of a known client was found here")
    found = changes(capfd, "unwrap", "nots", status=2)
    assert (found[0]["state"], found[0]["client"], found[0]["file"]) == ("refused", None, None)


def test_a_broken_file_is_told_of_where_it_could_matter(home: Path, capfd: Capture) -> None:
    (home / ".gemini").mkdir()
    (home / ".gemini/settings.json").write_text('{"mcpServers": {"a": {broken')
    sentence = f"mcp-tap: {home}/.gemini/settings.json is not valid JSON: "
    assert play(capfd, "wrap", "mine")[2] == ""
    for words in (
        ("wrap", "nots"),
        ("wrap", "--all", "--client", "gemini"),
        ("unwrap", "--all"),
        ("wrapped",),
    ):
        assert sentence in play(capfd, *words)[2]
    status, _, err = play(capfd, "wrap", "a", "--client", "gemini")
    assert (status, err.count("\n"), err.count("settings.json")) == (2, 1, 1)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("wrap",), "name the servers, or take all with --all"),
        (("unwrap", "--client", "zed"), "name the servers, or take all with --all"),
        (("wrap", "--all", "--client", "zed"), "no configuration of a known client was found here"),
        (
            ("wrap", "x", "--client", "windsurf", "--scope", "project"),
            "Windsurf has no scope project: it has user",
        ),
        (("wrap", "x", "--config", ""), "the name of the file is empty"),
        (
            ("wrap", "x", "--config", "/nowhere/x.json"),
            "cannot read /nowhere/x.json: No such file or directory",
        ),
        (("wrap", "x", "--config", "/etc/claude-code/managed-mcp.json"), "is an administrator's policy"),
        (("wrap", "mine", "--log-dir", ""), "the log directory's name is empty"),
        (("wrap", "mine", "--log-dir", "/x/${HOME}"), "has a '$' in its name, which clients would change"),
        (("wrap", "mine", "--log-dir", "/x/\x1b"), r"the log directory /x/\x1b has a '\x1b' in its name"),
        (("wrap", "mine", "--log-dir", "/dev/null/x"), "cannot record in /dev/null/x: Not a directory"),
        (("wrap", "mine", "--with-secrets"), "--with-secrets is for --print alone"),
        (("wrap", "x", "--client", "emacs"), "invalid choice: 'emacs'"),
        (("wrap", "x", "--print", "--dry-run"), "not allowed with argument"),
        (
            ("wrapped", "--scope", "local", "--client", "cursor"),
            "Cursor has no scope local: it has user and project",
        ),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    home: Path, capfd: Capture, words: tuple[str, ...], sentence: str
) -> None:
    before = contents(home)
    status, out, err = play(capfd, *words)
    assert (status, out) == (2, "")
    assert sentence in err
    assert contents(home) == before


def test_the_reasons_for_a_refusal_are_sentences(home: Path, capfd: Capture) -> None:
    (home / "s.json").write_text(
        '{"mcpServers": {"twice": {"command": "a"}, "twice": {"command": "b"},'
        ' "keys": {"command": "a", "args": [], "args": ["x"]}, "number": {"command": "a", "args": [1]}}}'
    )
    reasons = {
        each["name"]: each["reason"]
        for words in (
            ("line", "off", "remote", "developer"),
            ("twice", "keys", "number", "--config", str(home / "s.json")),
        )
        for each in changes(capfd, "wrap", *words, "--all", status=1)
    }
    assert reasons == {
        "line": "has its whole command line in one string: move its words to the arguments",
        "off": "is disabled; --disabled wraps it all the same",
        "remote": "is reached over the network (url), and the tap records stdio only",
        "developer": "comes with an extension or the client itself: it has no command to wrap",
        "twice": "is there twice under the same name",
        "keys": "has the key 'args' twice in one place",
        "number": "has arguments that are no words",
    }
    assert changes(capfd, "wrap", "off", "--disabled")[0]["state"] == "wrapped"


def test_a_command_with_a_space_that_is_a_file_is_wrapped(home: Path, capfd: Capture) -> None:
    program = home / "my server"
    program.write_text("")
    path = home / "x.json"
    path.write_text(json.dumps({"mcpServers": {"a": {"command": str(program)}, "b": {"command": "my tool"}}}))
    assert changes(capfd, "wrap", "a", "--config", str(path))[0]["state"] == "wrapped"
    assert play(capfd, "wrap", "b", "--config", str(path))[0] == 1
    (home / "bin").mkdir()
    (home / "bin/my tool").write_text("#!/bin/sh\n")
    (home / "bin/my tool").chmod(0o755)
    assert play(capfd, "wrap", "b", "--config", str(path))[0] == 0


@pytest.mark.parametrize(
    ("name", "style", "tap"),
    [
        ("mine", None, [own_command()]),
        ("mine", "bare", ["mcp-tap"]),
        ("mine", "module", [sys.executable, "-P", "-m", "mcp_tap"]),
        ("files", None, ["mcp-tap"]),
        ("files", "absolute", [own_command()]),
        ("shared", None, ["mcp-tap"]),
    ],
)
def test_the_tap_is_written_as_the_file_or_the_user_asks(
    home: Path, capfd: Capture, name: str, style: str | None, tap: list[str]
) -> None:
    before = contents(home)
    directory = str(home / "logs")
    options = ["--log-dir", directory, *(["--command-style", style] if style else [])]
    status, out, err = play(capfd, "wrap", name, *options)
    assert status == 0
    assert stat.S_IMODE(os.stat(directory).st_mode) == 0o700
    text = b"".join(contents(home).values()).decode()
    words = ", ".join(
        json.dumps(word) for word in [*tap[1:], "run", "--name", name, "--log-dir", directory, "--"]
    )
    assert words.replace(", ", ",") in text.replace(", ", ",")
    assert json.dumps(tap[0]) in text
    assert ("mcp-tap is not on the PATH here" in err) == (tap == ["mcp-tap"])
    assert ("belongs to a repository" in " ".join(out.split())) == (name != "mine")
    assert changes(capfd, "unwrap", name)[0]["state"] == "unwrapped"
    assert contents(home) == before


@pytest.mark.parametrize("style", ["absolute", "module"])
@pytest.mark.parametrize("with_args", [True, False])
def test_what_is_written_starts_the_server_and_records_it(
    home: Path, capfd: Capture, style: str, with_args: bool
) -> None:
    path = home / "x.json"
    entry = {"command": "cat", "args": ["-", "-u"]} if with_args else {"command": "cat"}
    path.write_text(json.dumps({"mcpServers": {"ünï server": entry}}))
    play(capfd, "wrap", "ünï server", "--config", str(path), "--command-style", style)
    written = json.loads(path.read_text())["mcpServers"]["ünï server"]
    line = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    done = subprocess.run(
        [written["command"], *written["args"]], input=line, capture_output=True, text=True, timeout=30,
        check=False, env={"PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, line, "")
    (recording,) = Path(state_directory(home)).glob("*.jsonl")
    assert "ünï-server" in recording.name
    assert changes(capfd, "unwrap", "ünï server", "--config", str(path))[0]["state"] == "unwrapped"
    assert json.loads(path.read_text())["mcpServers"]["ünï server"] == entry


def test_the_command_is_the_link_by_which_it_was_called(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = home / "bin/mcp-tap"
    link.parent.mkdir()
    link.symlink_to(own_command())
    monkeypatch.setattr(sys, "argv", [str(link), "wrap"])
    assert wrap_module.own_script() == str(link)
    assert play(capfd, "wrap", "files")[2] == ""  # it is on the PATH
    monkeypatch.setattr(sys, "argv", ["x"])
    monkeypatch.setattr("sysconfig.get_path", lambda _: "/nowhere")
    assert wrap_module.tap_command("absolute") == [sys.executable, "-P", "-m", "mcp_tap"]


def test_an_archive_is_written_as_what_starts_it(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = home / "mcp-tap.pyz"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("__main__.py", "import sys; sys.exit(0)")
    monkeypatch.setattr(sys, "argv", [str(archive), "wrap"])
    for style in ("absolute", "module"):
        changes(capfd, "wrap", "oc", "--command-style", style)
        command = json.loads((home / ".config/opencode/opencode.json").read_text())["mcp"]["oc"]["command"]
        assert command[:3] == [sys.executable, str(archive), "run"]
        archive.rename(home / "away")
        (entry,) = json.loads(play(capfd, "wrapped", "--json")[1])["changes"]
        assert entry["reason"] == f"the tap is not at {archive} any more: unwrap and wrap again"
        (home / "away").rename(archive)
        changes(capfd, "unwrap", "oc")
    other = archive.rename(home / "tool.pyz")
    monkeypatch.setattr(sys, "argv", [str(other), "wrap"])
    status, _, err = play(capfd, "wrap", "oc")
    assert (status, "call the tap's archive mcp-tap.pyz" in err) == (2, True)


@pytest.mark.parametrize("how", ["fails", "is not there"])
def test_a_tap_that_starts_here_only_is_not_written(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    program = home / "python"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o700 if how == "fails" else 0o600)
    monkeypatch.setattr(sys, "executable", str(program))
    before = contents(home)
    status, _, err = play(capfd, "wrap", "oc", "--command-style", "module")
    assert (status, err) == (
        2, f"mcp-tap: {program} -P -m mcp_tap starts the tap from here only: install it, and try again\n"
    )  # fmt: skip
    assert contents(home) == before


def test_a_tilde_that_the_shell_has_left_is_the_home(home: Path, capfd: Capture) -> None:
    words = ("notes", "--config=~/.cursor/mcp.json", "--log-dir=~/logs")
    (change,) = changes(capfd, "wrap", *words)
    assert change["file"] == str(home / ".cursor/mcp.json")
    assert (home / "logs").is_dir()
    changes(capfd, "unwrap", *words[:2])
    (change,) = changes(capfd, "wrap", "mine", "--project=~/project")
    assert change["state"] == "wrapped"
    assert len(changes(capfd, "wrapped", "--project=~/project")) == 1


def test_a_dry_run_shows_the_change_and_touches_nothing(home: Path, capfd: Capture) -> None:
    before = contents(home)
    status, out, err = play(capfd, "wrap", "notes", "gnotes", "shared", "line", "--all", "--dry-run")
    assert status == 1
    assert contents(home) == before
    assert not os.path.exists(state_directory(home))
    assert f"--- {home}/.codex/config.toml\n" in out
    assert '-      "command": "npx",\n' in out
    assert f'+      "command": "{own_command()}",\n' in out
    assert '       "env": { "API_KEY": "[masked]", "REFERENCE": "[masked]" }\n' in out
    assert '"-y", "notes", "--token", "[masked]"]' in out
    assert '-command = "npx" # [masked]\n' in out
    assert '+    - "run"\n' in out or '+      - "run"\n' in out
    assert f"would wrap notes in {home}/.claude.json (Claude Code, user)" in err
    assert f"refused line in {home}/.cursor/mcp.json (Cursor, user): it has its whole command line" in err
    found = json.loads(play(capfd, "wrap", "mine", "--dry-run", "--json")[1])
    assert found["dry_run"] is True
    assert found["changes"][0]["state"] == "wrapped"


def test_a_dry_run_of_unwrapping_shows_the_way_back(home: Path, capfd: Capture) -> None:
    play(capfd, "wrap", "mine")
    wrapped = contents(home)
    status, out, err = play(capfd, "unwrap", "mine", "--dry-run")
    assert status == 0
    assert contents(home) == wrapped
    assert [line[0] for line in out.splitlines()[3:] if line[0] in "-+"] == ["-", "+"]
    assert "would unwrap mine" in err


def test_a_file_in_one_line_is_shown_around_its_change(home: Path, capfd: Capture) -> None:
    path = home / "long.json"
    servers = {f"s{number}": {"command": f"c{number}", "args": []} for number in range(5000)}
    path.write_text(json.dumps({"mcpServers": servers}))
    _, out, _ = play(capfd, "wrap", "s2500", "--config", str(path), "--dry-run")
    lines = out.splitlines()
    assert [line[:2] for line in lines[3:]] == ["-…", "\\ ", "+…", "\\ "]
    assert all(len(line) < 600 for line in lines)
    assert '"s2500": {"command": "c2500", "args": []}' in lines[3]


def test_unwrapping_what_is_not_wrapped_is_no_failure(home: Path, capfd: Capture) -> None:
    before = contents(home)
    found = changes(capfd, "unwrap", "mine", "remote", "--client", "claude-code")
    assert [(each["state"], each["reason"]) for each in found] == [
        ("not-wrapped", None),
        ("not-wrapped", "it is reached over the network (url), and the tap records stdio only"),
    ]
    assert "mine is not wrapped in" in play(capfd, "unwrap", "mine")[1]
    assert contents(home) == before


def test_what_the_client_has_written_anew_comes_back_in_meaning_and_the_backup_stays(
    home: Path, capfd: Capture
) -> None:
    path = home / ".claude.json"
    before = json.loads(path.read_text())
    (wrapped,) = changes(capfd, "wrap", "mine")
    path.write_text(json.dumps(json.loads(path.read_text()), indent=4))
    found = changes(capfd, "unwrap", "mine")
    assert found[0]["backup"] == wrapped["backup"]
    assert os.path.exists(wrapped["backup"])
    assert json.loads(path.read_text()) == before
    # The next time begins anew.
    play(capfd, "wrap", "mine")
    _, out, _ = play(capfd, "unwrap", "mine")
    assert "backup" not in out
    assert not os.path.exists(wrapped["backup"])
    play(capfd, "wrap", "mine")
    path.write_text(json.dumps(json.loads(path.read_text())))
    _, out, _ = play(capfd, "unwrap", "mine")
    assert "the file is not byte for byte what it was before the tap" in " ".join(out.split())


def test_a_file_that_somebody_changes_meanwhile_is_let_be(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home / ".claude.json"
    theirs = path.read_bytes().replace(b"oauthAccount", b"changed")
    keep = files.back_up

    def interfere(file: files.ConfigFile, *, is_first: bool) -> str:
        path.write_bytes(theirs)
        return keep(file, is_first=is_first)

    monkeypatch.setattr("mcp_tap.commands.rewriting.back_up", interfere)
    status, out, _ = play(capfd, "wrap", "mine")
    assert status == 1
    assert "it is in a file that was changed by somebody else just now: try again" in " ".join(out.split())
    assert path.read_bytes() == theirs


def test_a_file_that_cannot_be_written_is_let_be(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(home)
    os.chmod(home / ".claude.json", 0o400)
    assert changes(capfd, "wrap", "mine", status=1)[0]["reason"] == "is in a file that is read-only"
    os.chmod(home / ".claude.json", 0o600)

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "/x")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fail)
        reason = changes(capfd, "wrap", "mine", status=1)[0]["reason"]
    assert reason == "could not be backed up in /x: No space left on device"
    with monkeypatch.context() as patch:
        patch.setattr("mcp_tap.commands.rewriting.replace", fail)
        reason = changes(capfd, "wrap", "mine", status=1)[0]["reason"]
    assert reason == "is in a file that cannot be written: No space left on device"
    assert contents(home) == before


def test_what_is_refused_leaves_no_backup_behind(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    backups = Path(state_directory(home)) / "backups"
    os.chmod(home / ".claude.json", 0o400)
    play(capfd, "wrap", "mine")
    assert os.listdir(backups) == []
    os.chmod(home / ".claude.json", 0o600)
    play(capfd, "wrap", "mine")
    os.chmod(home / ".claude.json", 0o400)
    play(capfd, "wrap", "notes", "--client", "claude-code")
    assert len(os.listdir(backups)) == 1  # that is the one from before the tap


@pytest.mark.parametrize(
    ("number", "end"),
    [
        (errno.EBUSY, "written, for it is mounted by itself: change it where it is mounted from"),
        (errno.EACCES, "written: nothing may be written in {home}"),
    ],
)
def test_what_keeps_a_file_from_being_written_is_told(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch, number: int, end: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(number, "no", "/x")

    monkeypatch.setattr("mcp_tap.commands.rewriting.replace", fail)
    reason = changes(capfd, "wrap", "mine", status=1)[0]["reason"]
    assert reason.endswith(end.format(home=home))


def test_on_windows_a_file_in_use_cannot_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    file = files.ConfigFile("x", "x", b"", 0o600)
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", "nt")
        assert "it is in use" in why(PermissionError(errno.EACCES, "Access is denied"), file)


def test_a_late_tap_does_not_overwrite_the_backup_of_the_first(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home / ".claude.json"
    old = files.read_config(str(path))
    path.write_bytes(old.data.replace(b"oauthAccount", b"newAccount"))
    newer = path.read_bytes()
    (wrapped,) = changes(capfd, "wrap", "mine")

    def read_earlier(name: str) -> files.ConfigFile:
        return old if name == str(path) else files.read_config(name)

    monkeypatch.setattr("mcp_tap.clients.search.read_config", read_earlier)
    assert changes(capfd, "wrap", "mine", status=1)[0]["reason"].endswith("just now: try again")
    assert Path(wrapped["backup"]).read_bytes() == newer


def test_what_is_not_proven_is_not_written(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(home)

    def fail(*_: object) -> None:
        raise Broken("is odd")

    monkeypatch.setattr(edit, "wrap", fail)
    assert changes(capfd, "wrap", "mine", status=1)[0]["reason"] == "is in a file that is odd"
    monkeypatch.undo()
    monkeypatch.setenv("HOME", str(home))
    play(capfd, "wrap", "mine", "--project", str(home / "project"))
    wrapped = contents(home)
    monkeypatch.setattr(edit, "unwrap", fail)
    assert (
        changes(capfd, "unwrap", "mine", "--project", str(home / "project"), status=1)[0]["state"]
        == "refused"
    )
    assert contents(home) == wrapped != before


def test_a_symbolic_link_and_a_mode_stay(home: Path, capfd: Capture) -> None:
    path, real = home / ".claude.json", home / "dotfiles.json"
    path.rename(real)
    path.symlink_to(real)
    real.chmod(0o604)
    play(capfd, "wrap", "mine")
    assert path.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o604
    assert "mcp-tap" in real.read_text()


def test_a_named_file_is_read_as_its_content_or_the_client_says(home: Path, capfd: Capture) -> None:
    cases = {
        "x.json": ('{"mcpServers": {"a": {"command": "x",},},}', None, None),
        "y.json": ('{"context_servers": {"a": {"command": {"path": "x"}}}}', None, "zed"),
        "z.json": ('{"servers": {"a": {"command": "x"}}}', None, "vscode"),
        "o.json": ('{"mcp": {"a": {"command": ["x"]}}}', None, "opencode"),
        "c.toml": ('[mcp_servers.a]\ncommand = "x"\n', None, "codex"),
        "g.yaml": ("extensions:\n  a:\n    cmd: x\n", None, "goose"),
        "l.yaml": ("mcpServers:\n- name: a\n  command: x\n", None, "continue"),
        "m.yml": ("mcpServers:\n  a:\n    command: x\n", None, None),
        "k.conf": ('{"mcpServers": {"a": {"command": "x"}}}', "kiro", "kiro"),
        "n.json": ('{"mcpServers": {"a": {"command": "x"}}}', "continue", "continue"),
    }
    for name, (text, client, told) in cases.items():
        path = home / name
        path.write_text(text)
        words = ["a", "--config", str(path), *(["--client", client] if client else [])]
        (change,) = changes(capfd, "wrap", *words)
        assert (change["client"], change["state"], change["file"]) == (told, "wrapped", str(path))
        assert changes(capfd, "unwrap", *words)[0]["state"] == "unwrapped"
        assert path.read_text() == text
    (home / "no.json").write_text("{}")
    _, _, err = play(capfd, "wrap", "a", "--config", str(home / "no.json"))
    assert err == f"mcp-tap: {home}/no.json has no map of MCP servers that a known client would read\n"
    (home / "e.json").write_text('{"mcpServers": {}}')
    _, _, err = play(capfd, "wrap", "a", "--config", str(home / "e.json"))
    assert err == f"mcp-tap: a was not found: no server is configured in {home}/e.json\n"
    # A file that its client could not read is not wrapped for it.
    status, _, err = play(capfd, "wrap", "a", "--config", str(home / "x.json"), "--client", "claude-code")
    assert status == 2
    assert "has a trailing comma in line 1, which its client cannot read" in err


def test_one_entry_that_cannot_be_edited_does_not_keep_the_others(home: Path, capfd: Capture) -> None:
    path = home / "x.yaml"
    text = (
        "l: &l [x]\nextensions:\n  a:\n    cmd: x\n    args: *l\n  b:\n    cmd: y\n"
        "  c:\n    cmd: mcp-tap\n    args: [run]\n"
    )
    path.write_text(text)
    found = changes(capfd, "wrap", "a", "b", "--config", str(path), status=1)
    assert {each["name"]: each["state"] for each in found} == {"a": "refused", "b": "wrapped"}
    found = changes(capfd, "unwrap", "--all", "--config", str(path), status=1)
    assert {each["name"]: each["reason"] for each in found} == {
        "b": None,
        "c": "is in a file that cannot be edited: c has the tap for its command, but no server's command "
        "behind it",
    }
    assert path.read_text() == text
    assert changes(capfd, "wrap", "a", "a", "--config", str(path), status=1)[0]["state"] == "refused"


def test_entries_that_can_only_be_edited_apart_are_refused_together(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(home)
    alone = edit.wrap

    def only_alone(text: str, form: Any, chosen: list[edit.Entry], *more: Any) -> edit.Edited:
        if len(chosen) > 1:
            raise Broken("is odd")
        return alone(text, form, chosen, *more)

    monkeypatch.setattr(edit, "wrap", only_alone)
    found = changes(capfd, "wrap", "notes", "a.b", "--client", "codex", status=1)
    assert {each["reason"] for each in found} == {"cannot be edited with certainty together with the others"}
    assert contents(home) == before


def test_a_map_that_is_there_twice_is_broken_where_it_is_meant(home: Path, capfd: Capture) -> None:
    path = home / "x.json"
    path.write_text('{"mcpServers": {"a": {"command": "x"}}, "mcpServers": {}}')
    status, _, err = play(capfd, "wrap", "a", "--config", str(path))
    assert (status, err) == (2, f"mcp-tap: {path} has the key 'mcpServers' twice in one place\n")
    # One in a project that is not meant is no matter.
    (home / ".claude.json").write_text(
        '{"mcpServers": {"a": {"command": "x"}}, "projects": {"/p": {"mcpServers": {}, "mcpServers": {}}}}'
    )
    assert changes(capfd, "wrap", "a")[0]["state"] == "wrapped"
    assert changes(capfd, "unwrap", "a")[0]["state"] == "unwrapped"


def test_an_entry_that_is_there_twice_is_refused_and_not_offered_twice(home: Path, capfd: Capture) -> None:
    path = home / ".cursor/mcp.json"
    text = '{"mcpServers": {"twin": {"command": "x"}, "twin": {"command": "y"}}}'
    path.write_text(text)
    (change,) = changes(capfd, "wrap", "twin", status=1)
    assert (change["state"], change["reason"]) == ("refused", "is there twice under the same name")
    assert changes(capfd, "unwrap", "twin")[0]["state"] == "not-wrapped"
    assert path.read_text() == text


@pytest.mark.parametrize("text", ["", " \n", "// nothing yet\n"])
def test_an_empty_file_holds_no_servers_and_is_no_trouble(home: Path, capfd: Capture, text: str) -> None:
    (home / ".cursor/mcp.json").write_text(text)
    assert play(capfd, "wrapped") == (
        0,
        "",
        f"mcp-tap: the tap is in none of the {len(FILES)} files looked into\n",
    )
    status, _, err = play(capfd, "wrap", "x", "--client", "cursor")
    assert (status, err) == (
        2,
        f"mcp-tap: x was not found: no server is configured in {home}/.cursor/mcp.json\n",
    )


def test_a_plugin_s_file_is_let_be_where_it_is_found_too(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugin = home / ".claude/plugins/cache/shop/tool/1.0"
    plugin.mkdir(parents=True)
    (plugin / ".mcp.json").write_text('{"mcpServers": {"p": {"command": "x"}}}')
    monkeypatch.chdir(plugin)
    (change,) = changes(capfd, "wrap", "p", status=1)
    assert change["reason"] == (
        "is in a file that is part of a plugin, which the next update of the plugin would overwrite"
    )
    states = {
        each["name"]: each["state"] for each in changes(capfd, "wrap", "--all", "--client", "claude-code")
    }
    assert states["p"] == "refused"


@pytest.mark.parametrize(
    ("name", "text", "scope"),
    [
        (".vscode/settings.json", '{"a.b": 1, "mcp": {"servers": {"a": {"command": "x"}}}} // c', "project"),
        ("settings.json", '{"extensions": {}, "mcp": {"servers": {"a": {"command": "x"}}}}', "user"),
        ("my.code-workspace", '{"extensions": {}, "settings": {"mcp": {"servers": {"a": {"command": "x"}}}}}',
         "project"),
        (".devcontainer/devcontainer.json",
         '{"customizations": {"vscode": {"mcp": {"servers": {"a": {"command": "x"}}}}}}', "project"),
    ],
)  # fmt: skip
def test_servers_of_vs_code_are_found_where_it_had_them_before(
    home: Path, capfd: Capture, name: str, text: str, scope: str
) -> None:
    path = home / "project" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    for client in ((), ("--client", "vscode")):
        (change,) = changes(capfd, "wrap", "a", "--config", name, *client)
        assert (change["client"], change["scope"], change["state"]) == ("vscode", scope, "wrapped")
        changes(capfd, "unwrap", "a", "--config", name)
        assert path.read_text() == text


@pytest.mark.parametrize(
    ("text", "client"),
    [
        ('{"mcp": {"servers": {"type": "local", "command": ["x"]}}}', "opencode"),
        ('{"extensions": {"disabled": []}, "mcpServers": {"servers": {"command": "x"}}}', None),
        ('{"mcpServers": [{"name": "servers", "command": "x"}]}', "continue"),
    ],
)
def test_one_client_s_keys_are_not_taken_for_another_s(
    home: Path, capfd: Capture, text: str, client: str | None
) -> None:
    (home / "x.json").write_text(text)
    assert changes(capfd, "wrap", "servers", "--config", str(home / "x.json"))[0]["client"] == client


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ('{"manifest_version": "0.3", "server": {"mcp_config": {}}}', "is the manifest of an extension"),
        ('{"$schema": "x", "name": "a", "packages": []}', "describes a server to a registry"),
        ('{"source": {}, "environment": {}}', "describes a server to fastmcp"),
        ('{"source": {}, "deployment": {}}', "describes a server to fastmcp"),
        ('{"command": "x"}', "holds a server, and no map"),
    ],
)
def test_what_describes_a_server_is_no_configuration(
    home: Path, capfd: Capture, text: str, clause: str
) -> None:
    (home / "x.json").write_text(text)
    status, _, err = play(capfd, "wrap", "a", "--config", str(home / "x.json"))
    assert (status, clause in err) == (2, True)


def test_a_project_that_is_reached_by_a_link_is_the_same(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "link").symlink_to(home / "project")
    (change,) = changes(capfd, "wrap", "mine", "--project", str(home / "link"), "--dry-run")
    assert change["project"] == str(home / "project")


@pytest.mark.parametrize("where", ['"remote": true', '"experimental_environment": "remote"'])
def test_what_runs_on_another_machine_is_let_be(home: Path, capfd: Capture, where: str) -> None:
    (home / "x.json").write_text(f'{{"context_servers": {{"a": {{"command": "x", {where}}}}}}}')
    (change,) = changes(capfd, "wrap", "a", "--config", str(home / "x.json"), status=1)
    assert change["reason"] == "runs on another machine, where this tap is not"


def test_a_sandbox_has_to_let_the_tap_write(home: Path, capfd: Capture) -> None:
    path = home / "project/.vscode/mcp.json"
    path.write_text('{"servers": {"files": {"command": "npx", "sandboxEnabled": true}}}')
    _, out, _ = play(capfd, "wrap", "files")
    assert f"note: files runs in a sandbox: let it write to {state_directory(home)}" in " ".join(out.split())


def test_a_project_of_claude_code_is_the_directory_or_the_repository_around_it(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = home / "project/a/b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert changes(capfd, "wrap", "mine", "--dry-run")[0]["project"] == str(home / "project")
    monkeypatch.chdir(home)
    assert f"add --project {home}/project" in play(capfd, "wrap", "mine")[2]


def test_output_fits_the_terminal(home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    for width in (60, 140):
        monkeypatch.setenv("COLUMNS", str(width))
        for words in (("wrap", "--all"), ("unwrap", "--all")):
            _, out, _ = play(capfd, *words)
            long = [line for line in out.splitlines() if columns(line) > width]
            assert all(" " not in line.strip() for line in long)  # a path is not broken


def test_a_large_file_is_wrapped_at_once(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    history = [
        {"display": f"line {number} " + "x" * 200, "pasted": {"a": [1, 2, {}]}} for number in range(20_000)
    ]
    projects = {f"/p{number}": {"history": history[number::100], "mcpServers": {}} for number in range(100)}
    path.write_text(json.dumps({"projects": projects, "mcpServers": {"a": {"command": "x"}}}, indent=2))
    assert path.stat().st_size > 5_000_000
    before = path.read_bytes()
    for verb in ("wrap", "unwrap"):
        command = [
            sys.executable,
            "-m",
            "mcp_tap",
            verb,
            "a",
            "--config",
            str(path),
            "--client",
            "claude-code",
        ]
        done = subprocess.run(command, capture_output=True, timeout=30, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
    assert path.read_bytes() == before
