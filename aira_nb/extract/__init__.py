"""Mentions, facts and definitions out of passages.

:class:`OfflineExtractor` needs no model server; :func:`abbreviations` is the pure function behind its short forms.
"""

from __future__ import annotations

from aira_nb.extract.abbreviations import Abbreviation, abbreviations
from aira_nb.extract.offline import OfflineExtractor

__all__ = ["Abbreviation", "OfflineExtractor", "abbreviations"]
