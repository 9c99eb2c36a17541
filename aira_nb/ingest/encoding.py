"""Bytes of a text file to characters, for the encodings that English and Japanese files come in."""

from __future__ import annotations

import codecs
import re

from aira_nb.errors import InputError

__all__ = ["decode"]

_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fc]")
_COMMON = re.compile(r"[\u3041-\u3096\u30a1-\u30fc\u3000-\u3002\u4e00-\u9fff\uff01-\uff5e\x20-\x7e\r\n\t]")
_ODD = re.compile(r"[\uff61-\uff9f\ue000-\uf8ff\u2500-\u257f\x00-\x08\x0e-\x1f\x7f-\x9f]")


def decode(data: bytes, *, name: str) -> str:
    """Return the text of `data`: UTF-8, UTF-16 with a byte-order mark, Shift_JIS (cp932) or EUC-JP.

    Line ends become line feeds. `name` is used in error messages.

    Raises
    ------
    InputError
        If no encoding fits, or a legacy encoding fits only by giving text that nobody would write.
    """
    text = _decode(data, name)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decode(data: bytes, name: str) -> str:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _strict(data, encoding, name)
    if b"\x00" in data[:4096]:
        raise InputError(
            f"{name}: not a text file (it has zero bytes and no byte-order mark). Save it as UTF-8 text and add it again."
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    # Nearly every EUC-JP file is valid cp932 too (as half-width kana), so the better *reading* wins, not the first.
    candidates = []
    for encoding in ("cp932", "euc_jp"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        candidates.append((_plausibility(text), text))
    best = max(candidates, default=(0.0, ""))
    if best[0] < 0.5:
        raise InputError(
            f"{name}: its text encoding is not UTF-8, UTF-16, Shift_JIS or EUC-JP. Save it as UTF-8 and add it again."
        )
    return best[1]


def _strict(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name}: says it is {encoding} but is not ({error.reason} at byte {error.start}). Save it as UTF-8."
        ) from error


def _plausibility(text: str) -> float:
    """Share of characters that Japanese prose is made of, less those that only mojibake has.

    Without any kana the bytes may be another encoding's accented letters, which read as rare kanji.
    """
    foreign = [c for c in text if ord(c) > 126]
    if not foreign:
        return 1.0
    sample = "".join(foreign[:50_000])
    good = len(_COMMON.findall(sample)) - 2 * len(_ODD.findall(sample))
    return good / len(sample) * (1.0 if _KANA.search(sample) else 0.4)
