"""The errors of aira_nb, in families named by what the caller can do about them.

Every message names the object (file, passage, store), the cause, and the next step. A vendor's
exception is re-raised as one of these, ``from`` the original, in the one module that knows the vendor.
"""

from __future__ import annotations

__all__ = [
    "AiraError",
    "ConvergenceError",
    "IndexStaleError",
    "InputError",
    "MissingDependencyError",
    "ModelError",
    "StoreError",
]


class AiraError(Exception):
    """Base of all errors that aira_nb raises on purpose."""


class InputError(AiraError, ValueError):
    """What the caller gave cannot be used: a file, a path, a query, an option. Change it and call again."""


class MissingDependencyError(AiraError, ImportError):
    """An optional package is not installed. Install the extra that the message names and call again.

    Parameters
    ----------
    package : str
        The distribution that is missing.
    extra : str
        The extra of aira-nb that brings it; the empty string when it belongs to the core install.
    purpose : str
        What it is needed for, as a noun phrase ("Japanese tokens").
    """

    def __init__(self, package: str, *, extra: str, purpose: str) -> None:
        target = f"'aira-nb[{extra}]'" if extra else "aira-nb"
        super().__init__(f"{purpose} needs the package {package!r}, which is not installed. Run: pip install {target}")
        self.package = package
        self.extra = extra


class StoreError(AiraError):
    """The store file cannot be used as asked: not found, foreign, newer than this version, or locked."""


class IndexStaleError(AiraError):
    """The derived index does not match the store and could not be rebuilt here."""


class ModelError(AiraError):
    """A model server did not do its part: unavailable, an unusable response, or over budget."""


class ConvergenceError(AiraError):
    """An iteration did not reach its tolerance; no half-answer is returned."""
