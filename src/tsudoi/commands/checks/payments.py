"""Checks of payments: Stripe's keys and address, and what waits for somebody of the office."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from tsudoi.booking.checkout.queries.office import totals
from tsudoi.booking.checkout.rules.events import COMPLETED, is_live
from tsudoi.booking.context import CONTEXT
from tsudoi.commands.checks.findings import DoctorContext, Finding, Level, without_database
from tsudoi.contexts import active_contexts
from tsudoi.core.db.interface import Database
from tsudoi.gateway.clients.stripe import StripeClient, StripeConfig
from tsudoi.gateway.clients.stripe_outcomes import StripeEventPage, StripeRefused

PAYMENTS = "決済（Stripe）"
_STRIPE = "api.stripe.com"
_KEYS = "Stripe ダッシュボード → 開発者 → APIキー と Webhook を確認してください / check both in Stripe's dashboard"


def payments(context: DoctorContext) -> Iterator[Finding]:
    settings = context.settings
    key, secret = settings.stripe_secret_key, settings.stripe_webhook_secret
    if CONTEXT not in active_contexts(settings) or not (key or secret):
        yield Finding(PAYMENTS, Level.OK, "使っていません / off")
        return
    if not key or not secret:
        missing = "STRIPE_WEBHOOK_SECRET" if key else "STRIPE_SECRET_KEY"
        message = f"{missing} が空のため、料金のある予約を受け付けません / payments are off: {missing} is empty"
        yield Finding(PAYMENTS, Level.PROBLEM, message, _KEYS)
        return
    wrong = list(wrong_keys(context, key.get_secret_value(), secret.get_secret_value()))
    yield from wrong
    if not any(finding.level is Level.PROBLEM for finding in wrong):
        yield _asked(context)
    if context.db is None:
        yield without_database(PAYMENTS)
    else:
        yield from _for_the_office(context.db)


def wrong_keys(context: DoctorContext, key: str, secret: str) -> Iterator[Finding]:
    """A test key moves no money, and a real one must not go to another address."""
    settings = context.settings
    if not key.startswith(("sk_", "rk_")):
        message = "STRIPE_SECRET_KEY は sk_ か rk_ で始まるキーにしてください（pk_ は公開用です）/ not a secret key"
        yield Finding(PAYMENTS, Level.PROBLEM, message, _KEYS)
    if not secret.startswith("whsec_"):
        message = "STRIPE_WEBHOOK_SECRET は whsec_ で始まる値にしてください / not a signing secret"
        yield Finding(PAYMENTS, Level.PROBLEM, message, _KEYS)
    at_stripe = urlsplit(settings.stripe_api_base).hostname == _STRIPE
    if is_live(key) and not at_stripe:
        message = f"本番のキーを {settings.stripe_api_base} に送る設定です / a live key goes to another address"
        yield Finding(PAYMENTS, Level.PROBLEM, message, "STRIPE_API_BASE を消してください / remove STRIPE_API_BASE")
    if not is_live(key) and at_stripe and settings.https:
        message = "テスト用のキーです。実際の支払いはできません / a test key: no real money is taken"
        yield Finding(PAYMENTS, Level.WARNING, message, _KEYS)


def _asked(context: DoctorContext) -> Finding:
    stripe = StripeClient(StripeConfig.of(context.settings), context.gateway)
    answer = stripe.events([COMPLETED], context.clock.now())
    if isinstance(answer, StripeEventPage):
        return Finding(PAYMENTS, Level.OK, "Stripe につながりました / Stripe answers, and takes the key")
    if isinstance(answer, StripeRefused):
        message = f"Stripe に断られました / Stripe refuses: {answer.status} {answer.message}"
        return Finding(PAYMENTS, Level.PROBLEM, message, _KEYS)
    message = f"Stripe に届きません / Stripe is out of reach: {answer.reason}"
    return Finding(PAYMENTS, Level.PROBLEM, message, "ネットワークと STRIPE_API_BASE を確認してください / check them")


def _for_the_office(db: Database) -> Iterator[Finding]:
    found = db.read_now(totals)
    if found.mismatches or found.refunds_failed:
        message = (
            f"金額などの合わない支払いが {found.mismatches} 件、返金できていないものが {found.refunds_failed} 件です"
            f" / {found.mismatches} mismatches, {found.refunds_failed} failed refunds"
        )
        yield Finding(PAYMENTS, Level.WARNING, message, "管理画面の「決済」で確認してください / see the admin console")
