"""What the short-answer model looks at: readable features of each candidate in its sentence."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from aira_nb.answer.candidates import Candidate, candidates
from aira_nb.answer.fit import fits, is_interrogative
from aira_nb.answer.select import Reading
from aira_nb.answer.sources import Sentence, Source, join_keys
from aira_nb.text import search_tokens

__all__ = ["features_of"]

_SENTENCES = 16  # how many of the best sentences are searched
_CLAUSE = re.compile(r"にある|した|する|され|ている|による|として|での|という|[ぁ-ん]{3}")
_JAPANESE = re.compile(r"[\u3041-\u30fe\u3400-\u9fff]")
_WORDY = re.compile(r"[\u30a1-\u30fe\u3400-\u9fffA-Za-z]")


Row = tuple[Sentence, Candidate, str, dict[str, float]]


def features_of(reading: Reading, chosen: Sequence[Sentence]) -> Iterator[Row]:
    """Yield each candidate of the best sentences with its match key and its features."""
    question = reading.question
    asked = _Asked(reading)
    pool = sorted(
        (s for source in reading.sources for s in source.sentences),
        key=lambda s: (-(s in chosen), -_pull(reading, s, chosen), s.source, s.order),
    )[:_SENTENCES]
    titles = {source.name_key: source for source in reversed(reading.sources)}
    mentions: dict[str, set[int]] = {}
    rows: list[tuple[_View, Candidate, str]] = []
    for sentence in pool:
        if is_interrogative(sentence.text):
            continue
        view = _View(reading, chosen, sentence, asked)
        text = sentence.text
        for candidate in candidates(text, "ja" if _JAPANESE.search(text) else "en"):
            surface, after = text[candidate.start : candidate.end], text[candidate.end :]
            if not fits(question, asked.kind, candidate.sort, surface, after):
                continue
            left, right = view.units_of(candidate)
            key = join_keys(sentence.units[left:right]).removeprefix("the ")
            mentions.setdefault(key, set()).add(sentence.source)
            rows.append((view, candidate, key))
    for view, candidate, key in rows:
        features = _features(view, candidate, key, titles.get(key))
        features["sources"] = math.log(len(mentions[key]))
        yield view.sentence, candidate, key, features


def _pull(reading: Reading, sentence: Sentence, chosen: Sequence[Sentence]) -> float:
    bridged = any(reading.bridged(sentence, other) for other in chosen)
    return reading.score(sentence) + (0.3 if bridged else 0.0)


class _Asked:
    """What the question asks for, prepared once."""

    def __init__(self, reading: Reading) -> None:
        question = reading.question
        self.reading = reading
        self.kind = question.kind if question.expected != "nationality" else "nationality"
        self.focus = question.focus.casefold()
        words = search_tokens(question.focus)
        self.focus_tokens = frozenset(words)
        self.head = words[-1] if words else ""
        self.key = reading.question_key
        self.terms = frozenset(search_tokens(question.text))
        self.covers = {
            source.index: reading.coverage(source.context.union(*(s.tokens for s in source.sentences)))
            for source in reading.sources
        }
        self.best_cover = max(self.covers.values())
        low = question.text.casefold()
        whole_date = re.search(r"年月日|何月何日|誕生日|what date|what day|birthday", low)
        self.year = not re.search(r"年月日|何月", low) and bool(
            re.search(r"\b(?:what|which|the) year\b|何年|年(?:は[？?]?$|はいつ|はなん)|生年[はは]", low)
        )
        self.day = bool(whole_date) or (low.startswith("when") and not self.year)
        self.month_day = "何月何日" in low


class _View:
    """One sentence as the question sees it, prepared once for all its candidates."""

    def __init__(self, reading: Reading, chosen: Sequence[Sentence], sentence: Sentence, asked: _Asked) -> None:
        self.sentence = sentence
        self.asked = asked
        self.starts = [unit.start - sentence.start for unit in sentence.units]
        self.terms = [(i, u.token) for i, u in enumerate(sentence.units) if u.token in reading.weights]
        stated = [a for a in reading.question.attributes if a.text.search(sentence.text)]
        self.cues = [m.span() for a in stated for m in a.text.finditer(sentence.text)]
        self.base = self._base(reading, chosen)

    def units_of(self, candidate: Candidate) -> tuple[int, int]:
        """The range of units that begin inside the candidate."""
        return bisect_left(self.starts, candidate.start), bisect_left(self.starts, candidate.end)

    def _base(self, reading: Reading, chosen: Sequence[Sentence]) -> dict[str, float]:
        """The features that all candidates of the sentence share."""
        sentence, asked = self.sentence, self.asked
        source = reading.sources[sentence.source]
        features = {
            "score": reading.score(sentence),
            "own cover": reading.coverage(sentence.tokens),
            "source cover": asked.covers[source.index],
            "best source": float(asked.covers[source.index] >= asked.best_cover - 1e-9),
            "states": float(bool(self.cues)),
            "focus in sentence": float(bool(asked.head) and asked.head in sentence.tokens),
        }
        if sentence in chosen:
            features["chosen"] = 1.0
            features["chosen late"] = float(chosen.index(sentence) > 0)
        if reading.asked_for(source):
            features["source asked"] = 1.0
            features[f"source asked {asked.kind}"] = 1.0
        if any(reading.bridged(sentence, other) for other in chosen):
            features["bridged"] = 1.0
            features["bridged score"] = features["score"]
        if any((other.source, other.order) in reading.links[source.index] for other in chosen):
            # The second hop: a passage that a chosen sentence names, and the question does not.
            features["named source"] = 1.0
            features["second hop"] = float(not reading.asked_for(source))
        return features


def _features(view: _View, candidate: Candidate, key: str, home: Source | None) -> dict[str, float]:
    sentence, asked, text = view.sentence, view.asked, view.sentence.text
    surface, before, after = text[candidate.start : candidate.end], text[: candidate.start], text[candidate.end :]
    left, right = view.units_of(candidate)
    tokens = [unit.token for unit in sentence.units[left:right] if unit.token]
    features = dict(view.base)
    features[f"{asked.kind}:{candidate.sort}"] = 1.0
    features["near"] = _near(view, left, right)
    features["length"] = math.log(1 + len(surface))
    features["place in sentence"] = candidate.start / max(1, len(text))
    if tokens:
        known = sum(1 for token in tokens if token in asked.terms) / len(tokens)
        features["known"] = known
        features["all known"] = float(known == 1.0)
    else:
        features["empty"] = 1.0
    if len(key) > 1 and key in asked.key:
        features["in question"] = 1.0
    if home is not None:
        _title_features(features, view, home)
    if view.cues:
        gap = min(max(candidate.start - end, start - candidate.end, 0) for start, end in view.cues)
        features["cue near"] = 1 / (1 + gap / 10)
    if asked.head and left < right:
        _focus_features(features, view, left, right, tokens)
    if candidate.sort in ("date", "year"):
        features["year asked"] = float(asked.year and candidate.sort == "year")
        features["day asked"] = float(asked.day and candidate.sort == "date")
        features["year not asked"] = float(asked.year and candidate.sort == "date")
    if asked.reading.question.language == "en":
        _english_features(features, asked, surface, before, after)
    else:
        name = asked.reading.sources[sentence.source].name
        _japanese_features(features, asked, name, surface, before, after)
    return features


def _near(view: _View, left: int, right: int) -> float:
    """Weighted closeness of the question's terms, by the units between them and the candidate."""
    reading = view.asked.reading
    best: dict[str, float] = {}
    for i, token in view.terms:
        if not left <= i < right:
            gap = left - i if i < left else i - right + 1
            best[token] = max(best.get(token, 0.0), 1 / (1 + gap / 6))
    return sum(reading.weights[token] * value for token, value in best.items()) / reading.total


