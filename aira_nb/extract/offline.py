"""The extractor that needs no model server: rules over parses, in English and Japanese."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from aira_nb.errors import InputError, MissingDependencyError
from aira_nb.extract.definitions import definitions
from aira_nb.extract.draft import Draft, read_english, read_japanese
from aira_nb.text import sentence_spans
from aira_nb.text.parse import best_pipeline, load_pipeline, pipeline_version
from aira_nb.types import Extraction, Language, Passage

__all__ = ["RULES", "OfflineExtractor"]

VERSION = 1
"""Raised whenever the rules change, so that passages are read again."""

RULES = "rules"
"""Stands for a pipeline's name where none is wanted."""

# Sentences of several passages are parsed together, which is twice as fast as one by one. A group is read in about a
# second, so that an interrupt is answered in time.
_GROUP = 12

T = TypeVar("T")


class OfflineExtractor:
    """Mentions, facts and definitions without a language model.

    Parameters
    ----------
    english, japanese : str, optional
        Name of an installed spaCy pipeline ("en_core_web_lg", "ja_ginza"), or "rules" for none. By default the best
        installed official pipeline is used, and without one the rules read alone: names by capitals and surface
        patterns in English, Sudachi's morphemes and the head-final rule in Japanese.

    Raises
    ------
    MissingDependencyError
        From :meth:`extract`, when a pipeline that was asked for by name, or Sudachi, is not installed.
    """

    def __init__(self, *, english: str | None = None, japanese: str | None = None) -> None:
        self._pipelines: dict[Language, str] = {
            "en": english or best_pipeline("en") or RULES,
            "ja": japanese or best_pipeline("ja") or RULES,
        }

    @property
    def id(self) -> str:
        """Name, version and pipelines: a passage read under another id is read again."""
        parts = [name if name == RULES else pipeline_version(name) for name in self._pipelines.values()]
        return "+".join([f"offline-{VERSION}", *parts])

    def extract(self, passages: Sequence[Passage], *, titles: Mapping[str, str] | None = None) -> Iterator[Extraction]:
        """Yield one extraction per passage, in order, reading a dozen at a time as they are asked for.

        Parameters
        ----------
        passages : sequence of Passage
        titles : mapping of document id to title, optional
            Lets the first passage of a document define its title, and names be found by it. Without it the outermost
            heading stands in.
        """
        titles = titles or {}
        for start in range(0, len(passages), _GROUP):
            group = passages[start : start + _GROUP]
            drafts = [_attempt(lambda p=p: self._draft(p, titles.get(p.document_id, ""))) for p in group]  # type: ignore[misc]
            self._parse([d for d in drafts if isinstance(d, Draft)])
            for passage, draft in zip(group, drafts, strict=True):
                yield self._extraction(passage, draft, titles.get(passage.document_id, ""))

    def _draft(self, passage: Passage, title: str) -> Draft:
        title = title or (passage.section[0] if passage.section else "")
        parsed = self._pipelines[passage.language] != RULES
        read = read_japanese if passage.language == "ja" else read_english
        return read(passage.text, title, parsed)

    def _parse(self, drafts: Sequence[Draft]) -> None:
        """Parse the sentences that the drafts ask for: all together, or draft by draft when one of them cannot be read."""
        for language in ("en", "ja"):
            asking = [d for d in drafts if d.language == language and d.wanted]
            if not asking:
                continue
            pipeline = load_pipeline(self._pipelines[language])
            together = _attempt(lambda p=pipeline, a=asking: p.parse([text for d in a for text in d.wanted]))  # type: ignore[misc]
            if not isinstance(together, str):
                position = 0
                for draft in asking:
                    draft.parses = together[position : position + len(draft.wanted)]
                    position += len(draft.wanted)
                continue
            for draft in asking:
                draft.parses = _attempt(lambda p=pipeline, d=draft: p.parse(d.wanted))  # type: ignore[misc]

    def _extraction(self, passage: Passage, draft: Draft | str, title: str) -> Extraction:
        if not isinstance(draft, str):
            finished = _attempt(draft.finish)
            if not isinstance(finished, str):
                mentions, triples = finished
                spans = sentence_spans(passage.text, passage.language)
                defined = _attempt(lambda: definitions(passage, mentions, triples, spans, title=title))
                if not isinstance(defined, str):
                    return Extraction(
                        passage.id,
                        self.id,
                        mentions=tuple(mentions),
                        triples=tuple(triples),
                        definitions=tuple(defined),
                    )
                finished = defined
            draft = finished
        return Extraction(passage.id, self.id, "failed", f"{draft} (passage begins {passage.text[:40]!r})")


def _attempt(call: Callable[[], T]) -> T | str:
    """Return the call's result, or the reason why it failed."""
    try:
        return call()
    except MissingDependencyError:
        raise
    except InputError as error:
        return str(error)
    # Wide on purpose: texts are hostile, rules meet every one of them, and a corpus of ten thousand passages must not
    # end at the one that breaks a rule. The reason is stored, and the next build tries again.
    except Exception as error:
        return f"{type(error).__name__}: {error}"
