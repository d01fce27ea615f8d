"""What the owner of a reservation is told about its notices. Pure."""

from typing import Literal

from tsudoi.booking.notices.rules.mails import MailStatus

OwnerNews = Literal["SENT", "MAILED", "PENDING", "FAILED"]
_BY_LINE: dict[str, OwnerNews] = {"SENT": "SENT", "PENDING": "PENDING", "FAILED": "FAILED"}
_BY_MAIL: dict[str, OwnerNews] = {"SENT": "MAILED", "PENDING": "PENDING", "FAILED": "FAILED", "UNKNOWN": "FAILED"}


def told(job: str | None, mail: MailStatus | None) -> OwnerNews | None:
    """A mail is written only where LINE did not deliver, so that it is the newer news. None: there was no notice."""
    by_mail = None if mail is None else _BY_MAIL.get(mail)
    return by_mail or (None if job is None else _BY_LINE.get(job))
