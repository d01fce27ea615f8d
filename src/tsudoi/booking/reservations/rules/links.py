"""Addresses of a reservation for its owner: the pages behind the buttons of a notice, and the calendar file. Pure."""

from dataclasses import dataclass

from tsudoi.core.tokens import derived

_KEY_LENGTH = 32


def calendar_key(secret: str, reservation_id: int) -> str:
    """128 bits that nobody can guess, so that a calendar program needs no session for this one file."""
    return derived(secret, f"calendar:{reservation_id}")[:_KEY_LENGTH]


def calendar_url(public_base_url: str, reservation_id: int, key: str) -> str:
    return f"{public_base_url}/api/reservations/{reservation_id}.ics?key={key}"


@dataclass(frozen=True, slots=True)
class ReservationLinks:
    """Builds links to the staff portal: LIFF addresses, because only they know the LINE account that opens them.

    They carry the revision, so that the page can say if the reservation has moved since the notice.
    """

    liff_base: str
    liff_id: str | None

    def to(self, reservation_id: int, revision: int, page: str = "") -> str:
        """`page`: nothing for the reservation itself, or `/move`, `/cancel`, `/calendar`."""
        return f"{self.liff_base}/{self.liff_id}/staff/reservations/{reservation_id}{page}?r={revision}"
