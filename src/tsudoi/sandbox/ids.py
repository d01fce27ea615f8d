"""Identifiers of the shapes that LINE uses."""

import hashlib
import itertools
import re
import secrets
import time
import uuid

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ULID_LENGTH = 26
# Chats survive a restart, so the numbers of a later process start higher: at its microsecond.
_FIRST_MESSAGE_ID = 500_000_000_000_000_000 + time.time_ns() // 1000

USER_ID = re.compile(r"U[0-9a-f]{32}")
CHAT_ID = re.compile(r"[UCR][0-9a-f]{32}")
RETRY_KEY = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)

_message_ids = itertools.count(_FIRST_MESSAGE_ID)


def new_user_id() -> str:
    return f"U{secrets.token_hex(16)}"


def bot_user_id(login_channel_id: str) -> str:
    """The account keeps its id over restarts, as a real one does."""
    return f"U{hashlib.sha256(f'bot:{login_channel_id}'.encode()).hexdigest()[:32]}"


def new_message_id() -> str:
    return str(next(_message_ids))


def new_request_id() -> str:
    return str(uuid.uuid4())


def new_token() -> str:
    return secrets.token_urlsafe(32)


def new_rich_menu_id() -> str:
    return f"richmenu-{secrets.token_hex(16)}"


def new_ulid(ms: int) -> str:
    number = (ms << 80) | secrets.randbits(80)
    return "".join(_CROCKFORD[(number >> shift) & 31] for shift in range(5 * (_ULID_LENGTH - 1), -1, -5))
