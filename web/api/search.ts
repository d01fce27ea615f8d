/** How people and titles are searched, in every list. The server folds in the same way (`search_key` in `roster/members/rules.py`). */

/** Spellings of one character in Japanese names. All of them are found by any of them. The first one stands for the group. */
export const VARIANTS: readonly string[] = [
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
];

const FOLDED = new Map(VARIANTS.flatMap((group) => [...group].map((character) => [character, [...group][0] ?? ""] as const)));

/** White space, and what nobody sees: zero-width characters, fillers, and the variation selectors of 葛󠄀. */
const UNSEEN =
  /[\s\p{Cc}\p{Cf}\p{Cs}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\uffa0\ufe00-\ufe0f\ufff0-\ufff8\u{e0000}-\u{e0fff}]/gu;

/** Two texts that a person would call the same become equal: width, case, spaces, katakana and variants of characters do not matter. */
export function searchKey(text: string): string {
  const plain = text.replace(UNSEEN, "").normalize("NFKC").replace(UNSEEN, "").toLowerCase();
  const hiragana = plain.replace(/[ァ-ヶヽヾ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60));
  return Array.from(hiragana, (character) => FOLDED.get(character) ?? character).join("");
}

/** Whether one of the texts (name, reading, name on LINE …) contains the words. `wanted` is `searchKey` of what was typed. */
export function matches(wanted: string, ...texts: (string | null | undefined)[]): boolean {
  return wanted === "" || texts.some((text) => text != null && searchKey(text).includes(wanted));
}
