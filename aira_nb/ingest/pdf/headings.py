"""What a line is by its looks and wording: heading, caption, list item, reference, entry of a table of contents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from aira_nb.ingest.pdf.columns import Row, Stream
from aira_nb.ingest.pdf.joining import is_japanese

__all__ = [
    "CONTENTS_NAME",
    "SENTENCE_END",
    "Style",
    "base_left",
    "distance",
    "heading_length",
    "heading_level",
    "is_appendix_name",
    "is_bullet",
    "is_caption",
    "is_contents_entry",
    "is_figure_caption",
    "is_footnote_start",
    "is_item",
    "is_lettered",
    "is_named",
    "is_reference_name",
    "is_reference_start",
    "number_depth",
    "without_leaders",
    "without_number",
]

_NUMBERED = re.compile(
    r"(?P<digits>\d{1,2})[.．]?\s+(?=\D)\S"
    r"|(?P<dotted>\d{1,2}(?:[.．]\d{1,2}){1,5})[.．]?(?:\s+\S|[^\W\d_])"
    r"|(?P<letter>[A-H](?:[.．]\d{1,2}){0,3})[.．]?\s+\S"
    r"|第\s*[\d一二三四五六七八九十]+\s*(?P<part>[章節部])"
    r"|(?P<appendix>付録|Appendix)\s*[A-Z\d]\b"
    r"|(?P<roman>[IVX]{1,5})\.\s+\S"
)
_NAMES = frozenset(
    """abstract summary introduction background preliminaries method methods methodology experiments results discussion
    conclusion conclusions acknowledgements acknowledgments acknowledgement acknowledgment appendix appendices limitations
    references bibliography 概要 要旨 要約 あらまし はじめに 序論 まえがき 背景 関連研究 提案手法 実験 結果 考察 議論
    おわりに まとめ 結論 あとがき むすび 謝辞 参考文献 引用文献 文献 付録 目次 contents""".split()
) | {"related work", "works cited", "table of contents", "ethics statement", "future work"}
_SOLID_NAMES = frozenset(name.replace(" ", "") for name in _NAMES)
_REFERENCE_NAMES = frozenset(
    {"references", "bibliography", "workscited", "literaturecited", "参考文献", "引用文献", "文献", "主要参考文献"}
)
CONTENTS_NAME = re.compile(r"(?:table of )?contents|目\s*次", re.IGNORECASE)
_LEADING_NUMBERS = re.compile(r"^(?:(?:\d+|[A-Z](?=[.．\s]))(?:[.．]\d+)*[.．]?\s*)+(?=\D)")
SENTENCE_END = re.compile(r"[。．.!?！？][)）」』\"'”’\]]*$")
_ENDING = re.compile(r"[。．.，,、;；:：]$")
_CAPTION_EN = re.compile(
    r"(?:Figure|Fig\.?|Table|Algorithm|Listing)\s*[A-Z]?\.?\d+(?:\.\d+)*\s*(?P<mark>[:.|\u2014-]?)", re.I
)
_CAPTION_JA = re.compile(r"(?:図表|図|表)\s*[A-Z]?[-.]?\d+(?:[.\-]\d+)*\s*(?P<rest>.?)")
_PARTICLE = frozenset("にはのでがをとよかへ、，）)もや・")
_ITEM = re.compile(
    r"[•‣◦▪●○■□◆▶➢✓∙·]\s*\S|[-–*]\s+\S|\(?\d{1,2}[.)）](?:\s+\S|[「『（])|（\d{1,2}）|\([a-zA-Zivx]{1,4}\)\s|[①-⑳]|・(?=\S)"
)
_BULLET = re.compile(r"[•‣◦▪●○■□◆▶➢✓∙·①-⑳]")
_REFERENCE = re.compile(r"\[[^\]\s]{1,12}\]|［[^］]{1,12}］|\(?\d{1,3}[.)）]\s")
_LEADERS = re.compile(r"\w.*?(?:[.．·・…]\s*){4,}\s*(?:\d{1,4}|[ivxl]+)$")
_FOOTNOTE = re.compile(r"(?:\d{1,3}|[*∗†‡§¶]{1,3}|[♣♢♠♡])\s*[)）:.]?\s*(?=\S)")


@dataclass(frozen=True, slots=True)
class Style:
    """How a paper looks: the size of its running text and the distance between its lines, in points."""

    body: float
    pitch: float

    @classmethod
    def of(cls, all_streams: Sequence[Stream]) -> Style:
        """Measure a paper."""
        sizes: Counter[float] = Counter()
        for stream in all_streams:
            for row in stream.rows:
                for line in row.lines:
                    # By the room it takes: the small print of references has more letters than the text.
                    sizes[round(line.size * 2) / 2] += round(line.width * line.size)
        body = sizes.most_common(1)[0][0] if sizes else 10.0
        steps: Counter[float] = Counter()
        for stream in all_streams:
            for above, below in zip(stream.rows, stream.rows[1:], strict=False):
                if abs(above.size - body) < 1 and abs(below.size - body) < 1:
                    steps[round((_middle(below) - _middle(above)) * 2) / 2] += 1
        pitch = steps.most_common(1)[0][0] if steps else 1.4 * body
        return cls(body, pitch if 0.9 * body < pitch < 3 * body else 1.4 * body)

    def pitch_of(self, row: Row) -> float:
        """The distance to expect between two lines of the row's size."""
        return self.pitch * min(1.6, max(0.5, row.size / self.body))


