"""What the server says about notices in the pictures: most states need days, a broken LINE or a full quota."""

from typing import Any

_CELL: dict[str, Any] = {
    "status": "SENT",
    "reason": None,
    "message": "2026/11/20 09:12 にLINEが受け付けました。",
    "job_id": 1,
    "scheduled_at": "2026/11/20 09:12",
    "sent_at": "2026/11/20 09:12",
    "attempt_count": 0,
    "last_error": None,
    "resendable": False,
    "may_arrive_twice": False,
    "reachable": True,
    "mail": None,
}
_WAITS: dict[str, Any] = {
    **_CELL,
    "status": "PENDING",
    "message": "2026/12/08 09:00 に送る予定です。対応は不要です。",
    "scheduled_at": "2026/12/08 09:00",
    "sent_at": None,
}
_NONE_NEEDED: dict[str, Any] = {
    **_WAITS,
    "status": "DASH",
    "reason": "NOT_CANCELLED",
    "message": "予約は取り消されていません。取り消されたときに送ります。対応は不要です。",
    "job_id": None,
    "scheduled_at": None,
}
_OVER_LIMIT: dict[str, Any] = {
    **_CELL,
    "status": "FAILED",
    "reason": "QUOTA",
    "message": "LINEの今月の送信上限に達したため、送れませんでした。"
    "プランを見直すか翌月になってから「再送」してください。急ぐときは電話などで知らせてください。",
    "job_id": 11,
    "sent_at": None,
    "attempt_count": 2,
    "last_error": "HTTP 429 request_id=5f1c0b1e-9c1f-4f0f-8a52-0a6c1f0b3f11 "
    '{"message":"You have reached your monthly limit."}',
    "resendable": True,
}
_NO_ANSWER: dict[str, Any] = {
    **_CELL,
    "status": "UNKNOWN",
    "reason": "NO_ANSWER",
    "message": "LINEから確かな返事がなく、届いたかどうか分かりません。"
    "本人に確認してください。届いていなかったときは「再送」できます。",
    "job_id": 12,
    "sent_at": None,
    "attempt_count": 1,
    "last_error": "UNKNOWN: no certain answer from LINE within 23 hours",
    "resendable": True,
    "may_arrive_twice": True,
}


def _not_made(reason: str, message: str) -> dict[str, Any]:
    return {**_NONE_NEEDED, "reason": reason, "message": message}


def _row(number: int, name: str, *cells: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "reservation_id": 500 + number,
        "staff_uid": "7f3c2a52-0d3e-4a5b-9a86-2f6f0d9b1e47",
        "staff_id": f"4467{number:02}",
        "staff_name": name,
        "reservation_type_name": "インフルエンザ予防接種",
        "begins_at": f"2026/12/10 {8 + number:02}:00",
        "state": "confirmed",
        "line_linked": True,
        "reachable": True,
        "revision": 0,
        "cells": dict(zip(("CONFIRMATION", "REMINDER", "CANCEL_COMPLETED"), cells, strict=True)),
        **more,
    }


_UNLINKED = "LINEと連携していないため、送りません。電話などで知らせるか、本人にLINEとの連携をお願いしてください。"
_MISSING = "あるはずの通知が見つかりません。本人に電話などで知らせ、システムの担当者に予約番号を伝えてください。"
_MAIL = {"status": "SENT", "sent_at": "2026/11/20 09:13", "message": "2026/11/20 09:13 にメールで送りました。"}
_UNPAID = "お支払いが済んでいないため、送りません。お支払いが済むと、予約確定の通知が送られます。"
_ROWS = [
    _row(0, "山田太郎", _CELL, _WAITS, _NONE_NEEDED),
    _row(1, "勅使河原龍之介", _OVER_LIMIT, {**_WAITS, "job_id": 5}, _NONE_NEEDED, reservation_type_name="職員健診"),
    _row(2, "佐藤花子", _NO_ANSWER, _WAITS, _NONE_NEEDED),
    _row(
        3,
        "鈴木一郎",
        {**_not_made("NO_LINE_LINK", _UNLINKED), "mail": _MAIL},
        _not_made("NO_LINE_LINK", _UNLINKED),
        _NONE_NEEDED,
        line_linked=False,
        reachable=False,
    ),
    _row(
        4,
        "高橋美咲",
        _CELL,
        _not_made("CANCELLED", "予約が取り消されたため、送りません。対応は不要です。"),
        {**_CELL, "reachable": False},
        state="canceled",
        reachable=False,
    ),
    _row(5, "田中次郎", {**_CELL, "status": "NONE", "reason": "MISSING", "message": _MISSING}, _WAITS, _NONE_NEEDED),
    _row(
        6,
        "伊藤さくら",
        _not_made("NOT_CONFIRMED", _UNPAID),
        _not_made("NOT_CONFIRMED", _UNPAID),
        _NONE_NEEDED,
        state="hold",
    ),
]
LIST = {"items": _ROWS, "next_cursor": "more"}
SUMMARY: dict[str, Any] = {
    "counts": {"PENDING": 120, "SENT": 480, "FAILED": 0, "UNKNOWN": 0, "DASH": 596, "NONE": 0},
    "quota": {"limit": 5000, "used": 620, "left": 4260, "promised": 120},
    "last_run": "2026/11/20 09:14",
    "oldest_due": None,
    "failures_in_a_row": 0,
    "paused": None,
    "dry_run": False,
    "causes": [],
}
TROUBLED = {
    **SUMMARY,
    "counts": {**SUMMARY["counts"], "FAILED": 14, "UNKNOWN": 1, "NONE": 1},
    "quota": {"limit": 200, "used": 200, "left": 0, "promised": 3},
    "failures_in_a_row": 12,
    "causes": [
        {"reason": "QUOTA", "count": 12, "resendable": 12},
        {"reason": "TOKEN", "count": 2, "resendable": 2},
        {"reason": "NO_ANSWER", "count": 1, "resendable": 0},
    ],
}
PAUSED = {**SUMMARY, "paused": {"since": "2026/11/20 08:00", "by": "admin:jimukyoku", "reason": "文面を確かめるため"}}
DRY_RUN = {**SUMMARY, "dry_run": True, "quota": None}
STALLED = {**SUMMARY, "last_run": "2026/11/16 08:31", "oldest_due": "2026/11/16 08:40"}
_STEP: dict[str, Any] = {"at": "2026-11-20T09:12:00+09:00", "kind": "booked", "text": "", "detail": None, "actor": None}
TIMELINE = {
    "reservationId": 501,
    "items": [
        {**_STEP, "text": "予約しました（2026/12/10 09:00）。", "actor": "本人"},
        {**_STEP, "kind": "planned", "text": "リマインドを 2026/12/08 09:00 に送る予定にしました。"},
        {
            **_STEP,
            "kind": "failed",
            "text": "予約確定の通知を送れませんでした（予約の直後の送信）。",
            "detail": _OVER_LIMIT["last_error"],
        },
        {
            **_STEP,
            "at": "2026-11-20T10:00:00+09:00",
            "kind": "resend",
            "text": "予約確定の通知の再送を受け付けました。",
            "detail": "上限が戻ったため",
            "actor": "事務局（jimukyoku）",
        },
    ],
}
