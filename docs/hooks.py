"""What mkdocs adds to the pages in docs/: the addresses, and a page for every rule from its help page.

Only ``on_config`` and ``on_files`` know mkdocs; the rest makes Markdown, and the tests call it without.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcp_tap.commands.check_help import versions
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.rules.registry import RULES
from mcp_tap.views.findings import sentence
from mcp_tap.views.links import REPOSITORY, SITE

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

FAMILIES = {
    "FRM": "Framing: bytes and lines on the wire",
    "RPC": "JSON-RPC: the shape of messages, ids and errors",
    "LIF": "Lifecycle: start, handshake, unanswered requests",
    "CAP": "Capabilities: declared and used",
    "CAN": "Cancellation",
    "PRG": "Progress notifications",
    "TOL": "Tools: names, schemas, arguments, lists",
    "RES": "Results of tools, prompts and resources",
    "PRV": "Providers: what the APIs of models refuse, and placeholders",
    "MOD": "MCP 2026-07-28: the version without a handshake",
    "PRF": "Performance: time and size",
    "PRO": "Processes: start, crash, shutdown",
    "TAP": "The recording itself",
    "SEC": "Security: credentials, prompt injection, tools that changed",
}
"""What the first three letters of an id stand for, in the order of the index."""

AT_FAULT = {"sender": "whoever sent it", "undecided": "unknown"}
"""How a page puts what ``--json`` calls otherwise."""

PART = re.compile(r"(What it means|Why it matters|What to do): (.+)", re.DOTALL)
EXAMPLE = re.compile(r"(Fails|Passes)(?:, )?([^\n]*?)(?: \(and ([A-Z0-9, ]+)\))?:\n(.+)", re.DOTALL)
CODE_SPAN = re.compile(r"(``.+?``|`[^`]+`)")

INDEX = """\
# Rules

`mcp-tap check` runs {count} rules. Each has a page that says what it means, why it matters and what to do,
with examples that the test suite runs. `mcp-tap check --explain RES001` prints the same page in the terminal.

Severities are the defaults; [your configuration](../diagnosing.md#configuration) can change them. *At fault*
is the side that a finding blames, unless the recording proves otherwise.

{families}

## Reading the examples

Examples are shortened recordings of a session in MCP 2025-11-25 whose handshake has already happened.

| line | meaning |
|---|---|
| `→ 5 tools/call {{…}}` | the client sends request 5 with these params |
| `← 5 result {{…}}` | the server answers it |
| `→ notifications/initialized` | a notification: it has no id |
| `←| text` | a line that is sent exactly as it stands here |
| `2> text` | a line on the server's stderr |
| `·· exit code=1` | an event that the tap records: end of a stream, exit, signal |
| `0.4 ← …` | the same, 0.4 seconds after the start |
| `…` in place of params or result | the usual ones |
| `...` | the recording ends here; in other examples the session is then closed as usual |

*Given* says what is different about a session:

| given | meaning |
|---|---|
| `from the start` | the handshake, if there is one, is part of the example |
| `2025-06-18` | the session uses this version of MCP |
| `client {{…}}`, `server {{…}}` | the capabilities that this side has declared |
| `listed […]` | the tools that the server has listed |
| `baseline {{…}}` | hashes of the tools in a [baseline](../diagnosing.md#baselines) |
"""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Set the addresses, and put the rules into the navigation."""
    config.site_url, config.repo_url = SITE, REPOSITORY
    config.repo_name = REPOSITORY.split("/", 3)[3]
    families = [
        {title.partition(":")[0]: [path_of(rule) for rule in rules_of(family)]}
        for family, title in FAMILIES.items()
    ]
    config.nav = [*(config.nav or []), {"Rules": ["rules/index.md", *families]}]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that no file holds."""
    from mkdocs.structure.files import File

    for path, text in pages().items():
        files.append(File.generated(config, path, content=text))
    return files


def pages() -> dict[str, str]:
    """The generated pages: Markdown by path below docs/."""
    return {"rules/index.md": index(), **{path_of(rule): page(rule) for rule in RULES}}


def path_of(rule: type[Rule]) -> str:
    """Where a rule's page is; ``mcp_tap.views.links.rule_url`` is its address on the web."""
    return f"rules/{rule.id.lower()}.md"


def rules_of(family: str) -> list[type[Rule]]:
    """The rules of a family, by id."""
    return sorted((rule for rule in RULES if rule.id.startswith(family)), key=lambda rule: rule.id)


def index() -> str:
    """The list of all rules, a table for each family."""
    families = "\n\n".join(
        "\n".join([f"## {title}", "", *table(rules_of(family))]) for family, title in FAMILIES.items()
    )
    return INDEX.format(count=len(RULES), families=families)


def table(rules: list[type[Rule]]) -> Iterator[str]:
    """A row for each rule."""
    yield "| rule | what it reports | severity | at fault |"
    yield "|---|---|---|---|"
    for rule in rules:
        link = f"[{rule.id}]({rule.id.lower()}.md)"
        yield f"| {link} | {prose(rule.title)} | {rule.severity} | {at_fault(rule)} |"


def at_fault(rule: type[Rule]) -> str:
    """Whom the rule blames, as a reader would put it."""
    return AT_FAULT.get(rule.culprit, rule.culprit)


def page(rule: type[Rule]) -> str:
    """A rule's help page as Markdown."""
    summary, _, text = rule.help().partition("\n")
    certainty = "proven" if rule.certainty == "proven" else "likely (a heuristic)"
    link = rule.link()
    parts = [
        f"# {rule.id}: {prose(rule.title)}",
        prose(summary),
        "| severity | at fault | certainty | holds |\n|---|---|---|---|\n"
        f"| {rule.severity} | {at_fault(rule)} | {certainty} | {versions(rule)} |",
        *(markdown(block) for block in text.strip().split("\n\n")),
        *([f"See the [specification]({link})."] if link else []),
        f"In the terminal: `mcp-tap check --explain {rule.id}`. The examples are explained "
        "[below the list of rules](index.md#reading-the-examples).",
    ]
    return "\n\n".join(parts) + "\n"


def markdown(block: str) -> str:
    """A block of a help page: a part with its heading, an example as code, or a paragraph."""
    part, example = PART.match(block), EXAMPLE.match(block)
    if example:
        kind, given, also, lines = example.groups()
        code = "\n".join(line.removeprefix("    ") for line in lines.splitlines())
        notes = [f"Given: `{given}`"] if given else []
        notes += [f"Reported as well: {also}"] if also else []
        return "\n\n".join([f"## {kind}", *notes, f"```text\n{code}\n```"])
    if part:
        return f"## {part[1]}\n\n{prose(sentence(part[2]))}"
    return prose(block)


def prose(text: str) -> str:
    """Text without line breaks, in which nothing outside code is taken for Markdown or HTML."""
    pieces = CODE_SPAN.split(" ".join(text.split()))
    return "".join(
        piece if at % 2 else re.sub(r"([\\*_#\[\]|<])", r"\\\1", piece) for at, piece in enumerate(pieces)
    )
