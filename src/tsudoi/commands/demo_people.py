"""The invented people of the demo: creates roster, LINE friends and groups if they are missing.

Their ids are fixed, so that a second start finds the same people.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

import httpx2
from rich.console import Console

from tsudoi.commands.data import database_of
from tsudoi.commands.members import SyncArguments, run_sync
from tsudoi.core.settings import Settings
from tsudoi.roster.syncs.queries import is_empty


@dataclass(frozen=True, slots=True)
class DemoFriend:
    """A LINE user of the sandbox. `follows`: the user follows the account from the start."""

    name: str
    follows: bool

    @property
    def user_id(self) -> str:
        return "U" + hashlib.sha256(self.name.encode()).hexdigest()[:32]


FRIENDS = (
    DemoFriend("山田 太郎", follows=True),
    DemoFriend("佐藤 花子", follows=True),
    DemoFriend("鈴木 一郎", follows=True),
    DemoFriend("ケン🎣", follows=True),
    DemoFriend("髙橋　美咲", follows=True),
    DemoFriend("Emi Tanaka", follows=True),
    DemoFriend("伊藤商店（伊藤 勝）", follows=True),
    DemoFriend("中村 千代", follows=True),
    DemoFriend("小林 大輔", follows=False),
    DemoFriend("勅使河原 龍之介", follows=False),
    # Two of the hospital's staff, who are no members.
    DemoFriend("山田 花子", follows=True),
    DemoFriend("佐藤 大輔", follows=True),
)

SHEET_ID = "tsudoi-demo"
_HEADERS = ("id", "氏名", "表示順", "role", "line_user_id", "line_display_name", "is_target", "メール", "ふりがな")
_OFFICERS = ("山田 太郎", "佐藤 花子")
# Names and their readings. Friends whose LINE name is their full name are linked automatically; the office links the
# others by hand.
_MEMBERS = {
    "山田 太郎": "やまだ たろう", "佐藤 花子": "さとう はなこ", "鈴木 一郎": "すずき いちろう",
    "髙橋　美咲": "たかはし みさき", "田中 恵美": "たなか えみ", "伊藤 勝": "いとう まさる",
    "渡辺 健": "わたなべ けん", "中村 千代": "なかむら ちよ", "小林 大輔": "こばやし だいすけ",
    "勅使河原 龍之介": "てしがわら りゅうのすけ", "加藤 さくら": "かとう さくら", "吉田 誠": "よしだ まこと",
    "山本 由美子": "やまもと ゆみこ", "佐々木 健太": "ささき けんた", "松本 和子": "まつもと かずこ",
    "井上 修": "いのうえ おさむ", "木村 明美": "きむら あけみ", "林 秀樹": "はやし ひでき",
    "清水 直子": "しみず なおこ", "山崎 隆": "やまざき たかし", "森 久美子": "もり くみこ",
    "阿部 浩二": "あべ こうじ", "池田 真由美": "いけだ まゆみ", "橋本 進": "はしもと すすむ",
    "石川 陽子": "いしかわ ようこ", "前田 拓也": "まえだ たくや", "藤田 節子": "ふじた せつこ",
    "小川 哲也": "おがわ てつや", "後藤 美穂": "ごとう みほ", "岡田 正": "おかだ ただし",
    "長谷川 千尋": "はせがわ ちひろ", "村上 豊": "むらかみ ゆたか", "近藤 幸子": "こんどう さちこ",
    "石井 翔": "いしい しょう", "斎藤 弘": "さいとう ひろし", "坂本 優子": "さかもと ゆうこ",
    "遠藤 実": "えんどう みのる", "青木 玲奈": "あおき れな", "藤井 茂": "ふじい しげる",
    "西村 香織": "にしむら かおり",
}  # fmt: skip


GROUPS = {
    "理事会": ("山田 太郎", "佐藤 花子", "鈴木 一郎", "中村 千代", "吉田 誠", "松本 和子"),
    "総務部会": ("佐藤 花子", "髙橋　美咲", "渡辺 健", "加藤 さくら", "井上 修", "清水 直子", "橋本 進", "岡田 正"),
    "広報部会": ("鈴木 一郎", "田中 恵美", "伊藤 勝", "小林 大輔", "佐々木 健太", "森 久美子", "青木 玲奈"),
    "防災部会": ("伊藤 勝", "勅使河原 龍之介", "林 秀樹", "阿部 浩二", "村上 豊", "藤井 茂"),
}


def roster() -> list[list[Any]]:
    """The sheet `Members`: display orders with gaps, some people without one, some without a mail address."""
    return [list(_HEADERS), *(_row(number, name) for number, name in enumerate(_MEMBERS, 1))]


def _row(number: int, name: str) -> list[Any]:
    order = "" if number % 9 == 0 else number * 10
    mail = "" if number % 4 == 0 else f"member{number:02}@example.jp"
    return [number, name, order, "admin" if name in _OFFICERS else "member", "", "", "", mail, _MEMBERS[name]]


def make_roster(settings: Settings, sandbox_url: str) -> None:
    """Create the sheet and sync the roster once; later changes of the office are kept."""
    with httpx2.Client(base_url=sandbox_url, timeout=10, trust_env=False) as box:
        sheet = f"/_sandbox/sheets/{SHEET_ID}/Members"
        if not box.get(sheet).is_success:
            box.put(sheet, json={"rows": roster()}).raise_for_status()
        key = box.get("/_sandbox/sheets/service-account.json").content
    if settings.google_service_account_file is not None:
        settings.google_service_account_file.write_bytes(key)
    with database_of(settings) as db:
        fresh = db.read_now(is_empty)
    if fresh:
        run_sync(SyncArguments(), Console(quiet=True))


def make_friends(sandbox_url: str) -> None:
    """Create the missing friends. A friend who has blocked the account does not follow again."""
    with httpx2.Client(base_url=sandbox_url, timeout=10, trust_env=False) as box:
        known = {person["user_id"]: person for person in box.get("/_sandbox/users").raise_for_status().json()["users"]}
        for friend in FRIENDS:
            found = known.get(friend.user_id)
            if found is None:
                box.post("/_sandbox/users", json={"user_id": friend.user_id, "display_name": friend.name})
            if friend.follows and (found is None or not (found["following"] or found["blocked"])):
                box.post(f"/_sandbox/users/{friend.user_id}/follow")


def make_groups(office: httpx2.Client) -> None:
    if office.get("/api/admin/audiences").raise_for_status().json()["items"]:
        return
    everybody = {"all": 1, "require_target": 0, "require_line": 0}
    members = office.get("/api/admin/recipients/candidates", params=everybody).raise_for_status().json()["items"]
    number_of = {member["name"]: member["member_id"] for member in members}
    for place, (name, names) in enumerate(GROUPS.items(), 1):
        made = office.post("/api/admin/audiences", json={"name": name, "sort_order": place}).raise_for_status()
        body = {"member_ids": [number_of[each] for each in names if each in number_of]}
        office.put(f"/api/admin/audiences/{made.json()['id']}/members", json=body).raise_for_status()
