"""How Windows is told a command line: read back the way that Windows reads it.

The two readers below follow Microsoft's description of the C runtime's parser ("main function
and command-line arguments") and what is known of ``cmd.exe``'s phases; the words are those
that Rust's standard library has published as its test for CVE-2024-24576.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.process.command_line import batch_word, windows_command_line
from tests.profiles import examples

CMD = r"C:\Windows\System32\cmd.exe"
BATCH = r"C:\Program Files\nodejs\npx.cmd"
EXE = r"C:\Program Files\nodejs\node.exe"

VARIABLES = {"PATH": r"C:\bin", "TMP": r"C:\tmp", "CD": r"C:\here"}


def read_by_c_runtime(line: str) -> list[str]:
    """The words of ``line`` behind the program's name, as a C program's ``main`` gets them."""
    words: list[str] = []
    word: str | None = None
    quoted = False
    at = 0
    while at < len(line):
        character = line[at]
        backslashes = len(line[at:]) - len(line[at:].lstrip("\\"))
        if backslashes:
            at += backslashes
            before_quote = line[at : at + 1] == '"'
            word = (word or "") + "\\" * (backslashes // 2 if before_quote else backslashes)
            if before_quote and backslashes % 2:
                word += '"'
                at += 1
        elif character == '"':
            word = word or ""
            if quoted and line[at + 1 : at + 2] == '"':
                word += '"'  # a doubled quote within quotes is a quote (since 2008)
                at += 1
            else:
                quoted = not quoted
            at += 1
        elif character in " \t" and not quoted:
            if word is not None:
                words.append(word)
            word = None
            at += 1
        else:
            word = (word or "") + character
            at += 1
    return words if word is None else [*words, word]


def expand_percent(line: str) -> str:
    """Phase 1 of ``cmd.exe /c``: variables, and ``%cd:~,%``, which is empty."""
    result = ""
    at = 0
    while at < len(line):
        end = line.find("%", at + 1)
        name = line[at + 1 : end].upper() if line[at] == "%" and end > 0 else ""
        variable, colon, modifier = name.partition(":")
        if variable in VARIABLES and (not colon or modifier == "~,"):
            result += "" if colon else VARIABLES[variable]
            at = end + 1
        else:
            result += line[at]
            at += 1
    return result


def read_by_cmd(line: str) -> str:
    """What ``cmd.exe /s /c`` executes: one command, whose text outside quotes means nothing to it."""
    prefix = f'"{CMD}" /e:ON /v:OFF /d /s /c "'
    assert line.startswith(prefix)
    assert line.endswith('"')
    command = expand_percent(line[len(prefix) : -1])
    bare = "".join(command.split('"')[::2])
    assert not set(bare) & set("&|<>^()!\n\r"), f"cmd.exe would act on {command!r}"
    assert command.count('"') % 2 == 0, f"the last quote of {command!r} stays open"
    return command


def read_by_batch_file(line: str) -> list[str]:
    """The words that a program gets to which the batch file passes ``%*``, as npx.cmd does."""
    command = read_by_cmd(line)
    assert command.startswith(f'"{BATCH}"')
    return read_by_c_runtime(command.removeprefix(f'"{BATCH}"'))


RUSTS_WORDS = [
    ["a", "b"],
    ["c is for cat", "d is for dog"],
    ['"', ' "'],
    ["\\", "\\"],
    [">file.txt"],
    ["whoami.exe"],
    ["&a.exe"],
    ["&echo hello "],
    ["&echo hello", "&whoami", ">file.txt"],
    ["!TMP!"],
    ["key=value"],
    ['"key=value"'],
    ["key = value"],
    ['key=["value"]'],
    ["", "a=b"],
    ['key="foo bar"'],
    ['key=["my_value]'],
    ['key=["my_value","other-value"]'],
    ["key\\=value"],
    ['key="&whoami"'],
    ['key="value"=5'],
    ['key=[">file.txt"]'],
    ["%hello"],
    ["%PATH%"],
    ["%%cd:~,%"],
    ["%PATH%PATH%"],
    ['">file.txt'],
    ['abc"&echo hello'],
    ['123">file.txt'],
    ['"&echo hello&whoami.exe'],
    ['hello^"world', "hello &echo oh no >file.txt"],
]
MORE_WORDS = [
    [],
    ["-y", "@scope/server-files@1.0"],
    ["C:\\dir with space\\", "next"],
    ["C:\\dir\\", "next"],
    ["\\\\server\\share\\\\", "next"],
    ['a\\"b', "next"],
    ['\\\\"', "next"],
    ['{"a":"C:\\\\dir\\\\","b":"\\""}', "next"],
    ["(a)", "a;b,c=d", "*?", "\t"],
    ["é\N{LINE SEPARATOR}\N{PILE OF POO}", "\x85"],
    ["100%", "%", "%%", "a%b%c"],
]


@pytest.mark.parametrize("words", RUSTS_WORDS + MORE_WORDS)
def test_a_batch_file_gets_the_words_as_they_were_given(words: list[str]) -> None:
    assert read_by_batch_file(windows_command_line(BATCH, ["npx", *words], CMD)) == words


@pytest.mark.parametrize("words", RUSTS_WORDS + MORE_WORDS)
def test_a_program_gets_the_words_as_they_were_given(words: list[str]) -> None:
    line = windows_command_line(EXE, ["node", *words], CMD)
    assert line.partition(" ")[0] == "node"
    assert read_by_c_runtime(line)[1:] == words


CHARACTERS = st.sampled_from('ab \\\\"%^&|<>()!=,;:~/-é\t') | st.characters(exclude_characters="\r\n\0")
WORDS = st.lists(
    st.text(CHARACTERS, max_size=8) | st.sampled_from(["%PATH%", "%cd:~,%", '\\"', "%TMP", "TMP%"]),
    max_size=4,
)


@examples(2)
@given(WORDS)
def test_any_words_reach_a_batch_file_apart(words: list[str]) -> None:
    assert read_by_batch_file(windows_command_line(BATCH, ["npx", *words], CMD)) == words


@examples(1)
@given(WORDS)
def test_any_words_reach_a_program_apart(words: list[str]) -> None:
    assert read_by_c_runtime(windows_command_line(EXE, ["node", *words], CMD))[1:] == words


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("-y", "-y"),
        ("@scope/notes@1.0", "@scope/notes@1.0"),
        ("C:\\dir\\file", "C:\\dir\\file"),
        ("C:\\dir\\", '"C:\\dir\\\\"'),
        ("", '""'),
        ("a b", '"a b"'),
        ('a"b', '"a""b"'),
        ("%PATH%", '"%%cd:~,%PATH%%cd:~,%"'),
        ("a&b", '"a&b"'),
        ("é", '"é"'),
    ],
)
def test_a_word_for_a_batch_file_is_quoted_only_where_it_must_be(word: str, expected: str) -> None:
    assert batch_word(word) == expected


@pytest.mark.parametrize("word", ["\n", "\r", "\0", "a\nb", "a\r", "\0a", 'a"\n'])
def test_a_line_break_cannot_be_given_to_a_batch_file(word: str) -> None:
    with pytest.raises(ValueError, match="line break"):
        batch_word(word)
    with pytest.raises(ValueError, match="line break"):
        windows_command_line(BATCH, ["npx", "a", word], CMD)


def test_a_line_break_can_be_given_to_a_program() -> None:
    assert windows_command_line(EXE, ["node", "-e", "a\nb"], CMD) == "node -e a\nb"


@pytest.mark.parametrize("exe", [r"C:\npx.cmd", r"C:\npx.CMD", r"C:\x.bat", r"C:\x.Bat"])
def test_a_batch_file_goes_through_cmd(exe: str) -> None:
    assert windows_command_line(exe, ["npx", "-y", "a b"], CMD) == (
        f'"{CMD}" /e:ON /v:OFF /d /s /c ""{exe}" -y "a b""'
    )


@pytest.mark.parametrize("exe", [r"C:\npx.exe", r"C:\cmd", r"C:\a.cmd.exe", r"C:\bat.com"])
def test_everything_else_does_not(exe: str) -> None:
    assert windows_command_line(exe, ["npx", "-y", "a b", 'c"d'], CMD) == 'npx -y "a b" c\\"d'
