"""A product whose outside systems hang, the work of its senders, and the people who go on meanwhile."""

from datetime import timedelta
from uuid import uuid4

import httpx2
from sqlalchemy import insert

from tests.booking.reservations.hospital import Hospital, person_at
from tests.factories.customers import make_shop
from tests.factories.events import liff_client, make_event, make_members
from tests.factories.product import Product
from tests.factories.threads import make_thread
from tests.factories.webhooks import event, user_id
from tests.notifications.mails.post import draft
from tsudoi.access.health import silent_loops
from tsudoi.access.registration import ActiveContexts
from tsudoi.booking.coverage_reminders.schemas import ReminderQuestion
from tsudoi.booking.coverage_reminders.service.deciding import ReminderFrame, remind
from tsudoi.booking.payments.models import Payment
from tsudoi.booking.payments.service.tasks import close_pages
from tsudoi.booking.reservations.models import Reservation
from tsudoi.core.db.interface import Tx
from tsudoi.events.broadcast.service.enqueueing import Recipient, enqueue
from tsudoi.notifications.mails import service as mails
from tsudoi.scheduling.delivery.rules.messages import Announcement
from tsudoi.scheduling.delivery.service.enqueueing import message_settings, tell
from tsudoi.shops.links.models import LinkNotice

TEXT = {"type": "text", "text": "出欠のご回答をお願いします。"}

FRAME = ReminderFrame("https://x.example", "x.example", mail_is_on=False)


class Desk:
    """A product whose outside systems hang, the work of its senders, and the people who go on."""

    def __init__(self, product: Product) -> None:
        self.product, self.db = product, product.db
        self.hospital = Hospital(product.db)
        product.make_admin()
        product.http.headers["x-csrf-token"] = product.log_in().json()["csrf_token"]
        make_members(product.db, 101, 102)
        make_shop(product.db)
        self._round = 0

    def give_work(self) -> None:
        """Something to do for every loop that goes out."""
        self._round += 1
        event_id = make_event(self.db, [101, 102])
        self.db.write_now(enqueue, event_id, "invite", [TEXT], [Recipient(101, user_id(101))], "admin:x")
        thread = make_thread(self.db, 101)
        self.db.write_now(tell, message_settings(self.product.settings), thread.id, Announcement("invite"))
        self.db.write_now(mails.enqueue, draft(self._round, subject_kind="test"))
        self.db.write_now(self._notice)
        self._reminder_and_payment()
        self.product.post_webhook(event("follow"))
        self.product.runtime.work.send()

    def _notice(self, tx: Tx) -> None:
        row = {"shop_id": 1, "line_user_id": user_id(1), "messages": [TEXT], "retry_key": str(uuid4())}
        tx.execute(insert(LinkNotice).values(**row, due_at=tx.now, created_at=tx.now, updated_at=tx.now))

    def _reminder_and_payment(self) -> None:
        type_id = self.hospital.type(f"健診{self._round}")
        slot_id = self.hospital.slot(type_id, capacity=5)
        uid = self.hospital.staff(line_user_id=user_id(5000 + self._round))
        question = ReminderQuestion.model_validate({"reservationTypeId": type_id})
        self.db.write_now(remind, question, FRAME, None, "admin:x")

        def write(tx: Tx) -> None:
            times = {"created_at": tx.now, "updated_at": tx.now}
            place = {"service_date_local": "2025-09-10", "start_minute_of_day": 540, "duration_minutes": 15}
            seat = {"staff_uid": uid, "staff_id": "1", "reservation_type_id": type_id, "slot_id": slot_id}
            made = insert(Reservation).values(**seat, **place, period_key="FY2025", **times, canceled_at=tx.now)
            reservation_id = tx.execute(made.returning(Reservation.id)).scalar_one()
            page = {"session_id": f"cs_test_{uuid4().hex}", "idempotency_key": str(uuid4()), "request_body": "x"}
            more = {"amount_jpy": 100, "status": "OPEN", "session_expires_at": tx.now + timedelta(hours=1)}
            tx.execute(insert(Payment).values(reservation_id=reservation_id, **page, **more, **times))
            close_pages(tx, reservation_id, "test", "試験")

        self.db.write_now(write)

    def people_go_on(self) -> list[tuple[str, int]]:
        """What everybody does meanwhile, and the statuses that they got instead of the expected ones."""
        event_id = make_event(self.db, [102])
        thread = make_thread(self.db, f"p{self._round}@example.com")
        slot_id = self.hospital.slot(self.hospital.type(f"別{uuid4()}"), capacity=5)
        person = person_at(self.product, self.hospital, self.hospital.staff(line_user_id=user_id(9000)))
        with liff_client(self.product, 102) as phone, person.http:
            found = {
                "answer": (201, phone.post(f"/api/liff/events/{event_id}/respond", json={"status": "attend"})),
                "booking": (201, person.book(slot_id)),
                "invitation": (200, self.product.http.post(thread.invites[0].respond, json={"status": "declined"})),
                "home": (200, self.product.http.get("/api/admin/home")),
                "overview": (200, self.product.http.get("/api/admin/overview")),
                "people": (200, self.product.http.get("/api/admin/members")),
                "log-in": (200, self.product.log_in()),
                "livez": (200, self.product.http.get("/livez")),
            }
        self.hospital.sql("UPDATE staffs SET line_user_id = NULL")
        return [(name, answer.status_code) for name, (wanted, answer) in found.items() if answer.status_code != wanted]

    def another_browser(self) -> httpx2.Client:
        """Another window of the same administrator."""
        ours = self.product.http
        return self.product.client(cookies=dict(ours.cookies), headers={"x-csrf-token": ours.headers["x-csrf-token"]})

    def silent(self) -> list[str]:
        return self.db.read_now(silent_loops, self.product.runtime.part(ActiveContexts))
