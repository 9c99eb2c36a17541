"""Names in English text by their capitals, without a tagger, and coarse types by obvious rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from aira_nb.extract.values import values
from aira_nb.extract.verbs_en import is_past
from aira_nb.extract.words_en import CONNECTORS, COUNTRIES, DEMONYMS, HEAD_NOUNS, NAME_SUFFIXES, NOT_NAMES, TITLES
from aira_nb.text import sentence_spans
from aira_nb.types import Mention

__all__ = ["find_names", "head_noun_type", "looks_personal", "name_type"]

_TOKEN = re.compile(
    r"(?:[A-Z]\.){2,}|[A-Z]\.(?=\s?[A-Z])|(?:St|Mt|Dr|Mr|Mrs|Ms|Jr|Sr|Bros|Ft|No|vs)\.|[^\W_]+(?:[-'’&+][^\W_]+)*(?:'(?=\s))?|&",
)
_QUOTED = re.compile(r"[\"“]([^\"“”\n]{2,80})[\"”]")
_POSSESSIVE = re.compile(r"['’]s?$")
_ROMAN = re.compile(r"[IVX]{1,5}")
_MIXED = re.compile(r"[a-z]+[A-Z]|[A-Z].*[A-Z]|[A-Za-z]-?\d|\d[A-Z]")
_PERSON_CUE = re.compile(
    r"\b(?:by|starring|featuring|stars|with|married|wife|husband|son of|daughter of|brother|sister|father|"
    r"mother|friend|alongside|opposite)\s$"
)
_LISTED = re.compile(r",? and |, ")
_PLACE_CUE = re.compile(
    r"\b(?:born in|died in|located in|based in|lives in|lived in|city of|town of|village of|moved to|near|north of|"
    r"south of|east of|west of|capital of|situated in|headquartered in|raised in|resides in|northern|southern|"
    r"eastern|western|central|downtown)\s(?:the\s)?$"
)
_ORGANIZATION_CUE = re.compile(
    r"\b(?:joined the|signed with|signed by|released by|published by|distributed by|subsidiary of|owned by|member of the|"
    r"acquired by|works for|worked for|played for|coached the|founder of|CEO of|graduate of|graduated from|attended|"
    r"studied at|professor at|educated at)\s(?:the\s)?$"
)


class _Word(NamedTuple):
    start: int
    end: int
    text: str


def find_names(text: str, *, title: str = "") -> list[Mention]:
    """Return names, times and quantities of an English text, in order and without overlaps.

    A capitalised word that opens a sentence counts only when something else says that it is a name: another capital
    beside or inside it, the same word capitalised elsewhere, or the document's title.
    """
    found = values(text, "en")
    for match in _QUOTED.finditer(text):
        inner = match.group(1).rstrip(",.;")
        if _is_title(inner) and not _overlaps(found, match.start(1), match.end(1)):
            found.append(Mention(match.start(1), match.start(1) + len(inner), inner, "work"))
    for match in re.finditer(r"\bWashington, D\.C\.", text):
        found.append(Mention(match.start(), match.end(), match.group(), "place"))
    for start, end in _title_spans(text, title):
        if not _overlaps(found, start, end):
            found.append(Mention(start, end, text[start:end], name_type(text, start, end)))
    taken = sorted((m.start, m.end) for m in found)
    trusted = _capitalised_inside(text) | {w for w in title.split() if w[:1].isupper()}
    for left, right in sentence_spans(text, "en"):
        for start, end in _runs(text, left, right, taken, trusted):
            found.append(Mention(start, end, text[start:end], name_type(text, start, end)))
    found = [m for m in found if m.text not in DEMONYMS]
    found.sort(key=lambda m: m.start)
    return _agree(text, found)


def _is_title(inner: str) -> bool:
    """Whether a quotation is a title: up to nine words, the longer of them capital."""
    words = [w for w in inner.split() if len(w) > 3]
    return inner[:1].isupper() and len(inner.split()) <= 9 and sum(w[0].isupper() for w in words) * 2 >= len(words)


def _title_spans(text: str, title: str) -> Iterable[tuple[int, int]]:
    bare = re.sub(r"\s*\([^)]*\)$", "", title)
    if len(bare) > 2 and any(c.isupper() for c in bare):
        for match in re.finditer(rf"(?<![\w-]){re.escape(bare)}(?![\w-])", text):
            yield match.span()


def _overlaps(found: list[Mention], start: int, end: int) -> bool:
    return any(m.start < end and start < m.end for m in found)


def _capitalised_inside(text: str) -> set[str]:
    """Words that stand capitalised after a lower-case word, so that a sentence does not explain their capital."""
    return set(re.findall(r"(?<=[a-z,] )[A-Z][\w-]+", text))


def _runs(
    text: str, left: int, right: int, taken: list[tuple[int, int]], trusted: set[str]
) -> Iterable[tuple[int, int]]:
    words = [_Word(m.start(), m.end(), m.group()) for m in _TOKEN.finditer(text, left, right)]
    words = [w for w in words if not any(a < w.end and w.start < b for a, b in taken)]
    i = 0
    while i < len(words):
        if not _capital(words[i].text) or (words[i].text in NOT_NAMES and not _opens_name(words, i)):
            i += 1
            continue
        j = _extend(text, words, i)
        run = words[i : j + 1]
        i = j + 1
        run = _trim(run)
        if (
            len(run) == 2
            and run[0].text in DEMONYMS
            and re.search(r"\b[Aa]n? $", text[max(0, run[0].start - 4) : run[0].start])
        ):
            # "an American YouTube personality" against "American Splendor".
            run = run[1:]
        if run and _is_name(text, run, run[0].start == left or _after_opener(text, run[0].start, left), trusted):
            start, end = run[0].start, run[-1].end
            while text[start:end].endswith(("'s", "’s", "'", "’")):
                end -= 2 if text[start:end].endswith(("'s", "’s")) else 1
            yield start, end


def _opens_name(words: list[_Word], i: int) -> bool:
    """Whether "May", "Work" and the like stand inside a name: a capital, not first in the sentence, glued to another capital."""
    if i == 0 or i + 1 >= len(words) or words[i].text in ("The", "A", "An", "In", "On", "At", "By"):
        return False
    return (
        words[i - 1].text[:1].islower()
        and words[i + 1].start == words[i].end + 1
        and _capital(words[i + 1].text)
        and words[i + 1].text not in NOT_NAMES
    )


def _capital(word: str) -> bool:
    return word[:1].isupper() or (len(word) > 2 and re.match(r"[a-z]{1,3}[A-Z]", word) is not None)


def _extend(text: str, words: list[_Word], i: int) -> int:
    """Index of the last word of the name that begins at word `i`."""
    j = i
    while j + 1 < len(words) and text[words[j].end : words[j + 1].start] == " ":
        if words[j].text.endswith(("'s", "’s")) and words[j].text not in ("St", "Mc"):
            break
        following = words[j + 1].text
        if _capital(following) or (following.isdigit() and len(following) <= 3 and _numbered(text, words, j)):
            j += 1
        elif following in CONNECTORS or following == "&" or _joins(words, i, j):
            k = j + 2
            if following == "of" and k < len(words) and words[k].text == "the":
                k += 1
            if k < len(words) and _capital(words[k].text) and text[words[k - 1].end : words[k].start] == " ":
                # "a member of X" has no capital before "of", so the phrase never begins here.
                j = k
            else:
                break
        else:
            break
    return j


_PURPOSE = frozenset(
    """Institute Institution Center Centre Society Association Council Committee Department Foundation Office School
    Agency Ministry Academy College Conference Workshop Symposium Museum Campaign Organization Bureau Faculty""".split()
)


def _joins(words: list[_Word], i: int, j: int) -> bool:
    """Whether for, on or and joins an institution's name: "Institute for Tidal Computing", "Institute of Science and Technology"."""
    name = [w.text for w in words[i : j + 1]]
    following = words[j + 1].text
    return (following in ("for", "on") and name[-1] in _PURPOSE) or (
        following == "and" and len(name) > 2 and name[-2] in ("of", "for") and name[-3] in _PURPOSE
    )