def _title_features(features: dict[str, float], view: _View, home: Source) -> None:
    """The candidate is the title of a retrieved passage: what that passage says tells what the candidate is."""
    asked = view.asked
    features[f"title {asked.kind}"] = 1.0
    features["title cover"] = asked.reading.coverage(home.context.union(*(s.tokens for s in home.sentences[:6])))
    features["title covers best"] = float(asked.covers[home.index] >= asked.best_cover - 1e-9)
    if home.index == view.sentence.source:
        features["own title"] = 1.0
        features[f"own title {asked.kind}"] = 1.0
    elif "chosen" in view.base:
        features["bridge name"] = 1.0
    if asked.head and home.sentences and asked.head in home.sentences[0].tokens:
        features["title of kind"] = 1.0


def _focus_features(features: dict[str, float], view: _View, left: int, right: int, tokens: Sequence[str]) -> None:
    units, head = view.sentence.units, view.asked.head
    if any(u.token == head for u in units[max(0, left - 4) : left]):
        features["focus before"] = 1.0
    if any(u.token == head for u in units[right : right + 3]):
        features["focus after"] = 1.0
    if len(tokens) > 1 and tokens[-1] == head:
        features["focus last"] = 1.0
    if tokens and tokens[0] == head:
        features["focus first"] = 1.0


