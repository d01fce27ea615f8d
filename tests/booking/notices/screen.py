"""The office's screen of notices, the people whom it is about, and what LINE saw."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from typing import Any

import httpx2

from tests.booking.office import office
from tests.booking.reservations.hospital import Hospital, Person, person_at
from tests.factories.product import Box, Product
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core import sessions
from tsudoi.notifications.notices.jobs import SendResult, send_pending_jobs
from tsudoi.notifications.notices.models import NotificationAttempt, NotificationJob, NotificationSkip

KINDS = ("CONFIRMATION", "REMINDER", "CANCEL_COMPLETED")
PUSH = "/v2/bot/message/push"


class Screen:
    """Reads the cells over HTTP, and the tables behind them."""

    def __init__(self, product: Product, hospital: Hospital, box: Box) -> None:
        self.product, self.hospital, self.box = product, hospital, box
        self._clients = ExitStack()
        self.office = self._clients.enter_context(office(product))

    def close(self) -> None:
        self._clients.close()

    def somebody(self, *, linked: bool = True, **more: Any) -> Person:
        """A staff person who is logged in, linked with a LINE friend or not."""
        line: dict[str, Any] = {"line_user_id": self.box.friend()} if linked else {}
        person = person_at(self.product, self.hospital, self.hospital.staff(**line, **more))
        self._clients.enter_context(person.http)
        return person

    def line_user(self, person: Person) -> str:
        [row] = [row for row in self.hospital.rows(StaffAccount) if row.staff_uid == person.uid]
        return str(row.line_user_id)

    @contextmanager
    def phone(self, person: Person, user_id: str) -> Iterator[httpx2.Client]:
        """The portal inside LINE: a LIFF session of this LINE user, and the token of the staff person."""
        token = self.product.db.write_now(sessions.open_session, sessions.LIFF, user_id, {}, timedelta(hours=1))
        headers = {"authorization": f"Bearer {self.hospital.token(person.uid)}"}
        with self.product.client(cookies={"tsudoi_liff": token}, headers=headers) as http:
            yield http

    def link(self, person: Person, user_id: str) -> httpx2.Response:
        with self.phone(person, user_id) as http:
            return http.post("/api/staffs/me/line-link", json={})

    def unlink(self, person: Person) -> None:
        answer = person.http.request("DELETE", "/api/staffs/me/line-link", json={})
        assert answer.status_code == 204

    def row(self, reservation_id: int) -> dict[str, Any]:
        [found] = self.rows(query=str(reservation_id))
        return found

    def rows(self, **asked: Any) -> list[dict[str, Any]]:
        answer = self.office.get("/api/admin/notifications", params=asked)
        assert answer.status_code == 200, answer.text
        items: list[dict[str, Any]] = answer.json()["items"]
        return items

    def cell(self, reservation_id: int, kind: str) -> dict[str, Any]:
        found: dict[str, Any] = self.row(reservation_id)["cells"][kind]
        return found

    def cells(self, reservation_id: int) -> list[str]:
        """The three cells as `DASH NOT_CANCELLED`."""
        cells = self.row(reservation_id)["cells"]
        return [" ".join(filter(None, (cells[kind]["status"], cells[kind]["reason"]))) for kind in KINDS]

    def jobs(self, reservation_id: int) -> list[Any]:
        return self.hospital.rows(NotificationJob, reservation_id=reservation_id)

    def job(self, reservation_id: int, kind: str, revision: int = 0) -> Any:
        [found] = self.hospital.rows(NotificationJob, reservation_id=reservation_id, kind=kind, revision=revision)
        return found

    def skips(self, reservation_id: int) -> list[tuple[str, int, str]]:
        rows = self.hospital.rows(NotificationSkip, reservation_id=reservation_id)
        return [(row.kind, row.revision, row.reason) for row in rows]

    def attempts(self, job_id: int) -> list[Any]:
        return self.hospital.rows(NotificationAttempt, job_id=job_id)

    def resend(self, job_id: int, reason: str = "直ったため", **more: Any) -> httpx2.Response:
        return self.office.post(f"/api/admin/notifications/{job_id}/resend", json={"reason": reason, **more})

    def resend_many(self, reason: str = "直ったため", **which: Any) -> httpx2.Response:
        return self.office.post("/api/admin/notifications/resend", json={"reason": reason, **which})

    def cron(self) -> SendResult:
        return send_pending_jobs(self.product.runtime, caller="command")

    def pushes(self) -> list[dict[str, Any]]:
        """Every call of LINE's push, also those that LINE refused."""
        return self.box.calls(PUSH)

    def keys(self) -> list[str]:
        """The retry keys of the messages that LINE has taken."""
        rows = self.box.http.get("/_sandbox/deliveries").json()["deliveries"]
        return [row["retry_key"] for row in rows]

    def texts(self, person: Person) -> list[str]:
        """What the person reads in LINE, without the buttons below it."""
        messages = [one["message"] for one in self.box.chat(self.line_user(person))]
        return [message["text"] for message in messages if message["type"] == "text"]

    def timeline(self, reservation_id: int) -> list[dict[str, Any]]:
        answer = self.office.get(f"/api/admin/reservations/{reservation_id}/timeline")
        assert answer.status_code == 200, answer.text
        items: list[dict[str, Any]] = answer.json()["items"]
        return items

    def summary(self) -> dict[str, Any]:
        answer = self.office.get("/api/admin/notifications/summary")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found
