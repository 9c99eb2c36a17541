"""Countries under their English names and adjectives, for questions about a shared country or nationality."""

from __future__ import annotations

import re

__all__ = ["nations_in"]

_TABLE = """\
us: american, united states, u.s., usa
gb: british, english, scottish, welsh, united kingdom, england, scotland, wales, britain, u.k.
ie: irish, ireland
ca: canadian, canada
au: australian, australia
nz: new zealand
fr: french, france
de: german, germany
at: austrian, austria
ch: swiss, switzerland
it: italian, italy
es: spanish, spain
pt: portuguese, portugal
nl: dutch, netherlands
be: belgian, belgium
dk: danish, denmark
se: swedish, sweden
no: norwegian, norway
fi: finnish, finland
is: icelandic, iceland
pl: polish, poland
cz: czech, czechoslovak
sk: slovak, slovakia
hu: hungarian, hungary
ro: romanian, romania
bg: bulgarian, bulgaria
gr: greek, greece
tr: turkish, turkey
ru: russian, russia, soviet
ua: ukrainian, ukraine
rs: serbian, serbia
hr: croatian, croatia
si: slovenian, slovenia
il: israeli, israel
eg: egyptian, egypt
ir: iranian, iran
iq: iraqi, iraq
in: indian, india
pk: pakistani, pakistan
bd: bangladeshi, bangladesh
lk: sri lankan, sri lanka
cn: chinese, china
tw: taiwanese, taiwan
jp: japanese, japan
kr: south korean, south korea, korean
ph: filipino, philippine, philippines
th: thai, thailand
vn: vietnamese, vietnam
id: indonesian, indonesia
my: malaysian, malaysia
mx: mexican, mexico
br: brazilian, brazil
ar: argentine, argentinian, argentina
cl: chilean, chile
co: colombian, colombia
pe: peruvian, peru
cu: cuban, cuba
za: south african, south africa
ng: nigerian, nigeria
ke: kenyan, kenya
"""
_CODES = {word.strip(): line.split(":")[0] for line in _TABLE.splitlines() for word in line.split(":")[1].split(",")}
_PATTERN = re.compile(
    r"(?<!\w)(?:" + "|".join(re.escape(w) for w in sorted(_CODES, key=len, reverse=True)) + r")(?!\w)", re.IGNORECASE
)


def nations_in(text: str) -> dict[str, tuple[int, int]]:
    """Return the country codes that `text` names, each with the span of its first mention, in order."""
    found: dict[str, tuple[int, int]] = {}
    for match in _PATTERN.finditer(text):
        if match.group()[0].isupper():
            found.setdefault(_CODES[match.group().casefold()], match.span())
    return found