def _english_features(features: dict[str, float], asked: _Asked, surface: str, before: str, after: str) -> None:
    words = surface.split()
    tail = before[-20:].split()
    last = tail[-1].casefold() if tail else ""
    for group, members in (
        ("in", ("in", "at", "near", "from", "to")),
        ("by", ("by",)),
        ("a", ("a", "an")),
        ("is", ("is", "was", "are", "were", "as")),
    ):
        if last in members:
            features[f"{asked.kind} {group}"] = 1.0
    if asked.kind == "who":
        features["person words"] = float(2 <= len(words) <= 4 and all(w[:1].isupper() for w in words))
        features["one word person"] = float(len(words) == 1)
    if after.startswith(" ("):
        features[f"{asked.kind} opens"] = 1.0
    if before.count("(") > before.count(")"):
        features[f"{asked.kind} bracketed"] = 1.0
    if asked.kind == "how_many":
        following = search_tokens(" ".join(after[:60].split()[:3]))
        features["unit asked"] = float(bool(asked.focus_tokens.intersection(following)))
    if len(words) > 1 and surface[:1].islower():
        features["lower phrase"] = 1.0


def _japanese_features(
    features: dict[str, float], asked: _Asked, name: str, surface: str, before: str, after: str
) -> None:
    if asked.focus and len(asked.focus) <= 4 and surface.endswith(asked.focus) and surface != asked.focus:
        features["ends as asked"] = 1.0
    topic = before.removesuffix("、")
    if topic.endswith("は"):
        # 「Xの血液型はA型」: the last word before は labels the value.
        label = re.split(r"[。、]", topic.removesuffix("は"))[-1].rsplit("の", 1)[-1]
        features["predicate"] = 1.0
        tokens = frozenset(search_tokens(label))
        if label == name:
            features["label is topic"] = (
                1.0  # 「霧島灯台は灯台である」 says what the topic is, not what was asked of it
            )
        elif tokens:
            features["label known"] = len(tokens & asked.terms) / len(tokens)
            if asked.focus and (asked.focus in label or label in asked.focus):
                features["label asked"] = 1.0
    if _CLAUSE.search(surface):
        features["clausal"] = 1.0
    if after[:1] in ("。", "") or after.startswith(("である", "です", "だ", "でし")):
        features[f"{asked.kind} closes"] = 1.0
    if after[:1] == "は":
        features["topic"] = 1.0
    if after[:1] == "の":
        features["modifies"] = 1.0
    if after.startswith(("が、", "によ", "に所")):
        features[f"{asked.kind} agent"] = 1.0
    if before[-1:] in ("（", "("):
        features["bracketed"] = 1.0
    if asked.month_day and re.fullmatch(r"\d{1,2}月\d{1,2}日", surface):
        features["month and day"] = 1.0
    if _WORDY.match(after) and _WORDY.match(surface[-1:]):
        features["cut inside"] = 1.0
    if _WORDY.match(before[-1:]) and _WORDY.match(surface):
        features["cut inside left"] = 1.0
