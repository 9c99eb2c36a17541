"""What English verbs relate: active and passive phrases with their objects, agents, places and times."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aira_nb.extract.masked_en import Masked, arguments
from aira_nb.extract.verbs_en import base_form, is_past, present_base
from aira_nb.types import Mention, Triple

__all__ = ["ADVERBS", "DATED", "PredicateReader"]

ADVERBS = r"(?:(?:also|then|later|first|originally|currently|still|now|subsequently|formerly|previously|eventually|soon|initially|jointly|both|[a-z]+ly) )*"
_BE = re.compile(rf" (?:is|was|are|were|has been|have been|had been|been) {ADVERBS}(?P<verb>[a-z-]+)(?=[ ,.;])")
_HAVE = re.compile(rf" (?:(?:has|have|had) )?{ADVERBS}(?P<verb>[a-z]+)(?=[ ,.;])")
_AND_VERB = re.compile(rf",? and {ADVERBS}(?:(?P<be>is|was|were) )?{ADVERBS}(?P<verb>[a-z]+)(?= )")
# "founded X in 1923" dates X itself, as "X was founded in 1923" does.
_MAKING = {
    "found": "founded", "establish": "established", "launch": "launched", "create": "created", "build": "built",
    "design": "designed", "develop": "developed", "publish": "published", "release": "released", "write": "written",
    "introduce": "introduced", "invent": "invented", "open": "opened", "record": "recorded", "form": "formed",
    "compose": "composed", "discover": "discovered", "propose": "proposed", "produce": "produced",
}  # fmt: skip
DATED = frozenset(
    """die retire open close begin start end premiere debut air launch form dissolve merge disband graduate occur collapse
    crash sink marry resign incorporate broadcast""".split()
)
"""Verbs whose time says when their subject began, ended or appeared."""
"""Verbs whose time says when their subject began, ended or appeared."""
_PASSIVE_PREPOSITIONS = frozenset("in on at from to for with as near into by under after".split())
_ACTIVE_PREPOSITIONS = frozenset("in on at from to for with as near into under against alongside".split())


class PredicateReader:
    """The state of reading one passage, and the reading of verb phrases."""

    def __init__(self, text: str, names: Sequence[Mention], topic: Mention | None) -> None:
        self.text = text
        self.names = names
        self.topic = topic
        self.noun = ""
        self.first = True
        self.facts: list[Triple] = []
        self.span = (0, 0)
        self.types: dict[str, str] = {}

    def _add(self, head: Mention, relation: str, tail: Mention) -> None:
        if head.type in ("time", "quantity") or head.text == tail.text or not relation:
            return
        if not any(
            f.head.text == head.text and f.relation == relation and f.tail.text == tail.text for f in self.facts
        ):
            self.facts.append(Triple(head, relation, tail, *self.span))

    def _verbs(self, masked: Masked, subject: Mention, position: int) -> None:
        """A verb phrase and those coordinated with it."""
        text = masked.text
        was_passive = False
        for _ in range(4):
            passive = _BE.match(text, position)
            match = passive or _HAVE.match(text, position)
            if match is None:
                return
            verb = match["verb"]
            # "was made for A and filmed at B": the second verb shares the auxiliary.
            was_passive = passive is not None or (
                was_passive and re.match(r" (?:in|at|by|on|from)\b", text[match.end() :]) is not None
            )
            if was_passive:
                if not is_past(verb):
                    return
                second = re.match(r" and (?P<verb>[a-z]+)(?= )", text[match.end() :])
                end = match.end() + (second.end() if second and is_past(second["verb"]) else 0)
                reached = self._passive(masked, subject, end, verb, second["verb"] if second else None)
            elif is_past(verb) and not re.search(rf" (?:has|have|had) {ADVERBS}been ", match.group()):
                reached = self._active(masked, subject, match.end(), base_form(verb))
            elif (base := present_base(verb)) is not None:
                reached = self._active(masked, subject, match.end(), base)
            else:
                return
            following = _AND_VERB.match(text, reached)
            if following is None or not (is_past(following["verb"]) or present_base(following["verb"])):
                return
            position = reached + re.match(r",? and", following.group()).end()  # type: ignore[union-attr]

    def _passive(self, masked: Masked, subject: Mention, position: int, verb: str, second: str | None) -> int:
        verbs = [verb] + ([second] if second and is_past(second) else [])
        for prep, tails, reached in arguments(masked, position):
            if prep not in _PASSIVE_PREPOSITIONS:
                break
            position = reached
            for tail in tails:
                for each in verbs:
                    if prep == "by":
                        if tail.type not in ("time", "quantity"):
                            self._add(tail, base_form(each), subject)
                    elif tail.type == "time":
                        self._add(subject, f"{each} {'in' if prep in ('in', 'on', 'at') else prep}", tail)
                    elif tail.type != "quantity":
                        self._add(subject, f"{each} {prep}", tail)
        return position

    def _active(self, masked: Masked, subject: Mention, position: int, verb: str) -> int:
        made: list[Mention] = []
        direct = False
        for prep, tails, reached in arguments(masked, position):
            if prep and prep not in _ACTIVE_PREPOSITIONS:
                break
            if not prep and verb in _MAKING:
                made = [t for t in tails if t.type not in ("time", "quantity")]
            for tail in tails:
                if tail.type == "time" and prep in ("in", "on", "at"):
                    for thing in made:
                        self._add(thing, f"{_MAKING[verb]} in", tail)
                if tail.type == "quantity" or (tail.type == "time" and (direct or not prep or verb not in DATED)):
                    # "joined the Institute in 1996" dates the joining, not the subject.
                    continue
                if direct and prep not in ("to", "from", "with", "for"):
                    continue
                relation = f"{verb} {'in' if prep == 'on' and tail.type == 'time' else prep}" if prep else verb
                if not (direct and prep):
                    self._add(subject, relation, tail)
            direct = True
            position = reached
        return position
