from __future__ import annotations

import pytest

from aira_nb.errors import InputError
from aira_nb.ingest.encoding import decode

JAPANESE = "吾輩は猫である。名前はまだ無い。\nどこで生れたか頓と見当がつかぬ。"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp932", "euc_jp"])
def test_japanese_encodings(encoding: str) -> None:
    """Japanese text is read in the encodings that Japanese files come in."""
    assert decode(JAPANESE.encode(encoding), name="x") == JAPANESE


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp"])
def test_mostly_english_with_some_japanese(encoding: str) -> None:
    """A few Japanese words in English text suffice to tell the encoding."""
    text = "The word ネコ means cat. " * 50 + "東京"
    assert decode(text.encode(encoding), name="x") == text


def test_line_ends() -> None:
    """Windows and old Macintosh line ends become line feeds."""
    assert decode(b"a\r\nb\rc", name="x") == "a\nb\nc"


@pytest.mark.parametrize(
    "data",
    [b"\x00\x01\x02binary", "café à la crème, où ça".encode("latin-1"), b"\xff\xfeodd", bytes(range(128, 256)) * 3],
)
def test_what_is_no_text_is_refused(data: bytes) -> None:
    """Binary and unknown encodings are errors that name the file, never mojibake."""
    with pytest.raises(InputError, match=r"notes\.txt.*UTF-8"):
        decode(data, name="notes.txt")
