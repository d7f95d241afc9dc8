"""What programs say on stderr before they give up, and what each of it takes.

stderr is neutral: nothing here is a fault by itself. It is the evidence where a server died, and
the hint what to do.
"""

from __future__ import annotations

from dataclasses import dataclass

from mcp_tap.diagnosis.recognise.complaint import Complaint, any_case, complaint
from mcp_tap.diagnosis.recognise.launcher_complaints import OF_LAUNCHERS
from mcp_tap.diagnosis.recognise.runtime_complaints import OF_RUNTIMES
from mcp_tap.record.argv_masking import MASK, mask_argv
from mcp_tap.record.patterns import lazy

LINE_EXAMINED = 500
"""Characters of a line of stderr that are looked at; as many bytes as the model keeps of it."""

LINE_QUOTED = 140
"""Characters of a line of stderr in a sentence."""


QUOTE = "['\"‘’`“”]?"

CREDENTIAL = "(?:api[ _-]?key|(?:access|auth|bearer|api)[ _-]?token|credentials?)"

MISSING_PROGRAM = "missing-program"

NOT_A_COMMAND = (
    r"^'([^']+)' (?:不是内部或外部命令|不是內部或外部命令)",
    r"^'([^']+)' は、内部コマンド",
    r"^'([^']+)'[은는]\S* 내부 또는 외부 명령",
    r"^[\"']([^\"']+)[\"'] не является внутренней",
    r"^Der Befehl [\"']([^\"']+)[\"'] ist entweder falsch",
    r"^'([^']+)' n.est pas reconnu en tant que",
    r"^[\"']([^\"']+)[\"'] no se reconoce como",
    r"^[\"']([^\"']+)[\"'] non . riconosciuto come",
    r"^'([^']+)' n.o . reconhecido como",
    r"^Nazwa '([^']+)' nie jest rozpoznawana",
)
"""What cmd says in other languages where it finds no such program."""

