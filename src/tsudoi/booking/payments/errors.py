"""Why a person cannot pay for a seat, or the office cannot pay back."""

from tsudoi.core.errors import Conflict, NotFound


class PaymentUnavailable(Conflict):
    """The type has a price, but this server takes no payments: Stripe's keys are missing."""

    code = "PAYMENT_UNAVAILABLE"
    default_message = "ただいまオンラインでのお支払いを受け付けていません。担当者にお問い合わせください。"


class PaymentRequired(Conflict):
    """A seat that has to be paid for is not given to a waiting list: nobody could pay for it at that moment."""

    code = "PAYMENT_REQUIRED"
    default_message = "料金のかかる予約には、キャンセル待ちがありません。ほかの予約枠を選んでください。"


class NothingToPay(Conflict):
    """The reservation is free, or the office booked it."""

    code = "NOTHING_TO_PAY"
    default_message = "この予約には、オンラインでのお支払いはありません。"


class AlreadyPaid(Conflict):
    """The reservation has been paid for."""

    code = "ALREADY_PAID"
    default_message = "この予約のお支払いは済んでいます。画面を読み込み直してください。"


class HoldExpired(Conflict):
    """The seat was held until it was paid for, and that time is over."""

    code = "HOLD_EXPIRED"
    default_message = "お支払いの期限が過ぎたため、席のお取り置きは終わりました。もう一度予約してください。"


class TooManyPages(Conflict):
    """The payment page was opened too often for one reservation."""

    code = "TOO_MANY_PAYMENT_PAGES"
    default_message = (
        "支払い画面を開ける回数を超えました。この予約を取り消して予約し直すか、担当者にお問い合わせください。"
    )


class NoSuchPayment(NotFound):
    """There is no payment with this id."""

    default_message = "この支払いは見つかりません。画面を読み込み直してください。"


class NotPaid(Conflict):
    """Nothing can be paid back, because nothing was paid."""

    code = "NOT_PAID"
    default_message = "支払い済みではないため、返金できません。画面を読み込み直してください。"


class AlreadyRefunded(Conflict):
    """The payment is paid back, or that is under way."""

    code = "ALREADY_REFUNDED"
    default_message = "この支払いは、返金済みか返金の手続き中です。"


class NoSuchStripeEvent(NotFound):
    """Stripe has sent no event with this id that a person has to look at."""

    default_message = "この不一致の記録は見つかりません。画面を読み込み直してください。"
