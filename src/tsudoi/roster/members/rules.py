"""When two spellings of a name are the same name, for linking (strict) and for searching (generous). Pure."""

import unicodedata
from collections.abc import Callable

# Invisible characters: two names that differ only in these look equal, and must count as equal.
# Fillers and blanks, then what Unicode calls "default ignorable" without being a format character.
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0")
_IGNORABLE = (range(0xFE00, 0xFE10), range(0xE0000, 0xE1000), range(0x180B, 0x1810), range(0xFFF0, 0xFFF9))
_MOST_CHARACTERS = 8192
_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")

# Spellings of one character in Japanese names. A search for any of them finds all; the first stands for the group.
# `web/api/search.ts` has the same table.
# fmt: off
VARIANTS = (
    "高髙", "崎﨑嵜碕", "斉斎齋齊斊", "辺邊邉", "浜濱濵", "広廣", "徳德", "島嶋嶌", "沢澤", "国國", "吉𠮷",
    "桜櫻", "真眞", "恵惠", "竜龍", "滝瀧", "渋澁澀", "桑桒", "槙槇", "柳栁", "関關", "実實", "寿壽", "栄榮",
    "円圓", "富冨", "峰峯", "松枩", "梅楳", "横橫", "穂穗", "緑綠", "緒緖", "群羣", "船舩", "芦蘆", "万萬",
    "礼禮", "秋穐", "稲稻", "豊豐", "賢贒", "遥遙", "郎郞", "鉄鐵鉃", "静靜", "黒黑", "黄黃", "教敎", "蔵藏",
    "薫薰", "衛衞", "亀龜", "剣劍剱", "単單", "厳嚴", "呉吳", "児兒", "尭堯", "巌巖", "弥彌", "彦彥", "晃晄",
    "曽曾", "条條", "楽樂", "涼凉", "清淸", "増增", "瀬瀨", "焼燒", "尚尙", "巣巢", "県縣", "粛肅", "総總",
    "芸藝", "覚覺", "角⻆", "頼賴", "館舘", "浅淺", "桧檜", "渕淵", "薮藪", "与與", "来來", "奥奧", "学學",
    "宝寶", "岳嶽", "応應", "戸戶", "暁曉", "権權", "瑶瑤", "画畫", "磯礒", "禄祿", "聡聰", "荘莊", "蛍螢",
    "鎮鎭", "霊靈", "青靑", "顕顯", "麦麥", "籠篭", "鴎鷗", "仏佛", "壮壯", "歩步", "為爲", "気氣", "桝枡",
    "壺壷",
)
# fmt: on
_FOLDED = str.maketrans({character: group[0] for group in VARIANTS for character in group})
_HIRAGANA = {code: code - 0x60 for code in (*range(ord("ァ"), ord("ヶ") + 1), ord("ヽ"), ord("ヾ"))}


class _CharacterTable(dict[int, str | None]):
    """What becomes of each character, for `str.translate`; None removes it. It is found out once for each character.

    A search folds ten thousand names. To ask about one character after the other takes three times as long.
    """

    def __init__(self, becomes: Callable[[str], str | None]) -> None:
        self._becomes = becomes

    def __missing__(self, code: int) -> str | None:
        found = self._becomes(chr(code))
        # A roster of ten thousand people has only some thousand different characters; a request may have any.
        if len(self) < _MOST_CHARACTERS:
            self[code] = found
        return found


def name_key(name: str, *, nfkc: bool) -> str:
    """Remove white space and invisible characters, and make ASCII letters lower case. `nfkc`: apply NFKC too."""
    key = _bare(name)
    # NFKC can make new spaces and join marks to letters, so it is repeated until nothing changes.
    while nfkc and (folded := _bare(unicodedata.normalize("NFKC", key))) != key:
        key = folded
    return key


def search_key(text: str) -> str:
    """For searching only: width, case, spaces, katakana and variants of characters do not matter.

    It never decides who is linked: 髙橋 and 高橋 may be two people.
    """
    if text.isascii() and text.isprintable():
        # Mail addresses and numbers need none of the rest, and a search reads ten thousand of them.
        return text.replace(" ", "").lower()
    bare = _bare(text)
    folded = unicodedata.normalize("NFKC", bare)
    return (bare if folded == bare else _bare(folded)).lower().translate(_SEARCHED)


def is_unseen(text: str) -> bool:
    """Whether the text has no visible character."""
    return not _bare(text)


def _bare(text: str) -> str:
    return text.translate(_VISIBLE)


def _is_unseen(character: str) -> bool:
    if character.isspace() or character in _FILLERS:
        return True
    # Format characters (zero-width, bidi marks, tags), controls, and lone surrogates.
    if unicodedata.category(character) in ("Cf", "Cc", "Cs"):
        return True
    return any(ord(character) in ignorable for ignorable in _IGNORABLE)


_VISIBLE = _CharacterTable(lambda character: None if _is_unseen(character) else character.translate(_LOWER))
_SEARCHED = _CharacterTable(lambda character: character.translate(_HIRAGANA).translate(_FOLDED))
