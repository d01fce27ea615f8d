"""The address of a reservation's calendar file. Pure."""

from tsudoi.core.tokens import derived

_KEY_LENGTH = 32


def calendar_key(secret: str, reservation_id: int, renewals: int) -> str:
    """128 bits that nobody can guess, so that a calendar program needs no session for this one file.

    `renewals`: how often the owner has renewed the keys. Addresses from before keys could be renewed still work.
    """
    again = f":{renewals}" if renewals else ""
    return derived(secret, f"calendar:{reservation_id}{again}")[:_KEY_LENGTH]


def calendar_url(public_base_url: str, reservation_id: int, key: str) -> str:
    return f"{public_base_url}/api/reservations/{reservation_id}.ics?key={key}"
