"""Names every place where a call can go wrong, and says which kind of fault can happen where."""

from enum import StrEnum

EVERY_ENDPOINT = "*"
# What Stripe posts to the product. Its faults are other ones than those of calls.
STRIPE_WEBHOOK = "stripe_webhook"
# A mail to the mail server.
SMTP_ENDPOINT = "smtp"

_LINE = (
    *("push", "multicast", "reply", "broadcast", "validate", "quota", "profile", "followers", "rich_menu"),
    *("webhook_endpoint", "info", "verify", "certs"),
)
_STRIPE = (
    *("stripe_create", "stripe_session", "stripe_list", "stripe_expire", "stripe_refund", "stripe_payment"),
    *("stripe_events", STRIPE_WEBHOOK),
)
_TWILIO = ("twilio_send", "twilio_list", "twilio_message", "twilio_account")
_KARADEN = ("karaden_send", "karaden_list", "karaden_message")
# All calls to one system, so that one can be down while the others are up.
GROUPS = {
    "line": _LINE,
    "stripe": _STRIPE,
    "openai": ("openai_chat", "openai_models"),
    "stores": ("stores_customers", "stores_customer", "stores_reservations", "stores_reservation"),
    "chatwork": ("chatwork_me", "chatwork_post", "chatwork_messages"),
    "twilio": _TWILIO,
    "karaden": _KARADEN,
    "sms": (*_TWILIO, *_KARADEN),
}
ENDPOINTS = tuple(
    dict.fromkeys([name for names in GROUPS.values() for name in names] + ["sheets", "google_token", "smtp", "gemini"])
)


class FaultKind(StrEnum):
    """The ways in which a call can go wrong."""

    TIMEOUT_AFTER_ACCEPT = "timeout_after_accept"
    TIMEOUT_BEFORE_ACCEPT = "timeout_before_accept"
    ERROR_500_BEFORE = "error_500_before"
    ERROR_500_AFTER = "error_500_after"
    RATE_LIMITED = "rate_limited"
    QUOTA_EXHAUSTED = "quota_exhausted"
    CONFLICT = "conflict"
    SLOW = "slow"
    DROP_CONNECTION = "drop_connection"
    # A refusal with any status, in the words of the system; and answers that are not what the caller can read.
    ERROR_STATUS = "error_status"
    HTML_PAGE = "html_page"
    EMPTY_BODY = "empty_body"
    BROKEN_JSON = "broken_json"
    REDIRECT = "redirect"
    # Of Stripe alone: the buyer pays in the moment in which the product expires the session.
    EXPIRE_LOSES_RACE = "expire_loses_race"
    WEBHOOK_REPEATED = "webhook_repeated"
    WEBHOOK_DELAYED = "webhook_delayed"
    WEBHOOK_REORDERED = "webhook_reordered"
    WEBHOOK_BAD_SIGNATURE = "webhook_bad_signature"
    WEBHOOK_DROPPED = "webhook_dropped"
    # Of the mail server alone: it refuses and leaves; refuses the recipient for now; refuses the recipient for good.
    SMTP_421 = "smtp_421"
    SMTP_450 = "smtp_450"
    SMTP_550 = "smtp_550"
    # It says nothing before the content; it answers one byte at a time without end.
    SMTP_SILENCE = "smtp_silence"
    SMTP_DRIP = "smtp_drip"


# The status of an answer that a rule may change, and what it is without one.
DEFAULT_STATUSES = {
    FaultKind.ERROR_STATUS: 500,
    FaultKind.HTML_PAGE: 200,
    FaultKind.EMPTY_BODY: 200,
    FaultKind.BROKEN_JSON: 200,
    FaultKind.REDIRECT: 302,
}
_OF_WEBHOOKS = frozenset(kind for kind in FaultKind if kind.startswith("webhook_"))
_OF_SMTP = frozenset(kind for kind in FaultKind if kind.startswith("smtp_"))
_ALSO_OF_SMTP = frozenset(
    {
        FaultKind.TIMEOUT_AFTER_ACCEPT,
        FaultKind.TIMEOUT_BEFORE_ACCEPT,
        FaultKind.SLOW,
        FaultKind.DROP_CONNECTION,
    }
)
_NOT_OF_STRIPE = frozenset({FaultKind.QUOTA_EXHAUSTED, *DEFAULT_STATUSES})


def can_happen(kind: FaultKind, endpoint: str) -> bool:
    """A webhook of Stripe is no call and has faults of its own, and nothing but an expiry can lose a race.

    The mail server speaks another protocol, with refusals of its own.
    """
    if kind in _OF_WEBHOOKS or endpoint == STRIPE_WEBHOOK:
        return kind in _OF_WEBHOOKS and endpoint == STRIPE_WEBHOOK
    if kind in _OF_SMTP or endpoint == SMTP_ENDPOINT:
        return kind in _OF_SMTP | _ALSO_OF_SMTP and endpoint == SMTP_ENDPOINT
    if kind is FaultKind.EXPIRE_LOSES_RACE:
        return endpoint == "stripe_expire"
    return kind not in _NOT_OF_STRIPE or endpoint not in _STRIPE
