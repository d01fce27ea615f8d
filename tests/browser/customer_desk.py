"""A customer of one of the demo's shops: known at STORES, with a mailbox and a phone."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import httpx2

from tests.browser.conftest import Demo, eventually
from tests.browser.member_desk import LIFF
from tsudoi.core.clock import JST, jst_text

SHOP, SHOP_NAME, MERCHANT = "ngy1", "名古屋栄店", "mc_1"
_LINK = re.compile(r"https?://\S+/verify/[\w-]+")
_CODE = re.compile(r"確認コード：(\d{6})")


@dataclass(frozen=True)
class KnownCustomer:
    """A customer at the sandbox's STORES, with a reservation tomorrow at six."""

    demo: Demo
    number: int
    name: str

    @property
    def mail(self) -> str:
        return f"kyaku{self.number}@guest.example"

    @property
    def phone(self) -> str:
        return f"090-0000-{self.number}"

    def is_known(self) -> None:
        begins = (datetime.now(JST) + timedelta(days=1)).replace(hour=18, minute=0, second=0, microsecond=0)
        self._put(f"customers/{self.number}", name=self.name, email=self.mail, primary_phone_number=self.phone)
        self._booked(self.number, "スタジオA", begins, "accepted")

    def was_cancelled(self) -> None:
        """By the shop, for a room that would begin in an hour."""
        self._booked(self.number + 50_000, "スタジオB", datetime.now(JST) + timedelta(hours=1), "canceled_by_host")

    def _booked(self, number: int, title: str, begins: datetime, status: str) -> None:
        self._put(
            f"reservations/{number}",
            customer_canonical_id=self.number,
            booking_service_name=title,
            booking_start=jst_text(begins),
            checkout_at=jst_text(begins + timedelta(hours=2)),
            status=status,
        )

    def _put(self, path: str, **fields: Any) -> None:
        body = {"merchant_canonical_id": MERCHANT, **fields}
        httpx2.put(f"{self.demo.phones}/_sandbox/stores/{path}", json=body, trust_env=False).raise_for_status()

    def mailed(self, pattern: re.Pattern[str], number: int = 1) -> str:
        """What stands in the mail with this number, once it has arrived."""
        eventually(lambda: len(self._mails()) >= number)
        found: str = pattern.findall(self._mails()[number - 1])[0]
        return found

    def link(self) -> str:
        return self.mailed(_LINK)

    def code(self, number: int = 1) -> str:
        return self.mailed(_CODE, number)

    def _mails(self) -> list[str]:
        address = f"{self.demo.phones}/_sandbox/mails"
        found = httpx2.get(address, params={"to": self.mail}, trust_env=False).raise_for_status().json()["mails"]
        return [mail["text"] for mail in found]


def new_phone(demo: Demo, name: str, path: str) -> str:
    """The address of the member pages as a new LINE user opens them."""
    made = httpx2.post(f"{demo.phones}/_sandbox/users", json={"display_name": name}, trust_env=False)
    made.raise_for_status()
    return f"{demo.phones}{LIFF}/{path}?as={made.json()['user_id']}"
