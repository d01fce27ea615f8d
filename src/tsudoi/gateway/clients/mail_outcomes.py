"""The outcomes of handing a mail to a mail server as values, so that pure code can decide what to do next."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MailAccepted:
    """The server has taken the mail and is responsible for it from now on. A bounce may still come later."""

    text: str


@dataclass(frozen=True, slots=True)
class MailRefused:
    """The server refused this mail for good (5xx): the address does not exist, for example."""

    code: int
    text: str


@dataclass(frozen=True, slots=True)
class MailNotNow:
    """The server did not take the mail, and the same mail may succeed later.

    This is a 4xx, or a refusal of our connection or log-in, which says nothing about the mail: it goes out when
    somebody has corrected the settings.
    """

    code: int
    text: str


@dataclass(frozen=True, slots=True)
class MailUnknown:
    """There was no response that can be understood.

    `maybe_sent`: the whole mail had been sent, so the server may have taken it. SMTP has no retry key: such a mail
    must not be sent again.
    """

    reason: str
    maybe_sent: bool


@dataclass(frozen=True, slots=True)
class MailCalledOff:
    """We ended the conversation ourselves before the content of the mail was sent."""


@dataclass(frozen=True, slots=True)
class MailServerReady:
    """The server greeted us, and accepted encryption and log-in as far as `SMTP_URL` asks for them."""


MailOutcome = MailAccepted | MailRefused | MailNotNow | MailUnknown | MailCalledOff
