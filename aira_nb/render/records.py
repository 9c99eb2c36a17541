"""Records as JSON-ready dictionaries: the form that the notebook panel, the widgets and the terminal's --json share."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Set
from typing import Any

__all__ = ["to_dict"]


def to_dict(record: Any) -> dict[str, Any]:
    """Return a record as nested dictionaries and lists, each record with its name under ``"type"``.

    Tuples and sets become lists, numpy scalars and arrays plain numbers and lists; a number that JSON does not know
    (NaN, infinity) becomes None. A record's own field called ``type`` (a Mention's, an Entity's) is kept as
    ``"entity_type"``.

    Raises
    ------
    TypeError
        When `record` is not a dataclass instance or holds something that has no JSON form.
    """
    if not dataclasses.is_dataclass(record) or isinstance(record, type):
        raise TypeError(f"to_dict takes a record, not {type(record).__name__}")
    result: dict[str, Any] = {"type": type(record).__name__}
    for field in dataclasses.fields(record):
        name = "entity_type" if field.name == "type" else field.name
        result[name] = _plain(getattr(record, field.name))
    return result


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return to_dict(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, Set):
        return sorted((_plain(item) for item in value), key=str)
    # numpy scalars and arrays, without importing numpy: both say what they hold.
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    raise TypeError(f"{type(value).__name__} has no JSON form")
