"""The offline extractor as the corpus sees it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aira_nb.errors import InputError, MissingDependencyError
from aira_nb.extract import OfflineExtractor, offline
from aira_nb.text.parse import Token, installed_pipelines
from aira_nb.types import Extraction, Extractor, Language, Passage


def passage(
    text: str, language: Language = "en", *, n: int = 0, position: int = 0, section: tuple[str, ...] = ()
) -> Passage:
    return Passage(f"p{n}", f"d{n}", position, text, 0, len(text), language, section)


def read(
    text: str, language: Language = "en", *, section: tuple[str, ...] = (), title: str = "", position: int = 0
) -> Extraction:
    reader = OfflineExtractor(english="rules", japanese="rules")
    one = passage(text, language, section=section, position=position)
    (extraction,) = reader.extract([one], titles={"d0": title})
    assert extraction.status == "done", extraction.reason
    for definition in extraction.definitions:
        assert text[definition.start : definition.end] == definition.name
    return extraction


def defined(extraction: Extraction) -> list[tuple[str, str, str]]:
    return [(d.name, d.source, d.long) for d in extraction.definitions]


def test_it_is_an_extractor_and_names_its_pipelines() -> None:
    """The id holds name, version and pipelines, so that another pipeline reads the passages again."""
    reader = OfflineExtractor(english="rules", japanese="rules")
    assert isinstance(reader, Extractor)
    assert reader.id == f"offline-{offline.VERSION}+rules+rules"
    assert OfflineExtractor(english="some_model", japanese="rules").id != reader.id


def test_every_passage_gets_its_own_extraction_in_order() -> None:
    """N passages with a name of their own each give N extractions in order, each with its name."""
    passages = [passage(f"Tarnholme{i}X was founded by Orrin Vale in 19{i:02d}.", n=i) for i in range(40)]
    found = list(OfflineExtractor(english="rules", japanese="rules").extract(passages))
    assert [e.passage_id for e in found] == [p.id for p in passages]
    assert all(f"Tarnholme{i}X" in {m.text for m in e.mentions} for i, e in enumerate(found))


def test_passages_are_read_when_they_are_asked_for() -> None:
    """Nothing is read before the first extraction is taken, so that an interrupt loses at most a dozen passages."""

    class Counting(list[Passage]):
        taken = 0

        def __getitem__(self, key: object) -> object:  # type: ignore[override]
            Counting.taken += 1
            return super().__getitem__(key)  # type: ignore[index]

    passages = Counting(passage("IBM is a company.", n=i) for i in range(100))
    extractions = OfflineExtractor(english="rules", japanese="rules").extract(passages)
    assert Counting.taken == 0
    next(iter(extractions))
    assert Counting.taken == 1


def test_the_same_passages_give_the_same_extractions() -> None:
    """Reading twice, alone or in company, gives equal records."""
    reader = OfflineExtractor(english="rules", japanese="rules")
    passages = [passage("IBM was founded by Charles Flint.", n=0), passage("日本の首都は東京である。", "ja", n=1)]
    together = list(reader.extract(passages))
    assert together == list(reader.extract(passages))
    assert together[1:] == list(reader.extract(passages[1:]))


def test_a_passage_that_cannot_be_read_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser that refuses one passage makes that extraction failed, with reason and without content; others are done."""

    class Refusing:
        def parse(self, texts: Sequence[str]) -> list[tuple[Token, ...]]:
            if any("poison" in text for text in texts):
                raise InputError("The pipeline could not parse a text of this passage: no")
            return [() for _ in texts]

    monkeypatch.setattr(offline, "load_pipeline", lambda name: Refusing())
    passages = [passage("IBM is a company.", n=0), passage("IBM drank poison.", n=1), passage("IBM is a company.", n=2)]
    found = list(OfflineExtractor(english="en_fake", japanese="rules").extract(passages))
    assert [e.status for e in found] == ["done", "failed", "done"]
    assert "could not parse" in found[1].reason
    assert "IBM drank" in found[1].reason
    assert not (found[1].mentions or found[1].triples or found[1].definitions)
    assert found[2].triples


def test_a_rule_that_breaks_fails_its_passage_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unexpected error inside the rules is recorded as that passage's reason, not raised."""
    working = offline.read_english

    def breaking(text: str, title: str, parsed: bool) -> object:
        if "boom" in text:
            raise IndexError("list index out of range")
        return working(text, title, parsed)

    monkeypatch.setattr(offline, "read_english", breaking)
    found = list(OfflineExtractor(english="rules").extract([passage("boom", n=0), passage("IBM is a company.", n=1)]))
    assert [e.status for e in found] == ["failed", "done"]
    assert found[0].reason.startswith("IndexError")