GENERAL: tuple[Complaint, ...] = (
    complaint(
        MISSING_PROGRAM,
        "the command {} was not found",
        "environment",
        "use the absolute path of {}, or set PATH in the `env` of the server's entry in the client's "
        "configuration",
        rf"\benv: {QUOTE}([^\s'’]+){QUOTE}: No such file or directory",
        r"(?:^|/|\b)(?:ba|da|z|k|fi)?sh: (?:line )?(?:\d+: )?([^\s:]+): (?:command )?not found",
        r"^([^\s:]+): command not found",
        r"command not found: (\S+)",
        r"'([^']+)' is not recognized as an internal or external command",
        r"\bspawn (\S+) ENOENT\b",
        r'exec: "([^"]+)": executable file not found in \$PATH',
        r"[Tt]he term '([^']+)' is not recognized",
        *NOT_A_COMMAND,
        what="the program",
    ),
    complaint(
        "missing-python-module",
        "the Python module {} is missing",
        "environment",
        "install {} for the Python that the command starts, or start the Python of the right environment "
        "(absolute path, or uvx)",
        r"(?:ModuleNotFoundError: )?No module named '?([\w.]+)'?",
        r"ModuleNotFoundError",
        what="that is named",
    ),
    complaint(
        "import-failed",
        "a Python import failed",
        "environment",
        "the installed packages are incompatible: install the versions that the server requires",
        r"\bImportError\b",
    ),
    complaint(
        "missing-node-module",
        "the Node module {} is missing",
        "environment",
        "check the path in the server's entry; if it is right, run npm install (and the build) there",
        r"Cannot find (?:module|package) '([^']+)'",
        r"ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND",
        what="that is named",
    ),
    complaint(
        "port-in-use",
        "a port is in use",
        "environment",
        "another process is using the port, perhaps a second instance of this server: stop it, or use "
        "another port",
        r"EADDRINUSE|port is already allocated|[Aa]ddress (?:is )?already in use",
        r"Only one usage of each socket address",
    ),
    complaint(
        "unset-variable",
        "the environment variable {} seems to be unset",
        "environment",
        "set {} in the `env` of the server's entry in the client's configuration: clients do not pass on "
        "the variables of your shell",
        r"\bKeyError: '([A-Z][A-Z0-9_]{2,60})'",
        r"\b([A-Z][A-Z0-9]*_[A-Z0-9_]{1,60})\b[^\w\n]{0,3}(?: environment variable| env var)?"
        r" (?:is |was |must be |has to be )?(?:required|missing|not set|not defined|undefined|unset|set\b)",
        r"(?:[Mm]issing|(?:[Pp]lease|[Mm]ust) set|[Rr]equires?|[Uu]ndefined)(?: the| required| an?)*"
        r"(?: environment variables?| env vars?)?[:\s]+['\"`]?([A-Z][A-Z0-9]*_[A-Z0-9_]{1,60})\b",
        what="it",
    ),
    complaint(
        "missing-credential",
        "a credential seems to be missing",
        "environment",
        "give the server its key or token in the `env` of its entry in the client's configuration",
        any_case(rf"\b{CREDENTIAL}\b.{{0,60}}\b(?:missing|required|not (?:set|found)|must be|undefined)\b"),
        any_case(rf"\b(?:missing|no|provide|invalid|requires?)\b.{{0,30}}\b{CREDENTIAL}\b"),
    ),
    complaint(
        "out-of-memory",
        "memory ran out",
        "environment",
        "give the server more memory, or less to do at once (Node: --max-old-space-size)",
        r"heap out of memory|Reached heap limit|\bMemoryError\b|[Oo]ut of memory|OutOfMemoryError",
        r"[Cc]annot allocate memory|std::bad_alloc|^Killed\b",
    ),
    complaint(
        "python-version",
        "the Python version is not supported",
        "environment",
        "start the server with a version of Python that it supports (uvx --python)",
        any_case(
            r"requires[ -](?:a different )?python\b|python \d[\d.]* is not supported|only supports python"
        ),
    ),
    complaint(
        "node-version",
        "the Node version is not supported",
        "environment",
        "start the server with a version of Node that it supports: the PATH of a client often differs "
        "from that of your shell (nvm)",
        any_case(r"unsupported engine|requires node(?:\.?js)?\b"),
        any_case(r"node(?:\.?js)? v?\d[\d.]* (?:is|or|\+).{0,30}(?:required|not supported)"),
        r'The engine "node" is incompatible',
    ),
    complaint(
        "uv-failed",
        "uv could not provide the package",
        "environment",
        "run the same command in a terminal: uv then says what cannot be resolved or fetched",
        r"No solution found when resolving|error: Failed to (?:resolve|download|fetch|spawn|build|parse)",
        r"[×x] (?:Failed to|No solution)|was not found in the package registry",
    ),
    complaint(
        "npm-failed",
        "npm could not provide the package",
        "environment",
        "run the same command in a terminal: npm then says what cannot be installed",
        r"npm (?:ERR!|error) code (E\w+)",
        vague=True,
    ),
    complaint(
        "permission",
        "permission was denied",
        "environment",
        "check the permissions of the file that is named",
        r"[Pp]ermission denied|\bEACCES\b|\bEPERM\b|PermissionError|Access is denied",
    ),
    complaint(
        "syntax-error",
        "the program does not parse",
        "server",
        "the interpreter may be too old for the program (or the file is not in that language): "
        "check which version is started",
        r"\bSyntaxError\b|ERR_REQUIRE_ESM|ERR_UNKNOWN_FILE_EXTENSION",
    ),
    complaint(
        "network",
        "the network did not answer",
        "environment",
        "check the network, the proxy and the certificates of the process that the client starts",
        r"\b(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)\b|[Cc]ertificate verify failed",
        r"SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER|Name or service not known",
        r"Temporary failure in name resolution",
    ),
    complaint(
        "usage",
        "the arguments were not accepted",
        "environment",
        "check the arguments in the server's entry in the client's configuration",
        r"^[Uu]sage:|unrecognized arguments?|the following arguments are required",
        r"[Uu]nknown option|[Mm]issing required argument|None of the specified directories",
        vague=True,
    ),
    complaint(
        "missing-file",
        "a file is missing",
        "environment",
        "check the paths in the server's entry; relative paths start at the folder in which the client "
        "starts it",
        r"\bENOENT\b|FileNotFoundError|[Nn]o such file or directory|can't open file|Unable to access jarfile",
    ),
)
"""What any program says."""

