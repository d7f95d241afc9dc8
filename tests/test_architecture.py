"""The contracts that the package's imports keep, and what is imported before the server starts."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mcp_tap.rules.registry import RULES

PACKAGE = Path(__file__).parents[1] / "mcp_tap"

BELOW_RECORD = frozenset({"wire", "errors"})
BELOW_MODEL = BELOW_RECORD | {"record", "process"}
BELOW_DIAGNOSIS = BELOW_MODEL | {"model"}
BELOW_RULES = BELOW_DIAGNOSIS | {"diagnosis"}
BELOW_VIEWS = BELOW_RULES
BELOW_API = BELOW_RULES | {"rules"}
BELOW_COMMANDS = BELOW_API | {"api", "tap", "views", "clients", "demo"}
BELOW_OPTIONS = BELOW_COMMANDS | {"commands"}
BELOW_CLI = BELOW_OPTIONS | {"options"}

MAY_IMPORT: dict[str, frozenset[str]] = {
    "__init__": frozenset({"api"}),  # when it is asked for a name; see below
    "errors": frozenset(),
    "wire": frozenset({"errors"}),
    "process": frozenset({"errors"}),
    "record": BELOW_RECORD,  # the body of a record is made of what wire gives out
    "model": BELOW_MODEL,
    "diagnosis": BELOW_DIAGNOSIS,
    "rules": BELOW_RULES,
    "api": BELOW_API,
    "tap": BELOW_VIEWS,
    "views": BELOW_VIEWS,
    "clients": BELOW_VIEWS,
    "demo": BELOW_VIEWS,
    "commands": BELOW_COMMANDS,
    "options": BELOW_OPTIONS,
    "cli": BELOW_CLI,
    "__main__": frozenset({"cli"}),
}
"""What each package and top-level module may import of the others. Its own modules it may import
always, and everybody may import the version from ``mcp_tap`` itself."""

CORE = (
    "wire", "model", "diagnosis", "rules", "record.schema", "clients.entry", "clients.edit", "clients.tree",
    "clients.known", "clients.json_text", "clients.toml_text", "clients.yaml_text", "clients.masking",
    "clients.one_string", "clients.aliases",
)  # fmt: skip
NO_CORE_BUSINESS = frozenset({"anyio", "asyncio", "subprocess", "socket", "threading", "signal"})
"""Modules that do I/O, which the core gets as arguments and returns."""

CARRIERS = ("tap", "process")
NO_CARRIER_BUSINESS = ("wire.jsonrpc", "model", "diagnosis", "rules", "views")
"""What would give the bytes a meaning."""

REGISTRY = "rules.registry"
"""The one module that knows which rules there are."""

NOT_BEFORE_SPAWN = frozenset(
    {"signal", "enum", "re", "typing", "argparse", "subprocess", "threading", "anyio", "asyncio", "orjson",
     "ctypes", "dataclasses"}
)  # fmt: skip
"""Modules that cost milliseconds by which every recorded server would start later."""


@dataclass(frozen=True, order=True, slots=True)
class Import:
    """``importer`` (below mcp_tap: ``tap.pump``) names ``imported`` in ``line``."""

    importer: str
    line: int
    imported: str

    def is_of(self, *names: str) -> bool:
        """Whether one of the modules ``names``, or something in it, is imported."""
        return any(inside(self.imported, name) for name in names)


def inside(module: str, name: str) -> bool:
    return module == name or module.startswith(f"{name}.")


def module_name(package: Path, path: Path) -> str:
    """``tap.pump`` for mcp_tap/tap/pump.py, ``tap`` for mcp_tap/tap/__init__.py."""
    parts = path.relative_to(package).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


def imports_of(package: Path) -> list[Import]:
    """Every import below ``package``, wherever it stands, under ``if TYPE_CHECKING`` too."""
    return sorted(
        Import(module_name(package, path), line, imported)
        for path in package.rglob("*.py")
        for line, imported in imports_in(package, path)
    )


def imports_in(package: Path, path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = path.relative_to(package.parent).parts[: -node.level] if node.level else ()
            source = ".".join([*above, *([node.module] if node.module else [])])
            # "from mcp_tap.wire import lines" names a module as "from mcp_tap.wire.lines import x" does.
            yield from ((node.lineno, f"{source}.{alias.name}") for alias in node.names)


def own(imports: list[Import]) -> list[Import]:
    """The imports within mcp_tap, named from there: ``record.schema.Stream``."""
    return [
        Import(each.importer, each.line, each.imported.removeprefix("mcp_tap").lstrip("."))
        for each in imports
        if inside(each.imported, "mcp_tap")
    ]


def against_the_current(imports: list[Import]) -> list[Import]:
    """Imports that do not go down the one way."""
    return [
        each
        for each in own(imports)
        if (source := each.importer.partition(".")[0]) != (target := each.imported.partition(".")[0])
        and target not in MAY_IMPORT[source] | {"__version__"}
    ]


def past_the_registry(imports: list[Import]) -> list[Import]:
    """Single rules, and what they share, imported from elsewhere than their own family and the registry."""
    return [
        each
        for each in own(imports)
        if inside(each.imported, "rules")
        and not inside(each.imported, REGISTRY)
        and each.importer != REGISTRY
        and not is_shared_in_family(each)
    ]


def is_shared_in_family(each: Import) -> bool:
    """Whether a rule's module imports what its family shares: ``_base.py`` and the like."""
    importer, imported = each.importer.split("."), each.imported.split(".")
    return importer[:2] == imported[:2] and len(imported) > 2 and imported[2].startswith("_")


