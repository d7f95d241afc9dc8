"""Which words of a command line are written down, and which are masked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.record.argv_masking import MASK, is_secret_name, mask_argv
from tests.profiles import examples

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["--token", "hunter2"], ["--token", MASK]),
        (["-token", "hunter2"], ["-token", MASK]),
        (["--token=hunter2"], [f"--token={MASK}"]),
        (["--token=hunter2", "a"], [f"--token={MASK}", "a"]),
        (["--token:hunter2"], [f"--token:{MASK}"]),
        (["--token="], [f"--token={MASK}"]),
        (["--token=a=b c\nd"], [f"--token={MASK}"]),
        (["--token", "-x7"], ["--token", MASK]),
        (["--token", ""], ["--token", MASK]),
        (["--token", "a", "b"], ["--token", MASK, "b"]),
        (["--token", "--verbose", "a"], ["--token", "--verbose", "a"]),
        (["--token", "--password", "a"], ["--token", "--password", MASK]),
        (["--token", "--port=80", "a"], ["--token", "--port=80", "a"]),
        (["a", "--token"], ["a", "--token"]),
        (["--api-key", "k"], ["--api-key", MASK]),
        (["--apiKey", "k"], ["--apiKey", MASK]),
        (["--apikey", "k"], ["--apikey", MASK]),
        (["--github-token", "k"], ["--github-token", MASK]),
        (["--githubToken=k"], [f"--githubToken={MASK}"]),
        (["--db.password", "k"], ["--db.password", MASK]),
        (["--client-secret", "k"], ["--client-secret", MASK]),
        (["--private_key", "k"], ["--private_key", MASK]),
        (["--dsn", "k"], ["--dsn", MASK]),
        (["--key", "k"], ["--key", MASK]),
        (["API_KEY=k"], [f"API_KEY={MASK}"]),
        (["-e", "API_KEY=k", "-e", "HOME=/root"], ["-e", f"API_KEY={MASK}", "-e", "HOME=/root"]),
        (["-eAPI_KEY=k"], [f"-eAPI_KEY={MASK}"]),
        (["--env", "GITHUB_PERSONAL_ACCESS_TOKEN=k"], ["--env", f"GITHUB_PERSONAL_ACCESS_TOKEN={MASK}"]),
        (["--env=PG_PASSWORD=k"], [f"--env=PG_PASSWORD={MASK}"]),
        (["--header", "Authorization: Bearer abc"], ["--header", f"Authorization: {MASK}"]),
        (["--header", "authorization:abc"], ["--header", f"authorization: {MASK}"]),
        (["--header=Authorization: Bearer abc"], [f"--header=Authorization: {MASK}"]),
        (["-H", "X-Api-Key: abc def"], ["-H", f"X-Api-Key: {MASK}"]),
        (["-H", "Cookie: a=b; c=d"], ["-H", f"Cookie: {MASK}"]),
        (["-H", "X-Forward: Bearer abc"], ["-H", f"X-Forward: Bearer {MASK}"]),
        (["bearer abc"], [f"bearer {MASK}"]),
        (["Basic dXNlcjpwYXNz"], [f"Basic {MASK}"]),
        (["https://user:pw@example.com/x"], [f"https://{MASK}@example.com/x"]),
        (["https://user@example.com"], [f"https://{MASK}@example.com"]),
        (["--url=postgres://u:p@db:5432/x"], [f"--url=postgres://{MASK}@db:5432/x"]),
        (["DATABASE_URL=postgres://u:p@db/x"], [f"DATABASE_URL=postgres://{MASK}@db/x"]),
        (["postgres://u:p@ss@db/x"], [f"postgres://{MASK}@db/x"]),
        (["https://h/x?api_key=k&page=2"], [f"https://h/x?api_key={MASK}&page=2"]),
        (["https://h/x?page=2&accessToken=k#top"], [f"https://h/x?page=2&accessToken={MASK}#top"]),
        (["Server=db;User=sa;Password=hunter2;Port=1"], [f"Server=db;User=sa;Password={MASK};Port=1"]),
        (["sk-abcdefghijklmnop"], [MASK]),
        (["sk-ant-api03-abcdefghijklmnop"], [MASK]),
        (["ghp_abcdefghijklmnop"], [MASK]),
        (["github_pat_11ABCDEFG0abcdefghij"], [MASK]),
        (["glpat-abcdefghijklmnop"], [MASK]),
        (["xoxb-1234567890-abc"], [MASK]),
        (["AKIAABCDEFGHIJKLMNOP"], [MASK]),
        (["AIza" + "a" * 35], [MASK]),
        (["npm_abcdefghijklmnopqrst"], [MASK]),
        (["pypi-abcdefghijklmnop"], [MASK]),
        (["hf_abcdefghijklmnop"], [MASK]),
        ([JWT], [MASK]),
        (["--x=ghp_abcdefghijklmnop"], [f"--x={MASK}"]),
        (["a,ghp_abcdefghijklmnop,b"], [f"a,{MASK},b"]),
        (["--pass", "k"], ["--pass", MASK]),
        (["DB_PASS=k"], [f"DB_PASS={MASK}"]),
        (["--jwt", "k", "--creds", "k", "--otp", "1"], ["--jwt", MASK, "--creds", MASK, "--otp", MASK]),
        (["--auth-header", "k"], ["--auth-header", MASK]),
        (["--connection-string", "a;b"], ["--connection-string", MASK]),
        (["-u", "bob:hunter2"], ["-u", f"bob:{MASK}"]),
        (["--user=bob:hunter2"], [f"--user=bob:{MASK}"]),
        (["bob:hunter2@db.example.com/x"], [f"bob:{MASK}@db.example.com/x"]),
        (["scott/tiger@//db:1521/x"], [f"scott/{MASK}@//db:1521/x"]),
        (["https://h/x?sig=k&se=1"], [f"https://h/x?sig={MASK}&se=1"]),
        (["https://h/x?code=k"], [f"https://h/x?code={MASK}"]),
        (["https://h/cb#access_token=k"], [f"https://h/cb#access_token={MASK}"]),
        (["host=h user=bob password=hunter2 port=1"], [f"host=h user=bob password={MASK} port=1"]),
        (["export TOKEN=k; exec x"], [f"export TOKEN={MASK}; exec x"]),
        (["export TOKEN='a b'; exec x"], [f"export TOKEN={MASK}; exec x"]),
        (["npx x --token k -v"], [f"npx x --token {MASK} -v"]),
        (["curl -u bob:hunter2 https://x"], [f"curl -u bob:{MASK} https://x"]),
        (["{'token': 'k', 'a': 'b'}"], [f"{{'token': '{MASK}', 'a': 'b'}}"]),
        (["/token:k"], [f"/token:{MASK}"]),
        (["https://hooks.example.com/services/T0/B0/aB3dE5gH7jK9mN1pQ3sT"],
         [f"https://hooks.example.com/services/T0/B0/{MASK}"]),
        (["https://mcp.example.com/s/7f9c24e5-2c1b-4a2d-9f43-0f0c8e2b7a11/mcp"],
         [f"https://mcp.example.com/s/{MASK}/mcp"]),
        (["https://mcp.example.com/" + "0a" * 16 + "?x=1"], [f"https://mcp.example.com/{MASK}?x=1"]),
    ],
)  # fmt: skip
def test_secrets_are_masked_and_what_surrounds_them_stays(argv: list[str], expected: list[str]) -> None:
    assert mask_argv(argv) == expected


L = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
HEX = "0a1b2c3d" * 4


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("sk_live_" + L, MASK),
        ("rk_test_" + L, MASK),
        ("SG." + L[:22] + "." + L, MASK),
        ("dop_v1_" + HEX * 2, MASK),
        ("SK" + HEX, MASK),
        ("AC" + HEX + ":" + L, "AC" + HEX + ":" + MASK),
        ("123456789:AA" + L[:33], MASK),
        ("M" + L[:25] + "." + L[:6] + "." + L[:30], MASK),
        ("AKIA" + "2B7QXK4MNR5TWZ3C:" + (L + L)[:40], MASK),
        ("gsk_" + L, MASK),
        ("hvs." + L, MASK),
        ("glsa_" + L, MASK),
        ("shpat_" + HEX, MASK),
        ("x=https;AccountKey=" + L + "==;y=1", f"x=https;AccountKey={MASK};y=1"),
        ("-----BEGIN " + "PRIVATE KEY-----\n" + L + "\n-----END " + "PRIVATE KEY-----", MASK),
        ("-----BEGIN " + "RSA PRIVATE KEY-----\n" + L, MASK),
    ],
)
def test_a_token_is_masked_by_its_shape_alone(word: str, expected: str) -> None:
    assert mask_argv(["npx", "pkg", word]) == ["npx", "pkg", expected]


@pytest.mark.parametrize(
    "word", ["SKILL", "SG.md", "pypi-server", "xai-tools", "hf_hub", "AC" + HEX, "1.2.3", "tvly-mcp"]
)
def test_a_word_that_begins_like_a_token_stays(word: str) -> None:
    assert mask_argv(["npx", word]) == ["npx", word]


@pytest.mark.parametrize(
    "argv",
    [
        [],
        [""],
        ["npx", "-y", "@scope/server-monkey@1.2.3"],
        ["monkey", "turkey", "keyboard", "monkey=1"],
        ["--keyboard", "qwerty"],
        ["--keyboard=qwerty"],
        ["--max-tokens", "100"],
        ["--author", "me"],
        ["--path", "/srv/notes"],
        ["--pattern=*.md"],
        ["tokenizer.json", "--tokenizer", "bpe"],
        ["token", "secret", "password"],
        ["/home/me/token/secret.txt", "./api_key", "C:\\keys\\key.pem"],
        ["https://example.com/mcp", "http://localhost:8080/?page=2&monkey=1"],
        ["https://registry.example.com/@scope/package@1"],
        ["https://example.com/mcp?account=me@example.org"],
        ["https://example.com?account=me@example.org"],
        ["file:///srv/notes"],
        ["mcp/auth:latest", "ghcr.io/x/token:1", "redis:7", "localhost:8080"],
        ["-e", "API_KEY", "image"],
        ["-p", "8080:80", "-i", "--rm"],
        ["HOME=/root", "PATH=/bin", "A=b=c"],
        ["sk-learn", "ghp_short", "npm_config", "xoxo", "hf_hub"],
        ["task-sk-abcdefghijk", "desk-abcdefghijklmnopqrst"],
        ["auth://host/x", "secret:///x"],
        ["--", "-", "--=", "=", ":", "-1"],
        ["user@example.com"],
        ["Content-Type: application/json"],
        ["-c", "import time; time.time()"],
        ["-u", "1000:1000", "--user", "node", "-u", "server.py"],
        ["npm:left-pad@latest", "jsr:@scope/x@1", "ghcr.io/x/y:1.0@sha256:0a0a", "x:1.0@sha256:0a0a"],
        ["https://github.com/some-organisation/a-rather-long-repository-name-2"],
        ["https://h/x?page=2&coded=1", "code=1", "/srv/token", "/path:x"],
        ["npx x --port 80 --name token"],
        ["--bypass", "x", "--session", "x"],
    ],
)
def test_words_that_are_no_secrets_stay(argv: list[str]) -> None:
    assert mask_argv(argv) == argv


@pytest.mark.parametrize(
    "name",
    ["TOKEN", "token", "--token", "API_KEY", "apiKey", "APIKey", "X-Api-Key", "accessToken", "auth",
     "Authorization", "db password", "aws.secret", "session_id", "GITHUB_PAT", "credential",
     "credentials", "SENTRY_DSN", "key"],
)  # fmt: skip
def test_a_name_of_a_secret_is_known(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    ["", "-", "monkey", "keyboard", "tokenizer", "max_tokens", "maxTokens", "public-key", "author",
     "path", "PATH", "key_file",
     "password-hint", "authority", "secretary", "compat", "HOME"],
)  # fmt: skip
def test_a_name_that_only_resembles_one_is_not_taken_for_it(name: str) -> None:
    assert not is_secret_name(name)


def test_the_given_words_are_left_as_they_are() -> None:
    argv = ["--token", "hunter2"]
    mask_argv(argv)
    assert argv == ["--token", "hunter2"]


WORDS = st.text(max_size=12) | st.sampled_from(
    ["--token", "--token=x", "-e", "A=b", "API_KEY=x", "K: v", "Authorization: x", "https://u:p@h/?key=x",
     "--", "", "Bearer x", "\udcff", "\n", "--x:y", "sk-abcdefghijklmnop"]
)  # fmt: skip


@examples(2)
@given(st.lists(WORDS, max_size=8))
def test_any_command_line_keeps_its_number_of_words(argv: list[str]) -> None:
    assert len(mask_argv(argv)) == len(argv)


@examples(1)
@given(st.lists(WORDS, max_size=4), st.sampled_from(["--token", "--api-key"]), st.text(min_size=1))
def test_the_word_after_a_secret_option_is_masked_wherever_it_stands(
    before: list[str], option: str, secret: str
) -> None:
    if not secret.startswith("-"):
        assert mask_argv([*before, "stop", option, secret])[-2:] == [option, MASK]


@examples(1)
@given(st.lists(WORDS, max_size=8))
def test_masking_what_is_masked_changes_nothing(argv: list[str]) -> None:
    once = mask_argv(argv)
    assert mask_argv(once) == once