def _middle(row: Row) -> float:
    return max(row.lines, key=lambda line: len(line.text)).middle


def distance(above: Row, below: Row) -> float:
    """Return how far apart the middles of two rows are."""
    return _middle(below) - _middle(above)


def is_caption(row: Row, style: Style) -> bool:
    """Whether a row begins a figure's or table's caption (and not a sentence about one)."""
    text = row.text
    if match := _CAPTION_JA.match(text):
        return match.group("rest") not in _PARTICLE
    match = _CAPTION_EN.match(text)
    return bool(match and (match.group("mark") or row.bold > 0.2 or row.size < 0.93 * style.body))


def is_figure_caption(text: str) -> bool:
    """Whether a caption is a figure's, and so stands below what it names."""
    return re.match(r"図(?!表)|fig", text, re.IGNORECASE) is not None


def is_item(text: str) -> bool:
    """Whether a line begins a list item."""
    return _ITEM.match(text) is not None


def is_bullet(text: str) -> bool:
    """Whether a line begins with a sign that only a list item begins with."""
    return _BULLET.match(text) is not None


def is_contents_entry(text: str) -> bool:
    """Whether a line has the dot leaders of a table of contents."""
    return _LEADERS.search(text) is not None


def without_leaders(text: str) -> str:
    """Return an entry of a table of contents with its dot leaders reduced to one sign."""
    return re.sub(r"\s*(?:[.．·・…]\s*){4,}", " \u2026 ", text).strip()


def is_named(text: str) -> bool:
    """Whether a line is one of the headings that papers have by custom, without a number."""
    return "".join(text.split()).casefold() in _SOLID_NAMES


def is_reference_start(text: str) -> bool:
    """Whether a line begins a numbered entry of a reference list."""
    return _REFERENCE.match(text) is not None


def is_reference_name(text: str) -> bool:
    """Whether a heading is that of the reference list."""
    return "".join(without_number(text).split()).casefold() in _REFERENCE_NAMES


def without_number(text: str) -> str:
    """Return a heading without its numbers."""
    return _LEADING_NUMBERS.sub("", text).strip()


def is_footnote_start(text: str) -> bool:
    """Whether a line begins with a footnote's mark."""
    return _FOOTNOTE.match(text) is not None