def input_and_output(imports: list[Import]) -> list[Import]:
    """I/O in the core."""
    return [
        each
        for each in imports
        if any(inside(each.importer, name) for name in CORE) and each.is_of(*NO_CORE_BUSINESS)
    ]


def interpretation(imports: list[Import]) -> list[Import]:
    """Meaning in the live half."""
    return [
        each
        for each in own(imports)
        if any(inside(each.importer, name) for name in CARRIERS) and each.is_of(*NO_CARRIER_BUSINESS)
    ]


def test_every_package_has_its_place_in_the_one_way() -> None:
    names = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py"}
    names |= {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert names - set(MAY_IMPORT) == set()
    assert {"cli", "commands", "tap", "record", "wire", "process", "errors"} <= names


def off_the_map(package: Path) -> list[str]:
    """Modules that a package's docstring names and that are not there, or that are there and not in it.

    A map is a list whose lines begin with a name; packages of few modules have none. Modules that begin
    with an underscore need not be named.
    """
    found = []
    for path in sorted(package.rglob("__init__.py")):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        entries = set(re.findall(r"(?:^\* |; )``(\w+)``", text, re.MULTILINE))
        if not re.search(r"^\* ``", text, re.MULTILINE):
            continue
        there = {each.stem for each in path.parent.glob("*.py")}
        there |= {each.parent.name for each in path.parent.glob("*/__init__.py")}
        named = set(re.findall(r"``(\w+)``", text))
        found += [f"{module_name(package, path)}: no {name}" for name in sorted(entries - there)]
        found += [
            f"{module_name(package, path)}: {name} is missing"
            for name in sorted(there - named)
            if not name.startswith("_")
        ]
    return found


def test_the_maps_of_the_packages_are_true() -> None:
    assert off_the_map(PACKAGE) == []


def test_a_map_that_is_not_true_is_found(crooked: Path) -> None:
    text = '"""Records.\n\n* ``schema``  pieces; ``reader`` reads\n* ``FORMAT.md``  what is in it\n"""\n'
    (crooked / "record" / "__init__.py").write_text(text, encoding="utf-8")
    assert off_the_map(crooked) == ["record: no reader", "record: writer is missing"]


def test_imports_go_one_way() -> None:
    assert against_the_current(imports_of(PACKAGE)) == []


def test_a_rule_is_imported_by_the_registry_and_by_nobody_else() -> None:
    assert past_the_registry(imports_of(PACKAGE)) == []


def test_every_rule_is_in_a_file_that_is_named_by_its_id() -> None:
    where = {rule.id: rule.__module__.rpartition(".")[2].partition("_")[0] for rule in RULES}
    assert {id: id.lower() for id in where} == where


def test_the_core_does_no_input_or_output() -> None:
    assert input_and_output(imports_of(PACKAGE)) == []


def test_the_tap_does_not_interpret_what_it_carries() -> None:
    assert interpretation(imports_of(PACKAGE)) == []


def test_the_package_itself_imports_nothing_before_it_is_asked_for_a_name() -> None:
    assert modules_after("import mcp_tap") - modules_after("pass") == {"mcp_tap"}
    assert "mcp_tap.api" in modules_after("from mcp_tap import read")


VERBS = frozenset({"run", "sessions", "show", "stats", "check", "cat", "wrap", "unwrap", "wrapped", "demo"})


def verbs_of_verbs(imports: list[Import]) -> list[Import]:
    """Verbs that verbs import: what two of them share stands in a module of its own."""
    return [
        each
        for each in own(imports)
        if any(
            each.importer == f"commands.{verb}" or each.importer.startswith(f"commands.{verb}_")
            for verb in VERBS
        )
        and any(
            each.is_of(f"commands.{verb}") and each.importer.split("_")[0] != f"commands.{verb}"
            for verb in VERBS
        )
    ]


def test_verbs_do_not_import_verbs() -> None:
    assert {path.stem for path in (PACKAGE / "commands").glob("*.py")} >= VERBS
    assert verbs_of_verbs(imports_of(PACKAGE)) == []


def test_a_verb_that_imports_a_verb_is_found(crooked: Path) -> None:
    assert verbs_of_verbs(imports_of(crooked)) == [
        Import("commands.check", 3, "commands.show.show"),
    ]


@pytest.fixture
def crooked(tmp_path: Path) -> Path:
    """A package that breaks every contract once or more, so that each is known to be able to fail."""
    sources = {
        "__init__.py": "import os\n",
        "errors.py": "from mcp_tap import __version__\nfrom .wire import lines\n",
        "cli.py": "from mcp_tap.commands.run import x\nfrom mcp_tap.record import schema\nimport argparse\n",
        "wire/__init__.py": "",
        "wire/lines.py": "def f():\n    import socket\n    from mcp_tap.wire.jsonrpc import x\n",
        "process/__init__.py": "import subprocess, threading\n",
        "process/child.py": "from mcp_tap import wire\nimport mcp_tap.model.session as session\n",
        "record/__init__.py": "",
        "record/schema.py": "import asyncio.events\nfrom mcp_tap.wire.lines import Segment\n",
        "record/writer.py": "import threading\nimport mcp_tap.process\n",
        "clients/__init__.py": "",
        "clients/entry.py": "if TYPE_CHECKING:\n    from anyio import Path\n",
        "clients/files.py": "import anyio\nfrom ..views import text\n",
        "commands/__init__.py": "",
        "commands/check.py": (
            "from mcp_tap.rules.registry import RULES\nfrom mcp_tap.rules.results import _base\n"
            "from mcp_tap.commands.show import show\nfrom mcp_tap.commands.check_options import read\n"
        ),
        "diagnosis/__init__.py": "",
        "diagnosis/checker.py": "from mcp_tap.rules.registry import RULES\nimport threading\n",
        "rules/__init__.py": "",
        "rules/registry.py": "from mcp_tap.rules.results.res001_no_content import NoContent\n",
        "rules/results/__init__.py": "",
        "rules/results/_base.py": "from ...diagnosis.rule import Rule\n",
        "rules/results/res001_no_content.py": (
            "from mcp_tap.rules.results._base import name_of\n"
            "from . import res002_unknown\n"
            "from mcp_tap.rules.tools._names import NAMES\n"
            "from mcp_tap.views import text\n"
        ),
        "tap/__init__.py": "",
        "tap/pump.py": "from ..wire import jsonrpc, lines\nif X:\n    from mcp_tap.rules import rule\n",
    }
    package = tmp_path / "mcp_tap"
    for name, source in sources.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(source, encoding="utf-8")
    return package


def test_an_import_against_the_current_is_found(crooked: Path) -> None:
    assert against_the_current(imports_of(crooked)) == [
        Import("clients.files", 2, "views.text"),
        Import("diagnosis.checker", 1, "rules.registry.RULES"),
        Import("errors", 2, "wire.lines"),
        Import("process.child", 1, "wire"),
        Import("process.child", 2, "model.session"),
        Import("record.writer", 2, "process"),
        Import("rules.results.res001_no_content", 4, "views.text"),
        Import("tap.pump", 3, "rules.rule"),
    ]


def test_a_rule_that_is_imported_past_the_registry_is_found(crooked: Path) -> None:
    assert past_the_registry(imports_of(crooked)) == [
        Import("commands.check", 2, "rules.results._base"),
        Import("rules.results.res001_no_content", 2, "rules.results.res002_unknown"),
        Import("rules.results.res001_no_content", 3, "rules.tools._names.NAMES"),
        Import("tap.pump", 3, "rules.rule"),
    ]


def test_input_and_output_in_the_core_is_found(crooked: Path) -> None:
    assert input_and_output(imports_of(crooked)) == [
        Import("clients.entry", 2, "anyio.Path"),
        Import("diagnosis.checker", 2, "threading"),
        Import("record.schema", 1, "asyncio.events"),
        Import("wire.lines", 2, "socket"),
    ]


def test_an_interpretation_in_the_tap_is_found(crooked: Path) -> None:
    assert interpretation(imports_of(crooked)) == [
        Import("process.child", 2, "model.session"),
        Import("tap.pump", 1, "wire.jsonrpc"),
        Import("tap.pump", 3, "rules.rule"),
    ]


def modules_after(statement: str) -> set[str]:
    """What a fresh interpreter has imported after ``statement``."""
    # Whoever measures coverage in child processes imports half the library there first.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    script = f"{statement}\nimport sys\nnames = sorted(sys.modules)\nimport json\nprint(json.dumps(names))"
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, timeout=30, check=True
    )
    return set(json.loads(done.stdout))


