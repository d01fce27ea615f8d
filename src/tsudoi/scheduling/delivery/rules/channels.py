"""By which way a person is told. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from tsudoi.notifications.mails.errors import BadMailAddress
from tsudoi.notifications.mails.rules.addresses import checked_address
from tsudoi.scheduling.delivery.rules.messages import Addressee, MessageChannel, MessageSettings

_NO_ROOM = "LINEの今月の送信上限に達しています"


@dataclass(frozen=True, slots=True)
class Way:
    """The way of a message, and in Japanese why it is not LINE, or why the person has to be called."""

    channel: MessageChannel
    # None: it goes by LINE, or the person is not a member.
    not_by_line: str | None = None
    # Set for `call`.
    not_by_mail: str | None = None

    @property
    def why(self) -> str | None:
        return "。".join(part for part in (self.not_by_line, self.not_by_mail) if part) or None


def way_to(person: Addressee, common: MessageSettings) -> Way:
    """LINE where it is linked, then mail, then the telephone."""
    no_line = _not_by_line(person, common)
    if no_line is None:
        return Way("line")
    return way_without_line(person, common, no_line if person.is_member else None)


def ways_to(people: Iterable[Addressee], common: MessageSettings, line_room: int | None) -> list[tuple[Addressee, Way]]:
    """The way to each person. `line_room`: how many LINE's monthly limit leaves; None: enough, or not known."""
    found: list[tuple[Addressee, Way]] = []
    for person in people:
        way = way_to(person, common)
        if way.channel == "line" and line_room is not None:
            way = way if line_room > 0 else way_without_line(person, common, _NO_ROOM)
            line_room -= 1
        found.append((person, way))
    return found


def way_without_line(person: Addressee, common: MessageSettings, no_line: str | None) -> Way:
    """The way of somebody whom LINE does not reach."""
    no_mail = _not_by_mail(person, common)
    return Way("mail", no_line) if no_mail is None else Way("call", no_line, no_mail)


def _not_by_line(person: Addressee, common: MessageSettings) -> str | None:
    if not person.is_member:
        return "会員ではありません"
    if person.withdrawn:
        return "退会した会員です"
    if person.line_user_id is None:
        return "LINEと連携していません"
    if person.blocked:
        return "LINEの公式アカウントがブロックされています"
    if person.never_added:
        return "LINEの公式アカウントを友だちに追加していません"
    return None if common.line_is_on else "LINEの接続が設定されていません"


def _not_by_mail(person: Addressee, common: MessageSettings) -> str | None:
    if person.withdrawn:
        return "連絡先の登録を確認してください"
    if not person.address:
        return "メールアドレスが登録されていません"
    if sendable_address(person.address) is None:
        return "メールアドレスの形が正しくありません"
    if person.mail_stopped:
        return "ご本人がこの件のメールを停止しました"
    if person.bounced:
        return "このアドレスへのメールは届かずに戻ってきました"
    return None if common.mail_is_on else "メールの送信が設定されていません"


def sendable_address(address: str) -> str | None:
    """The address in the form in which we send to it, or None."""
    try:
        return checked_address(address)
    except BadMailAddress:
        return None
