"""`tsudoi payments reconcile`: asks Stripe about what a lost webhook may have left open."""

import json
from dataclasses import asdict
from enum import IntEnum

from rich.console import Console

from tsudoi.booking.checkout.jobs.reconciling import Reconciliation, reconcile
from tsudoi.booking.context import CONTEXT
from tsudoi.commands.data import database_of, read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.contexts import active_contexts, open_runtime
from tsudoi.core.log import configure_logging


class ReconcileExit(IntEnum):
    """The exit codes of the command."""

    SAME = 0
    DIFFERENCES = 1  # They are applied as webhooks would have been.
    INCOMPLETE = 2  # Stripe did not answer, so that a later run has to ask again.


def run_reconcile(*, as_json: bool) -> int:
    settings = read_settings()
    if not settings.payments_on or CONTEXT not in active_contexts(settings):
        raise Refusal(
            "決済を使っていません。STRIPE_SECRET_KEY と STRIPE_WEBHOOK_SECRET を設定してください / payments are off"
        )
    # The terminal should not show retries that succeeded.
    configure_logging("ERROR")
    with database_of(settings) as db, open_runtime(settings, db) as runtime:
        found = reconcile(runtime)
    if as_json:
        print(json.dumps(asdict(found), ensure_ascii=False))  # noqa: T201 (the output of the command)
    else:
        _show(found)
    if not found.complete:
        return ReconcileExit.INCOMPLETE
    return ReconcileExit.DIFFERENCES if found.differences else ReconcileExit.SAME


def _show(found: Reconciliation) -> None:
    console = Console(highlight=False, markup=False, soft_wrap=True)
    for one in found.differences:
        console.print(f"reservation {one.reservation_id or '-'}: {one.what} → {one.outcome}")
    for error in found.errors:
        console.print(f"Stripe に確認できませんでした / Stripe did not answer: {error}")
    console.print(
        f"Stripe への問い合わせ {found.asked} 回、違い {len(found.differences)} 件"
        f" / asked {found.asked}, differences {len(found.differences)}"
    )
