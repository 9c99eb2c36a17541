"""From Japanese phrases to mentions: what a phrase names, and what the passage has said so far."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from aira_nb.extract.bunsetsu import CUTS, Bunsetsu
from aira_nb.extract.names_ja import is_proper, trimmed
from aira_nb.extract.words_ja import MEASURES, VAGUE
from aira_nb.types import Mention, Triple

__all__ = ["MEASURE", "PhraseReader", "measure"]

MEASURE = re.compile(MEASURES)
_COUNTED = re.compile(r"約?\d[\d.,]*\s?(?![\d.,年月日世代\-])")


def measure(surface: str) -> re.Match[str] | None:
    """Match a noun that names a score (Ｆ１, 正解率), whatever its width."""
    return MEASURE.fullmatch(unicodedata.normalize("NFKC", surface))


class PhraseReader:
    """The state of reading one passage, and the reading of noun phrases."""

    def __init__(self, text: str, *, title: str = "") -> None:
        self.text = text
        self.title = title
        self.topic: Mention | None = None
        self.facts: list[Triple] = []
        self.types: dict[str, str] = {}
        self._span = (0, 0)
        self._names: Sequence[Mention] = ()
        self._first = True
        self._continues = False

    def _add(self, head: Mention, relation: str, tail: Mention) -> None:
        if head.type in ("time", "quantity") or head.text == tail.text or not relation or len(relation) > 30:
            return
        if head.start < tail.end and tail.start < head.end:
            return
        relation = unicodedata.normalize("NFKC", relation)
        if tail.type in ("other", "term") and _COUNTED.match(tail.text):
            tail = Mention(tail.start, tail.end, tail.text, "quantity")
        if not any(
            f.head.text == head.text and f.relation == relation and f.tail.text == tail.text for f in self.facts
        ):
            self.facts.append(Triple(head, relation, tail, *self._span))

    def _value(self, start: int, end: int) -> Mention | None:
        """The time or quantity that stands in the phrase."""
        return next(
            # The mention may reach into a bracket that the phrase has lost: 1967年（昭和42年）.
            (n for n in self._names if n.type in ("time", "quantity") and start <= n.start < end),
            None,
        )

    def _mention(self, phrase: Bunsetsu, *, loose: bool = False) -> Mention | None:
        """What the phrase names: a value, a name, or (when `loose`) any noun phrase with content."""
        if not phrase.nouns:
            return None
        value = self._value(phrase.start, phrase.end)
        if value is not None:
            # 「1975年製ワイン」 is no time.
            return value if value.end >= phrase.end - 1 else None
        if phrase.nouns[-1].text in CUTS or phrase.nouns[-1].text.endswith(
            ("後", "時点", "以降", "以後", "以来", "当時")
        ):
            return None
        run = trimmed(phrase.nouns)
        if not run:
            return None
        if any(t.text in "「『」』" for t in run):
            # 「アニメ制作会社「カラー」を」 names カラー; 「『聖書』印刷」 names nothing that stands here.
            last = self.text[phrase.end - 1 : phrase.end]
            return next((n for n in self._names if n.end == phrase.end - 1), None) if last in ("」", "』") else None
        start, end = run[0].start, run[-1].end
        surface = self.text[start:end]
        if surface in VAGUE or not surface or "。" in surface or len(surface) > 60 or run[0].tag.startswith("代名詞"):
            return None
        for name in self._names:
            if name.start == start and name.end == end:
                return Mention(start, end, surface, self.types.get(surface, name.type))
        proper = is_proper(run) or any(n.start < end and start < n.end for n in self._names)
        if not proper and not (loose and len(surface) >= 2 and not run[0].tag.startswith("名詞-数詞")):
            return None
        kind = self.types.get(surface) or ("term" if not proper else "other")
        return Mention(start, end, surface, kind)

    def _chain(self, phrases: Sequence[Bunsetsu], last: Bunsetsu) -> Mention | None:
        """The noun phrase that ends in `last`, with the 「…の」 before it: 日本の小説家."""
        mention = self._mention(last, loose=True)
        if mention is None or mention.type in ("time", "quantity"):
            return mention
        start = mention.start
        i = last.index - 1
        while (
            i >= 0
            and phrases[i].particle == "の"
            and phrases[i].nominal
            and not phrases[i].comma
            and last.index - i <= 3
        ):
            run = trimmed(phrases[i].nouns)
            if not run or "".join(t.text for t in run) in VAGUE or run[0].tag.startswith("代名詞"):
                break
            start = run[0].start
            i -= 1
        if start == mention.start:
            return mention
        surface = self.text[start : mention.end]
        if len(surface) > 40 or re.search(r"[（）()、。]", surface):
            return mention
        return Mention(start, mention.end, surface, "term")

    def _type_at(self, start: int, length: int) -> str:
        exact = next((n for n in self._names if n.start == start and n.end == start + length), None)
        if exact is not None:
            return exact.type
        # 136分 and 2009年12月17日 in a longer answer (約136分) keep their type.
        inside = [n for n in self._names if start <= n.start and n.end <= start + length]
        if (
            len(inside) == 1
            and inside[0].type in ("time", "quantity")
            and inside[0].end - inside[0].start >= length - 2
        ):
            return inside[0].type
        return "other"

    def _coordinated(self, phrases: Sequence[Bunsetsu], last: Bunsetsu) -> Iterator[Mention]:
        """The A of 「AとBを」."""
        i = last.index - 1
        while (
            i >= 0
            and phrases[i].particle in ("と", "や", "および", "及び")
            and not phrases[i].comma
            and phrases[i].head in (i + 1, last.index)
        ):
            mention = self._mention(phrases[i])
            if mention is None or mention.type in ("time", "quantity"):
                return
            yield mention
            i -= 1