COMPLAINTS = (*OF_RUNTIMES, *OF_LAUNCHERS, *GENERAL)
"""Known complaints, the more telling ones first: the first that fits a line is it."""


FIRST_LOOK = (
    *("not found", "no such", "not recognized", "enoent", "no module", "modulenotfound", "importerror"),
    *("cannot find", "err_", "module_not", "eaddrinuse", "already in use", "usage", "keyerror", "required"),
    *("missing", "not set", "not defined", "undefined", "unset", "set", "requires", "must be", "provide"),
    *("credential", "no api", "invalid", "memory", "bad_alloc", "killed", "heap", "python", "node"),
    *("engine", "solution", "failed to", "registry", "npm err", "docker", "tty", "denied", "eacces"),
    *(
        "eperm",
        "permission",
        "syntaxerror",
        "econn",
        "enotfound",
        "eai_again",
        "etimedout",
        "certificate",
        "cert",
    ),
    *(
        "name resolution",
        "unrecognized",
        "unknown option",
        "specified directories",
        "can't open",
        "unable to",
    ),
    *(
        "service not known",
        "filenotfound",
        "module_version",
        "glibc",
        "exec format",
        "architecture",
        "bad cpu",
    ),
    *("capable", "uv_cwd", "lock", "another instance", "already running", "executable", "version", "issuer"),
    *("self-signed", "self signed", "is not a function", "no attribute", "could not be opened", "matching"),
    *(
        "another platform",
        "shared librar",
        "operand",
        "object is not",
        "shared object",
        "library",
        "attribute",
        "exist in",
        "allocated",
        "npm error",
    ),
)
"""What a line has in it, in small letters, that any of the table fits: a cheap first look."""


@dataclass(frozen=True, slots=True)
class Match:
    """A complaint that was found: ``line`` is where, ``telling`` its words, ``what`` what it is about."""

    complaint: Complaint
    line: str
    what: str | None
    telling: str = ""

    @property
    def title(self) -> str:
        """What is wrong, in a few words."""
        return self._about(self.complaint.title)

    @property
    def next(self) -> str:
        """What to do."""
        return self._about(self.complaint.next)

    def _about(self, text: str) -> str:
        return text.replace("{}", f"`{masked(self.what)}`" if self.what else self.complaint.what)


def read_complaint(line: str) -> Match | None:
    """The complaint in a line of stderr, if it is a known one."""
    line = line[:LINE_EXAMINED]
    small = line.lower()
    if line.isascii() and not any(word in small for word in FIRST_LOOK):
        return None
    for each in COMPLAINTS:
        found = each.pattern.search(line)
        if found is not None:
            what = next((group for group in found.groups() if group), None)
            return Match(each, line, what, found[0])
    return None


_NAMED_VALUE = lazy(
    r"(?i)(\b[\w-]*(?:key|token|secret|passw(?:or)?d|credentials?|authorization)\b[\"']?\s*[:=]\s*[\"']?)"
    r"(?=[^\s\"']*\d)([^\s\"',;]{8,})"
)


def masked(text: str) -> str:
    """``text`` without what looks like a secret: as a whole, word by word, and after a telling name."""
    whole = mask_argv([text])[0]
    words = " ".join(mask_argv(whole.split(" ")))
    return _NAMED_VALUE.sub(rf"\1{MASK}", words)


def brief(text: str, limit: int = LINE_QUOTED, telling: str = "") -> str:
    """A line of stderr as a part of a sentence: masked, on one line, shortened around what is ``telling``."""
    line = " ".join(masked(text[:LINE_EXAMINED]).split())
    if len(line) <= limit:
        return line
    end = line.find(telling) + len(telling) if telling and telling in line else 0
    if end < limit:
        return line[: limit - 1] + "…"
    start = max(0, end - len(telling) - limit // 4)
    cut = "…" + line[start : start + limit - 2]
    return cut if start + limit - 2 >= len(line) else cut + "…"


def unquoted(line: str, limit: int = LINE_QUOTED) -> str | None:
    """A line as evidence beside a sentence that has :func:`brief` of it; None where that is all of it."""
    whole = masked(line)
    return None if " ".join(whole.split()) == brief(line, limit) else whole
