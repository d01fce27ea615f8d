"""The connections to outside systems: their lights, checks and calls, the tickets, and the rules of escalations."""

import re
from typing import Any

from playwright.sync_api import Page

from tools.screenshots.scene import Scene, Step, admin, alert, breaks, changes, holds, pause, press, says, see

_AT = "2026-11-20T10:15:00+09:00"
_REQUEST = "0b7c2f6e-7a55-4c0b-9f0e-1f6a3c1d2e3f"
_COMPONENT = "StoresGateway.resolve_customer_by_contact"
_WORKING: dict[str, Any] = {
    "system": "chatwork",
    "light": "ok",
    "failures_in_a_row": 0,
    "last_success_at": _AT,
    "last_failure_at": None,
    "last_error": None,
    "breaker": "closed",
    "open_until": None,
}
_BROKEN = {
    **_WORKING,
    "system": "line",
    "light": "fail",
    "failures_in_a_row": 6,
    "last_failure_at": _AT,
    "breaker": "open",
    "open_until": "2026-11-20T10:16:00+09:00",
}
_UNKNOWN = {**_WORKING, "light": "unknown", "last_success_at": None}
_LIGHTS = [
    _WORKING,
    {**_WORKING, "system": "sms", "light": "warn", "failures_in_a_row": 1, "last_failure_at": _AT},
    {**_WORKING, "system": "email"},
    _BROKEN,
    {**_UNKNOWN, "system": "openai"},
    {**_UNKNOWN, "system": "remotelock", "light": "stub"},
]
_RESULTS = {
    "stores": {"status": "fail", "latency_ms": 10_000, "message": "応答がありません"},
    "chatwork": {"status": "ok", "latency_ms": 84, "message": "正常に疎通しました"},
    "sms": {"status": "warn", "latency_ms": 310, "message": "残りの送信枠が少なくなっています"},
    "line": {"status": "ok", "latency_ms": 120, "message": "正常に疎通しました"},
    "remotelock": {"status": "stub", "latency_ms": None, "message": "v1.4ではスタブモードです"},
}
_FOUND = {"code": "HEALTH_ERROR", "message": None, "results": _RESULTS, "request_id": _REQUEST}
_CHECK = {
    "id": 12,
    "checked_at": _AT,
    "code": "HEALTH_ERROR",
    "results": _RESULTS,
    "asked_by": "admin:jimukyoku",
    "request_id": _REQUEST,
}
_CALL: dict[str, Any] = {
    "id": 4711,
    "created_at": _AT,
    "request_id": _REQUEST,
    "channel": "help",
    "component": _COMPONENT,
    "shop_id": 1,
    "shop_name": "名古屋栄店",
    "target": "stores",
    "operation": "customers",
    "method": "GET",
    "url": "https://api.stores.dev/reserve/202101/customers?merchant_canonical_ids=***&email=***",
    "attempt": 1,
    "status_code": 503,
    "error": None,
    "error_code": "STORES_CUSTOMER_LOOKUP_FAILED",
    "latency_ms": 180,
    "external_request_id": None,
}
_CALLS = [
    {
        **_CALL,
        "id": 4714,
        "target": "twilio",
        "operation": "send",
        "method": "POST",
        "status_code": 201,
        "error_code": None,
        "external_request_id": "SM0123456789abcdef0123456789abcdef",
    },
    {**_CALL, "id": 4713, "target": "chatwork", "operation": "post", "status_code": None, "error": "ReadTimeout"},
    {**_CALL, "id": 4712, "attempt": 2, "latency_ms": 5210},
    _CALL,
]
_DETAIL = {
    **_CALL,
    "request_body": None,
    "response_body": '{"errors":[{"message":"***"}]}',
    "curl": f"curl -X GET '{_CALL['url']}'",
}
_CALL_PAGE = {"calls": _CALLS, "next_before": 4711}
_TICKET: dict[str, Any] = {
    "id": 98,
    "shop_id": 1,
    "shop_name": "名古屋栄店",
    "rule_code": "API_ERROR_CRITICAL",
    "severity": "critical",
    "title": "STORES予約APIが3回連続で失敗しました。",
    "status": "open",
    "occurrences": 1204,
    "opened_at": "2026-11-20T09:02:00+09:00",
    "last_seen_at": _AT,
    "acknowledged_at": None,
    "acknowledged_by": None,
    "closed_at": None,
    "closed_by": None,
    "all_clear_at": None,
    "request_id": _REQUEST,
    "details": {"component": _COMPONENT, "last_status_code": 503, "failures": 3},
}
_ATTEMPT = {
    "kind": "alarm",
    "channel": "chatwork",
    "outcome": "failed",
    "reason": "status_503",
    "attempted_at": "2026-11-20T09:02:01+09:00",
}
_ATTEMPTS = [
    _ATTEMPT,
    {**_ATTEMPT, "channel": "email", "outcome": "unknown", "reason": "MailUnknown"},
    {**_ATTEMPT, "channel": "sms", "outcome": "skipped", "reason": "quiet_hours"},
    {**_ATTEMPT, "outcome": "sent", "reason": None, "attempted_at": "2026-11-20T09:32:01+09:00"},
]
_MEANING = {
    "effect": "お客さまが、本人確認や予約の確認をできません。電話などでご案内ください。",
    "advice": "STORESの障害情報を確認してください。",
}
_TICKET_DETAIL = {**_TICKET, "meaning": _MEANING, "attempts": _ATTEMPTS, "calls": _CALLS[::-1]}
_LONG = {
    **_TICKET,
    "id": 97,
    "shop_id": None,
    "shop_name": None,
    "severity": "warn",
    "rule_code": "DOOR_OFFLINE",
    "occurrences": 2,
    "title": "入口の端末から15分のあいだ通信がなく、開錠の記録も届いていません。現地で電源を確かめてください。",
}
_COUNTS = {"open": 12, "acknowledged": 2, "closed": 1480}
_TICKETS = {"tickets": [_TICKET, _LONG], "counts": _COUNTS, "next_before": 97}
_CLOSED = {
    **_TICKET_DETAIL,
    "status": "closed",
    "acknowledged_at": "2026-11-20T09:10:00+09:00",
    "acknowledged_by": "admin:jimukyoku",
    "closed_at": "2026-11-20T10:40:00+09:00",
    "closed_by": "admin:jimukyoku",
    "all_clear_at": None,
    "meaning": None,
    "attempts": [],
    "calls": [],
}
_OVER = {"code": "TICKET_CLOSED", "message": "このチケットは、すでに完了しています。", "details": []}
_RULE: dict[str, Any] = {
    "rule_code": "API_ERROR_CRITICAL",
    "severity": "critical",
    "channels": ["chatwork", "email", "sms"],
    "chatwork_room_id": "123456789",
    "email_to": "honbu@tsudoi.example, tencho@tsudoi.example",
    "sms_to": "090-1234-5678",
    "throttle_minutes": 30,
    "active": True,
    "fallback": True,
    "quiet_hours": True,
    "snoozed_until": None,
    "built_in": False,
    "updated_at": _AT,
}
_RULES = {
    "rules": [
        _RULE,
        {
            **_RULE,
            "rule_code": "DOOR_OFFLINE",
            "severity": "warn",
            "channels": ["chatwork", "sms"],
            "chatwork_room_id": None,
            "fallback": False,
            "snoozed_until": "2099-11-21T07:00:00+09:00",
        },
        {**_RULE, "rule_code": "NIGHTLY_REPORT", "severity": "info", "active": False},
        {**_RULE, "rule_code": "STORES_AUTH_FAILED", "channels": [], "built_in": True, "updated_at": None},
    ]
}