@pytest.mark.parametrize("module", ["mcp_tap.cli", "mcp_tap.commands.run"])
def test_nothing_slow_is_imported_before_the_server_is_started(module: str) -> None:
    bare = modules_after("pass")
    loaded = modules_after(f"import {module}") - bare
    assert module in loaded
    assert loaded & NOT_BEFORE_SPAWN == set()


def test_yaml_is_imported_where_a_yaml_file_is_met_and_nowhere_else() -> None:
    verbs = "import mcp_tap.commands.wrap, mcp_tap.commands.unwrap, mcp_tap.commands.wrapped"
    read = "from mcp_tap.clients.formats import parse\nparse('{}', 'json'), parse('', 'toml')"
    assert "yaml" not in modules_after(f"{verbs}\n{read}")
    assert "yaml" in modules_after(f"{verbs}\n{read}, parse('a: b', 'yaml')")


def test_a_slow_import_is_seen() -> None:
    loaded = modules_after("import mcp_tap.tap.stdio") - modules_after("pass")
    assert {"anyio", "orjson", "dataclasses", "threading"} <= loaded


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circles(PACKAGE) == []


def test_a_circle_is_found_however_long_and_wherever_the_import_stands(tmp_path: Path) -> None:
    package = tmp_path / "mcp_tap"
    sources = {
        "__init__.py": "",
        "one.py": "def f():\n    from mcp_tap.two import x\n",
        "two.py": "from mcp_tap.deep import three\n",
        "deep/__init__.py": "from mcp_tap.deep.four import y\n",
        "deep/three.py": "import mcp_tap.one\n",
        "deep/four.py": "from . import three\n",
    }
    for name, source in sources.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(source, encoding="utf-8")
    assert circles(package) == [["deep.three", "one", "two"]]


def circles(package: Path) -> list[list[str]]:
    """Groups of modules in which each imports all the others, itself or by way of them."""
    modules = {module_name(package, path) for path in package.rglob("*.py")}
    graph: dict[str, set[str]] = {module: set() for module in modules}
    for each in own(imports_of(package)):
        imported = each.imported if each.imported in modules else each.imported.rpartition(".")[0]
        if imported in modules - {each.importer}:
            graph[each.importer].add(imported)
    reached = {module: reachable(graph, module) for module in graph}
    groups = {
        tuple(sorted(other for other in reached[module] if module in reached[other]))
        for module in graph
        if module in reached[module]
    }
    return [list(group) for group in sorted(groups)]


def reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    """The modules to which an import leads from ``start``, over however many others."""
    found: set[str] = set()
    ahead = [start]
    while ahead:
        new = graph[ahead.pop()] - found
        found |= new
        ahead += new
    return found
