"""What is said around a name and is no part of it, in several languages; what it says of the person is kept.

`Herr Müller` is not Frau Müller: a title that a voice's name contradicts finds nobody.
"""

import re

_MEN = "mr mister herr señor senor sr don monsieur m signor signore sig meneer dhr pan senhor hr herra"
_WOMEN = (
    "mrs ms miss frau fräulein señora senora sra señorita srta doña mme madame mlle mademoiselle signora signorina "
    "sig.ra mevrouw mevr pani senhora fru rouva"
)
_ANY = (
    "dr doctor docteur doktor dott dottoressa dottore dra doctora prof professor professeur professeure professora "
    "profesor profesora professore professoressa sir dame lord lady rev reverend father sister brother judge justice "
    "senator minister captain coach ing mag maître maitre mag.a dipl"
)
_CJK_AFTER = "さん さま 様 君 くん ちゃん 先生 氏 社長 部長 課長 教授 博士 女士 小姐 老师 老師 太太 씨 님 선생님 교수님"
_AFTER = re.compile(rf"[ \-‐‑]*(?:{_CJK_AFTER.replace(' ', '|')})$")
_LATIN_AFTER = re.compile(r"[ \-‐‑](?:san|sama|kun|chan|sensei|senpai|ssi|nim|laoshi|xiansheng|ji|jr|sr)\.?$")

MEN, WOMEN = frozenset(_MEN.split()), frozenset(_WOMEN.split())
TITLES = MEN | WOMEN | frozenset(_ANY.split())


def untitled(form: str) -> list[str]:
    """Give the parts of a folded name that are no titles; what follows a name (さん, -san) is cut."""
    short = _LATIN_AFTER.sub("", _AFTER.sub("", form))
    parts = [part.strip(".,") for part in (short or form).split()]
    return [part for part in parts if part not in TITLES]


def titles(form: str) -> list[str]:
    """Give the titles in a folded name."""
    return [part for part in (word.strip(".,") for word in form.split()) if part in TITLES]


def contradict(form: str, other: str) -> bool:
    """Say whether two names carry titles that no one person has."""
    one, two = ({part.strip(".,") for part in name.split()} for name in (form, other))
    return bool((one & MEN and two & WOMEN) or (one & WOMEN and two & MEN))
