"""LINE's side: does the token work, is there quota left, do the channels and the clocks agree."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import func, select

from tsudoi.commands.checks.findings import Finding, Level, Patient, line_refused, without_database
from tsudoi.core.command_line import tsudoi_command
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.models import Session
from tsudoi.gateway.clients.line_outcomes import NO_TOKEN, LineUnreachable, Rejected
from tsudoi.line.inbox.models import LineEvent

TOKEN, QUOTA, CLOCK, MENU = "アクセストークン", "送信数の残り", "時計", "リッチメニュー"
CHANNEL, PROVIDER = "LIFF のチャネル", "プロバイダー"
_LOW_SHARE = 0.2
_CLOCK_WARNING, _CLOCK_PROBLEM = timedelta(seconds=60), timedelta(seconds=300)
# So many people on both sides without one in common is no accident any more.
_TELLING = 3


def token(patient: Patient) -> Finding:
    found = patient.account.info()
    if isinstance(found, LineUnreachable):
        said = f"LINE に届きません / LINE is out of reach: {found.reason}"
        return Finding(TOKEN, Level.PROBLEM, said, "ネットワークと LINE_API_BASE を確認してください / check them")
    if isinstance(found, Rejected) and found.reason == NO_TOKEN:
        said = "空です。LINE には問い合わせていません / empty; LINE was not asked"
        cure = "LINE Developers で発行し、LINE_CHANNEL_ACCESS_TOKEN に設定してください / issue one and set it"
        return Finding(TOKEN, Level.PROBLEM, said, cure)
    if isinstance(found, Rejected):
        said = f"LINE が受け付けません / LINE refuses it: {found.status} {found.reason}"
        cure = "LINE Developers で発行し直し、LINE_CHANNEL_ACCESS_TOKEN に設定してください / issue a new one"
        return Finding(TOKEN, Level.PROBLEM, said, cure)
    return Finding(TOKEN, Level.OK, f"{found.display_name}（{found.basic_id}）")


def quota(patient: Patient) -> Finding:
    found = patient.account.quota()
    if isinstance(found, Rejected | LineUnreachable):
        return line_refused(QUOTA, found)
    if found.limit is None:
        return Finding(QUOTA, Level.OK, f"上限なし。今月 {found.used:,} 通 / no limit, {found.used:,} used")
    left = max(0, found.limit - found.used)
    said = f"残り {left:,} 通（上限 {found.limit:,}、使用 {found.used:,}）/ {left:,} left of {found.limit:,}"
    cure = "LINE Official Account Manager でプランを見直すか、来月まで配信を控えてください / raise the plan, or wait"
    if left == 0:
        return Finding(QUOTA, Level.PROBLEM, said, cure)
    low = left < found.limit * _LOW_SHARE
    return Finding(QUOTA, Level.WARNING, said, cure) if low else Finding(QUOTA, Level.OK, said)


def clock(patient: Patient) -> Finding:
    ahead = patient.account.ahead
    if ahead is None:
        said = "LINE の時刻が分からないため未確認です / not checked: LINE did not tell the time"
        return Finding(CLOCK, Level.WARNING, said, "アクセストークンの項目を見てください / see the access token")
    seconds = round(ahead.total_seconds())
    said = f"LINE との差は {seconds:+d} 秒 / {seconds:+d} s from LINE's"
    if abs(ahead) <= _CLOCK_WARNING:
        return Finding(CLOCK, Level.OK, said)
    level = Level.PROBLEM if abs(ahead) > _CLOCK_PROBLEM else Level.WARNING
    return Finding(CLOCK, level, said, "時刻合わせ（NTP）を有効にしてください / turn on NTP: timedatectl set-ntp true")


def menu(patient: Patient) -> Finding:
    found = patient.account.default_rich_menu()
    if isinstance(found, Rejected | LineUnreachable):
        return line_refused(MENU, found)
    if found is None:
        cure = f"{tsudoi_command()} richmenu publish を実行してください / run it"
        return Finding(MENU, Level.WARNING, "表示されていません / none is shown", cure)
    return Finding(MENU, Level.OK, f"表示されています / shown: {found}")


def channels(patient: Patient) -> Iterator[Finding]:
    """LINE tells nobody to which provider a channel belongs. People's ids do: they differ between providers."""
    yield _liff_channel(patient)
    if patient.db is None:
        yield without_database(PROVIDER)
    else:
        yield _provider(patient.db.read_now(_people))


def _liff_channel(patient: Patient) -> Finding:
    liff, login = patient.settings.liff_id or "", patient.settings.line_login_channel_id or ""
    if liff and liff.partition("-")[0] == login:
        return Finding(CHANNEL, Level.OK, f"LIFF {liff} は LINEログイン {login} のものです / belong together")
    said = f"LIFF_ID（{liff or '未設定'}）は LINE_LOGIN_CHANNEL_ID（{login or '未設定'}）のものではありません / differ"
    cure = "同じ LINEログイン チャネルの チャネルID と LIFF ID を設定してください / take both from one channel"
    return Finding(CHANNEL, Level.PROBLEM, said, cure)


@dataclass(frozen=True, slots=True)
class _People:
    """How many the LIFF pages know, how many the webhook knows (counted no further than needed), and any in common."""

    liff: int
    webhook: int
    common: bool


def _people(tx: ReadTx) -> _People:
    liff = select(Session.subject).where(Session.kind == "liff").distinct()
    webhook = select(LineEvent.user_id).where(LineEvent.user_id.is_not(None)).distinct()
    both = select(Session.subject).join(LineEvent, LineEvent.user_id == Session.subject).where(Session.kind == "liff")
    some = [tx.scalar(select(func.count()).select_from(each.limit(_TELLING).subquery())) for each in (liff, webhook)]
    return _People(some[0] or 0, some[1] or 0, tx.scalar(both.limit(1)) is not None)


def _provider(people: _People) -> Finding:
    if people.common:
        said = "LIFF と Messaging API で同じ人の ID が一致しています / one provider: ids agree"
        return Finding(PROVIDER, Level.OK, said)
    compare = "LINE Developers で、LINEログインと Messaging API のチャネルが同じプロバイダーにあるか見てください"
    if people.liff >= _TELLING and people.webhook >= _TELLING:
        said = "LIFF で開いた人の ID が、公式アカウントの友だちの誰とも一致しません / no id in common"
        return Finding(PROVIDER, Level.PROBLEM, said, f"{compare} / both channels must be of one provider")
    said = "まだ確かめられません（LIFF と友だち追加の両方で会った人がいません）/ cannot be told yet: nobody in common"
    wait = "友だちの一人がメニューの出欠確認を開いたら、もう一度実行してください。それまでは"
    return Finding(PROVIDER, Level.WARNING, said, f"{wait}、{compare} / again once a friend has opened the LIFF")