def _calls(name: str, *steps: Step, path: str = "connections/calls", whole: bool = True) -> Scene:
    given = (says("admin/calls*", _CALL_PAGE), says("admin/calls/*", _DETAIL))
    return admin(f"calls-{name}", path, *steps, given=given, whole=whole)


def _ticket(name: str, detail: dict[str, Any], *steps: Step, given: tuple[Step, ...] = (), whole: bool = True) -> Scene:
    return admin(f"ticket-{name}", "tickets/98", *steps, given=(says("admin/tickets/98", detail), *given), whole=whole)


def _rules(name: str, *steps: Step, given: tuple[Step, ...] = (), whole: bool = False) -> Scene:
    given = (says("admin/escalation-rules", _RULES), *given)
    return admin(f"rules-{name}", "connections/rules", *steps, given=given, whole=whole)


def _mistyped(page: Page) -> None:
    page.get_by_label("ルールのコード").fill("1つめ")
    for channel in ("ChatWork", "メール", "SMS"):
        page.get_by_role("checkbox", name=channel).check()
    page.get_by_label("SMSの宛先").fill("店長")
    page.get_by_label(re.compile("^同じ問題を")).fill("9999")
    press("^追加する$")(page)


def _down(page: Page) -> None:
    """Scroll the dialog to its end."""
    page.get_by_role("dialog").get_by_role("button").last.scroll_into_view_if_needed()


