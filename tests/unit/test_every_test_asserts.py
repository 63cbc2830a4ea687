"""A test that asserts nothing tests nothing: every test asserts, or calls a helper that does."""

import ast

import pytest

from tests.conftest import ROOT

EXPECTING = ("raises", "warns")  # of pytest, which fails if what it expects does not happen


def functions(source: str) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]


def reading(function: ast.FunctionDef) -> tuple[bool, set[str]]:
    """Whether an assertion of its own or of a library is in it, and the functions it calls."""
    nodes = list(ast.walk(function))
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    methods = {call.attr for call in calls if isinstance(call, ast.Attribute)}
    own = any(isinstance(node, ast.Assert) for node in nodes)
    borrowed = any(name in EXPECTING or name.startswith("assert_") for name in methods)
    return own or borrowed, {call.id for call in calls if isinstance(call, ast.Name)}


def without_assertion(sources: list[str]) -> list[str]:
    """Names of the tests that assert nothing; helpers may use helpers."""
    read = [(f.name, *reading(f)) for source in sources for f in functions(source)]
    tests = [one for one in read if one[0].startswith("test_")]
    others = [one for one in read if not one[0].startswith("test_")]
    helpers: set[str] = set()
    while more := {name for name, own, calls in others if own or calls & helpers} - helpers:
        helpers |= more
    return [name for name, own, calls in tests if not own and not calls & helpers]


def test_every_test_asserts():
    files = sorted((ROOT / "tests").rglob("*.py"))
    assert len(files) > 50
    assert without_assertion([file.read_text() for file in files]) == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("assert x", []),
        ("with pytest.raises(E): f()", []),
        ("torch.testing.assert_close(a, b)", []),
        ("helper()", []),
        ("for x in y: far()", []),
        ("f()", ["test_one"]),
        ("with lease(path): pass", ["test_one"]),
        ("other.helper()", ["test_one"]),
    ],
)
def test_the_search_tells_them_apart(body, found):
    helpers = "def helper():\n assert x\ndef far():\n helper()"
    assert without_assertion([f"def test_one():\n {body}", helpers]) == found
