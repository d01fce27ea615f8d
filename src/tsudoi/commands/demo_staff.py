"""The invented staff of the demo's hospital: sixty people, some in each state that an account can have."""

import uuid
from datetime import datetime, timedelta
from typing import Any

import httpx2

from tsudoi.booking.accounts.rules import MASKED_NAME, initial_pin_columns
from tsudoi.booking.pins.rules import FAILURES_ALLOWED, PIN_VERSION
from tsudoi.booking.staffs.rules import search_text
from tsudoi.commands.demo_people import DemoFriend

# The person whose number and PIN the demo prints.
STAFF_ID, PIN = "100001", "4826"
_MAIL_EVERY = 3
# The hashes of `PIN` and of the initial PIN with the demo's pepper. They stand here because a hash takes a quarter of
# a second, and the demo should start quickly.
_PIN_HASH = "$argon2id$v=19$m=65536,t=3,p=1$m3wltQvBIXzr1/x8ET32xw$lKp+MDabDKxSvvae6bGBIukI8dG8y4Z104qw1L3vy1s"
_INITIAL_PIN_HASH = "$argon2id$v=19$m=65536,t=3,p=1$MZiptnMc5lmlkQe7bPbI1A$5cATO0HHFLVynLKBBywdKYc6VRJUO5bcnnpczy3/IdA"

DEPARTMENTS = {"3A": "3階A病棟", "ER": "救急外来", "REHA": "リハビリテーション科", "JIMU": "医事課"}
_JOBS = {"3A": "看護師", "ER": "医師", "REHA": "理学療法士", "JIMU": "事務"}
_FAMILY_NAMES = {
    "山田": "ヤマダ", "佐藤": "サトウ", "髙橋": "タカハシ", "山﨑": "ヤマサキ", "𠮷田": "ヨシダ",
    "鈴木": "スズキ", "渡邉": "ワタナベ", "齋藤": "サイトウ", "伊藤": "イトウ", "中村": "ナカムラ",
    "小林": "コバヤシ", "勅使河原": "テシガワラ", "加藤": "カトウ", "東海林": "ショウジ", "森": "モリ",
    "清水": "シミズ", "岡田": "オカダ", "長谷川": "ハセガワ", "林": "ハヤシ", "青木": "アオキ",
}  # fmt: skip
# The sex code stands beside the reading.
_GIVEN_NAMES = {
    "花子": ("ハナコ", "2"), "太郎": ("タロウ", "1"), "美咲": ("ミサキ", "2"), "健": ("ケン", "1"),
    "千尋": ("チヒロ", "2"), "大輔": ("ダイスケ", "1"), "さくら": ("サクラ", "2"), "龍之介": ("リュウノスケ", "1"),
    "由美子": ("ユミコ", "2"), "誠": ("マコト", "1"), "陽子": ("ヨウコ", "2"), "翔": ("ショウ", "1"),
}  # fmt: skip
# Forty letters: once in two parts, and once as the import writes a name without a space.
_LONG_NAMES = {
    42: ("ウィジャヤクスマニングラットラトナサリ・", "デウィプスピタアングライニクスマワティー", None, None),
    43: ("アレクサンドラマリアフェルナンデスデラクルスサントスオリベラゴンサレスロドリゲス", "", None, None),
}
_NORMAL = 44
# Most of those who have reservations get notices by LINE. The person who logs in is one of them.
_LINKED = frozenset(range(22)) - {5, 10, 11, 19}
_STATES = (
    *["normal"] * _NORMAL,
    *["locked"] * 3,
    *["initial"] * 3,
    "activation over",
    *["incomplete"] * 3,
    *["suspended"] * 2,
    "left",
    "masked",
    *["unconfirmed"] * 2,
)


def staff_rows(now: datetime) -> list[dict[str, Any]]:
    return [_row(number, state, now) for number, state in enumerate(_STATES)]


def can_book(row: dict[str, Any]) -> bool:
    """Whether the person is active, with a PIN of their own and a complete profile."""
    return row["status"] == "active" and not row["pin_must_change"] and row["emr_patient_id"] is not None