def _numbered(text: str, words: list[_Word], j: int) -> bool:
    """Whether a number belongs to the name: "Apollo 11", "Formula 1", but not "Ohio 38 people"."""
    following = text[words[j + 1].end : words[j + 1].end + 2]
    return not re.match(r"[.,%]\d|%| ?-", following) and words[j].text not in NOT_NAMES


def _trim(run: list[_Word]) -> list[_Word]:
    while run and (run[0].text in NOT_NAMES or run[0].text in CONNECTORS or run[0].text == "&"):
        # "The New York Times": the article is dropped, as in every match key.
        run = run[1:]
    while run and (run[-1].text in CONNECTORS or run[-1].text == "&" or run[-1].text in ("A", "The")):
        run = run[:-1]
    return run


def _after_opener(text: str, start: int, left: int) -> bool:
    return not any(c.isalnum() for c in text[left:start])


def _is_name(text: str, run: list[_Word], initial: bool, trusted: set[str]) -> bool:
    first = run[0].text
    if len(run) == 1:
        bare = _POSSESSIVE.sub("", first)
        if (
            len(bare.rstrip(".")) < 2
            or bare in DEMONYMS
            or bare in TITLES
            or bare.rstrip(".") in ("Jr", "Sr", "No", "vs")
        ):
            return False
        if _ROMAN.fullmatch(bare):
            return False
        if not initial or _MIXED.search(bare):
            return True
        if re.search(rf"(?<![\w-]){re.escape(bare.lower())}(?![\w-])", text) or bare.endswith(("ly", "ing", "ed")):
            return False
        following = re.match(r" ([a-z]+)\b", text[run[0].end :])
        if following and is_past(following[1]) and not bare.endswith("s"):
            return True
        return (
            bare in trusted
            or re.match(r"(?:['’]s\b|\s(?:is|was|are|were|has|had)\b|,|\s\()", text[run[0].end :]) is not None
        )
    return True


