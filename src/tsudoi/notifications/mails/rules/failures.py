"""When an address gets no more mails. Pure."""

import re

# After so many deliveries that were given up for reasons that may pass, nothing is sent there any more.
MOST_SOFT_FAILURES = 4
_CODE = re.compile(r"^([245])\.(\d{1,3})\.(\d{1,3})$")
_IN_TEXT = re.compile(r"\b5\.1\.\d{1,3}\b")
# The mailbox is full, the mail is too long for it, and refusals by a policy: our own settings may be the reason, and
# one wrong entry must not end the mails to everybody at once.
_MAY_PASS = {("2", "2"), ("2", "3"), ("3", "4")}
_POLICY = "7"


def is_status(code: str) -> bool:
    return _CODE.match(code) is not None


def is_dead(code: str) -> bool:
    """Whether this enhanced status code (RFC 3463) ends the mails to the address at once."""
    found = _CODE.match(code)
    if found is None or found[1] != "5":
        return False
    return found[2] != _POLICY and (found[2], found[3]) not in _MAY_PASS


def refused_address(code: int, text: str) -> str | None:
    """The status code of a refusal during the conversation that is about the address itself (5.1.x), or None."""
    found = _IN_TEXT.search(text) if code in (550, 551, 553) else None
    return found[0] if found else None
