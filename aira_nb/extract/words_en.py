"""Closed English word lists that type names and open or close phrases.

Written for this project from general knowledge of English; short on purpose: a word that is missing makes a mention
"other", a wrong one makes it wrong.
"""

from __future__ import annotations

__all__ = [
    "CONNECTORS",
    "COUNTRIES",
    "DEMONYMS",
    "HEAD_NOUNS",
    "MEASURES",
    "NAME_SUFFIXES",
    "NOT_NAMES",
    "PREPOSITIONS",
    "TITLES",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> frozenset[str]:
    return frozenset(part.strip() for part in text.split(",") if part.strip())


# Nouns that say in "X is a(n) ..." or before a name ("the director X") what X is.
HEAD_NOUNS: dict[str, str] = {}
for _type, _nouns in {
    "person": """actor actress singer songwriter singer-songwriter musician rapper composer pianist guitarist drummer
        bassist vocalist violinist conductor dancer choreographer model comedian writer author novelist poet playwright
        screenwriter journalist columnist reporter director filmmaker cinematographer editor artist painter sculptor
        illustrator cartoonist photographer architect politician president senator congressman governor mayor minister
        diplomat ambassador lawyer attorney judge activist soldier officer general admiral king queen prince princess
        emperor empress duke earl baron nobleman bishop priest saint theologian philosopher historian scientist
        physicist chemist biologist mathematician economist psychologist linguist engineer inventor astronomer physician
        doctor surgeon professor scholar researcher teacher businessman businesswoman entrepreneur philanthropist
        footballer cricketer golfer swimmer athlete wrestler boxer cyclist skater coach quarterback pitcher linebacker
        goalkeeper midfielder defender presenter broadcaster criminal murderer outlaw chef explorer aviator pilot
        astronaut magician screenwriter impresario socialite heiress nurse player driver jockey sprinter runner skier
        gymnast fighter personality creator producer host member dramatist essayist critic biographer translator librettist anthropologist
        archaeologist botanist geologist sociologist tenor soprano bassist trumpeter saxophonist harpist man woman""",
    "work": """film movie novel novella book album song single series sitcom show drama opera musical play poem magazine
        newspaper journal manga anime soundtrack ep compilation documentary comic painting website sculpture statue episode ballet
        symphony trilogy biography autobiography memoir anthology soap webcomic miniseries telenovela videogame remake
        sequel prequel mixtape franchise encyclopedia adaptation""",
    "organization": """company corporation band group university college school institute institution organization
        organisation club team party agency airline label network studio publisher manufacturer brand league association
        society federation union bank hospital orchestra ensemble duo trio quartet chain firm government department
        ministry council committee charity foundation regiment brigade squadron army navy subsidiary conglomerate
        startup retailer bookmaker brewery distributor nonprofit seminary academy laboratory""",
    "place": """city town village municipality county district province country island river lake mountain peak territory
        suburb neighborhood neighbourhood borough commune settlement hamlet building stadium arena airport park street
        road highway bridge valley bay peninsula castle palace church theater theatre mall township ward prefecture
        volcano forest desert sea ocean creek parish cemetery museum hotel skyscraper tower lighthouse canal dam
        monastery cathedral station community archipelago metropolis seaport""",
    "event": """war battle festival tournament championship competition conference election ceremony massacre revolution
        siege race match event exhibition attack riot earthquake hurricane disaster crisis season tour""",
    "term": """genus species breed plant disease theory method algorithm technique language protein gene drug compound
        syndrome disorder dialect concept framework dataset corpus benchmark architecture protocol software""",
}.items():
    HEAD_NOUNS.update(dict.fromkeys(_nouns.split(), _type))

# Last words (or "X of") of names.
NAME_SUFFIXES: dict[str, str] = {}
for _type, _nouns in {
    "organization": """University College School Institute Institution Inc Incorporated Corp Corporation Company Co Ltd
        Limited LLC GmbH Club Party Association Society Federation Union Committee Council Commission Agency Bureau
        Department Ministry Records Pictures Studios Entertainment Productions Airlines Airways FC F.C United Rovers
        Athletic Army Navy Force Bank Hospital Orchestra Quartet Trio Band Press Group Academy Foundation League
        Conference Congress Parliament Senate Laboratory Laboratories Brothers Bros Communications Broadcasting Network
        Motors Industries Holdings Partners Museum Regiment Division Brigade Guard Corps Alliance Organization
        Organisation Knicks Yankees Lakers Giants Eagles Bears Lions Tigers Cowboys Panthers""",
    "place": """City Town County River Lake Mountain Mountains Island Islands Street Avenue Road Park Airport District
        Valley Bay Beach Kingdom Province Prefecture State Bridge Castle Palace Cathedral Church Stadium Arena Theatre
        Theater Peninsula Sea Ocean Desert Forest Hill Hills Falls Creek Square Tower Building Hotel Center Centre
        Township Borough Village Station Highway Canyon Coast Harbor Harbour Cemetery Plantation Mall Territory""",
    "event": """War Battle Festival Olympics Championship Championships Cup Revolution Games Tournament Massacre Rebellion
        Uprising Crisis Riots Series Bowl Prix Awards Election Siege""",
    "work": "Trilogy Symphony Sonata Concerto Album Saga Chronicles",
}.items():
    NAME_SUFFIXES.update(dict.fromkeys(_nouns.split(), _type))

TITLES = _words(
    """Mr Mrs Ms Dr Sir Dame Lord Lady Prof Professor President Senator Governor Captain Colonel General Major
    Lieutenant Sergeant Admiral King Queen Prince Princess Emperor Pope Saint Rev Reverend Father Judge Justice Baron
    Baroness Duke Duchess Earl Count Countess Sheikh Rabbi Bishop Archbishop Cardinal"""
)

CONNECTORS = _words("of de la le du des del della di da do dos van von der den el bin ibn al upon y")

COUNTRIES = _phrases(
    """Afghanistan, Albania, Algeria, Angola, Argentina, Armenia, Australia, Austria, Azerbaijan, Bahrain, Bangladesh,
    Belarus, Belgium, Bolivia, Bosnia, Botswana, Brazil, Bulgaria, Burma, Cambodia, Cameroon, Canada, Chile, China,
    Colombia, Congo, Costa Rica, Croatia, Cuba, Cyprus, Czech Republic, Czechoslovakia, Denmark, Dominican Republic,
    Ecuador, Egypt, El Salvador, England, Estonia, Ethiopia, Europe, Asia, Africa, North America, South America,
    Finland, France, Georgia, Germany, Ghana, Greece, Greenland, Guatemala, Haiti, Honduras, Hong Kong, Hungary,
    Iceland, India, Indonesia, Iran, Iraq, Ireland, Israel, Italy, Jamaica, Japan, Jordan, Kazakhstan, Kenya, Kosovo,
    Kuwait, Laos, Latvia, Lebanon, Libya, Lithuania, Luxembourg, Macedonia, Madagascar, Malaysia, Malta, Mexico,
    Moldova, Mongolia, Montenegro, Morocco, Mozambique, Myanmar, Namibia, Nepal, Netherlands, New Zealand, Nicaragua,
    Nigeria, North Korea, Northern Ireland, Norway, Oman, Pakistan, Palestine, Panama, Paraguay, Peru, Philippines,
    Poland, Portugal, Puerto Rico, Qatar, Romania, Russia, Rwanda, Saudi Arabia, Scotland, Senegal, Serbia, Singapore,
    Slovakia, Slovenia, Somalia, South Africa, South Korea, Soviet Union, Spain, Sri Lanka, Sudan, Sweden, Switzerland,
    Syria, Taiwan, Tanzania, Thailand, Tunisia, Turkey, Uganda, Ukraine, United Arab Emirates, United Kingdom,
    United States, United States of America, Uruguay, Uzbekistan, Venezuela, Vietnam, Wales, Yemen, Yugoslavia, Zambia,
    Zimbabwe, U.S., U.K., US, UK, USA, USSR, Alabama, Alaska, Arizona, Arkansas, California, Colorado, Connecticut,
    Delaware, Florida, Hawaii, Idaho, Illinois, Indiana, Iowa, Kansas, Kentucky, Louisiana, Maine, Maryland,
    Massachusetts, Michigan, Minnesota, Mississippi, Missouri, Montana, Nebraska, Nevada, New Hampshire, New Jersey,
    New Mexico, New York, New York City, North Carolina, North Dakota, Ohio, Oklahoma, Oregon, Pennsylvania,
    Rhode Island, South Carolina, South Dakota, Tennessee, Texas, Utah, Vermont, Virginia, Washington, West Virginia,
    Wisconsin, Wyoming, Ontario, Quebec, British Columbia, Alberta, Manitoba, Nova Scotia, London, Paris, Berlin, Rome,
    Madrid, Moscow, Tokyo, Kyoto, Osaka, Beijing, Shanghai, Los Angeles, Chicago, Boston, Philadelphia, San Francisco,
    Las Vegas, Hollywood, Manhattan, Brooklyn, Toronto, Vancouver, Montreal, Sydney, Melbourne, Dublin, Edinburgh,
    Glasgow, Manchester, Liverpool, Vienna, Amsterdam, Brussels, Mumbai, Delhi, New Delhi, Detroit, Houston, Dallas,
    Atlanta, Miami, Seattle, Washington D.C., New South Wales, Queensland, Victoria"""
)

DEMONYMS = _words(
    """American British English Scottish Welsh Irish French German Italian Spanish Portuguese Dutch Belgian Swiss
    Austrian Swedish Norwegian Danish Finnish Icelandic Polish Czech Slovak Hungarian Romanian Bulgarian Greek Turkish
    Russian Ukrainian Serbian Croatian Bosnian Albanian Canadian Mexican Brazilian Argentine Argentinian Chilean
    Colombian Peruvian Cuban Jamaican Australian Indian Pakistani Bangladeshi Chinese Japanese Korean Vietnamese Thai
    Filipino Indonesian Malaysian Israeli Iranian Iraqi Egyptian Lebanese Syrian Saudi Nigerian Kenyan Ghanaian
    Ethiopian Soviet European Asian African Latin Roman Jewish Christian Catholic Protestant Muslim Islamic Arab Arabic
    Persian Hindu Buddhist Bengali Tamil Telugu Hindi Anglo-Irish African-American Scottish-born English-language
    Venezuelan Armenian Georgian Estonian Latvian Lithuanian Slovenian Moroccan Tunisian Algerian Singaporean Taiwanese
    Victorian Democratic Republican Australasian Scandinavian Baptist Methodist Lutheran Anglican Norman Germanic"""
)

# Capitalised only because they open a sentence, or capitalised without naming anything.
NOT_NAMES = _words(
    """The A An This That These Those It Its He She They We You I His Her Their Our My Your In On At By For From With To
    Of As And Or But Nor So Yet If When While Where After Before Since During Until Although Though Because Unless
    However Moreover Furthermore Therefore Thus Hence Additionally Also Meanwhile Nevertheless Instead Later Earlier
    Then There Here Now Today Both Each Every All Some Many Most Several Few Other Others Another One Two Three Four
    Five Six Seven Eight Nine Ten First Second Third Last Next Following According Based Despite Due Given Among
    Between Over Under Through Throughout Within Without Upon About Against Along Around Like Unlike Such Only Even Not
    No What Who Whom Whose Which How Why Once Prior Previous Recent Current Early Late Born Written Directed Produced
    Released Set Located Known Named Founded Published Starring Originally Currently Recently Initially Eventually
    Finally Additionally Usually Generally Typically Often Together Part Besides Likewise Similarly Specifically
    Overall Using Compared Let Note Table Figure Fig Figures Tables Section Sections Equation Eq Appendix Chapter
    Recall See Consider Suppose Assume Because Whereas Whether Either Neither Any None Much More Less Than Just Still
    Already Again Per Via Abstract Introduction Conclusion Conclusions References Results Methods Discussion Related
    Work Works Experiments Evaluation Keywords January February March April May June July August September October
    November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday Film Album Song Book Critics People
    Members Players Fans Scientists Researchers Students Children Women Men Life Music Work Other Its Previously"""
)

PREPOSITIONS = _words(
    """of in on at by for from with to into onto as about against among between near under over through during since
    until after before within without along around across behind beyond"""
)

# Scores that a system "achieves"; the relation of a measurement.
MEASURES = (
    r"(?:macro-|micro-|mean |average |averaged |overall |test |top-1 |top-5 )?"
    r"(?:F1(?:[- ]score)?|F-score|F-measure|accuracy|precision|recall(?:@\d+)?|BLEU(?:-\d)?(?: score)?|ROUGE-[12L](?: score)?|"
    r"METEOR|perplexity|exact match|EM|AUC|AUROC|mAP|MAP|MRR(?:@\d+)?|nDCG(?:@\d+)?|NDCG(?:@\d+)?|R@\d+|P@\d+|WER|"
    r"word error rate|error rate|RMSE|MAE|correlation|score|win rate|latency|throughput|speedup)"
)
