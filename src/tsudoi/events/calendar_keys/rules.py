"""The key of one member for the calendar file of one event. Pure."""

from tsudoi.core.tokens import derived

# 128 bits.
_KEY_LENGTH = 32
_LONGEST_NUMBER = 16


def member_key(event_key: str, member_id: int, renewals: int) -> str:
    """The key of one member for one event. It stops when the member renews it, withdraws, or is no longer invited.

    The event's own key is the secret behind it, and is handed out to nobody.
    """
    return f"{member_id}-{derived(event_key, f'calendar:{member_id}:{renewals}')[:_KEY_LENGTH]}"


def member_of_key(key: str) -> int | None:
    """The member whom a key is said to belong to."""
    number = key.partition("-")[0]
    return int(number) if number.isascii() and number.isdecimal() and len(number) <= _LONGEST_NUMBER else None
