/** Names for new friends. All of them are made up: family and given names are thrown together at random. */
const FAMILY = [
  "青葉", "石動", "卯月", "榎本", "大空", "風間", "木下", "久遠", "小鳥遊", "桜庭", "東雲", "鈴風", "瀬尾", "高梨",
  "月岡", "勅使河原", "灯台", "夏目", "西園寺", "野々村", "花岡", "日向", "藤咲", "星川", "松風", "水無月", "武者小路",
  "森崎", "八重樫", "雪村", "若竹", "綿貫",
];
const GIVEN = [
  "葵", "一太郎", "うめ", "エミリ", "修", "かえで", "清", "くるみ", "健太郎", "幸子", "さくら", "静香", "すみれ", "聡一郎",
  "太一", "千鶴", "つばさ", "照夫", "とも子", "なぎさ", "信之介", "はるか", "久", "文彦", "陽菜", "誠", "みどり", "結衣",
  "義雄", "龍之介", "凛", "和歌子",
];
/** The ones that try a layout: long, short, with signs, in other scripts. */
const UNUSUAL = [
  "勅使河原 龍之介左衛門（夏祭り実行委員長・会計）",
  "ジョナサン・ヴァン・デル・モーレン三世",
  "凛",
  "はなちゃん🌸",
  "㈱集い商店　たなか",
  "Alexandra Featherstonehaugh",
  "髙橋（旧姓 﨑山）めぐみ",
];
const UNUSUAL_EVERY = 6;

export type Dice = () => number;

export function suggestName(dice: Dice = Math.random): string {
  if (dice() < 1 / UNUSUAL_EVERY) return pick(UNUSUAL, dice);
  return `${pick(FAMILY, dice)} ${pick(GIVEN, dice)}`;
}

function pick(names: string[], dice: Dice): string {
  return names[Math.floor(dice() * names.length)] ?? "";
}
