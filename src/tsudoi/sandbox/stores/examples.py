"""Example data of two shops, the same at every loading: only the dates move with the day."""

from datetime import date, datetime, time, timedelta
from typing import Any

from tsudoi.sandbox.clock import JST
from tsudoi.sandbox.stores.account import StoresAccount
from tsudoi.sandbox.stores.records import STATUSES, iso

Record = dict[str, Any]

DEFAULT_TOKENS = {"mc_1": "tok_1", "mc_2": "tok_2"}
_SHOPS = {
    "mc_1": (("bs_101", "マットピラティス"), ("bs_102", "マシンピラティス 60分"), ("bs_103", "体験レッスン")),
    "mc_2": (("bs_201", "パーソナルトレーニング"), ("bs_202", "ストレッチ 40分"), ("bs_203", "体験トレーニング")),
}
# The order of given and family name is mixed, as it is among real customers.
_PEOPLE = (
    ("山田 太郎", "taro.yamada@example.com"),
    ("佐藤 花子", "hanako.sato@example.com"),
    ("鈴木 一郎", "ichiro.suzuki@example.com"),
    ("高橋 美咲", "misaki.takahashi@example.com"),
    ("健 田中", "ken.tanaka@example.com"),
    ("伊藤 さくら", "sakura.ito@example.com"),
    ("渡辺 翔太", "shota.watanabe@example.com"),
    ("Yuki Nakamura", "yuki.nakamura@example.com"),
    ("小林 直樹", "naoki.kobayashi@example.com"),
    ("加藤 由美", "yumi.kato@example.com"),
    ("吉田 大輔", "daisuke.yoshida@example.com"),
    ("山本 恵", "megumi.yamamoto@example.com"),
    ("佐々木 亮", "ryo.sasaki@example.com"),
    ("松本 あかり", "akari.matsumoto@example.com"),
    ("陽子 井上", "yoko.inoue@example.com"),
    ("木村 拓也", "takuya.kimura@example.com"),
    ("林 真由美", "mayumi.hayashi@example.com"),
    ("清水 健二", "kenji.shimizu@example.com"),
    ("山口 千尋", "chihiro.yamaguchi@example.com"),
    ("森 裕子", "yuko.mori@example.com"),
    ("阿部 誠", "makoto.abe@example.com"),
    ("Aiko Ikeda", "aiko.ikeda@example.com"),
    ("橋本 修", "osamu.hashimoto@example.com"),
    ("石川 里奈", "rina.ishikawa@example.com"),
)
_PEOPLE_OF = {"mc_1": range(24), "mc_2": range(0, 24, 3)}
# Two people of one family share an address, so that it does not identify either of them.
_SHARED_MAIL = {5: 4}
_QUESTIONS = ("ご来店のきっかけを教えてください", "気になる部位はありますか")
_ANSWERS = (("友人の紹介", "肩と腰"), ("ホームページ", "特にありません"), ("チラシ", "膝"))
_PAYMENTS = ("subscription", "ticket", "credit_card", "none")
_DAYS = (-21, -14, -7, -3, -1, 1, 2, 3, 5, 8, 13, 21)


def load(account: StoresAccount, tokens: dict[str, str], today: date) -> None:
    """Replaces everything that the account holds. Each shop gets the token that is given for it."""
    account.clear()
    for number, merchant in enumerate(_SHOPS, 1):
        account.tokens.setdefault(tokens.get(merchant, DEFAULT_TOKENS[merchant]), []).append(merchant)
        for person in _PEOPLE_OF[merchant]:
            account.put_customer(1000 * number + person + 1, _customer(merchant, person))
        for visit in range(3 * len(_DAYS) if number == 1 else len(_DAYS)):
            given = _reservation(merchant, visit, today)
            account.put_reservation(50_000 * number + visit + 1, given, 0)


def _customer(merchant: str, person: int) -> Record:
    """Every fifth person has written the number with signs, and every sixth the address in capitals."""
    mail, phone = _PEOPLE[_SHARED_MAIL.get(person, person)][1], f"090{11_000_000 + 37_411 * person:08d}"
    return {
        "merchant_canonical_id": merchant,
        "name": _PEOPLE[person][0],
        "email": mail.title() if person % 6 == 3 else mail,  # noqa: PLR2004 (any of six)
        "primary_phone_number": f"{phone[:3]}-{phone[3:7]}-{phone[7:]}" if person % 5 == 2 else phone,  # noqa: PLR2004
        "phone_number": None,
        "membership_number": f"{merchant[-1]}-{person + 1:04d}",
        "customer_memo": "膝に古いけがあるとのこと" if person % 7 == 0 else None,
        "profile_fields": [{"question": "緊急連絡先", "answer": f"03-5555-{1000 + person}（ご家族）"}],
        "subscriptions": [_subscription(merchant, person)] if person % 3 == 0 else [],
        "ticket_books": [_ticket_book(merchant, person)] if person % 4 == 1 else [],
    }


def _subscription(merchant: str, person: int) -> Record:
    return {
        "canonical_id": 7000 + person,
        "product_canonical_id": f"sp_{merchant[-1]}01",
        "product_name": "月4回コース",
        "contract_status": "suspended" if person % 9 == 0 and person else "active",
    }


def _ticket_book(merchant: str, person: int) -> Record:
    return {
        "canonical_id": 8000 + person,
        "product_canonical_id": f"tp_{merchant[-1]}01",
        "product_name": "回数券 10回",
        "remaining_tickets": 1 + person % 10,
    }


def _reservation(merchant: str, visit: int, today: date) -> Record:
    people, services = _PEOPLE_OF[merchant], _SHOPS[merchant]
    service, service_name = services[visit % len(services)]
    days, hour = _DAYS[visit % len(_DAYS)], 9 + (5 * visit) % 11
    begins = datetime.combine(today + timedelta(days=days), time(hour, 30 * (visit % 2)), JST)
    made = begins - timedelta(days=10, minutes=7 * visit)
    person = people[visit % len(people)]
    return {
        "merchant_canonical_id": merchant,
        "customer_canonical_id": 1000 * int(merchant[-1]) + person + 1,
        "booking_service_canonical_id": service,
        "booking_service_name": service_name,
        "booking_start": iso(begins),
        "checkout_at": iso(begins + timedelta(minutes=60)),
        "latest_changed_at": iso(made + timedelta(hours=1)),
        "booking_made_at": iso(made),
        "checked_in_at": iso(begins - timedelta(minutes=5)) if days < 0 and visit % 8 else None,
        "num_attendees": 1 + (visit % 5 == 0),
        "questionnaires": _questionnaires(visit),
        "payment_method": _payment(visit, person),
        "status": STATUSES[(0, 0, 0, 1, 0, 2, 0, 3)[visit % 8]],
    }


def _questionnaires(visit: int) -> list[Record] | None:
    if visit % 3 == 1:
        return None
    answers = _ANSWERS[visit % len(_ANSWERS)]
    return [{"question": question, "answer": answer} for question, answer in zip(_QUESTIONS, answers, strict=True)]


def _payment(visit: int, person: int) -> Record:
    name = _PAYMENTS[visit % len(_PAYMENTS)]
    used = [{"canonical_id": 8000 + person, "remaining_tickets": visit % 10}] if name == "ticket" else []
    return {"name": name, "used_products": used}
