"""What is found in a text, and what is said of one that cannot be read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.clients.formats import parse, tokens
from mcp_tap.clients.json_text import blank
from mcp_tap.clients.tree import ConfigError, Format, Node, member_of, walk
from tests.clients.texts import json_configuration, toml_configuration, yaml_configuration

FORMS: tuple[Format, ...] = ("json", "json with comments", "jsonc", "toml", "yaml")


@pytest.mark.parametrize(
    ("form", "text", "clause"),
    [
        ("json", "", "is empty"),
        ("jsonc", " // nothing\n", "is empty"),
        ("json", '{"a": }', "is not valid JSON: Expecting value on line 1"),
        (
            "jsonc",
            '{\n"a": 1,,}',
            "is not valid JSON: Expecting property name enclosed in double quotes",
        ),
        ("jsonc", "[1, [ ,]]", "is not valid JSON: Expecting value on line 1"),
        ("jsonc", "{,}", "is not valid JSON: Expecting property name"),
        ("json", '{"a": NaN}', "is not valid JSON: NaN is not JSON"),
        ("json", "{}\n{}", "is not valid JSON: unexpected text after its end on line 2"),
        (
            "json",
            "{'a': 1}",
            "is not valid JSON: Expecting property name enclosed in double quotes on line 1",
        ),
        ("json", '{"a": "x\ny"}', "is not valid JSON: Invalid control character on line 1"),
        ("json", '{"a": ' + "9" * 5000 + "}", "has a number with too many digits"),
        ("json", '{\n"a": 1, // c\n}', "has a comment on line 2, which its client cannot read"),
        ("json", '{"a": 1,}', "has a trailing comma on line 1, which its client cannot read"),
        ("json with comments", '{ // c\n"a": [1,\n],}', "has a trailing comma on line 2, which"),
        ("json", "[" * 100_000, "is nested too deeply"),
        ("jsonc", '{"a": "open}', "is not valid JSON: Unterminated string starting on line 1"),
        ("jsonc", '{"a": 1 /* open }', "is not valid JSON: Expecting ',' delimiter on line 1"),
        ("toml", "a = ", "is not valid TOML: Invalid value (at end of document)"),
        ("toml", "a = 1\na = 2", "is not valid TOML: Cannot overwrite a value"),
        ("toml", "a = " + "[" * 100_000, "is nested too deeply"),
        ("yaml", "", "is empty"),
        ("yaml", "# nothing", "is empty"),
        ("yaml", "a: [", "is not valid YAML: while parsing a flow node on line 1"),
        ("yaml", "a: 1\n b: 2", "is not valid YAML: mapping values are not allowed here on line 2"),
        ("toml", "a = " + "1" * 5_000, "has a number with too many digits"),
        ("yaml", "a: *x", "is not valid YAML: found undefined alias on line 1"),
        ("yaml", "a: *it\"s'x", "is not valid YAML: while scanning an alias on line 1"),
        ("yaml", "a: 1\n---\nb: 2", "is not valid YAML: expected a single document in the stream on line 2"),
        ("yaml", "a: \x01", "has a character that YAML does not allow"),
        ("yaml", "&a [*a]", "is nested too deeply"),
        ("yaml", "[" * 10_000, "is nested too deeply"),
    ],
)
def test_a_text_that_cannot_be_read_is_a_clause(form: Format, text: str, clause: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(text, form)
    assert str(caught.value).startswith(clause)


@pytest.mark.parametrize("form", FORMS)
@given(st.text(alphabet=st.sampled_from("{}[]\",:/*\\ \n#=ab-1'&!|>\t"), max_size=30))
def test_no_text_is_worse_than_broken(form: Format, text: str) -> None:
    try:
        root = parse(text, form)
        for member in root.members():
            member.node.list_layout()
        list(tokens(text, form))
    except ConfigError:
        pass


@given(json_configuration())
def test_blanking_leaves_every_line_and_column_where_it_was(file: tuple[str, object]) -> None:
    text, meaning = file
    strict = blank(text, "jsonc")
    assert json.loads(strict) == meaning
    assert len(strict) == len(text)
    assert [at for at, letter in enumerate(strict) if letter == "\n"] == [
        at for at, letter in enumerate(text) if letter == "\n"
    ]


@given(st.one_of(json_configuration(), toml_configuration(), yaml_configuration(by_name=False)))
def test_tokens_are_in_order_and_leave_no_word_out(file: tuple[str, object]) -> None:
    text = file[0]
    form: Format = "yaml" if text.startswith("# first") else "toml" if text.startswith("model") else "jsonc"
    at, between = 0, ""
    for token in tokens(text, form):
        assert at <= token.start < token.end
        between += text[at : token.start]
        at = token.end
    between += text[at:]
    assert not [letter for letter in between if letter.isalnum()]


def test_a_path_may_hold_any_key() -> None:
    root = parse('{"p": {"x": {"m": {"a": 1}}, "y": {}, "z": {"m": {}}}}', "json")
    assert [path for path, _ in walk(root, ["p", "*", "m"])] == [("p", "x", "m"), ("p", "z", "m")]
    assert list(walk(root, ["q", "*"])) == []


def test_a_key_that_is_there_twice_is_broken_where_it_matters() -> None:
    root = parse('{"m": 1, "other": 1, "other": 2, "m": 3}', "json")
    with pytest.raises(ConfigError, match="has a duplicate key 'm'"):
        list(walk(root, ["m"]))
    assert member_of(root, "none") is None


def raw(root: Node, text: str, *keys: str) -> str:
    node = root
    for key in keys:
        found = member_of(node, key)
        assert found is not None
        node = found.node
    return text[node.start : node.end]


def test_toml_s_scattered_tables_are_one() -> None:
    text = (
        "[a.b]\nx = 1979-05-27 07:32:00 # c\n[[l]]\ny = [[1], {z = '}'}]\n[[l]]\n[l.m]\nq = 1\n"
        "[a]\n'c.d'.\"e\\u0066\" = 0x1F\nf = -inf\n"
    )
    root = parse(text, "toml")
    assert raw(root, text, "a", "b", "x") == "1979-05-27 07:32:00"
    assert raw(root, text, "a", "c.d", "ef") == "0x1F"
    assert raw(root, text, "a", "f") == "-inf"
    assert [(member.key, member.node.kind) for member in root.members()] == [("a", "map"), ("l", "list")]


def test_yaml_tells_words_from_what_only_looks_like_them() -> None:
    text = "a: &x n\nb: *x\nc: !!str npx\nd: |\n  npx\ne: {f: true, g: 'true'}\nh: a,b\ni:\nj: ''\n? [k]\n: 1"
    root = parse(text, "yaml")
    nodes = {member.key: member.node for member in root.members()}
    movable = {key: node.movable for key, node in nodes.items() if node.kind == "string"}
    assert movable == {
        "a": "nowhere", "b": "nowhere", "c": "nowhere", "d": "nowhere", "h": "blocks", "j": "anywhere",
    }  # fmt: skip
    assert nodes["e"].value == {"f": True, "g": "true"}
    assert (nodes["i"].kind, nodes["i"].value, nodes["j"].value) == ("other", None, "")


@pytest.mark.parametrize("text", ["a:\n- - x", "a:\n-\n  # c\n  x"])
def test_a_list_in_yaml_that_is_not_usual_is_read_all_the_same(text: str) -> None:
    member = member_of(parse(text, "yaml"), "a")
    assert member is not None
    list_layout = member.node.list_layout()
    assert list_layout is not None
    assert len(list_layout.items) == 1
    if text != "a:\n- - x":
        assert not list_layout.is_usual
        assert list_layout.items[0].node.value == "x"
