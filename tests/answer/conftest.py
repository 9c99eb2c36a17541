"""A tiny made-up world in each language for the answer tests. No third party's text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from aira_nb.types import Document, Language, Passage, Region, ScoredPassage

Hit = tuple[ScoredPassage, Passage, Document]


def passage(
    title: str,
    text: str,
    *,
    language: Language = "en",
    section: tuple[str, ...] = (),
    regions: Sequence[Region] = (),
) -> tuple[Passage, Document]:
    document = Document(f"doc {title}", f"{title}.pdf", "0" * 64, "pdf", title, language, page_count=9)
    return (
        Passage(f"p {title}", document.id, 0, text, 0, len(text), language, section, tuple(regions)),
        document,
    )


def hits(*passages: tuple[Passage, Document]) -> list[Hit]:
    return [(ScoredPassage(p.id, 1.0 / (i + 1)), p, d) for i, (p, d) in enumerate(passages)]


HARBOUR = passage(
    "Tidewater Lighthouse",
    "Tidewater Lighthouse is a lighthouse on the island of Morrowby. It was designed by Edith Fennimore, an engineer "
    "from Castleby. The tower is 41 metres tall.",
)
ENGINEER = passage(
    "Edith Fennimore",
    "Edith Fennimore (8 October 1839 – 3 May 1901) was an engineer. She studied in Castleby and never married.",
)
RIVAL = passage(
    "Gustav Ollerton",
    "Gustav Ollerton (24 March 1852 – 9 June 1930) was a painter. He lived in Morrowby for 12 years.",
)
BRIDGE = passage("Morrowby Bridge", "Morrowby Bridge was opened in 1911. The bridge carries two railway tracks.")
TOWER = passage("霧島灯台", "霧島灯台は、若狭町にある灯台である。設計者は桐谷蔵人。高さは41メートル。", language="ja")
DESIGNER = passage(
    "桐谷蔵人", "桐谷蔵人（明治4年3月2日 - 1930年5月9日）は、技術者である。出身地は若狭町。", language="ja"
)
PAINTER = passage("大槻砥石", "大槻砥石の生年月日は1885年10月8日。大槻砥石の職業は画家。", language="ja")
WORLD = hits(HARBOUR, ENGINEER, RIVAL, BRIDGE)
WORLD_JA = hits(TOWER, DESIGNER, PAINTER)


@pytest.fixture
def world() -> list[Hit]:
    """A lighthouse, its engineer, a rival and a bridge."""
    return list(WORLD)


@pytest.fixture
def world_ja() -> list[Hit]:
    """灯台とその設計者、画家。"""
    return list(WORLD_JA)


@pytest.fixture
def make_hits() -> Callable[..., list[Hit]]:
    """Turn (title, text) pairs or keyword dictionaries into hits, best first."""

    def make(*items: dict[str, object] | tuple[str, str]) -> list[Hit]:
        made = [passage(*item) if isinstance(item, tuple) else passage(**item) for item in items]  # type: ignore[arg-type]
        return hits(*made)

    return make
