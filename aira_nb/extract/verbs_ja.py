"""What Japanese verbs relate: arguments by their case particles, relative clauses, scores."""

from __future__ import annotations

from collections.abc import Sequence

from aira_nb.extract.bunsetsu import Bunsetsu, Predicate
from aira_nb.extract.names_ja import trimmed
from aira_nb.extract.phrases_ja import MEASURE, PhraseReader, measure
from aira_nb.extract.words_ja import CREATION, DATED, VAGUE
from aira_nb.types import Mention

__all__ = ["VerbReader"]

_CASES = (
    "に",
    "で",
    "を",
    "から",
    "と",
    "へ",
    "として",
    "により",
    "によって",
    "まで",
    "において",
    "では",
    "には",
    "からは",
    "とは",
    "にて",
)
_BORN = frozenset("生まれる 出生する 誕生する うまれる".split())
_SCORED = frozenset("達成する 記録する 示す 得る 上回る 示した 獲得する".split())
_HOLLOW = frozenset(
    "考えられる 思われる 見られる 言われる いわれる 報じられる 行われる 行なわれる 得られる なされる 合わせる 合わす 求められる 挙げられる 目立つ 存在する 続く 続ける 始まる する ある なる いる 行う 行なう おこなう できる 有する 持つ 言う いう 思う 考える 見る 呼ぶ 呼ばれる される 知られる 含む 受ける 与える 用いる 使う".split()
)
# Verbs too hollow to relate two names alone, but good with a particle of their own.
_NAMING = frozenset("呼ばれる 呼ぶ 知られる 称される 名付けられる".split())
_SCORED_STEMS = frozenset(relation.removesuffix("する") for relation in _SCORED) | _SCORED


