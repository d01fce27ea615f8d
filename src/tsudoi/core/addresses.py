"""What an address of the settings has to look like; how the mail address of a person is shown, and its key. Pure."""

import hashlib
import re
from email.utils import getaddresses
from urllib.parse import urlsplit

_MAIL_ADDRESS = re.compile(r"[!-;=?-~]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
_PHONE = re.compile(r"[+0-9][0-9() -]{5,19}")
_DIGITS = 16


def mail_key(address: str) -> str:
    """The key of somebody who is known by nothing but an address. The case of an address makes no other person."""
    return f"e:{hashlib.sha256(address.lower().encode()).hexdigest()[:_DIGITS]}"


def masked_address(address: str | None) -> str | None:
    """For screens and the audit trail, which is never changed, not even when somebody's data are removed."""
    if not address:
        return None
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}***@{domain}"


def is_mail_server(url: str) -> bool:
    try:
        parts = urlsplit(url)
        named = parts.scheme in ("smtp", "smtp+starttls", "smtps") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # The port is no number. The message of this error could repeat a part of the password.
        return False
    # Anything else behind the host is the rest of a password whose special characters are not encoded.
    return named and parts.path in ("", "/") and parts.query in ("", "starttls=1") and not parts.fragment


def database_fault(url: str) -> str | None:
    """Found without a try to connect, whose error could repeat a part of the password. It is in both languages."""
    scheme, separator, rest = url.partition("://")
    kind = scheme.partition("+")[0].lower()
    if not separator or kind not in ("sqlite", "postgresql", "postgres"):
        return "sqlite:/// か postgresql:// で始めてください / must begin with sqlite:/// or postgresql://"
    if kind == "sqlite":
        return None
    server = rest.partition("/")[0]
    try:
        parts = urlsplit(url)
        port_is_one = parts.port != 0
    except ValueError:  # The port is no number. The message of this error could repeat a part of the password.
        port_is_one = False
    if not port_is_one or rest.count("@") > 1 or ("@" in rest and "@" not in server) or parts.fragment:
        return (
            "パスワードの記号（@ / : # ? % など）は %40 のように書き換えてください"
            " / percent-encode the special characters of the password (@ is %40, / is %2F)"
        )
    return None


def http_address(value: str) -> str:
    """Paths are added to it, so that nothing may follow its own path. Keys have settings of their own."""
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("http(s) のアドレスにしてください / must be an http(s) URL")
    if "@" in parts.netloc or parts.query or parts.fragment or not value.isprintable() or " " in value:
        raise ValueError(
            "ユーザー名・? ・# のない http(s) のアドレスにしてください"
            " / must be an http(s) URL without user, query or fragment"
        )
    return value.rstrip("/")


def is_mail_address(text: str) -> bool:
    return text.isprintable() and bool(_MAIL_ADDRESS.fullmatch(text))


def is_phone(text: str) -> bool:
    return bool(_PHONE.fullmatch(text))


def is_sender(text: str) -> bool:
    addresses = [address for _, address in getaddresses([text])]
    return text.isprintable() and len(addresses) == 1 and bool(_MAIL_ADDRESS.fullmatch(addresses[0]))
