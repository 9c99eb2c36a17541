"""What a section heading says: whether it names a thing of its own, and whether only a list of references or contents follows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aira_nb.text import match_key

__all__ = ["heading_name", "is_auxiliary"]

_NUMBER = re.compile(
    r"^\s*(?:第?[0-9０-９]+(?:[.．][0-9０-９]+)*[章節]?[.．、)]?|[IVX]+\.|[A-Z]\.|付録\s*[A-Z]?)\s+|^[0-9０-９.．]+(?=[\u3041-\u9fff])"
)
_AUXILIARY = frozenset(
    map(
        match_key,
        ("References", "Bibliography", "Works cited", "参考文献", "引用文献", "文献", "Table of contents", "目次"),
    )
)
_GENERIC = frozenset(
    match_key(heading)
    for heading in """Abstract|Introduction|Background|Related work|Preliminaries|Overview|Method|Methods|Methodology|Approach|
        Proposed method|Model|Data|Dataset|Experiment|Experimental setup|Experimental results|Setup|Settings|Evaluation|
        Results|Results and discussion|Analysis|Discussion|Limitations|Conclusion|Conclusions|Future work|
        Acknowledgements|Acknowledgments|Appendix|Supplementary material|Notes|Table|Figure|Summary|History|Contents|
        概要|要旨|はじめに|序論|背景|研究背景|関連研究|先行研究|準備|手法|方法|提案手法|モデル|データ|データセット|実験|実験設定|
        実験結果|評価|評価実験|結果|結果と考察|分析|考察|議論|課題|今後の課題|おわりに|結論|まとめ|謝辞|付録|補足|目的|歴史|脚注|図|表""".split(
        "|"
    )
)
"""Headings that stand in every paper and name nothing."""


def heading_name(heading: str) -> str:
    """Return what a heading names, without its number; empty when it is generic ("3. Results") or no name at all.

    A single common word ("Protocol", 「研究」) is no name: it must have two words, an inner capital or a digit, or four
    Japanese characters.
    """
    name = heading.strip()
    while name != (bare := _NUMBER.sub("", name).strip()):
        # "1.2.1 1.1 Motivation": a numbering of the document and one of the paper.
        name = bare
    key = match_key(name)
    if not name or key in _GENERIC or key in _AUXILIARY or len(name) > 80 or not any(c.isalpha() for c in name):
        return ""
    telling = (
        " " in key
        or len(key) > len(key.encode("ascii", "ignore")) + 3
        or any(c.isupper() or c.isdigit() for c in name[1:])
    )
    return name if telling else ""


def is_auxiliary(section: Sequence[str]) -> bool:
    """Whether a section path leads into a list of references or a table of contents."""
    return any(match_key(_NUMBER.sub("", heading)) in _AUXILIARY for heading in section)
