"""Facts from Japanese sentences: topics, case particles and predicates over phrases (bunsetsu).

The relation is the predicate in dictionary form with the particle of the tail in front of it, except を: 開発する,
に設立される, で生まれる. 「XのRはY」 gives (X, R, Y). Clauses that are negated, wished, supposed or asked give nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aira_nb.extract.bunsetsu import Bunsetsu, bunsetsu
from aira_nb.extract.names_ja import ending_type, is_proper, trimmed
from aira_nb.extract.phrases_ja import measure
from aira_nb.extract.sentence_ja import Sentence
from aira_nb.extract.verbs_ja import VerbReader
from aira_nb.extract.words_ja import HEAD_ENDINGS, PRONOUNS, ROLES, VAGUE
from aira_nb.text.parse import Token
from aira_nb.types import Mention

__all__ = ["JapaneseReader"]

_LIFE = re.compile(r"[（(]([^（）()]{4,120})[)）]")
_DATED = re.compile(r"\s*[-－‐–—〜～~]\s*")


def _rivals(phrases: Sequence[Bunsetsu], phrase: Bunsetsu) -> bool:
    """Whether a phrase between topic and predicate brings a subject of its own, outside a relative clause."""
    if phrase.particle in ("は", "も", "こそ"):
        return True
    if phrase.particle != "が" or not 0 <= phrase.head < len(phrases):
        return False
    predicate = phrases[phrase.head].predicate
    return predicate is None or not predicate.adnominal


class JapaneseReader(VerbReader):
    """Reads the sentences of one passage in order, and remembers what the passage is about."""

    def read(self, sentence: Sentence, tokens: Sequence[Token], names: Sequence[Mention]) -> None:
        """Read one sentence. `tokens` are placed in the passage; `names` are the mentions inside the sentence."""
        self._span = (sentence.start, sentence.end)
        self._names = names
        if self._titled(sentence):
            self._first = False
            self._continues = True
            return
        phrases = bunsetsu(tokens)
        topic = self._sentence_topic(phrases)
        subject = self._subject_of(topic, phrases) if topic is not None else None
        if self._first:
            self.topic = subject
            self._first = False
        if subject is not None:
            self._life(subject)
            self._continues = self.topic is not None and subject.text == self.topic.text
        elif topic is None and self._continues and not any(p.particle in ("が", "も", "では", "には") for p in phrases):
            # No subject at all: the topic of the sentence before goes on, which is how Japanese prose is written.
            subject = self.topic if self.topic is not None and self.topic.start < sentence.start else None
        else:
            self._continues = False
        inherited = topic is None
        self._nominal(phrases, topic, subject)
        for phrase in phrases:
            predicate = phrase.predicate
            if predicate is None or predicate.uncertain:
                continue
            nearest = next((p for p in reversed(phrases[: phrase.index]) if p.nominal and p.particle == "は"), topic)
            about = subject if nearest is topic else self._subject_of(nearest, phrases) if nearest is not None else None
            if (
                inherited
                and predicate.passive
                and about is not None
                and about.type not in ("organization", "work", "place", "term")
            ):
                about = None
            self._verbal(phrases, phrase, predicate, nearest, about)

    def _sentence_topic(self, phrases: Sequence[Bunsetsu]) -> Bunsetsu | None:
        return next((p for p in phrases if p.nominal and p.particle in ("は", "とは")), None)

    def _subject_of(self, topic: Bunsetsu, phrases: Sequence[Bunsetsu]) -> Mention | None:
        if topic.index and phrases[topic.index - 1].particle == "の":
            return None
        run = trimmed(topic.nouns)
        surface = "".join(t.text for t in topic.nouns)
        if surface in PRONOUNS:
            fits = self.topic is not None and self.topic.type in (PRONOUNS[surface], "other")
            return self.topic if fits else None
        if (
            not run
            or any(t.tag.startswith("代名詞") for t in run)
            or any(p.particle == "と" and p.head == topic.index for p in phrases[: topic.index])
        ):
            return None
        mention = self._mention(topic, loose=len(run) >= 2)
        return mention if mention is not None and mention.type not in ("time", "quantity") else None

    def _titled(self, sentence: Sentence) -> bool:
        """A sentence that opens with the document's title: 「<title>のRはYである。」, whatever the title is made of."""
        title = self.title
        text = self.text[sentence.start : sentence.end]
        if len(title) < 2 or not text.startswith(title + "の"):
            return False
        match = re.fullmatch(
            r"の((?:(?!における|での)[^。、は（(]){1,30})は、?([^。]{1,80}?)(?:であった|である|だった|です|だ)?(?:[（(][^（）()]*[)）])?。?",
            text[len(title) :],
        )
        if match is None or re.search(r"[をが]|(?:する|した|ない|れる|いる|ある|った|なる|きる)$", match.group(2)):
            return False
        parts = list(re.finditer(r"[^、]+", match.group(2)))
        if len(parts) > 1 and re.search(r"[はでにとも]、|、.*[はでにとも](?:、|$)", match.group(2)):
            return False
        head = Mention(sentence.start, sentence.start + len(title), title, self._type_at(sentence.start, len(title)))
        if self._first:
            self.topic = head
        base = sentence.start + len(title) + match.start(2)
        for part in parts:
            start, end = base + part.start(), base + part.end()
            if self.text[start] in "「『" and self.text[end - 1] in "」』":
                start, end = start + 1, end - 1
            if self.text[start:end].strip():
                self._add(
                    head, match.group(1), Mention(start, end, self.text[start:end], self._type_at(start, end - start))
                )
        return True

    def _nominal(self, phrases: Sequence[Bunsetsu], topic: Bunsetsu | None, subject: Mention | None) -> None:
        last = phrases[-1] if phrases else None
        if (
            last is not None
            and last.nouns
            and last.nouns[-1].tag.startswith(("形状詞", "接尾辞-形状詞的", "名詞-数詞", "名詞-普通名詞-形状詞可能"))
        ) and not self._value(last.start, last.end):
            return
        if (
            last is None
            or not last.nominal
            or last.particle not in ("", "とも")
            or (topic is not None and last.index <= topic.index)
        ):
            return
        if not (last.copula or last.particle == ""):
            return
        tail = self._chain(phrases, last)
        if tail is None:
            return
        between = phrases[topic.index + 1 : last.index] if topic is not None else phrases[: last.index]
        clause = any(p.copula or (p.predicate is not None and not p.predicate.adnominal) for p in between)
        if topic is not None and topic.index and phrases[topic.index - 1].particle in ("の", "における", "での"):
            if not clause and not any(p.particle in ("が", "は", "も") for p in between):
                self._attribute(phrases, topic, tail if not self._relative(phrases, last) else None)
            return
        if subject is None or any(_rivals(phrases, p) for p in between):
            return
        if tail.type in ("time", "quantity"):
            if any(self._value(p.start, p.end) for p in between if p.nouns):
                return
            measured = "".join(t.text for t in last.nouns if t.end <= tail.start)
            if topic is not None and not clause and len(measured) > 1:
                self._add(subject, measured, tail)
            return
        run = trimmed(last.nouns)
        noun = "".join(t.text for t in run)
        if noun in VAGUE or not noun or (last.index and phrases[last.index - 1].tokens[-1].text == "同じ"):
            return
        owner = phrases[last.index - 1] if last.index and phrases[last.index - 1].particle == "の" else None
        if noun in ROLES and owner is not None:
            whole = self._mention(owner)
            if whole is not None and topic is not None:
                self._add(whole, noun, subject)
                return
        if topic is not None or last.copula:
            kind = ending_type(noun, HEAD_ENDINGS)
            if topic is None and kind is None:
                return
            if kind is not None and (
                subject.type == "other" or (subject.type == "term" and kind in ("person", "organization", "place"))
            ):
                self.types[subject.text] = kind
                subject = Mention(subject.start, subject.end, subject.text, kind)
                if self.topic is not None and self.topic.text == subject.text:
                    self.topic = subject
            self._add(subject, "である", tail)
            self._origin(phrases, last, subject)
            self._relatives(phrases, last, subject)

    def _attribute(self, phrases: Sequence[Bunsetsu], topic: Bunsetsu, tail: Mention | None) -> None:
        owner = phrases[topic.index - 1]
        head = self._mention(owner, loose=True)
        attribute = "".join(t.text for t in trimmed(topic.nouns))
        if (
            head is None
            or tail is None
            or not attribute
            or attribute in VAGUE
            or attribute[0].isdigit()
            or head.type in ("time", "quantity")
        ):
            return
        if any(t.tag.startswith(("名詞-固有名詞-地名", "名詞-固有名詞-人名")) for t in topic.nouns):
            return
        if owner.index and phrases[owner.index - 1].particle in ("の", "という") and head.type == "term":
            # 「日本の首都の人口」: only the whole chain says whose population it is.
            chained = self._chain(phrases[: owner.index + 1], owner)
            head = chained or head
        measured = measure(attribute) is not None
        if owner.particle != "の" and not measured:
            return
        self._add(head, attribute, tail)
        if measured:
            data = next(
                (p for p in phrases[: owner.index] if p.particle in ("における", "での", "で", "では", "において")),
                None,
            )
            named = self._mention(data) if data is not None else None
            if named is not None:
                self._add(head, "で評価される", named)

    def _relative(self, phrases: Sequence[Bunsetsu], noun: Bunsetsu) -> bool:
        return any(p.head == noun.index and p.predicate is not None for p in phrases)

    def _origin(self, phrases: Sequence[Bunsetsu], last: Bunsetsu, subject: Mention) -> None:
        """「Xは東京都出身の俳優」."""
        for phrase in phrases[: last.index + 1]:
            run = trimmed(phrase.nouns)
            if (
                len(run) >= 2
                and run[-1].text in ("出身", "生まれ")
                and (phrase is last or phrase.particle == "の" or phrase.predicate is None)
            ):
                start, end = run[0].start, run[-2].end
                place = self.text[start:end]
                if run[-1].text == "出身" and not self._value(start, end) and is_proper(run[:-1]):
                    self._add(subject, "出身地", Mention(start, end, place, self._type_at(start, end - start)))

    def _relatives(self, phrases: Sequence[Bunsetsu], last: Bunsetsu, subject: Mention) -> None:
        """「Xは、Yに本社を置く企業」: what is said of the predicate noun is said of X."""
        chain = {last.index}
        for phrase in reversed(phrases[: last.index]):
            if phrase.particle == "の" and phrase.head in chain:
                chain.add(phrase.index)
        for phrase in phrases[: last.index]:
            predicate = phrase.predicate
            if predicate is None or predicate.uncertain or not predicate.adnominal or phrase.head not in chain:
                continue
            arguments = [p for p in phrases if p.head == phrase.index and p.nominal]
            if any(p.particle == "が" for p in arguments) and not predicate.passive:
                agent = next(p for p in arguments if p.particle == "が")
                named = self._mention(agent)
                if named is not None and not any(p.particle == "を" for p in arguments):
                    self._add(named, predicate.relation, subject)
                continue
            self._arguments(phrases, arguments, predicate, subject)

    def _life(self, subject: Mention) -> None:
        """「夏目漱石（なつめ そうせき、1867年2月9日 - 1916年12月9日）は」."""
        bracket = _LIFE.match(self.text, subject.end)
        if bracket is None or subject.type not in ("person", "other"):
            return
        times = [n for n in self._names if n.type == "time" and bracket.start(1) <= n.start and n.end <= bracket.end(1)]
        if not times or not re.search(r"\d|[一二三四五六七八九十〇]", times[0].text):
            return
        if len(times) >= 2 and _DATED.search(self.text[times[0].end : times[1].start]):
            self._add(subject, "生年月日", times[0])
            self._add(subject, "没年月日", times[-1] if len(times) == 2 else times[1])
        elif len(times) == 1 and re.match(r"\s*(?:[-－‐–—〜～~]|生まれ)", self.text[times[0].end :]):
            self._add(subject, "生年月日", times[0])
