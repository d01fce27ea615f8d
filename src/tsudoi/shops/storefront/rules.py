"""A shop as its customers see it, and the words of their pages. Pure."""

from dataclasses import dataclass
from datetime import datetime

from tsudoi.core.clock import JST

# The key of a help session's data under which the id of its proof stands.
PROOF_ID = "proof_id"
KEY_IS_STUB = "鍵の状態は、この画面ではまだ確認できません。予約の確認メールにある暗証番号をお使いください。"
# Between the pages of those who cannot be told automatically, only this sentence differs.
_WHY_NOT_FOUND = {
    "no_record": "入力された内容と一致するご予約者様の情報が、見つかりませんでした。",
    "too_many_candidates": "一致する候補が多いため、どなたのご予約かを自動では判断できませんでした。",
    "over_page_limit": "一致する候補が多いため、確認を途中で終えました。",
    "multiple": "同じ内容の登録が複数あるため、どなたのご予約かを自動では判断できませんでした。",
    "gone": "以前に確認できた登録が、見つからなくなりました。",
}
_STATUSES = {
    "accepted": "予約確定",
    "pending": "店舗の確認待ち",
    "canceled_by_host": "取り消し済み（店舗による）",
    "canceled_by_customer": "取り消し済み（お客様による）",
}
# STORES has more than one word for it, and may add others.
_CANCELLED = ("canceled", "cancelled")
# By whom is said only where STORES says it.
_CANCELLED_WORDS = "取り消し済み"
_UNKNOWN_STATUS = "状態は店舗にご確認ください"
_WEEKDAYS = "月火水木金土日"


def why_not_found(state: str, reason: str) -> str:
    if state == "multiple":
        return _WHY_NOT_FOUND["multiple"]
    return _WHY_NOT_FOUND.get(reason, _WHY_NOT_FOUND["no_record"])


def is_cancelled(status: str) -> bool:
    return status.startswith(_CANCELLED)


def status_words(status: str) -> str:
    """STORES may add statuses; then the page says whom to ask instead of guessing."""
    return _STATUSES.get(status, _CANCELLED_WORDS if is_cancelled(status) else _UNKNOWN_STATUS)


def moment(value: datetime) -> str:
    """`11月20日（金）18:00`, in Japan."""
    local = value.astimezone(JST)
    return f"{local.month}月{local.day}日（{_WEEKDAYS[local.weekday()]}）{local:%H:%M}"


def period(begins_at: datetime, ends_at: datetime | None) -> str:
    if ends_at is None:
        return f"{moment(begins_at)}から"
    begins, ends = begins_at.astimezone(JST), ends_at.astimezone(JST)
    end = f"{ends:%H:%M}" if begins.date() == ends.date() else moment(ends_at)
    return f"{moment(begins_at)}〜{end}"


@dataclass(frozen=True, slots=True)
class VisitedShop:
    """A shop as its customers see it, with the ways in which they reach a person."""

    id: int
    code: str
    name: str
    status: str
    phone: str | None
    email: str | None
    stores_public_url: str | None

    @property
    def signature(self) -> str:
        """The end of a mail."""
        ways = [f"電話：{self.phone}" if self.phone else "", f"メール：{self.email}" if self.email else ""]
        return "\n".join(["―――――――――――――――", self.name, *filter(None, ways)])