class VerbReader(PhraseReader):
    """Reads what is said with verbs."""

    def _verbal(
        self,
        phrases: Sequence[Bunsetsu],
        phrase: Bunsetsu,
        predicate: Predicate,
        topic: Bunsetsu | None,
        subject: Mention | None,
    ) -> None:
        modifies = (
            predicate.adnominal
            and 0 <= phrase.head < len(phrases)
            and phrases[phrase.head].nominal
            and phrase.index < len(phrases) - 1
        )
        arguments = [p for p in phrases if p.head == phrase.index and p.nominal and p is not topic]
        agent = next((p for p in arguments if p.particle == "が"), None)
        if modifies:
            noun = phrases[phrase.head]
            if noun.index == len(phrases) - 1 and noun.copula:
                return  # read by _relatives
            # 「AとBを分けるX支流のY川」: whether X or Y divides cannot be seen.
            named = self._mention(noun) if noun.particle != "の" else None
            if named is None or named.type in ("time", "quantity"):
                return
            if agent is None and (predicate.passive or any(p.particle == "を" for p in arguments)):
                self._arguments(phrases, arguments, predicate, named)
            elif agent is not None and not any(p.particle == "を" for p in arguments) and predicate.stem in CREATION:
                acting = self._mention(agent)
                if acting is not None:
                    self._add(acting, predicate.relation, named)
            return
        if phrase.index < (topic.index if topic is not None else -1):
            return
        if agent is not None:
            acting = self._mention(agent)
            if acting is None or acting.type in ("time", "quantity"):
                return
            objects = any(p.particle == "を" for p in arguments)
            if (
                subject is not None
                and topic is not None
                and not objects
                and not predicate.passive
                and predicate.stem in CREATION
            ):
                # 「研究所は汐嶋冴子が1987年に設立した」: the topic is what was founded.
                for each in (*self._coordinated(phrases, agent), acting):
                    self._add(each, predicate.relation, subject)
                self._times(arguments, predicate, subject)
            elif topic is None or objects:
                self._arguments(phrases, arguments, predicate, acting)
            return
        if subject is not None:
            self._arguments(phrases, arguments, predicate, subject)

    def _times(self, arguments: Sequence[Bunsetsu], predicate: Predicate, made: Mention) -> None:
        for argument in arguments:
            time = self._value(argument.start, argument.end)
            if (
                time is not None
                and time.type == "time"
                and argument.particle in ("に", "")
                and predicate.stem in CREATION
            ):
                self._add(made, f"に{predicate.stem}される", time)

    def _arguments(
        self, phrases: Sequence[Bunsetsu], arguments: Sequence[Bunsetsu], predicate: Predicate, subject: Mention
    ) -> None:
        # 「東京で生まれ、大学で学ぶ」 a parser may hang arguments of both verbs on one; a comma keeps them apart.
        direct = next((p for p in arguments if p.particle == "を"), None)
        if (
            direct is not None
            and phrases[direct.index + 1].particle in ("として", "に")
            and phrases[direct.index + 1].nouns
        ) and (
            phrases[direct.index + 1].particle == "として"
            or (phrases[direct.index + 2 :][:1] and phrases[direct.index + 2].predicate is None)
        ):
            # 「日本語を母語として」: the object belongs to して.
            return
        if direct is not None and direct.index and predicate.stem in ("務める", "勤める", "つとめる"):
            owner = phrases[direct.index - 1]
            whole = self._mention(owner) if owner.particle == "の" else None
            if whole is not None and whole.type not in ("time", "quantity"):
                # 「センターの所長を務めた」 says what 「センターの所長はXである」 says.
                self._add(whole, "".join(t.text for t in trimmed(direct.nouns)), subject)
                return
        thing = self._mention(direct) if direct is not None else None
        if thing is not None and thing.type == "time":
            return
        if direct is not None and thing is not None and not predicate.passive:
            if predicate.stem in _SCORED_STEMS and thing.type == "quantity":
                self._scored(phrases, arguments, direct, thing, subject)
                return
            if predicate.relation in _SCORED and (measure := self._measure_of(phrases, direct)) is not None:
                self._add(subject, measure[0], measure[1])
                self._data(arguments, subject)
                return
            if thing.type != "quantity" and predicate.relation not in _HOLLOW:
                for each in (*self._coordinated(phrases, direct), thing):
                    self._add(subject, predicate.relation, each)
                self._times(arguments, predicate, thing)
            if predicate.relation not in ("用いる", "使う", "使用する", "利用する", "採用する"):
                return
            self._add(subject, predicate.relation, thing)
            return
        if (
            direct is not None
            and (measure := self._measure_of(phrases, direct)) is not None
            and predicate.relation in _SCORED
        ):
            self._add(subject, measure[0], measure[1])
            self._data(arguments, subject)
            return
        if direct is not None and predicate.passive:
            return
        # A common noun as the object belongs to the relation: に本社を置く.
        inner = ""
        if direct is not None:
            if any(p.head == direct.index for p in phrases):
                return
            inner = "".join(t.text for t in trimmed(direct.nouns)) + "を"
            if inner == "を" or inner[:-1] in VAGUE:
                return
        dates = [p.particle for p in arguments if (v := self._value(p.start, p.end)) is not None and v.type == "time"]
        for argument in arguments:
            if argument is direct or argument.particle not in (*_CASES, "") or (inner and argument.particle == "と"):
                continue
            if dates.count(argument.particle) > 1 and self._value(argument.start, argument.end):
                # A list of dates (1967年にA、1972年にB) belongs to several things.
                continue
            tail = self._mention(argument, loose=predicate.stem in _NAMING and argument.particle == "と")
            if tail is None or tail.type == "quantity" or (inner and tail.type == "time"):
                continue
            self._argument(phrases, argument, tail, predicate, subject, inner)

    def _argument(
        self,
        phrases: Sequence[Bunsetsu],
        argument: Bunsetsu,
        tail: Mention,
        predicate: Predicate,
        subject: Mention,
        inner: str,
    ) -> None:
        particle = argument.particle.removesuffix("は") if len(argument.particle) > 1 else argument.particle
        particle = {"にて": "で", "において": "で"}.get(particle, particle)
        if predicate.passive and (
            particle in ("により", "によって") or (particle == "に" and tail.type in ("person", "organization"))
        ):
            if particle == "に" and predicate.stem not in CREATION:
                return
            active = (
                predicate.stem + "する"
                if predicate.relation.endswith("される") and not predicate.stem.endswith("する")
                else predicate.stem
            )
            self._add(tail, active, subject)
            return
        if particle == "" and not (tail.type == "time" and argument.comma):
            return
        if tail.type == "time":
            if (
                not predicate.passive
                and predicate.stem not in DATED
                and predicate.stem not in CREATION
                and predicate.relation not in _BORN
            ):
                return
            if particle in ("", "に"):
                particle = "に"
            elif particle not in ("から", "まで"):
                return
        if predicate.relation in _HOLLOW - _NAMING and not inner:
            return
        if predicate.relation in _BORN:
            particle = "に" if tail.type == "time" else "で"
            self._add(subject, f"{particle}生まれる", tail)
            return
        self._add(subject, f"{particle}{inner}{predicate.relation}", tail)
        for other in self._coordinated(phrases, argument):
            self._add(subject, f"{particle}{inner}{predicate.relation}", other)

    def _measure_of(self, phrases: Sequence[Bunsetsu], direct: Bunsetsu) -> tuple[str, Mention] | None:
        """「95.2%のF1を」, 「F1 95.2%を」: the measure and its value."""
        surface = "".join(t.text for t in direct.nouns)
        if direct.index and phrases[direct.index - 1].particle == "の" and measure(surface):
            value = self._value(phrases[direct.index - 1].start, phrases[direct.index - 1].end)
            if value is not None and value.type == "quantity":
                return surface, value
        value = self._value(direct.start, direct.end)
        match = MEASURE.match(surface)
        if value is not None and value.type == "quantity" and match and match.end() < len(surface):
            return match.group(), value
        return None

    def _scored(
        self,
        phrases: Sequence[Bunsetsu],
        arguments: Sequence[Bunsetsu],
        direct: Bunsetsu,
        value: Mention,
        subject: Mention,
    ) -> None:
        """「F1で95.2%を達成した」, 「F1が95.2%を」."""
        named = next((p for p in arguments if p.nouns and measure("".join(t.text for t in p.nouns))), None)
        previous = phrases[direct.index - 1] if direct.index else None
        if (
            named is None
            and previous is not None
            and previous.nouns
            and measure("".join(t.text for t in previous.nouns))
        ):
            named = previous
        if named is not None:
            self._add(subject, "".join(t.text for t in named.nouns), value)
            self._data([p for p in arguments if p is not named], subject)

    def _data(self, arguments: Sequence[Bunsetsu], subject: Mention) -> None:
        for argument in arguments:
            if argument.particle in ("で", "では", "において", "における", "に対して"):
                named = self._mention(argument)
                if named is not None and named.type not in ("time", "quantity"):
                    self._add(subject, "で評価される", named)
                    return
