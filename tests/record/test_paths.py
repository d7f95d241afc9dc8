"""Where recordings lie, and what they are called."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.record import paths
from mcp_tap.record.paths import NAME_LIMIT, default_directory, file_name, safe_name, server_name
from mcp_tap.record.schema import new_session_id
from tests.profiles import examples


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("npx -y @modelcontextprotocol/server-filesystem /tmp", "server-filesystem"),
        ("npx -y @scope/server-files@1 /dir", "server-files"),
        ("npx --yes mcp-remote https://example.com/sse", "mcp-remote"),
        ("npx -y -p @scope/notes notes-server", "notes-server"),
        ("npx --package=@scope/notes notes-server", "notes-server"),
        ("/usr/local/bin/npx -y notes@latest", "notes"),
        ("npm exec -- notes", "notes"),
        ("pnpm dlx notes", "notes"),
        ("bunx notes", "notes"),
        ("bun x notes", "notes"),
        ("bun run /srv/notes/index.ts", "notes"),
        ("deno run -A /srv/notes/main.ts", "notes"),
        ("uvx mcp-server-time --local-timezone=Europe/Berlin", "mcp-server-time"),
        ("uvx mcp_server_time@1.2", "mcp_server_time"),
        ("uvx --from git+https://example.com/x/y mcp-y", "mcp-y"),
        ("uvx --python 3.12 --with httpx mcp-y", "mcp-y"),
        ("uv tool run notes", "notes"),
        ("uv run --directory /srv/notes server.py", "server"),
        ("uv run /srv/notes/server.py", "notes"),
        ("uv --directory /srv/notes run notes-server", "notes-server"),
        ("uv run --with mcp mcp run weather.py", "mcp"),
        ("pipx run notes", "notes"),
        ("poetry run notes", "notes"),
        ("python -m mcp_server_time", "mcp_server_time"),
        ("python3.11 -u -m mcp_server_time", "mcp_server_time"),
        ("/opt/venv/bin/python3 -m notes.server --x", "notes.server"),
        ("python /srv/notes/server.py", "notes"),
        ("python -u /srv/notes/server.py", "notes"),
        ("python -v weather.py", "weather"),
        ("python weather.py", "weather"),
        ("pypy3 weather.py", "weather"),
        ("pythonw.exe weather.pyw.py", "weather.pyw"),
        ("python -m", "python"),
        ("node dist/index.js", "index"),
        ("node /home/me/notes/dist/index.js", "notes"),
        ("node /home/me/notes/build/src/index.mjs", "notes"),
        ("node ./index.js", "index"),
        ("node --enable-source-maps /srv/weather.cjs", "weather"),
        ("tsx src/notes.ts", "notes"),
        ("docker run -i --rm -e API_KEY mcp/fetch", "fetch"),
        ("docker run -i --rm -e API_KEY=x ghcr.io/github/github-mcp-server:1.0", "github-mcp-server"),
        ("docker run -i --rm --mount type=bind,src=/a,dst=/b mcp/filesystem /b", "filesystem"),
        ("docker run --rm -i -v /a:/b -u 1000 --network=host mcp/git", "git"),
        ("podman run -i registry:5000/team/notes@sha256:0123", "notes"),
        ("cmd /c npx -y @scope/notes", "notes"),
        ("cmd.exe /d /s /c npx.cmd notes", "notes"),
        ("CMD /C NPX notes", "notes"),
        (r"C:\Tools\nodejs\node.exe C:\srv\notes\dist\index.js", "notes"),
        (r"C:\srv\notes.exe", "notes"),
        (r"C:\venv\Scripts\python.exe -m notes", "notes"),
        ("env A=b notes", "notes"),
        ("env FOO=/a/b /usr/bin/python3 -m notes", "notes"),
        ("sudo -u me notes", "notes"),
        ("bash -c notes", "bash"),
        ("sh /srv/notes/run.sh", "notes"),
        ("/srv/notes/bin/server", "notes"),
        ("./notes-server --stdio", "notes-server"),
        ("notes/", "notes"),
        ("npx", "npx"),
        ("/usr/bin/node", "node"),
        ("npx -y", "npx"),
        ("uvx mcp_server_time==1.2", "mcp_server_time"),
        ("uvx mcp-server-time==1.2", "mcp-server-time"),
    ],
)
def test_a_server_is_called_what_a_person_would_call_it(command: str, name: str) -> None:
    assert server_name(command.split(" ")) == name


@pytest.mark.parametrize(
    ("argv", "name"), [([], ""), ([""], ""), (["/"], ""), (["npx", "-y", "my notes"], "my notes")]
)
def test_an_odd_command_has_a_name_too(argv: list[str], name: str) -> None:
    assert server_name(argv) == name


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("npx --api-key S3cr3t pkg", "pkg"),
        ("npx -y --//registry.test/:_authToken=S3cr3t pkg", "pkg"),
        ("uvx --index https://S3cr3t@host pkg", "pkg"),
        ("uvx --index https://me:S3cr3t@host/simple pkg", "pkg"),
        ("uvx --anything https://S3cr3t@host/simple pkg", "pkg"),
        ("uvx --index-url https://host/simple pkg", "pkg"),
        ("npx --registry https://host/npm pkg", "pkg"),
        ("env --token S3cr3t pkg", "pkg"),
        ("node --token S3cr3t /srv/notes/index.js", "notes"),
        ("docker run --password S3cr3t -i mcp/fetch", "fetch"),
        ("python --token S3cr3t", "python"),
        ("python --token S3cr3t -m notes", "notes"),
        ("https://S3cr3t@host/pkg", ""),
        ("npx https://S3cr3t@host/", "npx"),
    ],
)
def test_no_name_is_made_of_a_secret(command: str, name: str) -> None:
    assert server_name(command.split(" ")) == name


COMMANDS = st.lists(
    st.text(max_size=8)
    | st.sampled_from(["npx", "-y", "-m", "-c", "python", "run", "-e", "@", "@a/b@1", "/", "\\", "index.js"]),
    max_size=6,
)


@examples(2)
@given(COMMANDS)
def test_any_command_gets_a_file_name(argv: list[str]) -> None:
    assert file_name(0, server_name(argv), "0" * 16).startswith("19700101T000000.000Z-")


def test_a_file_name_shows_the_time_the_server_and_the_session() -> None:
    assert (
        file_name(1_795_977_460_123_999_999, "notes", "01k3v9x6n4q8")
        == "20261129T183740.123Z-notes-01k3v9x6n4q8.jsonl"
    )


@pytest.fixture
def far_from_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process whose local time is not UTC."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "XYZ+03:30")
        time.tzset()
        yield
    time.tzset()


def test_a_file_name_is_in_utc(far_from_utc: None) -> None:
    assert file_name(0, "x", "s") == "19700101T000000.000Z-x-s.jsonl"


@examples(2)
@given(st.integers(0, 4 * 10**18), st.integers(1_000_000, 10**18), st.text(max_size=60), st.text(max_size=60))
def test_file_names_sort_by_time_whatever_the_server_is_called(
    wall_ns: int, later: int, name: str, other: str
) -> None:
    first = file_name(wall_ns, name, new_session_id(wall_ns, b"zzzz"))
    second = file_name(wall_ns + later, other, new_session_id(wall_ns + later, b"aaaa"))
    assert sorted([second, first]) == [first, second]


ANY_CHARACTER = st.characters(exclude_categories=()) | st.sampled_from('/\\:*?"<>|. -\0\n%$~')


@examples(3)
@given(st.text(ANY_CHARACTER, max_size=300))
def test_a_file_name_is_safe_on_every_system(name: str) -> None:
    whole = file_name(1_795_977_460_123_456_789, name, new_session_id(1_795_977_460_123_456_789, b"abcd"))
    assert re.fullmatch(r"[\w.-]+", whole)
    assert len(whole.encode()) <= 255
    middle = whole.removeprefix("20261129T183740.123Z-").rpartition("-")[0]
    assert 1 <= len(middle) <= NAME_LIMIT
    assert middle[0] not in ".-_"
    assert middle[-1] not in ".-_"


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("notes", "notes"),
        ("server.files_v-2", "server.files_v-2"),
        ("my notes", "my-notes"),
        ("a/../b", "a-..-b"),
        ("../../etc/passwd", "etc-passwd"),
        ("C:\\notes", "C-notes"),
        ("@scope/notes", "scope-notes"),
        ("Grüße", "Grüße"),
        ("日本", "日本"),
        ("\udcff", "server"),
        ("a\udcffb", "a-b"),
        ("", "server"),
        ("...", "server"),
        ("-_.", "server"),
        ("a" * 41, "a" * 40),
        ("a" * 39 + "-b", "a" * 39),
        ("\N{PILE OF POO}", "server"),
        ("a\nb", "a-b"),
    ],
)
def test_a_name_keeps_what_a_file_name_may_hold(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@pytest.fixture
def linux_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A user's home directory, and platformdirs convinced that this is Linux."""
    import platformdirs
    from platformdirs.unix import Unix

    monkeypatch.setattr(platformdirs, "PlatformDirs", Unix)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    return tmp_path