def head_noun_type(phrase: str) -> str | None:
    """Type of what a noun phrase describes, by its last noun ("American comic book artist" is a person)."""
    words = re.findall(r"[A-Za-z-]+", phrase)
    if not words:
        return None
    last = words[-1].lower()
    return HEAD_NOUNS.get(last) or HEAD_NOUNS.get(last.removesuffix("s"))


def name_type(text: str, start: int, end: int) -> str:
    """Type of the name ``text[start:end]`` by its own words, then by the words around it; "other" when unsure."""
    name = text[start:end]
    words = [w.rstrip(",") for w in name.split()]
    if name in COUNTRIES or (
        words[0] in ("Northern", "Southern", "Eastern", "Western") and " ".join(words[1:]) in COUNTRIES
    ):
        return "place"
    core = name.split(" of ")[0].split()[-1] if " of " in name else words[-1]
    for word in (core.rstrip("."), words[-1].rstrip(".")):
        if word in NAME_SUFFIXES:
            return NAME_SUFFIXES[word]
    if words[0] in ("University", "Bank", "Ministry", "Department", "Institute", "House", "Order"):
        return "organization"
    if words[0] in ("Mount", "Lake", "Fort", "Port", "Cape", "Isle") and len(words) > 1:
        return "place"
    if words[0].rstrip(".") in TITLES and len(words) > 1:
        return "person"
    before, after = text[max(0, start - 40) : start], text[end : end + 90]
    if len(words) == 1 and re.fullmatch(r"(?=.*[A-Z].*[A-Z0-9])[A-Za-z0-9+&-]{2,12}", name):
        # Pure capitals may be a method as well as a broadcaster; digits and inner capitals are a scholar's coinage.
        return "term" if re.search(r"[a-z0-9]", name) else "other"
    described = re.match(
        r"(?:\s\([^)]*\)| \"[^\"]*\")*,?\s(?:is|was|are|were)\s(?:an?|the|one of the)\s([^.;]{3,80})", after
    )
    if described:
        kind = head_noun_type(_noun_phrase(described.group(1)))
        if kind:
            return kind
    role = re.search(r"([a-z-]+)\s$", before)
    if role and HEAD_NOUNS.get(role.group(1)) == "person" and len(words) <= 4:
        return "person"
    if (
        re.match(r"\s\((?:born|b\.|née)|\s\([^)]*\b(?:19|18|20|17)\d\d\s?[–-]\s?[^)]*\d{4}\)", after)
        and len(words) >= 2
    ):
        return "person"
    if _PLACE_CUE.search(before):
        return "place"
    tail = re.match(r",\s([A-Z][\w.]*(?:\s[A-Z][\w.]*){0,2})", after)
    if (
        tail
        and (tail.group(1) in COUNTRIES or tail.group(1).rstrip(".") in COUNTRIES)
        and re.search(r"(?:in|at|from|to|of|near)\s(?:the\s)?$", before)
    ):
        return "place"
    if _ORGANIZATION_CUE.search(before):
        return "organization"
    appositive = re.match(r",\s(?:an?|the)\s([^,.;]{3,60})", after)
    if appositive:
        kind = head_noun_type(_noun_phrase(appositive.group(1)))
        if kind:
            return kind
    if looks_personal(name) and _PERSON_CUE.search(before):
        return "person"
    return "other"


def looks_personal(name: str) -> bool:
    """Two to four capitalised words without digits, or initials: the shape of a person's name, nothing more."""
    words = name.split()
    return 2 <= len(words) <= 4 and all(
        re.fullmatch(r"[A-Z][a-zà-ÿ'’-]+|[A-Z]\.|Mc[A-Z]\w+|O['’][A-Z]\w+|de|van|von|Jr\.?", w) for w in words
    )


def _noun_phrase(text: str) -> str:
    """Up to the first word that cannot stand inside a simple noun phrase."""
    return re.split(
        r"[,.;:(]|\s(?:who|that|which|whose|where|when|from|in|by|based|located|written|directed|produced|published|"
        r"about|for|at|on|with|and|of|to|as|best|known)\b",
        text,
        maxsplit=1,
    )[0]


def _agree(text: str, found: list[Mention]) -> list[Mention]:
    """Give one name one type inside a passage, a surname its full name's, and a list of persons' names the first's."""
    known: dict[str, str] = {}
    for k in range(1, len(found)):
        previous, mention = found[k - 1], found[k]
        if (
            previous.type == "person"
            and mention.type == "other"
            and _LISTED.fullmatch(text, previous.end, mention.start)
            and looks_personal(mention.text)
        ):
            found[k] = Mention(mention.start, mention.end, mention.text, "person")
    for mention in found:
        if mention.type not in ("other", "time", "quantity"):
            known.setdefault(mention.text, mention.type)
            if mention.type == "person":
                for part in mention.text.split():
                    if len(part) > 2:
                        known.setdefault(part, "person")
    agreed = []
    for mention in found:
        kind = known.get(mention.text, mention.type) if mention.type == "other" else mention.type
        agreed.append(mention if kind == mention.type else Mention(mention.start, mention.end, mention.text, kind))
    return agreed
