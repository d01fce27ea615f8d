"""Checks of the LINE account: token, quota, channels, rich menu, and the difference between the clocks."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import func, select

from tsudoi.commands.checks.findings import DoctorContext, Finding, Level, line_refused, without_database
from tsudoi.commands.richmenu import attendance_address, shops_address, staff_address
from tsudoi.core.command_line import tsudoi_command
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.models import Session
from tsudoi.gateway.clients.line_outcomes import NO_TOKEN, LineUnreachable, Rejected
from tsudoi.line.inbox.models import LineEvent
from tsudoi.line.rich_menu.rules.menu import areas

TOKEN, QUOTA, CLOCK, MENU = "アクセストークン", "送信数の残り", "時計", "リッチメニュー"
CHANNEL, PROVIDER = "LIFF のチャネル", "プロバイダー"
_LOW_SHARE = 0.2
_CLOCK_WARNING, _CLOCK_PROBLEM = timedelta(seconds=60), timedelta(seconds=300)
# If this many users on both sides have nobody in common, the channels belong to different providers.
_ENOUGH = 3


def token(context: DoctorContext) -> Finding:
    found = context.account.info()
    if isinstance(found, LineUnreachable):
        message = f"LINE に届きません / LINE is out of reach: {found.reason}"
        return Finding(TOKEN, Level.PROBLEM, message, "ネットワークと LINE_API_BASE を確認してください / check them")
    if isinstance(found, Rejected) and found.reason == NO_TOKEN:
        message = "空です。LINE には問い合わせていません / empty; LINE was not asked"
        advice = "LINE Developers で発行し、LINE_CHANNEL_ACCESS_TOKEN に設定してください / issue one and set it"
        return Finding(TOKEN, Level.PROBLEM, message, advice)
    if isinstance(found, Rejected):
        message = f"LINE が受け付けません / LINE refuses it: {found.status} {found.reason}"
        advice = "LINE Developers で発行し直し、LINE_CHANNEL_ACCESS_TOKEN に設定してください / issue a new one"
        return Finding(TOKEN, Level.PROBLEM, message, advice)
    return Finding(TOKEN, Level.OK, f"{found.display_name}（{found.basic_id}）")


def quota(context: DoctorContext) -> Finding:
    found = context.account.quota()
    if isinstance(found, Rejected | LineUnreachable):
        return line_refused(QUOTA, found)
    if found.limit is None:
        return Finding(QUOTA, Level.OK, f"上限なし。今月 {found.used:,} 通 / no limit, {found.used:,} used")
    left = max(0, found.limit - found.used)
    message = f"残り {left:,} 通（上限 {found.limit:,}、使用 {found.used:,}）/ {left:,} left of {found.limit:,}"
    advice = "LINE Official Account Manager でプランを見直すか、来月まで配信を控えてください / raise the plan, or wait"
    if left == 0:
        return Finding(QUOTA, Level.PROBLEM, message, advice)
    low = left < found.limit * _LOW_SHARE
    return Finding(QUOTA, Level.WARNING, message, advice) if low else Finding(QUOTA, Level.OK, message)


def clock(context: DoctorContext) -> Finding:
    ahead = context.account.ahead
    if ahead is None:
        message = "LINE の時刻が分からないため未確認です / not checked: LINE did not tell the time"
        return Finding(CLOCK, Level.WARNING, message, "アクセストークンの項目を見てください / see the access token")
    seconds = round(ahead.total_seconds())
    message = f"LINE との差は {seconds:+d} 秒 / {seconds:+d} s from LINE's"
    if abs(ahead) <= _CLOCK_WARNING:
        return Finding(CLOCK, Level.OK, message)
    level = Level.PROBLEM if abs(ahead) > _CLOCK_PROBLEM else Level.WARNING
    return Finding(
        CLOCK, level, message, "時刻合わせ（NTP）を有効にしてください / turn on NTP: timedatectl set-ntp true"
    )


def menu(context: DoctorContext) -> Finding:
    found = context.account.default_rich_menu()
    if isinstance(found, Rejected | LineUnreachable):
        return line_refused(MENU, found)
    if found is None:
        advice = f"{tsudoi_command()} richmenu publish を実行してください / run it"
        return Finding(MENU, Level.WARNING, "表示されていません / none is shown", advice)
    return _other_menu(context, found) or Finding(MENU, Level.OK, f"表示されています / shown: {found}")


def _other_menu(context: DoctorContext, shown: str) -> Finding | None:
    """What is shown was published before a setting changed, or by somebody else. The picture is not compared."""
    settings = context.settings
    if not settings.liff_id or not settings.notion_news_url:
        return None
    found = context.account.addresses_of_rich_menu(shown)
    if isinstance(found, Rejected | LineUnreachable):
        return line_refused(MENU, found)
    attendance, news = attendance_address(settings), settings.notion_news_url
    shops = shops_address(settings)
    wanted = [areas(attendance, news, staff, shops) for staff in (None, staff_address(settings))]
    if found in [[area["action"]["uri"] for area in each] for each in wanted]:
        return None
    message = f"いまの設定のメニューではありません / not the menu of these settings: {shown}"
    return Finding(MENU, Level.WARNING, message, f"{tsudoi_command()} richmenu publish を実行してください / run it")


def channels(context: DoctorContext) -> Iterator[Finding]:
    """LINE has no API for the provider of a channel, but user ids differ between providers, so they are compared."""
    yield _liff_channel(context)
    if context.db is None:
        yield without_database(PROVIDER)
    else:
        yield _provider(context.db.read_now(_known_users))


def _liff_channel(context: DoctorContext) -> Finding:
    liff, login = context.settings.liff_id or "", context.settings.line_login_channel_id or ""
    if liff and liff.partition("-")[0] == login:
        return Finding(CHANNEL, Level.OK, f"LIFF {liff} はチャネル {login} のものです / belong together")
    message = (
        f"LIFF_ID（{liff or '未設定'}）は LINE_LOGIN_CHANNEL_ID（{login or '未設定'}）のものではありません / differ"
    )
    advice = (
        "一つのチャネル（新しく作るなら LINEミニアプリ、すでにあれば LINEログイン）の チャネルID と LIFF ID を設定して"
        "ください。あとから LINEログイン の LIFF を LINEミニアプリ に移すことはできません"
        " / take both from one channel: a LINE MINI App channel if you make a new one, or an existing LINE Login"
        " channel; a LIFF app cannot be moved from one to the other later"
    )
    return Finding(CHANNEL, Level.PROBLEM, message, advice)


@dataclass(frozen=True, slots=True)
class _KnownUsers:
    """Numbers of users known from LIFF and from webhooks (counted up to `_ENOUGH`), and whether any user is in both."""

    liff: int
    webhook: int
    common: bool


def _known_users(tx: ReadTx) -> _KnownUsers:
    liff = select(Session.subject).where(Session.kind == "liff").distinct()
    webhook = select(LineEvent.user_id).where(LineEvent.user_id.is_not(None)).distinct()
    both = select(Session.subject).join(LineEvent, LineEvent.user_id == Session.subject).where(Session.kind == "liff")
    some = [tx.scalar(select(func.count()).select_from(each.limit(_ENOUGH).subquery())) for each in (liff, webhook)]
    return _KnownUsers(some[0] or 0, some[1] or 0, tx.scalar(both.limit(1)) is not None)


def _provider(people: _KnownUsers) -> Finding:
    if people.common:
        message = "LIFF と Messaging API で同じ人の ID が一致しています / one provider: ids agree"
        return Finding(PROVIDER, Level.OK, message)
    compare = (
        "LINE Developers で、LIFF のチャネル（LINEミニアプリか LINEログイン）と Messaging API のチャネルが"
        "同じプロバイダーにあるか見てください"
    )
    if people.liff >= _ENOUGH and people.webhook >= _ENOUGH:
        message = "LIFF で開いた人の ID が、公式アカウントの友だちの誰とも一致しません / no id in common"
        return Finding(PROVIDER, Level.PROBLEM, message, f"{compare} / both channels must be of one provider")
    message = (
        "まだ確かめられません（LIFF と友だち追加の両方で会った人がいません）/ cannot be told yet: nobody in common"
    )
    wait = "友だちの一人がメニューの出欠確認を開いたら、もう一度実行してください。それまでは"
    return Finding(PROVIDER, Level.WARNING, message, f"{wait}、{compare} / again once a friend has opened the LIFF")
