"""SEC001: credential in tool arguments."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Request
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.credentials import Credential, credentials_in, looks_secret
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.record.patterns import lazy
from mcp_tap.rules.security._base import article, named

INDEX = lazy(r"\[\d+\]")


class SecretInArguments(Rule):
    """A credential in the arguments of a tool.

    What it means: the client passed a tool something that has the format of a well-known token (a
    GitHub or Slack token, a private key, a password in a URL …), or a value whose name suggests a
    credential (`password`, `api_key`, `Authorization`). Placeholders and masked values do not
    count.

    Why it matters: whatever a model passes to a tool has been in its context, ends up in logs, and
    stays in the conversation. A known format is an error; a value that only has a suspicious name
    is a warning.

    Fails (and SEC003):
        → 5 tools/call {"name":"fetch","arguments":{"url":"https://ann:s3cr3t-w0rd@build.test/feed"}}
        ← 5 result {"content":[{"type":"text","text":"ok"}]}

    Fails (and SEC003):
        → 5 tools/call {"name":"login","arguments":{"user":"ann","password":"tr0ub4dor&3"}}
        ← 5 result {"content":[{"type":"text","text":"ok"}]}

    Passes:
        → 5 tools/call {"name":"fetch","arguments":{"headers":{"Authorization":"Bearer ${API_TOKEN}"},
            "pageToken":"CAUQAA-2938475","password":"[masked]"}}
        ← 5 result {"content":[{"type":"text","text":"ok"}]}

    What to do: give the server the credential through its environment or configuration, so that the
    model does not need to know it. If it was real, revoke it.
    """

    id = "SEC001"
    title = "credential in tool arguments"
    severity = "error"
    culprit = "client"
    methods = frozenset({"tools/call"})
    next = "give the server the credential through its environment or configuration; if it is real, revoke it"
    spec = "2025-11-25/basic/security_best_practices"

    @sees(sides="c2s", cue=looks_secret)
    def request(self, request: Request) -> None:
        tool = request.params.get("name")
        tool = tool if isinstance(tool, str) else "?"
        for each in credentials_in(request.params.get("arguments"), "arguments"):
            self._report(request, tool, each)

    def _report(self, request: Request, tool: str, each: Credential) -> None:
        what = article(each.kind) if each.proven else "what looks like a credential"
        self.hit(
            request,
            f"client passed {what} to tool {named(tool)} in {each.path}: {each.masked}",
            key=f"{tool} {INDEX.sub('[]', each.path)}",
            severity="error" if each.proven else "warning",
            culprit="client" if each.proven else "undecided",
            certainty="proven" if each.proven else "heuristic",
        )