def test_a_missing_pipeline_is_the_caller_s_to_mend() -> None:
    """A pipeline asked for by name that is not installed raises MissingDependencyError instead of failing every passage."""
    with pytest.raises(MissingDependencyError):
        list(OfflineExtractor(english="en_core_web_nothing").extract([passage("IBM is a company.")]))


@pytest.mark.parametrize("japanese", ["rules", *(n for n in installed_pipelines("ja") if n == "ja_ginza")])
def test_a_paragraph_of_200_kb_without_a_full_stop_passes(japanese: str) -> None:
    """A Japanese text far above Sudachi's 49,149 bytes is read, and its names are found to its very end."""
    text = "東京と京都" * 14_000 + "名古屋"
    assert len(text.encode()) > 200_000
    (found,) = OfflineExtractor(japanese=japanese).extract([passage(text, "ja")])
    assert found.status == "done", found.reason
    assert found.mentions[-1].end >= len(text) - 5


def test_titles_and_headings_are_defined_where_the_text_names_them() -> None:
    """The first passage defines its document's title, and a passage its heading, only when the name stands in it."""
    text = "The Kelp Clock is a clock. The Brannoch Array uses it."
    assert ("Kelp Clock", "title", "") in defined(read(text, title="Kelp Clock (device)"))
    assert ("Kelp Clock", "title", "") not in defined(read(text, title="Kelp Clock (device)", position=3))
    assert ("Brannoch Array", "heading", "") in defined(read(text, section=("Clocks", "2.1 Brannoch Array")))
    assert all(source != "heading" for _, source, _ in defined(read(text, section=("Introduction",))))


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("BM25 is a ranking function.", "en", ("BM25", "definition", "")),
        ("HotpotQA refers to a data set.", "en", ("HotpotQA", "definition", "")),
        ("Personalized PageRank (PPR) ranks nodes.", "en", ("PPR", "abbreviation", "Personalized PageRank")),
        ("潮汐センサとは、潮位を測る装置である。", "ja", ("潮汐センサ", "definition", "")),
        ("夏目漱石は、日本の小説家である。", "ja", ("夏目漱石", "definition", "")),
        ("検索拡張生成（RAG）を用いる。", "ja", ("RAG", "abbreviation", "検索拡張生成")),
    ],
)
def test_a_defining_sentence_makes_a_home(text: str, language: Language, expected: tuple[str, str, str]) -> None:
    """A first sentence that says what a name is, and a bracket that abbreviates, define the name."""
    assert expected in defined(read(text, language))


def test_a_later_copula_defines_nothing() -> None:
    """Only the first sentence defines by a copula: few clean homes beat many noisy ones."""
    found = defined(read("We met in spring. BM25 is a ranking function."))
    assert all(name != "BM25" for name, _, _ in found)


def test_an_abbreviation_takes_the_type_of_its_long_form() -> None:
    """BBC is an organization because the text says what it abbreviates."""
    found = read("The British Broadcasting Corporation (BBC) was founded in 1922.")
    assert {m.text: m.type for m in found.mentions}["BBC"] == "organization"


@settings(max_examples=60, deadline=None)
@given(
    st.text(
        alphabet=st.sampled_from(
            "The cat IBM（）()「」『』。、.,はがのをに1923年95% \n東京研究所開発したPRとX'’s\"“”\ue000\ud800"
        ),
        max_size=120,
    ),
    st.sampled_from(["en", "ja"]),
)
def test_any_text_gives_verbatim_spans_or_a_reason(text: str, language: Language) -> None:
    """Whatever the text, an extraction is done with spans that fit, or failed with a reason."""
    (found,) = OfflineExtractor(english="rules", japanese="rules").extract([passage(text, language)])
    if found.status == "failed":
        assert found.reason
        assert "\ud800" in text, found.reason
        return
    for mention in (*found.mentions, *(m for t in found.triples for m in (t.head, t.tail))):
        assert text[mention.start : mention.end] == mention.text != ""
    for triple in found.triples:
        assert 0 <= triple.start < triple.end <= len(text)
    for definition in found.definitions:
        assert text[definition.start : definition.end] == definition.name
