"""`tsudoi richmenu`: draws the menu and publishes it at LINE. Menus of other programs are not changed."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from tsudoi.booking.switch import is_on as booking_on
from tsudoi.commands.data import database_of, read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.commands.typeface import japanese_typeface
from tsudoi.core.clock import SystemClock
from tsudoi.core.log import configure_logging
from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.line import LineClient, LineConfig
from tsudoi.gateway.clients.line_account import LineAccount
from tsudoi.gateway.clients.line_outcomes import Rejected
from tsudoi.gateway.http import HttpGateway
from tsudoi.line.rich_menu.jobs import MenuPublished, PublishStopped, Step, publish
from tsudoi.line.rich_menu.rules.menu import is_good_address, menu
from tsudoi.line.rich_menu.rules.picture import picture
from tsudoi.shops.switch import is_on as shops_on

# By failed step: the error message, and what members see now.
_STATE: dict[Step, tuple[str, str]] = {
    "look": ("LINE の今のメニューを調べられませんでした", "LINE では何も変わっていません / nothing was changed"),
    "create": ("メニューを作れませんでした", "会員に見えるメニューは前のままです / members still see the old menu"),
    "upload": ("画像を送れませんでした", "会員に見えるメニューは前のままです / members still see the old menu"),
    "show": (
        "メニューを全員に表示できませんでした",
        "会員に見えるのは前のメニュー（応答だけが失われたのなら新しいもの）です / members see the old one, or the new",
    ),
    "tidy": (
        "古いメニューを消せませんでした",
        "会員には新しいメニューが見えています / members see the new menu; an old one is left over, unseen",
    ),
}


@dataclass(frozen=True, slots=True)
class DrawnMenu:
    """A menu that is ready to publish: the JSON for LINE, and the picture."""

    body: dict[str, Any]
    png: bytes


def run_publish(news_url: str | None, out: Path, *, dry_run: bool, without_staff: bool = False) -> int:
    settings = read_settings()
    configure_logging("ERROR")  # The terminal should not show retries that succeeded.
    if dry_run:
        return _show_only(draw_menu(settings, news_url, without_staff=without_staff), out)
    return _print_outcome(publish_menu(settings, news_url, without_staff=without_staff))


def publish_menu(
    settings: Settings, news_url: str | None = None, *, without_staff: bool = False
) -> MenuPublished | PublishStopped:
    if settings.line_channel_access_token is None:
        raise Refusal("LINE_CHANNEL_ACCESS_TOKEN が設定されていません / LINE_CHANNEL_ACCESS_TOKEN is missing")
    drawn = draw_menu(settings, news_url, without_staff=without_staff)
    with database_of(settings) as db:
        gateway = HttpGateway(db)
        try:
            account = LineAccount(LineClient(LineConfig.of(settings), gateway), SystemClock())
            return publish(account, drawn.body, drawn.png)
        finally:
            gateway.close()


def draw_menu(settings: Settings, news_url: str | None, *, without_staff: bool = False) -> DrawnMenu:
    news = news_url or settings.notion_news_url
    if not settings.liff_id:
        raise Refusal("LIFF_ID が設定されていません（出欠確認の行き先）/ LIFF_ID is missing: 出欠確認 opens it")
    if not news:
        raise Refusal(
            "NOTION_NEWS_URL が設定されていません（お知らせの行き先）/ NOTION_NEWS_URL is missing: お知らせ opens it\n"
            "→ NOTION_NEWS_URL を設定するか、--news-url https://… を付けてください / set it, or add --news-url"
        )
    # The demo's news page is in the sandbox, which has no https.
    in_sandbox = settings.tsudoi_demo and news.startswith(f"{settings.line_api_base}/")
    if not in_sandbox and not is_good_address(news):
        raise Refusal(f"NOTION_NEWS_URL は https:// で始まる URL（1000文字まで）にしてください / not https: {news}")
    staff, shops = None if without_staff else staff_address(settings), shops_address(settings)
    png = picture(japanese_typeface(), with_staff=staff is not None, with_shops=shops is not None)
    return DrawnMenu(menu(attendance_address(settings), news, png, staff, shops), png)


def attendance_address(settings: Settings) -> str:
    return f"{settings.liff_base}/{settings.liff_id}/"


def staff_address(settings: Settings) -> str | None:
    """Where 職員予約 leads, if booking is on."""
    return f"{settings.liff_base}/{settings.liff_id}/staff" if booking_on(settings) else None


def shops_address(settings: Settings) -> str | None:
    """Where 本人確認 leads, if shops are on: one shop's door, or the choice between them."""
    return f"{settings.liff_base}/{settings.liff_id}/shops" if shops_on(settings) else None


def _show_only(drawn: DrawnMenu, out: Path) -> int:
    try:
        out.write_bytes(drawn.png)
    except OSError as error:
        raise Refusal(f"{out} に書き込めません / cannot be written: {error.strerror}") from error
    message = f"{out} に画像を書きました（{len(drawn.png):,} バイト）。LINE には何も送っていません / nothing was sent"
    Console(stderr=True, highlight=False).print(message, soft_wrap=True)
    print(json.dumps(drawn.body, ensure_ascii=False, indent=2))  # noqa: T201 (only the JSON goes to standard output, so that it can be piped)
    return 0


def _print_outcome(outcome: MenuPublished | PublishStopped) -> int:
    if isinstance(outcome, PublishStopped):
        raise Refusal(_explained(outcome))
    console = Console(highlight=False, soft_wrap=True)
    if outcome.made is None:
        console.print("同じメニューがすでに表示されています。することはありません / nothing to do: it is up already")
    else:
        console.print(f"メニューを全員に表示しました / published: {outcome.made}")
    if outcome.removed:
        console.print(f"前のメニューを消しました / removed our older ones: {outcome.removed}")
    return 0


def _explained(stopped: PublishStopped) -> str:
    failed, state = _STATE[stopped.step]
    why = stopped.why
    reason = f"{why.status}: {why.reason}" if isinstance(why, Rejected) else why.reason
    return (
        f"{failed} / stopped at step “{stopped.step}”: {reason}\n{state}\n"
        "→ 原因を直してから、同じコマンドをもう一度実行すると続きが行われます / run the same command again to finish"
    )
