"""House rules that no linter knows."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = sorted(Path(__file__).parent.rglob("test_*.py"))


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.stem)
def test_every_test_states_its_requirement(path: Path) -> None:
    """A test's docstring says, in one sentence, what is required."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            assert ast.get_docstring(node), f"{path.name}: {node.name} has no docstring"
