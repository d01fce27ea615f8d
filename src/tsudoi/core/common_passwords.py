"""Passwords that many people choose, as a rule instead of a long list. Pure.

A guesser tries words of everyday life with a number behind them, runs of keys, and the names of the person and the
organisation. What is left of a password without all of that is what somebody has thought of.
"""

import re
import unicodedata
from collections.abc import Iterable

# With fewer characters of its own a password is a variation of something that everybody tries.
LEAST_OWN_CHARACTERS = 5
_SHORTEST_RUN = 3
_SHORTEST_NAME = 3
_SHORTEST_JAPANESE_NAME = 2

# Letters as they lie on the keyboard, in its columns, in the alphabet, and digits.
_ROWS = (
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
    "qazwsxedcrfvtgbyhnujmikolp",
    "1q2w3e4r5t6y7u8i9o0p",
    "a1b2c3d4e5f6g7h8i9j0",
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890",
    "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん",
)
_RUNS = tuple(text for row in _ROWS for text in (row, row[::-1]))
# Digits and signs that stand for letters.
_LETTERS = str.maketrans("01345678@$!+", "oieastgbasit")
_EDGES = re.compile(r"^[\W\d_]+|[\W\d_]+$")
_SIGNS = re.compile(r"[\W_]+")

_ENGLISH = """
pass password passwd passcode passphrase secret login logon user username admin administrator root master manager
system server service access account office staff member guest test tester testing demo sample example temp temporary
default change changeme welcome hello hi letmein enter open please sesame key keys keyword code pin private security
secure safe nothing something anything whatever computer internet network website web mail email line google apple
microsoft windows android iphone amazon facebook twitter instagram youtube yahoo naver samsung toyota honda nissan sony
nintendo playstation pokemon pikachu mario naruto onepiece dragonball gundam doraemon totoro hellokitty kitty disney
mickey starwars batman superman spiderman ironman marvel minecraft fortnite
love lover iloveyou loveyou mylove baby angel princess prince queen king sweet sweety honey darling lovely beautiful
pretty cute sexy girl boy man woman mother father mama papa family friend friends forever always happy lucky smile
dragon monkey tiger lion panda bear horse wolf eagle phoenix shark dolphin butterfly rabbit puppy kitten dog cat bird
flower rose lily cherry blossom sakura orange banana lemon peach apple chocolate cookie coffee pizza sugar pepper
football baseball soccer basketball hockey tennis golf rugby swimming fishing racing runner player team winner champion
summer winter spring autumn fall january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday morning night today tomorrow birthday holiday christmas newyear
music guitar piano dance rock metallica beatles star stars moon sun sunshine sky blue red green black white silver gold
golden diamond crystal rainbow shadow ghost magic wizard ninja samurai shogun pirate hunter killer fighter warrior
thunder storm fire ice water ocean mountain river forest freedom peace power energy world earth heaven god jesus
jordan michael jennifer jessica ashley daniel thomas robert charlie george andrew joshua matthew anthony william james
john david maria anna emma sophia alice lisa sarah laura nicole hannah samantha amanda
japan tokyo osaka kyoto nagoya sapporo fukuoka yokohama kobe hiroshima sendai okinawa hokkaido nippon nihon asia america
london paris newyork hawaii company business work worker job money bank cash number one two three four five six seven
eight nine ten zero abc xyz qwe asd zxc foo bar baz foobar hoge hogehoge fuga piyo
"""
_JAPANESE = """
pasuwado himitsu aikotoba kagi kanri kanrisha jimukyoku jimu kaicho kaichou iincho iinchou riji rijikai yakuin kumiai
kyokai kyoukai chonaikai chounaikai jichikai renmei rengo rengoukai shibu honbu kaiin meibo tsudoi atsumari yoyaku
byoin byouin kangoshi isha sensei gakko gakkou daigaku kaisha shigoto
daisuki aishiteru suki ohayo ohayou konnichiwa konbanwa arigato arigatou sayonara oyasumi yoroshiku ganbare
nihongo nippon fujisan sakura himawari tanpopo ajisai momiji hana hoshi tsuki taiyo taiyou sora umi yama kawa kaze yuki
haru natsu aki fuyu neko inu usagi tori sakana ringo mikan ichigo banana onigiri sushi ramen kare okane
yamada tanaka suzuki sato satou takahashi watanabe ito itou yamamoto nakamura kobayashi kato katou yoshida sasaki
yamaguchi matsumoto inoue kimura hayashi saito saitou shimizu yamazaki mori abe ikeda hashimoto ishikawa ogawa maeda
taro tarou jiro jirou hanako ichiro ichirou kenji takashi hiroshi akira makoto satoshi yuki yuko yuuko keiko kazuko
tomoko yoko youko naoko mayumi akiko haruka ayaka misaki
パスワード ひみつ 秘密 暗証番号 管理者 事務局 会長 委員長 理事会 会員 名簿 町内会 自治会 連合会 病院 学校 会社 予約
ありがとう こんにちは おはよう よろしく だいすき 大好き 愛してる さくら 桜 ねこ いぬ 日本 東京 大阪 京都 富士山
山田 田中 鈴木 佐藤 高橋 渡辺 伊藤 山本 中村 小林 加藤 太郎 花子 集い つどい てすと テスト
"""
WORDS = frozenset((_ENGLISH + _JAPANESE).split())
_BY_LENGTH = sorted(WORDS, key=len, reverse=True)


def is_common(password: str, names: Iterable[str] = ()) -> bool:
    """Whether too little is left of the password without words, names, runs of keys, and a number at its ends."""
    folded = _folded(password)
    known = sorted({part for name in names for part in _parts(name)}, key=len, reverse=True)
    # Before the number at the end goes, because a name may end in digits too.
    for name in known:
        folded = folded.replace(name, " ")
    middle = _EDGES.sub("", folded)
    return any(_own(text, known) < LEAST_OWN_CHARACTERS for text in (middle, middle.translate(_LETTERS)))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _parts(name: str) -> Iterable[str]:
    """A name and its parts, such as `jimukyoku` and `tanaka` of `jimukyoku.tanaka`, also written as one word."""
    folded = _folded(name)
    for part in (folded, _SIGNS.sub("", folded), *re.split(r"[\W\d_]+", folded)):
        if len(part) >= (_SHORTEST_NAME if part.isascii() else _SHORTEST_JAPANESE_NAME):
            yield part
            yield part[::-1]


def _own(text: str, names: list[str]) -> int:
    """The number of characters that belong to no name, no word and no run, and do not repeat what stands before."""
    for known in (*names, *_BY_LENGTH):
        text = text.replace(known, " ")
    pieces = [piece for part in _SIGNS.split(text) for piece in _without_runs(part).split()]
    return sum(len(_unrepeated(piece)) for piece in pieces)


def _without_runs(text: str) -> str:
    """The text with a space in the place of each run of neighbouring keys."""
    found, place = "", 0
    while place < len(text):
        length = _run_at(text, place)
        found += " " if length else text[place]
        place += length or 1
    return found


def _run_at(text: str, place: int) -> int:
    """The length of the run, or of the repeated character, that begins here; 0 for none."""
    length = 0
    for end in range(place + _SHORTEST_RUN, len(text) + 1):
        piece = text[place:end]
        if len(set(piece)) > 1 and not any(piece in run for run in _RUNS):
            break
        length = end - place
    return length


def _unrepeated(text: str) -> str:
    """`abab` and `aaaa` are as long as what they repeat."""
    found = re.fullmatch(r"(.+?)\1+", text)
    return found[1] if found else text
