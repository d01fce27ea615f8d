"""What an outcome of the mail server means for the row."""

from enum import StrEnum

from tsudoi.gateway.clients.mail_outcomes import (
    MailAccepted,
    MailCalledOff,
    MailNotNow,
    MailOutcome,
    MailRefused,
    MailUnknown,
)

INTERRUPTED = "送信の途中で止まりました。届いた可能性があります / interrupted while the content was being sent"
TOO_LATE = "送る時期を過ぎたため、送りませんでした / too late to be sent"


class MailVerdict(StrEnum):
    """What is certain about a mail after an attempt. IN_DOUBT: it may have arrived."""

    SENT = "sent"
    REFUSED = "refused"
    NOT_NOW = "not_now"
    IN_DOUBT = "in_doubt"
    CALLED_OFF = "called_off"


def verdict_of(outcome: MailOutcome) -> tuple[MailVerdict, str | None]:
    """The verdict and its reason. Silence before the content is only a reason to try later."""
    match outcome:
        case MailAccepted():
            return MailVerdict.SENT, None
        case MailRefused(code, text):
            return MailVerdict.REFUSED, f"{code} {text}"
        case MailNotNow(code, text):
            return MailVerdict.NOT_NOW, f"{code} {text}"
        case MailUnknown(reason, maybe_sent):
            return MailVerdict.IN_DOUBT if maybe_sent else MailVerdict.NOT_NOW, reason
        case MailCalledOff():
            return MailVerdict.CALLED_OFF, None
