"""Facts from English sentences by surface rules: names, closed word classes and verb endings, no tagger.

The rules read a sentence in which each name is one character (:class:`Masked`), so that a pattern such as "N was
founded by N" is a short regular expression. They prefer silence: a clause that is negated, modal or not understood
gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aira_nb.extract.asides_en import KINSHIP, PARTICIPLES, AsideReader
from aira_nb.extract.masked_en import AND_NAME, ARGUMENT, NAME, STOPS, Masked, modifies, noun_phrase
from aira_nb.extract.names_en import head_noun_type, looks_personal
from aira_nb.extract.predicates_en import ADVERBS
from aira_nb.extract.verbs_en import is_past
from aira_nb.extract.words_en import HEAD_NOUNS, PREPOSITIONS
from aira_nb.text import sentence_spans
from aira_nb.types import Mention, Triple

__all__ = ["find_facts"]

_LEAD = (
    r"(?:(?:In|On|At|By|Since|After|Before|During|From|Until|Under|As of|Throughout) [^,]{1,50}, |"
    rf"(?:Since|In|By|Until|At|As of) (?:[a-z]+ ){{0,4}}{NAME},? |"
    r"(?:However|Later|Originally|Today|Currently|Initially|Eventually|Finally|Moreover|Additionally), )?"
)
_PRONOUN = r"(?P<pronoun>He|She|It|They|The (?P<noun>[a-z]+)|This (?P<noun2>[a-z]+))(?= )"
_SUBJECT = re.compile(rf"{_LEAD}(?:(?:[Tt]he |[Aa]n? )?(?P<words>(?:[a-z-]+ ){{0,2}})(?P<name>{NAME})|{_PRONOUN})")
# A phrase in commas between subject and verb is stepped over.
_INSERTED = re.compile(r",(?: [^,.;]{2,120})+?,(?= (?:is|was|are|were|has|had|[a-z]+ed|[a-z]+s|[a-z]{3,6}) )")
_COPULA = re.compile(
    rf" (?:is|was|are|were|became|remains|has been|had been) {ADVERBS}(?P<article>an? |the |one of the |)(?=[A-Za-z0-9\ue000-\uf8ff])"
)
_RELATIVE = re.compile(r",? (?:who|which|that)(?= )")
_ADJECTIVE = re.compile(r"(?:ing|ed|ous|ive|ible|able|ful|less|ish|[a-z]-[a-z]+)$")
_AFTER_SUBJECT = frozenset(
    "is was are were has had have also then later first still now may can will would could or and who which that".split()
)


def find_facts(
    text: str, names: Sequence[Mention], *, topic: Mention | None = None
) -> tuple[list[Triple], dict[str, str]]:
    """Return the facts that the rules read in an English text, and the types that they define names to have.

    Parameters
    ----------
    names : sequence of Mention
        From :func:`aira_nb.extract.names_en.find_names`, in order and without overlaps.
    topic : Mention, optional
        What the passage is about, for "He", "It" and "The film" at the head of a later sentence. Without it the
        subject of the first sentence takes this part.
    """
    reader = _Reader(text, names, topic)
    for start, end in sentence_spans(text, "en"):
        if end - start <= 2_000:
            reader.read(start, end)
    return reader.facts, reader.types


class _Reader(AsideReader):
    """Reads the sentences of one passage in order."""

    def read(self, start: int, end: int) -> None:
        self.span = (start, end)
        inside = [m for m in self.names if start <= m.start and m.end <= end]
        if len(inside) > 1_000:
            return
        masked = Masked(self.text, start, end, inside)
        subject, position = self._subject(masked)
        if subject is not None:
            if self.topic is None and not self.facts and self.first:
                self.topic = subject
            self._life(subject)
            inserted = _INSERTED.match(masked.text, position)
            position = inserted.end() if inserted else position
            self._clause(masked, subject, position)
            self._counts(start, end, masked, subject, position)
        self._roles(masked)
        self._appositions(masked)
        self._measures(masked, subject)
        self.first = False

    def _subject(self, masked: Masked) -> tuple[Mention | None, int]:
        match = _SUBJECT.match(masked.text)
        if match is None:
            return None, 0
        if match["name"]:
            subject = masked.name(match["name"])
            following = masked.text[match.end() : match.end() + 2]
            # "X's wife ..." and "X and Y ..." speak of something else.
            if any(w in PREPOSITIONS or is_past(w) for w in match["words"].split()):
                # "The screenplay by X won ..."
                return None, 0
            if (
                subject.type in ("time", "quantity")
                or following.startswith(("'", "’"))
                or AND_NAME.match(masked.text, match.end())
            ):
                return None, 0
            word = re.match(r" ([a-z]+)", masked.text[match.end() :])
            if word and not (word[1] in _AFTER_SUBJECT or word[1].endswith(("ly", "s")) or is_past(word[1])):
                # "The United States presidential election" is not about the United States.
                return None, 0
            return subject, match.end()
        return self._antecedent(match["pronoun"], match["noun"] or match["noun2"] or ""), match.end()

    def _antecedent(self, pronoun: str, noun: str) -> Mention | None:
        """The passage's topic, where a pronoun or "The film" can only mean it."""
        topic = self.topic
        if topic is None or topic.start >= self.span[0]:
            return None
        if pronoun in ("He", "She"):
            return topic if topic.type == "person" or (topic.type == "other" and looks_personal(topic.text)) else None
        if pronoun == "It":
            return topic if topic.type not in ("person", "other") else None
        return topic if noun and noun == self.noun else None

    def _clause(self, masked: Masked, subject: Mention, position: int) -> None:
        copula = _COPULA.match(masked.text, position)
        if copula and not self._is_participle(masked.text, copula.end()):
            self._described(masked, subject, copula)
            return
        self._verbs(masked, subject, position)

    @staticmethod
    def _is_participle(text: str, position: int) -> bool:
        word = re.match(r"[A-Za-z-]+", text[position : position + 30])
        following = (
            re.match(
                r"(?: and [a-z]+)? (?:in|on|at|by|from|to|for|with|as|near|into|under|after)\b",
                text[position + len(word.group()) :],
            )
            if word
            else None
        )
        return word is not None and (word.group() in STOPS or (is_past(word.group()) and following is not None))

    def _described(self, masked: Masked, subject: Mention, copula: re.Match[str]) -> None:
        article = copula["article"].strip()
        start, end = noun_phrase(masked.text, copula.end())
        if start == end:
            return
        phrase = masked.text[start:end]
        words = phrase.split()
        if (
            words[0] in STOPS
            or masked.text[end : end + 1] in ("–", "—", "/")
            or (masked.text[end : end + 1] == "," and _ADJECTIVE.search(words[-1]))
        ):
            return
        rest = masked.text[end:]
        owner = re.match(rf" of (?:the )?(?:[a-z]+ )?(?P<name>{NAME})", rest)
        noun = words[-1]
        if (
            owner
            and not modifies(masked.text, end + owner.end())
            and noun.isalpha()
            and noun.islower()
            and len(words) <= 3
        ):
            whole = masked.name(owner["name"])
            if article in ("the", "") and (article or noun in HEAD_NOUNS or noun in KINSHIP):
                self._add(whole, phrase if len(words) > 1 else noun, subject)
            elif article:
                self._add(subject, f"{noun} of", whole)
            end += owner.end()
            if _RELATIVE.match(masked.text, end):
                # "a friend of Y who became ..." tells of Y.
                return
        elif article in ("a", "an", "one of the") and not re.search(NAME, phrase[-1]) and noun.islower():
            left, right = masked.span(start, end)
            described = self.text[left:right]
            if len(described) <= 80 and "(" not in described:
                self._add(subject, "is a", Mention(left, right, described, "term"))
                kind = head_noun_type(described)
                if subject.type == "other" and kind is not None:
                    self.types[subject.text] = kind
                if self.topic is not None and subject.text == self.topic.text and not self.noun:
                    self.noun = noun
                    self.topic = Mention(self.topic.start, self.topic.end, subject.text, kind or self.topic.type)
        elif not (article == "the" and noun.islower()):
            return
        self._modifiers(masked, subject, end, noun)

    def _modifiers(self, masked: Masked, subject: Mention, position: int, noun: str) -> None:
        """What follows "X is a N": "by Y", "in Y", "directed by Y", "who founded Y"."""
        text = masked.text
        kind = head_noun_type(noun)
        participle = re.match(
            r",? (?:and )?(?P<verb>[a-z]+)(?: and (?P<second>[a-z]+))?(?= )", text[position : position + 60]
        )
        if participle and (participle["verb"] in PARTICIPLES or is_past(participle["verb"])):
            self._passive(masked, subject, position + participle.end(), participle["verb"], participle["second"])
            return
        argument = ARGUMENT.match(text, position)
        if argument and argument["prep"] and not argument["words"].strip():
            tail = masked.name(argument["name"])
            if argument["prep"] == "by" and kind == "work" and tail.type in ("person", "other", "organization"):
                self._add(subject, "by", tail)
            elif argument["prep"] == "from" and tail.type in ("place", "other"):
                self._add(subject, "from", tail)
            elif argument["prep"] in ("in", "near") and kind == "place" and tail.type in ("place", "other"):
                self._add(subject, "located in" if argument["prep"] == "in" else "near", tail)
            position = argument.end()
        relative = _RELATIVE.search(text, position, min(len(text), position + 40))
        if relative and not re.search(NAME, text[position : relative.start()]):
            self._verbs(masked, subject, relative.end())
