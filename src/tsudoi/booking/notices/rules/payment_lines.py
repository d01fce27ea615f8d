"""What happened to the payments of a reservation, in words. Pure."""

from collections.abc import Iterator
from typing import Any

from tsudoi.booking.notices.rules.timeline import TimelineEntry
from tsudoi.core.clock import display

# Stripe paid something back; the row that asked for it may be ours or not.
_REFUNDED_BY_STRIPE = "charge.refunded"


def payment_entries(payment: Any) -> Iterator[TimelineEntry]:
    """`payment`: a row of `payments`."""
    price = f"{payment.amount_jpy:,}円"
    yield TimelineEntry(payment.created_at, "payment_started", f"お支払いの手続きを始めました（{price}）。")
    if payment.paid_at is not None:
        yield TimelineEntry(payment.paid_at, "paid", f"お支払いがありました（{price}）。")
    if payment.status == "EXPIRED":
        yield TimelineEntry(payment.updated_at, "payment_ended", "お支払いの画面の期限が切れました。")
    if payment.status == "FAILED":
        yield TimelineEntry(payment.updated_at, "payment_failed", "お支払いができませんでした。", payment.last_error)


def task_entries(task: Any, actor: str | None) -> Iterator[TimelineEntry]:
    """`task`: a row of `payment_tasks`; `actor`: who asked for it, in words."""
    if task.kind != "REFUND":
        if task.status == "DONE":
            yield TimelineEntry(task.updated_at, "payment_closed", "お支払いの画面を閉じました。")
        return
    price = f"{task.amount_jpy:,}円"
    yield TimelineEntry(task.created_at, "refund_requested", f"返金を決めました（{price}）。", task.reason, actor)
    if task.status == "DONE":
        yield TimelineEntry(task.updated_at, "refunded", f"返金しました（{price}）。")
    elif task.status in ("FAILED", "UNKNOWN"):
        text = "返金できたか確認できません。「決済」で確認してください。"
        yield TimelineEntry(task.updated_at, "refund_failed", text, task.last_error)


def event_entries(event: Any) -> Iterator[TimelineEntry]:
    """`event`: a row of `stripe_events`. Most events are seen by what they changed."""
    if event.type == _REFUNDED_BY_STRIPE:
        yield TimelineEntry(event.received_at, "refund_confirmed", "Stripeから返金の知らせがありました。", event.detail)
    if event.outcome == "MISMATCH":
        text = "お支払いの内容が予約と合いません。「決済」で確認してください。"
        yield TimelineEntry(event.received_at, "payment_mismatch", text, event.detail)
        if event.resolved_at is not None:
            text = f"合わないお支払いを確認しました（{display(event.resolved_at)}）。"
            yield TimelineEntry(event.resolved_at, "mismatch_resolved", text, event.resolved_note, event.resolved_by)
