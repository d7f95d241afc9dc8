"""Credentials that are none, for the tests of what is taken for one.

No token stands here whole: it would be taken for a real one by whoever looks for those.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

LETTERS = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
GITHUB = "ghp_" + LETTERS
TOKENS = {
    "private key": "-----BEGIN " + "RSA PRIVATE KEY-----\n" + LETTERS * 2,
    "AWS access key": "AKIA" + "2B7QXK4MNR5TWZ3C",
    "GitHub token": GITHUB,
    "API key": "sk-" + "ant-api03-" + LETTERS,
    "Slack token": "xoxb-" + "2384723847-a8sd7f6a",
    "Google API key": "AIza" + LETTERS[:35],
    "GitLab token": "glpat-" + LETTERS[:20],
    "npm token": "npm_" + LETTERS,
    "Stripe key": "sk_live_" + LETTERS,
    "JSON Web Token": f"eyJhbGciOiJ9{LETTERS}.eyJ{LETTERS}.{LETTERS}",
    "bearer token": LETTERS,
}
WRITTEN = TOKENS | {"bearer token": "Bearer " + LETTERS}
URL = "postgres://app:s3cr3t-w0rd@db.test/app"


def json_values() -> st.SearchStrategy[Any]:
    """JSON in which credentials, and what is like them, are frequent."""
    names = [
        "password",
        "API_KEY",
        "apiKey",
        "api-key",
        "Authorization",
        "cookie",
        "private_key",
        "privateKey",
    ]
    names += ["token", "progressToken", "clientSecret", "passwd", "passphrase", "name", "a"]
    values = [
        *WRITTEN.values(),
        URL,
        "tr0ub4dor&3",
        'quo"te\\d1234',
        "a=b; c=12345",
        "Basic YW5uOnRyMHVi",
        "ä1" * 9,
    ]
    values += ['https://ann:p"w/d@x', "Bearer a/b+c~d." + LETTERS, "é" * 8 + "1", "\n\t\x01\x02345678", "x"]
    leaves = st.sampled_from(values) | st.text(max_size=20) | st.integers() | st.none() | st.booleans()
    keys = st.sampled_from(names) | st.text(max_size=5) | st.just(GITHUB)
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
        max_leaves=8,
    )