CONNECTION_SCENES: tuple[Scene, ...] = (
    admin("connections", "connections", see("これまでの確認"), pause(300)),
    admin(
        "connections-troubled",
        "connections",
        press("^すべて確かめる$"),
        see("この確認の呼び出しを見る"),
        given=(
            changes("admin/shops", systems=_LIGHTS),
            says("admin/connectivity", {**_FOUND, "history": [_CHECK] * 3}),
        ),
    ),
    admin(
        "connections-none",
        "connections",
        see("店舗がまだありません"),
        given=(changes("admin/shops", shops=[]), says("admin/connectivity", {"history": []})),
    ),
    admin("connections-loading", "connections", pause(900), given=(holds("admin/shops"),), loading=True),
    admin("connections-failed", "connections", alert, given=(breaks("admin/shops"), breaks("admin/connectivity"))),
    _calls("list"),
    _calls(
        "one",
        see("同じ処理の呼び出し"),
        pause(600),
        path=f"connections/calls?request={_REQUEST}&call=4711",
        whole=False,
    ),
    admin("calls-not-found", "connections/calls?request=no-such-request", see("条件に合う呼び出しはありません")),
    admin("calls-gone", "connections/calls?call=999999999", alert, pause(400), whole=False),
    admin("calls-failed", "connections/calls", alert, given=(breaks("admin/calls*"),)),
    admin("tickets", "tickets", see("12"), given=(says("admin/tickets?*", _TICKETS),)),
    admin("tickets-none", "tickets?status=acknowledged", see("対応中のチケットはありません")),
    admin("tickets-shop-none", "tickets?status=acknowledged&shop_id=1", see("この店舗に")),
    admin("tickets-failed", "tickets", alert, given=(breaks("admin/tickets?*"),)),
    _ticket("open", _TICKET_DETAIL, lambda page: page.get_by_text("システムの担当者のための内容").click()),
    _ticket("closed", _CLOSED),
    _ticket("note", _TICKET_DETAIL, press("^対応中にする$"), pause(400), whole=False),
    _ticket(
        "over",
        _TICKET_DETAIL,
        press("^完了にする$"),
        lambda page: page.get_by_role("dialog").get_by_role("button", name="完了にする").click(),
        alert,
        given=(says("admin/tickets/98/close", _OVER, 409),),
        whole=False,
    ),
    admin("ticket-missing", "tickets/999999999", see("チケットが見つかりません")),
    _rules("list", whole=True),
    _rules("edit", press("続けて失敗したとき：変更する"), pause(400)),
    _rules("edit-end", press("続けて失敗したとき：変更する"), pause(400), _down),
    _rules("mistyped", press("^ルールを追加$"), _mistyped, pause(300)),
    admin("rules-failed", "connections/rules", alert, given=(breaks("admin/escalation-rules"),)),
    admin(
        "rules-try",
        "connections/rules",
        press("続けて失敗したとき：試してみる"),
        see("回数が増えます|新しいチケット"),
        pause(400),
        whole=False,
    ),
    admin(
        "rules-try-none",
        "connections/rules",
        press("受け付けないとき：試してみる"),
        see("回数が増えます|新しいチケット"),
        pause(400),
        whole=False,
    ),
)
