"""The LINE part: incoming webhooks, friends and LIFF sessions; outgoing delivery and the rich menu."""

from datetime import timedelta

from tsudoi.access.registration import Clockwork, Context, PageMount, Sender, Tag, in_batches
from tsudoi.core.runtime import Runtime
from tsudoi.core.secrets_check import SecretRule
from tsudoi.gateway.call_log import forget_old_calls
from tsudoi.gateway.clients.line import LineClient, LineConfig
from tsudoi.gateway.http import HttpGateway
from tsudoi.line.friends import endpoints as friends
from tsudoi.line.friends.jobs import on_unfollow
from tsudoi.line.inbox import endpoints as inbox
from tsudoi.line.inbox.jobs import handle_due_events
from tsudoi.line.inbox.service import INBOX, forget_old_events
from tsudoi.line.liff import endpoints as liff
from tsudoi.line.liff.service import RefusedTokens
from tsudoi.line.my_reservations import endpoints as my_reservations
from tsudoi.line.overview import endpoints as overview
from tsudoi.line.overview.service import AccountName
from tsudoi.line.person_records.queries import LINE_RECORDS
from tsudoi.line.person_records.service import LINE_TABLES


def _line_client(runtime: Runtime) -> LineClient:
    return LineClient(LineConfig.of(runtime.settings), runtime.part(HttpGateway))


def _account_name(runtime: Runtime) -> AccountName:
    return AccountName(runtime.part(LineClient), runtime.db.clock)


CONTEXT = Context(
    name="line",
    optional=False,
    routers=(inbox.router, liff.router, my_reservations.router, friends.router, overview.router),
    tags=(
        Tag("line", "Webhooks from LINE, and the friends of the official account."),
        Tag("liff", "Sessions and data of the pages that open inside LINE (LIFF)."),
    ),
    parts=(_line_client, _account_name, RefusedTokens.of),
    outboxes={"line_events": INBOX},
    line_handlers={"unfollow": on_unfollow},
    person_sources=(LINE_RECORDS,),
    person_tables=LINE_TABLES,
    clockwork=(
        Clockwork(
            "forget_old_line_events",
            timedelta(hours=1),
            in_batches(forget_old_events, lambda settings: settings.keep_line_events_days),
        ),
        # The gateway has no context of its own, and this one is always on.
        Clockwork(
            "forget_old_api_calls",
            timedelta(hours=1),
            in_batches(forget_old_calls, lambda settings: settings.keep_api_calls_days),
        ),
    ),
    senders=(Sender("line_inbox", handle_due_events),),
    pages=(PageMount("/liff", "member"),),
    required_settings={
        "LINE_CHANNEL_SECRET": SecretRule(
            32, "LINE Developers → Messaging API チャネル → チャネル基本設定 → チャネルシークレット"
        ),
        "LINE_CHANNEL_ACCESS_TOKEN": SecretRule(
            40, "LINE Developers → Messaging API設定 → チャネルアクセストークン（長期）→ 発行"
        ),
        "LINE_LOGIN_CHANNEL_ID": SecretRule(
            6, "LINE Developers → LINEミニアプリ（または既存のLINEログイン）チャネル → チャネル基本設定 → チャネルID"
        ),
        "LIFF_ID": SecretRule(
            10, "LINE Developers → LINEミニアプリ チャネル → ウェブアプリ設定 → LIFF ID（LINEログインなら LIFF タブ）"
        ),
    },
)
