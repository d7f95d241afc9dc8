"""What runtimes say that do not fit a program, and systems that do not fit a runtime."""

from __future__ import annotations

from mcp_tap.diagnosis.recognise.complaint import Complaint, any_case, complaint

NODE_GLOBALS = (
    "File|Blob|fetch|Headers|Request|Response|FormData|WebSocket|CustomEvent|structuredClone|navigator|crypto"
    "|ReadableStream|EventSource|BroadcastChannel|AbortController|AbortSignal|Iterator|URLPattern"
)
NODE_METHODS = (
    "toSorted|toReversed|toSpliced|findLast|replaceAll|hasOwn|withResolvers|groupBy|parseArgs|isSubsetOf"
    "|getBuiltinModule|styleText|loadEnvFile|fromAsync"
)
NEW_IN_PYTHON = "tomllib|graphlib|zoneinfo|annotationlib|compression"
GONE_FROM_PYTHON = "distutils|imp|asyncore|asynchat|cgi|cgitb|telnetlib|pipes|crypt|imghdr"

OF_RUNTIMES: tuple[Complaint, ...] = (
    complaint(
        "native-module",
        "a native module was built for another version of Node",
        "environment",
        "rebuild it with the Node that the client starts (npm rebuild, or remove its folder in ~/.npm/_npx), "
        "or start the server with the absolute path of the Node it was built for",
        r"NODE_MODULE_VERSION \d+|compiled against a different Node\.js version|not a valid Node-?API",
    ),
    complaint(
        "c-library",
        "the system's C library is older than the program needs",
        "environment",
        "use a build for an older system, build it from source, or start it in a container with "
        "a newer system",
        r"version [`'‘]?(GLIBC(?:XX)?_[\d.]+|CXXABI_[\d.]+|MUSL_\S+?)['’]? not found",
    ),
    complaint(
        "shared-library",
        "the shared library {} is missing",
        "environment",
        "install the library that is named, or use a build of the program for this system",
        r"error while loading shared libraries: ([^:]+)",
        r"Error loading shared library ([^:]+)",
        r"Library not loaded: (\S+)",
        what="that is named",
    ),
    complaint(
        "architecture",
        "the program was built for another processor or system",
        "environment",
        "install the build for this machine's processor and system (for a container: --platform)",
        any_case(r"exec format error|bad cpu type|incompatible architecture|wrong elf class"),
        r"cannot execute binary file|is not a valid Win32 application|for another platform than the one",
    ),
    complaint(
        "node-too-old",
        "Node is too old for the program",
        "environment",
        "start the server with a newer Node: use its absolute path, or put its folder first in PATH in the "
        "`env` of the server's entry",
        rf"ReferenceError: (?:{NODE_GLOBALS}) is not defined",
        rf"TypeError: \S*\b(?:{NODE_METHODS}) is not a function",
        r"No such built-in module: node:|ERR_UNKNOWN_BUILTIN_MODULE",
        r"requested module 'node:[^']+' does not provide an export",
        r"SyntaxError: Unexpected token '?(?:\?\??=?|\|\|=|&&=|\.|with)'?\s*$",
    ),
    complaint(
        "python-too-old",
        "Python is too old for the program",
        "environment",
        "start the server with a newer Python (absolute path, or uvx --python)",
        rf"No module named '(?:{NEW_IN_PYTHON})'",
        r"cannot import name '\w+' from '(?:typing|enum|asyncio|types|datetime|collections\.abc)'",
        r"module 'asyncio' has no attribute '(?:TaskGroup|timeout|Runner)'",
        r"unsupported operand type\(s\) for \|: '(?:type|_GenericAlias|NoneType)'",
        r"'(?:type|ABCMeta)' object is not subscriptable",
    ),
    complaint(
        "python-too-new",
        "Python is too new for the program: its standard library lacks a module that was removed",
        "environment",
        "start the server with an older Python (uvx --python 3.11), or update the package",
        rf"No module named '(?:{GONE_FROM_PYTHON})(?:\.\w+)?'",
    ),
    complaint(
        "version-manager",
        "the version manager has no version of the program for this folder",
        "environment",
        "use the absolute path of the program, or set a version for all folders (asdf global, mise use -g, "
        "pyenv global, nvm alias default, volta install)",
        r"No version is set for (?:command|shim)",
        r"No preset version installed for command",
        r"^pyenv: .*(?:command not found|is not installed)",
        r"Volta error: ",
        r"mise ERROR",
        r"^N/A: version .* is not yet installed",
        r"The `[^`]+' command exists in these Python versions",
    ),
    complaint(
        "deno-permission",
        "Deno was not given a permission",
        "environment",
        "add {} to `deno run` in the `args` of the server's entry, before the name of the script",
        r"(?:NotCapable|PermissionDenied): Requires .{0,300}?run again with the (--allow-[\w-]+)",
        what="the flag that stderr names",
    ),
    complaint(
        "folder-unreadable",
        "the current folder may not be read",
        "environment",
        "set `cwd` of the server's entry to a folder outside Desktop, Documents and Downloads, or allow the "
        "client Full Disk Access (Privacy & Security)",
        r"EPERM: operation not permitted, uv_cwd",
        r"getcwd: .*Operation not permitted",
    ),
    complaint(
        "folder-gone",
        "the current folder does not exist any more",
        "environment",
        "set `cwd` of the server's entry to a folder that exists, and start the client again",
        r"ENOENT: .*\buv_cwd\b|getcwd: .*No such file",
    ),
    complaint(
        "locked",
        "another process holds the lock on {}",
        "environment",
        "end the other instance of this server (another client may have started it), or give each "
        "its own file",
        r"Could not set lock on file\s*:?\s*(\S+)?",
        r"SQLITE_BUSY|database is locked|\bELOCKED\b|[Ll]ock file (?:already )?exists",
        any_case(
            r"(?:unable|failed|could not|cannot) (?:to )?(?:acquire|obtain|get) (?:the |a |an )?(?:\w+ )?lock"
        ),
        r"because it is being used by another process|lock \S+: already held|held by (?:another )?process",
        any_case(r"another (?:instance|copy)\b.{0,60}\b(?:running|active|holds|using)"),
        what="a file that it needs",
    ),
    complaint(
        "certificate",
        "a certificate is not trusted",
        "environment",
        "a proxy with a certificate of its own is in between: give its CA certificate in the `env` of the "
        "server's entry (Node: NODE_EXTRA_CA_CERTS; Python: SSL_CERT_FILE)",
        r"UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF)\w*|SELF_SIGNED_CERT\w*|DEPTH_ZERO_SELF_SIGNED_CERT",
        any_case(
            r"unable to get (?:local )?issuer cert\w*|self[- ]signed certificate|certificate verify failed"
        ),
        any_case(
            r"unable to verify the first certificate|signed by unknown authority|invalid peer certificate"
        ),
    ),
)
"""Before those of any program: these name the runtime that has to change."""
