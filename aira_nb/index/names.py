"""Names and their homes: which passage defines a name, and which passages and questions use it.

A *home* of a name is a passage whose title, heading or definition names it. Few clean names beat many noisy ones: an
entity graph of all capitalised phrases gave nothing over BM25 on HotpotQA, links to homes alone took recall@5 from
.76 to .92 (docs/decisions.md).

Names are found by longest match over :class:`aira_nb.text.Unit` keys, in one pass and without a parser.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from aira_nb.text import Unit, analyze

__all__ = ["NameIndex", "name_variants"]

MAX_HOMES = 50
"""Homes kept for one name: an article cut in more parts than this is reached through its first ones."""

_QUALIFIER = re.compile(r"\s*[（(][^()（）]*[)）]\s*$")
_END = ""  # no unit has an empty key, so this marks a complete name in the trie

Key = tuple[str, ...]


def name_variants(name: str) -> tuple[str, ...]:
    """Return `name` and, for "Frank Thomas (designated hitter)", the name without its qualifier."""
    bare = _QUALIFIER.sub("", name).strip()
    return (name, bare) if bare and bare != name else (name,)


class NameIndex:
    """Names with the positions of the passages that are their homes.

    Parameters
    ----------
    homes : mapping from a name's key to ascending passage positions
    capitalised : set of keys that must begin with a capital (or a digit) in running text
        So that the film "Friends" is not found in "their friends".
    """

    def __init__(self, homes: Mapping[Key, Sequence[int]], capitalised: frozenset[Key]) -> None:
        self.homes = {key: tuple(positions) for key, positions in homes.items()}
        self._capitalised = capitalised
        self._trie: dict[str, Any] = {}
        for key in self.homes:
            node = self._trie
            for part in key:
                node = node.setdefault(part, {})
            node[_END] = key

    @classmethod
    def build(
        cls,
        names: Iterable[tuple[str, int]],
        *,
        weak: Iterable[tuple[str, int]] = (),
        synonyms: Iterable[tuple[str, str]] = (),
    ) -> NameIndex:
        """Index ``(name, home position)`` pairs.

        `weak` pairs, from definitions in running text, count only for names that `names` has no home for. `synonyms`
        are pairs of names that share their homes (an abbreviation and its long form); they make no home by themselves,
        because a passage that spells an abbreviation out is seldom about it. An abbreviation with several long forms
        in the corpus is ambiguous and shares with none of them.
        """
        homes: dict[Key, set[int]] = defaultdict(set)
        capitalised: dict[Key, bool] = {}

        def add(name: str, position: int, known: Container[Key]) -> None:
            for variant in name_variants(name):
                key, capital = _key(variant)
                if key and key not in known:
                    homes[key].add(position)
                    capitalised[key] = capitalised.get(key, True) and capital

        for name, position in names:
            add(name, position, ())
        strong = frozenset(homes)
        for name, position in weak:
            add(name, position, strong)
        long_forms: dict[Key, set[Key]] = defaultdict(set)
        for short, long in synonyms:
            (short_key, short_capital), (long_key, long_capital) = _key(short), _key(long)
            if short_key and long_key and short_key != long_key:
                long_forms[short_key].add(long_key)
                capitalised.setdefault(short_key, short_capital)
                capitalised.setdefault(long_key, long_capital)
        for short_key, longs in long_forms.items():
            if len(longs) == 1:
                (long_key,) = longs
                shared = homes.get(short_key, set()) | homes.get(long_key, set())
                if shared:
                    homes[short_key] = homes[long_key] = shared
        kept = {key: tuple(sorted(positions)[:MAX_HOMES]) for key, positions in sorted(homes.items()) if positions}
        return cls(kept, frozenset(key for key in kept if capitalised[key]))

    def find(self, text: str, units: Sequence[Unit] | None = None) -> list[tuple[int, int, Key]]:
        """Return ``(start, end, key)`` of each name in `text`: longest match, left to right, not overlapping."""
        units = list(analyze(text)) if units is None else units
        found: list[tuple[int, int, Key]] = []
        i = 0
        while i < len(units):
            match = self._longest(text, units, i) if units[i].opens else None
            if match is None:
                i += 1
                continue
            last, key = match
            found.append((units[i].start, units[last].end, key))
            i = last + 1
        return found

    def _longest(self, text: str, units: Sequence[Unit], first: int) -> tuple[int, Key] | None:
        node = self._trie
        best: tuple[int, Key] | None = None
        for i in range(first, len(units)):
            child = node.get(units[i].key)
            if child is None:
                break
            node = child
            key = node.get(_END)
            if key is not None and units[i].closes:
                initial = text[units[first].start]
                if key not in self._capitalised or initial.isupper() or initial.isdigit():
                    best = i, key
        return best

    def links(self, texts: Iterable[tuple[str, Sequence[Unit]]]) -> list[tuple[int, int]]:
        """Return sorted distinct ``(passage, home)`` position pairs: the passage names what the home defines."""
        pairs: set[tuple[int, int]] = set()
        for position, (text, units) in enumerate(texts):
            for key in {key for _, _, key in self.find(text, units)}:
                pairs.update((position, home) for home in self.homes[key] if home != position)
        return sorted(pairs)

    def save(self, path: Path) -> None:
        """Write to one JSON file at `path`."""
        rows = [[list(key), list(positions), int(key in self._capitalised)] for key, positions in self.homes.items()]
        path.write_text(json.dumps(rows, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> NameIndex:
        """Read what :meth:`save` wrote."""
        rows = json.loads(path.read_text(encoding="utf-8"))
        return cls(
            {tuple(key): positions for key, positions, _ in rows},
            frozenset(tuple(key) for key, _, capital in rows if capital),
        )


def _key(name: str) -> tuple[Key, bool]:
    """Return the unit keys of a name and whether it is written with a capital; an unusable name gives ``()``."""
    units = list(analyze(name))
    if len(units) > 1 and units[0].key == "the":
        units = units[1:]
    key = tuple(unit.key for unit in units)
    letters = "".join(key)
    if len(letters) < 2 or (len(key) == 1 and letters.isdigit()):
        return (), False
    return key, name[units[0].start].isupper()