def heading_length(rows: Sequence[Row], i: int, stream: Stream, style: Style) -> int:
    """Return how many rows from `i` on form a heading; 0 when row `i` begins none."""
    first = rows[i]
    emphasis = _emphasis(first, style)
    named = is_named(first.text)
    gap = i == 0 or distance(rows[i - 1], first) > 1.2 * style.pitch_of(first)
    numbered = _NUMBERED.match(first.text) is not None
    if not (emphasis or (named and gap) or (numbered and gap)) or first.size < 0.95 * style.body:
        return 0
    if is_bullet(first.text) or is_caption(first, style) or is_contents_entry(first.text):
        return 0
    if emphasis < 2 and not named and _is_inset(first, stream, style):
        return 0  # a bold list item or quotation
    count = 1
    while count < 4 and i + count < len(rows) and _same_heading(rows, i + count, style, emphasis, named):
        count += 1
    text = " ".join(row.text for row in rows[i : i + count])
    if not _is_title_like(text, lower=numbered or emphasis == 2):
        return 0
    if named:
        return count
    last = rows[i + count - 1]
    following = rows[i + count] if i + count < len(rows) else None
    if following is not None and distance(last, following) < 1.15 * style.pitch_of(following):
        # Set solid with the text that follows and as wide as it: the bold beginning of a paragraph.
        if following.text[0].islower() and following.text[0].isascii():
            return 0
        if last.right > stream.right - 2.5 * style.body and abs(following.size - last.size) < 0.1 * style.body:
            return 0
        if not numbered and emphasis < 2 and not gap:
            return 0
    if emphasis == 0:
        # Plain type needs both a number with a depth and room around it.
        deep = re.match(r"\d+\.\d+", text) is not None
        return count if deep and last.right < stream.left + 0.8 * stream.width and len(text) < 70 else 0
    if numbered:
        return count
    return count if gap and (emphasis == 2 or last.right < stream.right - style.body) else 0


def base_left(stream: Stream, style: Style) -> float:
    """Return the left edge that most of a stream's running lines share."""
    counts: Counter[int] = Counter(round(row.left) for row in stream.rows if row.size > 0.9 * style.body)
    return float(max(counts, key=lambda left: (counts[left], -left))) if counts else stream.left


def _is_inset(row: Row, stream: Stream, style: Style) -> bool:
    if row.left < stream.left + 0.8 * style.body:
        return False
    before, after = row.left - stream.left, stream.right - row.right
    return not (before > 2 * style.body and abs(before - after) < style.body)  # centred is not inset


def _emphasis(row: Row, style: Style) -> int:
    """2 for type larger than the text's, 1 for bold, 0 for neither."""
    if len(row.lines) > 2:
        return 0
    if row.size > 1.15 * style.body:
        return 2
    return 1 if row.bold > 0.8 else 0


def _same_heading(rows: Sequence[Row], i: int, style: Style, emphasis: int, named: bool) -> bool:
    above, row = rows[i - 1], rows[i]
    return (
        not named
        and emphasis > 0
        and _emphasis(row, style) == emphasis
        and abs(row.size - above.size) < 0.05 * above.size
        and distance(above, row) < 1.4 * style.pitch_of(row)
        and _NUMBERED.match(row.text) is None
        and not is_item(row.text)
    )


def _is_title_like(text: str, *, lower: bool) -> bool:
    bare = "".join(_LEADING_NUMBERS.sub("", text).split())
    letters = sum(c.isalpha() for c in bare)
    wide = sum(map(is_japanese, text)) > 0.3 * len(text)
    if letters < 2 or letters < 0.4 * len(bare) or len(text) > (70 if wide else 160):
        return False
    if text[0].islower() and not lower:
        return False
    return _ENDING.search(text) is None


def heading_level(text: str, size: float, numbered_sizes: Iterable[tuple[int, float]]) -> int:
    """Return the level of a heading: by its number's depth, by name, or by the size of the numbered ones like it."""
    depth = number_depth(text)
    if depth:
        return depth
    known = sorted(numbered_sizes)
    if is_named(text):
        # Where the whole paper is chapter 1 of its file, its sections begin at level 2.
        return known[0][0] if known else 1
    near = [(abs(other - size), level) for level, other in known if abs(other - size) < 0.06 * size]
    if near:
        return min(near)[1]
    smaller = [level for level, other in known if other < size]
    return min(smaller) if smaller else (max(level for level, _ in known) + 1 if known else 1)


def is_appendix_name(text: str) -> bool:
    """Whether a heading opens the appendices ("付録") that lettered headings then divide."""
    return "".join(text.split()).casefold() in ("付録", "appendix", "appendices")


def is_lettered(text: str) -> bool:
    """Whether a heading's number is a letter ("A", "C.2")."""
    match = _NUMBERED.match(text)
    return match is not None and match.group("letter") is not None


def number_depth(text: str) -> int:
    """Return how deep a heading's number is (``3.2`` is 2); 0 without a number."""
    match = _NUMBERED.match(text)
    if match is None:
        return 0
    digits = match.group("digits") or match.group("dotted") or match.group("letter")
    if digits:
        return len(re.split(r"[.．]", digits))
    return 2 if match.group("part") == "節" else 1