def _row(number: int, state: str, now: datetime) -> dict[str, Any]:
    department_id, staff_id = list(DEPARTMENTS)[number % len(DEPARTMENTS)], str(int(STAFF_ID) + number)
    created = now - timedelta(days=60)
    row = {
        "staff_uid": str(uuid.uuid4()),
        "staff_id": staff_id,
        **_person(number),
        "job_title": _JOBS[department_id],
        "department_id": department_id,
        "emr_patient_id": f"{7000 + number:07}",
        "date_of_birth": f"{1965 + number % 35}-{number % 12 + 1:02}-{number % 28 + 1:02}",
        "pin_hash": _PIN_HASH,
        "pin_version": PIN_VERSION,
        "pin_must_change": 0,
        "pin_retry_count": 0,
        "pin_locked_until": None,
        "pin_updated_at": created,
        "activate_until": None,
        "status": "active",
        "source": "import",
        "confirmed_at": None,
        "masked_at": None,
        "line_user_id": _line_friend(number).user_id if number in _LINKED else None,
        "email": f"staff{staff_id}@example.jp" if number % _MAIL_EVERY == 0 else None,
        "last_login_at": now - timedelta(days=number % 20, minutes=7 * number),
        "created_at": created,
        "updated_at": created,
        **_columns_of(state, now),
    }
    names = (row[f"{part}_name{kana}"] for kana in ("", "_kana") for part in ("family", "given"))
    return {**row, "search_text": search_text(staff_id, *names)}


def _line_friend(number: int) -> DemoFriend:
    person = _person(number)
    return DemoFriend(f"{person['family_name']} {person['given_name']}", follows=True)


def _person(number: int) -> dict[str, Any]:
    family, family_kana = list(_FAMILY_NAMES.items())[number % len(_FAMILY_NAMES)]
    # The second summand keeps people of one family name apart.
    given, (given_kana, sex_code) = list(_GIVEN_NAMES.items())[(number * 5 + number // 20) % len(_GIVEN_NAMES)]
    names = _LONG_NAMES.get(number, (family, given, family_kana, given_kana))
    fields = ("family_name", "given_name", "family_name_kana", "given_name_kana")
    return {**dict(zip(fields, names, strict=True)), "sex_code": sex_code}


def _columns_of(state: str, now: datetime) -> dict[str, Any]:
    """What differs from a person who has logged in and completed the profile."""
    empty = dict.fromkeys(("emr_patient_id", "date_of_birth", "sex_code"))
    new = {**initial_pin_columns(_INITIAL_PIN_HASH, now), **empty, "last_login_at": None}
    masked = {**empty, "family_name": MASKED_NAME, "given_name": "", "family_name_kana": None, "given_name_kana": None}
    return {
        "locked": {"pin_retry_count": FAILURES_ALLOWED, "pin_locked_until": now - timedelta(hours=3)},
        "initial": new,
        "activation over": {**new, "activate_until": now - timedelta(days=5)},
        "incomplete": empty,
        "suspended": {"status": "suspended"},
        "left": {"status": "left"},
        "masked": {**masked, "status": "left", "masked_at": now - timedelta(days=2)},
        "unconfirmed": {"source": "self", "emr_patient_id": None, "pin_must_change": 1, "last_login_at": None},
    }.get(state, {})


# The staff who get notices by LINE: their number, and the name of their LINE account.
LINE_NAMES = {str(int(STAFF_ID) + number): _line_friend(number).name for number in sorted(_LINKED)}


def make_staff_friends(sandbox_url: str) -> None:
    """Give the linked staff their phones. They became friends long ago, so no webhook tells of them."""
    with httpx2.Client(base_url=sandbox_url, timeout=10, trust_env=False) as box:
        known = {person["user_id"] for person in box.get("/_sandbox/users").raise_for_status().json()["users"]}
        for friend in (DemoFriend(name, follows=True) for name in LINE_NAMES.values()):
            if friend.user_id not in known:
                new = {"user_id": friend.user_id, "display_name": friend.name, "following": True}
                box.post("/_sandbox/users", json=new).raise_for_status()
