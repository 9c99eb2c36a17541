"""English verb forms without a tagger: which words are past forms, and the base form of each."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["base_form", "is_past", "present_base"]

_IRREGULAR: dict[str, str] = {}
for _base, _forms in {
    "win": "won",
    "write": "wrote written",
    "make": "made",
    "lead": "led",
    "build": "built",
    "become": "became",
    "hold": "held",
    "sell": "sold",
    "sing": "sang sung",
    "draw": "drew drawn",
    "give": "gave given",
    "take": "took taken",
    "beat": "beat beaten",
    "buy": "bought",
    "teach": "taught",
    "fight": "fought",
    "meet": "met",
    "leave": "left",
    "grow": "grew grown",
    "know": "known",
    "shoot": "shot",
    "find": "found",
    "choose": "chose chosen",
    "bear": "born",
    "run": "ran",
    "set": "set",
    "wed": "wed",
    "begin": "began begun",
    "break": "broke broken",
    "drive": "drove driven",
    "sign": "signed",
    "speak": "spoke spoken",
    "succeed": "succeeded",
    "base": "based",
    "lose": "lost",
    "premiere": "premiered",
    "compete": "competed",
    "describe": "described",
    "subscribe": "subscribed",
    "complete": "completed",
    "score": "scored",
    "store": "stored",
    "explore": "explored",
    "restore": "restored",
    "ignore": "ignored",
    "schedule": "scheduled",
    "compile": "compiled",
    "theme": "themed",
    "rule": "ruled",
    "injure": "injured",
    "style": "styled",
    "stage": "staged",
    "average": "averaged",
    "precede": "preceded",
    "concede": "conceded",
    "file": "filed",
    "profile": "profiled",
    "agree": "agreed",
    "guarantee": "guaranteed",
    "allege": "alleged",
    "engage": "engaged",
    "delete": "deleted",
    "name": "named",
    "frame": "framed",
    "shape": "shaped",
    "judge": "judged",
    "merge": "merged",
    "smile": "smiled",
    "exile": "exiled",
    "die": "died",
    "tie": "tied",
    "lie": "lay lain",
    "debut": "debuted",
    "inherit": "inherited",
    "peak": "peaked",
    "see": "saw seen",
}.items():
    _IRREGULAR.update(dict.fromkeys(_forms.split(), _base))

# -ed words that are no past form, or say too little to relate two names.
_NOT_VERBS = frozenset(
    """need indeed hundred red speed seed feed breed bed exceed proceed succeed united used supposed allowed seemed
    wanted tried refused continued considered believed said decided managed failed intended aimed expected required
    rated related so-called named-entity kindred sacred wicked naked limited unlimited advanced combined mixed untitled
    armed gifted talented retired animated aged varied detailed skilled""".split()
)

# Stems that lose their "e" before "ed". Source: spelling rules of English, checked on the verbs of encyclopaedic prose.
_SILENT_E = re.compile(
    r"(?:[^aeiou]at|[^aeo]iat|uat|eat|[cvuz]|[aeiou]s|ns|rs|ps|[dr]g|ng|nag|iag|gag|[aeiou]k|[bcdfgkptz]l|"
    r"(?<=[^aeiou])ut|(?<=[^e])it(?=$)|vid|sid|cid|lud|rad|rod|id(?=$)|[^aeo]ir|uir|tor|lor|plor|par|ar(?=$)|cur|tur|sur|"
    r"mpos|ap|op|yp|am|um|om(?=$)|fin|min|bin|gin|scen|ven|lin|ken(?=$)|[^aeio]ud|ud|ot|rit|uk)$"
)
_PLAIN_E = frozenset(
    """visit edit audit exhibit inhibit limit credit profit benefit deposit exit commit admit submit permit recruit treat
    repeat defeat appear repair visit author honor favor monitor record reward award answer master partner visit open
    happen listen strengthen appoint join contain train gain obtain maintain explain remain retain attain claim proclaim
    aim perform reform transform inform confirm affirm film claim film develop envelop ship help stop step drop equip
    group murder host cost post adopt accept attempt interrupt attack track pick pack kick lock work look cook book
    walk talk mark park remark rank thank link attract act direct elect select collect protect inspect connect
    conduct construct instruct affect reflect project object visit focus pass miss discuss express process address
    possess cross dress press guess star war appear clear hear near occur refer prefer transfer infer defer bar scar
    collapse deposit reveal appeal conceal steal heal seal fuel label travel model cancel signal equal total pedal
    control enroll patrol fulfil pull call fill kill spell sell bill play pay stay display delay portray enjoy employ
    destroy deploy follow show allow borrow view review interview crew chair pair impair air despair lead read spread
    load upload download plead broad succeed need guard reward seat beat heat cheat greet visit meet root shoot boot
    loot scout shout route report support export import transport comfort sort start convert assert insert desert alert
    present represent prevent invent patent paint print point appoint mount count account discount grant plant want
    warrant found round sound surround ground land brand expand command demand end attend extend defend intend recommend
    send spend bond respond fund hand stand band blind remind wind bind mind kind find rain ruin coin sign design assign
    resign reign campaign foreign return turn burn earn learn warn govern concern adorn born own down drown crown
    happen open broaden pardon abandon champion mention position question function station condition commission audition
    envision provision reason season poison prison person impersonate finish publish establish accomplish vanish
    abolish distinguish extinguish banish furnish rush push crush wash smash cash match watch catch attach reach teach
    approach coach launch branch punch search research preach stretch switch pitch touch sketch finish visit box mix fix
    tax relax index annex veto echo radio ski number remember consider discover deliver cover recover uncover river enter
    center register administer minister foster master plaster cluster muster alter filter shelter chapter charter
    quarter order border wonder render gender tender surrender murder wander gather father mother bother anchor
    sponsor tutor censor mirror err offer suffer differ buffer appear whisper temper hamper power empower tower shower
    labor harbor neighbor color humor rumor armor vapor tailor anger linger trigger""".split()
)


def is_past(word: str) -> bool:
    """Whether `word` is a past form or a participle that may relate two names."""
    return word in _IRREGULAR or (
        len(word) > 4
        and word.endswith("ed")
        and word.islower()
        and word.replace("-", "").isalpha()
        and word not in _NOT_VERBS
    )


@lru_cache(maxsize=20_000)
def base_form(word: str) -> str:
    """Base form of a past form: "directed", "direct"; "wrote", "write"; "produced", "produce"."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word.endswith("ed") or "-" in word:
        return word
    stem = word[:-2]
    if stem.endswith("i"):
        return stem[:-1] + "y"
    if stem in _PLAIN_E:
        return stem
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] in "bdgmnprt":
        return stem[:-1]
    if len(stem) > 3 and stem.endswith("ll") and stem[:-1] in _PLAIN_E:
        return stem[:-1]
    return stem + "e" if _SILENT_E.search(stem) else stem


_PRESENT = {
    "stars": "star in",
    "plays": "play",
    "features": "feature",
    "contains": "contain",
    "includes": "include",
    "uses": "use",
    "outperforms": "outperform",
    "proposes": "propose",
    "extends": "extend",
    "replaces": "replace",
    "owns": "own",
    "operates": "operate",
    "manages": "manage",
    "publishes": "publish",
    "produces": "produce",
    "borders": "border",
    "surrounds": "surround",
    "serves": "serve",
    "lives": "live",
    "works": "work",
    "teaches": "teach",
    "stands": "stand",
    "lies": "lie",
    "flows": "flow",
    "belongs": "belong",
    "leads": "lead",
    "heads": "head",
    "runs": "run",
    "improves": "improve",
    "introduces": "introduce",
    "combines": "combine",
    "supports": "support",
    "requires": "require",
    "depends": "depend",
    "issues": "issue",
    "makes": "make",
    "hosts": "host",
}


def present_base(word: str) -> str | None:
    """Base form of a third-person present, for verbs that relate names; None for every other word."""
    return _PRESENT.get(word, "").removesuffix(" in") or None
