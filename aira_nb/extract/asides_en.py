"""English facts that need no main clause: possessives, appositions, dates of life, counts and scores."""

from __future__ import annotations

import re

from aira_nb.extract.masked_en import MEASURE, NAME, STOPS, Masked, noun_phrase
from aira_nb.extract.predicates_en import PredicateReader
from aira_nb.extract.verbs_en import is_past
from aira_nb.extract.words_en import HEAD_NOUNS, MEASURES, PREPOSITIONS
from aira_nb.types import Mention

__all__ = ["KINSHIP", "PARTICIPLES", "AsideReader"]

PARTICIPLES = frozenset(
    """founded established directed written produced published released created developed designed built located
    situated based headquartered born owned edited composed formed launched introduced proposed invented discovered
    recorded performed hosted known named played portrayed distributed illustrated adapted maintained operated led
    acquired presented sponsored held opened built filmed set starring""".split()
)
KINSHIP = frozenset(
    """wife husband son daughter father mother brother sister uncle aunt nephew niece grandfather grandmother grandson
    granddaughter cousin founder author director creator composer editor supervisor capital successor predecessor
    owner president chairman""".split()
)
_POSSESSED = re.compile(
    rf"(?P<owner>{NAME})['’]s? (?P<role>[a-z]+(?: [a-z]+)?)(?:,| (?:is|was))? ?(?:the |an? )?(?P<name>{NAME})"
)
_ROLE_OF = re.compile(
    rf"(?:^|, |; )[Tt]he (?P<role>[a-z][a-z-]*(?: [a-z-]+)?) of (?:the )?(?P<owner>{NAME}) (?:is|was) (?:the |an? )?(?P<name>{NAME})"
)
_APPOSITION = re.compile(rf"(?P<name>{NAME}), (?P<article>an?|the) (?P<phrase>[^,.;:()]+)(?=[,.;]|$)")
_APPOSED_PARTICIPLE = re.compile(rf"(?P<name>{NAME}), (?:[a-z]+ly )?(?P<verb>[a-z]+)(?: and (?P<second>[a-z]+))?(?= )")
_ACHIEVE = r"(?:achiev|obtain|reach|attain|report|yield|gain|record|scor|show|post)(?:e?s|ed)|got|gets"
_SCORE = rf"(?:{NAME}|\d+(?:\.\d+)?)"
_MEASURE_FIRST = re.compile(
    rf"(?:{_ACHIEVE}) (?:an? |the )?(?:[a-z-]+ ){{0,2}}?(?P<measure>{MEASURES}) (?:score )?of (?P<score>{_SCORE})"
)
_SCORE_FIRST = re.compile(rf"(?:{_ACHIEVE}) (?:an? )?(?P<score>{_SCORE}) (?:in |of )?(?P<measure>{MEASURES})")
_MEASURE_OF = re.compile(
    rf"(?:[Tt]he|[Aa]n?) (?P<measure>{MEASURES}) of (?:the )?(?P<name>{NAME})(?: on (?:the )?(?:[a-z]+ ){{0,3}}(?P<data>{NAME}))? "
    rf"(?:is|was|reached|reaches) (?P<score>{_SCORE})"
)
_ON_DATA = re.compile(rf",? (?:on|for|in) (?:the )?(?:[a-z-]+ ){{0,4}}(?:of (?:the )?)?(?P<data>{NAME})")
_EARLIER_DATA = re.compile(rf"^On (?:the )?(?:[a-z-]+ ){{0,4}}(?:of (?:the )?)?(?P<data>{NAME}), ")
_COUNT = re.compile(
    r" (?:has|had|have|contains?|contained|comprises?|comprised|consists? of|consisted of|holds|held|includes?) "
    r"(?:about |around |over |some |more than |approximately )?(?P<number>\d[\d,]*(?:\.\d+)?(?: million| billion| thousand)?) "
    r"(?P<noun>(?:[a-z-]+ ){0,2}[a-z]+s)\b"
)
_RATE = re.compile(rf" (?P<verb>[a-z]+?)e?s by (?P<amount>{NAME})")
_SYSTEM = re.compile(r"(?:^|, |; )(?:[Tt]he )(?P<phrase>(?:proposed|baseline) (?:[a-z-]+ ){0,2}?[a-z]+)(?= )")
_YEARS = re.compile(r"(\d{3,4})\s?[-–—]\s?(\d{4})")
_LIFE = re.compile(r"\s\(([^()]{3,120})\)")


