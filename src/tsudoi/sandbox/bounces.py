"""The report of a mail server that could not deliver a mail after all (RFC 3464)."""

from email.message import EmailMessage

from tsudoi.sandbox.mailbox import KeptMail

DEFAULT_STATUS = "5.1.1"
_BOUNDARY = "sandbox-report"


def report_of(mail: KeptMail, status: str = DEFAULT_STATUS) -> str:
    """The report about this mail to its first receiver. It comes from the server and not from a person."""
    to = mail.recipients[0]
    original = EmailMessage()
    for name in ("From", "To", "Subject", "Date", "Message-ID"):
        if mail.message[name] is not None:
            original[name] = str(mail.message[name])
    lines = [
        "From: Mail Delivery System <MAILER-DAEMON@mail.sandbox.example>",
        f"To: <{mail.sender}>",
        "Subject: Undelivered Mail Returned to Sender",
        "Auto-Submitted: auto-replied",
        "MIME-Version: 1.0",
        f'Content-Type: multipart/report; report-type=delivery-status; boundary="{_BOUNDARY}"',
        "",
        f"--{_BOUNDARY}",
        "Content-Type: text/plain; charset=us-ascii",
        "",
        f"<{to}>: the mail could not be delivered ({status}).",
        "",
        f"--{_BOUNDARY}",
        "Content-Type: message/delivery-status",
        "",
        "Reporting-MTA: dns; mail.sandbox.example",
        "",
        f"Final-Recipient: rfc822; {to}",
        "Action: failed",
        f"Status: {status}",
        f"Diagnostic-Code: smtp; 550 {status} the mail could not be delivered",
        "",
        f"--{_BOUNDARY}",
        "Content-Type: text/rfc822-headers",
        "",
        original.as_string().rstrip("\n"),
        "",
        f"--{_BOUNDARY}--",
        "",
    ]
    return "\r\n".join("\n".join(lines).splitlines())
