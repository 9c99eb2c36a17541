"""Settings."""

from __future__ import annotations

import dataclasses

import pytest

from aira_nb.errors import InputError
from aira_nb.settings import Settings, load


def test_environment_changes_defaults_and_arguments_change_both() -> None:
    """The caller's word outranks the environment, which outranks the defaults."""
    environment = {"AIRA_K": "7", "AIRA_STRATEGY": "bm25", "AIRA_EMBEDDER": " "}
    settings = load(environment, strategy="hybrid")
    assert (settings.k, settings.strategy, settings.embedder) == (7, "hybrid", "none")


@pytest.mark.parametrize("variable", ["AIRA_K", "AIRA_THRESHOLD", "AIRA_TIME_LIMIT"])
def test_a_variable_that_is_no_number_is_named(variable: str) -> None:
    """A setting that cannot be read names its variable."""
    with pytest.raises(InputError, match=variable):
        load({variable: "many"})


@pytest.mark.parametrize("bad", [{"k": 0}, {"threshold": 0}, {"layout": "magic"}, {"memory_limit": 1}])
def test_impossible_values_are_refused(bad: dict[str, object]) -> None:
    """A value that cannot work is refused when it is set, not when it is used."""
    with pytest.raises(InputError):
        Settings(**bad)  # type: ignore[arg-type]


def test_no_field_holds_a_key() -> None:
    """No setting can hold a key, so none can be stored, logged or shown with one."""
    assert not [field.name for field in dataclasses.fields(Settings) if "key" in field.name or "token" in field.name]