class AsideReader(PredicateReader):
    """Reads what stands beside the main clause."""

    def _counts(self, start: int, end: int, masked: Masked, subject: Mention, position: int) -> None:
        """Read "X has 3,140 inhabitants": the counted noun is the relation, so that two counts can be compared."""
        plain = self.text[masked.origin[position - 1][1] : end]
        count = _COUNT.match(plain)
        if count and count["noun"].split()[-1] not in ("times", "is", "was", "has"):
            left = masked.origin[position - 1][1] + count.start("number")
            right = masked.origin[position - 1][1] + count.end("noun")
            self._add(subject, count["noun"], Mention(left, right, self.text[left:right], "quantity"))
        rate = _RATE.match(masked.text, position)
        if rate and masked.name(rate["amount"]).type == "quantity":
            self._add(subject, f"{rate['verb']} by", masked.name(rate["amount"]))

    def _roles(self, masked: Masked) -> None:
        """Read "The capital of X is Y", "X's wife Y"."""
        for match in _ROLE_OF.finditer(masked.text):
            if match["role"] not in STOPS and not MEASURE.fullmatch(match["role"]):
                self._add(masked.name(match["owner"]), match["role"], masked.name(match["name"]))
        for match in _POSSESSED.finditer(masked.text):
            role = match["role"]
            copula = re.search(r" (?:is|was)\b", masked.text[match.end("role") : match.start("name")])
            if role.split()[-1] in KINSHIP or (copula and role.split()[-1] not in PREPOSITIONS and not is_past(role)):
                self._add(masked.name(match["owner"]), role, masked.name(match["name"]))

    def _appositions(self, masked: Masked) -> None:
        text = masked.text
        for match in _APPOSITION.finditer(text):
            # In a list ("A, the B and C") the comma joins nothing.
            if text[max(0, match.start() - 2) : match.start()] == ", " or re.match(
                r", (?:and|or) ", text[match.end() :]
            ):
                continue
            name = masked.name(match["name"])
            start, end = noun_phrase(text, match.start("phrase"))
            phrase = text[start:end]
            noun = phrase.split()[-1] if phrase.split() else ""
            kind = "place" if noun == "capital" else HEAD_NOUNS.get(noun, "person" if noun in KINSHIP else None)
            if kind is None or name.type not in (kind, "other"):
                continue
            tail = re.match(rf" (?P<prep>of|from|in) (?:the )?(?P<name>{NAME})", text[end:])
            if tail and tail["prep"] == "of" and match["article"] == "the":
                self._add(masked.name(tail["name"]), noun, name)
            elif tail and tail["prep"] == "from":
                self._add(name, "from", masked.name(tail["name"]))
            elif tail and tail["prep"] == "in" and HEAD_NOUNS.get(noun) == "place":
                self._add(name, "located in", masked.name(tail["name"]))
            if match["article"] != "the" and phrase.isascii() and len(phrase) <= 80:
                left, right = masked.span(start, end)
                self._add(name, "is a", Mention(left, right, self.text[left:right], "term"))
        for match in _APPOSED_PARTICIPLE.finditer(text):
            name = masked.name(match["name"])
            agent = re.search(r"\bby [^,]*$", text[: match.start()]) is not None
            if agent or (name.type == "person" and match["verb"] not in ("born", "known", "named")):
                # "a song by X, released in 1992": the song was released.
                continue
            if match["verb"] in PARTICIPLES and name.type not in ("time", "quantity", "place"):
                second = match["second"]
                end = match.end() if not second or is_past(second) else match.end("verb")
                self._passive(masked, name, end, match["verb"], second)

    def _life(self, subject: Mention) -> None:
        """Read "X (born 3 May 1867 in Y)", "X (1867 - 1916)"."""
        bracket = _LIFE.match(self.text, subject.end)
        if bracket is None or subject.type not in ("person", "other"):
            return
        inside = [m for m in self.names if bracket.start(1) <= m.start and m.end <= bracket.end(1)]
        times = [m for m in inside if m.type == "time"]
        born = re.search(r"\b(?:born|b\.)", bracket.group(1))
        if born:
            for mention in inside:
                before = self.text[bracket.start(1) : mention.start]
                if (mention.type == "time" and mention == times[0]) or (
                    mention.type in ("place", "other") and re.search(r"\b(?:in|at) $", before) and "died" not in before
                ):
                    self._add(subject, "born in", mention)
        elif (
            subject.type == "person"
            and len(times) == 2
            and re.search(r"\s?[-–—]\s?", self.text[times[0].end : times[1].start])
        ):
            self._add(subject, "born in", times[0])
            self._add(subject, "died in", times[1])
        elif subject.type == "person" and len(times) == 1 and (years := _YEARS.fullmatch(times[0].text)):
            for relation, group in (("born in", 1), ("died in", 2)):
                left, right = times[0].start + years.start(group), times[0].start + years.end(group)
                self._add(subject, relation, Mention(left, right, self.text[left:right], "time"))

    def _measures(self, masked: Masked, subject: Mention | None) -> None:
        """Read "X achieves an F1 of 95.2 % on D": the score, and what it was measured on, of which there is one per sentence."""
        text = masked.text
        earlier = _EARLIER_DATA.match(text)
        if earlier:
            found = re.compile(rf"(?:the )?(?P<name>{NAME})(?= )").match(text, earlier.end())
            subject = masked.name(found["name"]) if found else None
        if subject is None or subject.type in ("time", "quantity"):
            subject = self._system(masked)
        for pattern in (_MEASURE_FIRST, _SCORE_FIRST):
            match = pattern.search(text)
            if (
                match
                and subject is not None
                and not re.search(r"\b(?:not|never|would|could|may|might)\b", text[: match.start()])
            ):
                data = _ON_DATA.match(text, match.end())
                self._score(masked, subject, match, data["data"] if data else earlier["data"] if earlier else None)
                return
        match = _MEASURE_OF.search(text)
        if match:
            data = _ON_DATA.match(text, match.end())
            self._score(masked, masked.name(match["name"]), match, match["data"] or (data["data"] if data else None))

    def _system(self, masked: Masked) -> Mention | None:
        match = _SYSTEM.search(masked.text)
        if match is None:
            return None
        left, right = masked.span(match.start("phrase"), match.end("phrase"))
        return Mention(left, right, self.text[left:right], "term")

    def _score(self, masked: Masked, system: Mention, match: re.Match[str], data: str | None) -> None:
        left, right = masked.span(match.start("score"), match.end("score"))
        score = Mention(left, right, self.text[left:right], "quantity")
        if not re.search(r"\d", score.text):
            return
        measure = re.sub(r"[- ]score$", "", match["measure"])
        self._add(system, measure, score)
        if data is not None:
            self._add(system, "evaluated on", masked.name(data))
