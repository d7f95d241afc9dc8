"""How secrets are written, whatever they are called: one table for command lines and for the rules.

A command line is masked in doubt: what begins like a token is not shown (``masked``). A rule accuses, so
it wants the whole shape (``proven``). A pattern is compiled where its anchor stands in a text, so a long
table costs the start of ``run`` nothing.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mcp_tap.record.patterns import lazy

DIGIT = lazy(r"\d")


class Shape(NamedTuple):
    """How tokens of one kind are written; each of them has one of ``anchors`` in it.

    ``masked`` finds what is not shown in a command line (its group 1 stays, if it has one). The token that
    ``proven`` finds is its group 1, and ``sure`` is what that must hold besides; None where no rule looks.
    """

    kind: str
    anchors: tuple[str, ...]
    masked: re.Pattern[str] | None
    proven: re.Pattern[str] | None = None
    sure: re.Pattern[str] = DIGIT


def shape(pattern: str) -> re.Pattern[str]:
    """A pattern of ASCII letters, as tokens are."""
    return lazy(pattern, re.ASCII)


def token(kind: str, prefix: str, rest: str) -> Shape:
    """Tokens that begin with ``prefix``; they are masked and no rule looks for them."""
    return Shape(kind, (prefix,), shape(rf"(?<![A-Za-z0-9]){re.escape(prefix)}{rest}"))


# A token begins where a run of its letters does, so that each run is tried once: linear in any text.
SHAPES: tuple[Shape, ...] = (
    Shape(
        "private key",
        ("PRIVATE KEY-----",),
        shape(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----))*(?:-----END [A-Z ]{0,60}-----)?"),
        shape(r"(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?=[\s\S]{0,200}?[A-Za-z0-9+/]{24})[\s\S]{0,100})"),
    ),
    Shape(
        "AWS access key",
        ("AKIA", "ASIA"),
        shape(r"(?<![A-Za-z0-9])A[KS]IA[0-9A-Z]{16}(?:[:,/ ][A-Za-z0-9/+]{40})?"),
        shape(r"(?<![A-Za-z0-9])((?:AKIA|ASIA)[0-9A-Z]{16})(?![A-Za-z0-9])"),
    ),
    Shape(
        "GitHub token",
        ("gh",),
        shape(r"(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{16,}"),
        shape(r"(?<![A-Za-z0-9])(gh[pousr]_[A-Za-z0-9]{36,})"),
    ),
    Shape(
        "GitHub token",
        ("github_pat_",),
        shape(r"(?<![A-Za-z0-9])github_pat_\w{16,}"),
        shape(r"(?<![A-Za-z0-9])(github_pat_\w{60,})"),
    ),
    Shape(
        "API key",
        ("sk-",),
        shape(r"(?<![A-Za-z0-9])sk-[\w-]{16,}"),
        shape(r"(?<![\w-])(sk-[\w-]{20,})"),
        shape(r"(?=[a-zA-Z]*\d)[A-Za-z0-9]{16}"),
    ),
    Shape(
        "Slack token",
        ("xox",),
        shape(r"(?<![A-Za-z0-9])xox[abeprs]-[A-Za-z0-9-]{10,}"),
        shape(r"(?<![\w-])(xox[abeprs]-[\w-]{10,})"),
    ),
    Shape(
        "Google API key",
        ("AIza",),
        shape(r"(?<![A-Za-z0-9])AIza[\w-]{30,}"),
        shape(r"(?<![\w-])(AIza[\w-]{35})(?![\w-])"),
    ),
    Shape(
        "GitLab token",
        ("glpat-",),
        shape(r"(?<![A-Za-z0-9])glpat-[\w-]{16,}"),
        shape(r"(?<![\w-])(glpat-[\w-]{20,})"),
    ),
    Shape(
        "npm token",
        ("npm_",),
        shape(r"(?<![A-Za-z0-9])npm_[A-Za-z0-9]{20,}"),
        shape(r"(?<!\w)(npm_[A-Za-z0-9]{36})(?![A-Za-z0-9])"),
    ),
    Shape(
        "Stripe key",
        ("k_live_", "k_test_"),
        shape(r"(?<![A-Za-z0-9])[sr]k_(?:live|test)_\w{10,}"),
        shape(r"(?<!\w)([sr]k_live_\w{16,})"),
    ),
    Shape(
        "JSON Web Token",
        ("eyJ",),
        shape(r"(?<![A-Za-z0-9])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"),
        shape(r"(?<![\w-])(eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,})"),
    ),
    Shape("bearer token", ("Bearer ",), None, shape(r"(?<!\w)Bearer ([\w.~+/-]{20,})")),
    Shape(
        "password in a URL",
        ("://",),
        None,
        shape(r"(?<=://)(?:[^\s/?#:@\"'<>]{0,200}):([^\s/?#@\"'<>]{4,200})@(?=[\w\[])"),
        shape(r"."),
    ),
    token("PyPI token", "pypi-", r"(?=\w*[A-Z0-9]|[\w-]{16,})[\w-]{16,}"),
    token("Hugging Face token", "hf_", r"[A-Za-z0-9]{16,}"),
    token("SendGrid key", "SG.", r"[\w-]{10,}\.[\w-]{10,}"),
    token("DigitalOcean token", "dop_v1_", r"[0-9a-f]{16,}"),
    token("DigitalOcean token", "doo_v1_", r"[0-9a-f]{16,}"),
    token("Groq key", "gsk_", r"[A-Za-z0-9]{16,}"),
    token("xAI key", "xai-", r"(?=[A-Za-z]*\d)[A-Za-z0-9]{20,}"),
    token("Replicate token", "r8_", r"[A-Za-z0-9]{20,}"),
    token("Perplexity key", "pplx-", r"[A-Za-z0-9]{20,}"),
    token("Tavily key", "tvly-", r"[\w-]{16,}"),
    token("Grafana token", "glsa_", r"\w{20,}"),
    token("Shopify token", "shpat_", r"[0-9a-fA-F]{20,}"),
    token("Docker token", "dckr_pat_", r"[\w-]{16,}"),
    token("Linear key", "lin_api_", r"\w{16,}"),
    token("Notion token", "ntn_", r"[A-Za-z0-9]{20,}"),
    token("Databricks token", "dapi", r"[0-9a-f]{32}"),
    token("Vault token", "hvs.", r"[\w-]{20,}"),
    token("Google token", "ya29.", r"[\w-]{20,}"),
    token("Google secret", "GOCSPX-", r"[\w-]{20,}"),
    token("Slack token", "xapp-", r"[\w-]{20,}"),
    token("Supabase token", "sbp_", r"[0-9a-f]{20,}"),
    token("webhook secret", "whsec_", r"[A-Za-z0-9+/=]{16,}"),
    token("Atlassian token", "ATATT3", r"[\w=-]{20,}"),
    token("Twilio key", "SK", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    Shape(
        "Twilio secret",
        ("AC",),
        shape(r"(?<![A-Za-z0-9])(AC[0-9a-f]{32}(?:/SK[0-9a-f]{32})?:)[A-Za-z0-9]{16,}"),
    ),
    Shape("Telegram token", (":AA",), shape(r"(?<!\w)\d{8,10}:AA[\w-]{30,}")),
    Shape("Discord token", (".",), shape(r"(?<![\w.-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}")),
    Shape(
        "Azure key",
        ("AccountKey=", "SharedAccessKey="),
        shape(r"((?:AccountKey|SharedAccessKey)=)[^\s;&\"']+"),
    ),
)
