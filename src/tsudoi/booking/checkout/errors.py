"""Why a webhook of Stripe is refused."""

from tsudoi.core.errors import InvalidInput, NotFound


class PaymentsOff(NotFound):
    """The server takes no payments, so that Stripe has nothing to tell it."""

    default_message = "このサーバーでは決済を使っていません。"


class BadSignature(InvalidInput):
    """The request is not from Stripe, or it is a copy of an old one."""

    code = "BAD_SIGNATURE"
    default_message = "Stripe の署名を確認できません。"


class NoStripeEvent(InvalidInput):
    """The body is signed but is no event."""

    code = "NO_STRIPE_EVENT"
    default_message = "Stripe のイベントとして読み取れません。"
