"""When a name is found by a search, however it is spelled. Pure."""

import unicodedata

from tsudoi.core.names import CharacterTable, visible

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


def search_key(text: str) -> str:
    """For searching only: width, case, spaces, katakana and variants of characters do not matter.

    It never decides who is linked: 髙橋 and 高橋 may be two people.
    """
    if text.isascii() and text.isprintable():
        # Mail addresses and numbers need none of the rest, and a search reads ten thousand of them.
        return text.replace(" ", "").lower()
    bare = visible(text)
    folded = unicodedata.normalize("NFKC", bare)
    return (bare if folded == bare else visible(folded)).lower().translate(_SEARCHED)


_SEARCHED = CharacterTable(lambda character: character.translate(_HIRAGANA).translate(_FOLDED))