def test_recordings_lie_in_the_users_state_directory(linux_home: Path) -> None:
    assert default_directory() == str(linux_home / ".local/state/mcp-tap")


def test_xdg_state_home_is_followed(linux_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(linux_home / "state"))
    assert default_directory() == str(linux_home / "state/mcp-tap")


def test_an_empty_xdg_state_home_counts_as_none(linux_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "")
    assert default_directory() == str(linux_home / ".local/state/mcp-tap")


def test_a_client_that_passes_no_home_still_gets_an_absolute_directory(
    linux_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOME")
    import pwd

    assert default_directory() == os.path.join(pwd.getpwuid(os.getuid()).pw_dir, ".local/state/mcp-tap")


def test_a_user_without_a_home_records_below_the_temporary_directory(
    linux_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pwd

    def unknown(uid: int) -> pwd.struct_passwd:
        raise KeyError(uid)

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    monkeypatch.setattr(tempfile, "tempdir", str(linux_home / "tmp"))
    assert default_directory() == str(linux_home / f"tmp/mcp-tap-{os.getuid()}")


def test_a_relative_state_directory_is_replaced_by_one_below_the_temporary_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import platformdirs

    def relative(*_: object, **__: object) -> str:
        return "~/.local/state/mcp-tap"

    monkeypatch.setattr(platformdirs, "user_state_dir", relative)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert default_directory() == str(tmp_path / f"mcp-tap-{os.getuid()}")


@pytest.mark.parametrize("made", ["open to all", "a link", "a file", "of another user"])
def test_a_directory_that_somebody_else_may_have_made_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: str
) -> None:
    taken = tmp_path / f"mcp-tap-{os.getuid()}"
    match made:
        case "a link":
            (tmp_path / "elsewhere").mkdir(mode=0o700)
            taken.symlink_to(tmp_path / "elsewhere")
        case "a file":
            taken.touch()
        case _:
            taken.mkdir(mode=0o700)
    if made == "open to all":
        taken.chmod(0o777)
    if made == "of another user":
        stranger = os.getuid() + 1
        monkeypatch.setattr(os, "getuid", lambda: stranger)
        taken.rename(tmp_path / f"mcp-tap-{stranger}")
    free = tmp_path / f"mcp-tap-{os.getuid()}-1"
    assert paths._private_in(str(tmp_path)) == str(free)
    monkeypatch.undo()
    if made != "of another user":
        free.mkdir(mode=0o700)
        assert paths._private_in(str(tmp_path)) == str(free)


def test_where_every_name_is_taken_a_new_one_is_made(tmp_path: Path) -> None:
    for number in range(paths.FALLBACKS):
        (tmp_path / (f"mcp-tap-{os.getuid()}" + (f"-{number}" if number else ""))).touch()
    made = Path(paths._private_in(str(tmp_path)))
    assert made.is_dir()
    assert made.stat().st_mode & 0o077 == 0
