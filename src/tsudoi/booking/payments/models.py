from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base
from tsudoi.core.outbox.table import OutboxColumns


class Payment(Base):
    """One Checkout Session of Stripe for a reservation. A further one has the next `sequence`."""

    __tablename__ = "payments"
    __table_args__ = (
        CheckConstraint("status IN ('CREATING', 'OPEN', 'PAID', 'EXPIRED', 'FAILED')", name="known_status"),
        CheckConstraint("amount_jpy >= 1", name="amount_jpy"),
        CheckConstraint("sequence >= 1", name="sequence"),
        CheckConstraint("(status = 'PAID') = (paid_at IS NOT NULL)", name="paid_at"),
        UniqueConstraint("reservation_id", "sequence"),
        # Those that Stripe has to be asked about when no webhook comes.
        Index(
            "idx_payments_open",
            "session_expires_at",
            sqlite_where=text("status IN ('CREATING', 'OPEN')"),
            postgresql_where=text("status IN ('CREATING', 'OPEN')"),
        ),
        Index("idx_payments_intent", "payment_intent_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    reservation_id: Mapped[int] = mapped_column(BigId, ForeignKey("reservations.id"))
    sequence: Mapped[int] = mapped_column(Integer, server_default="1")
    amount_jpy: Mapped[int] = mapped_column(Integer)
    # CREATING: Stripe has not confirmed the session yet. FAILED: Stripe refused it, or the payment failed for good.
    status: Mapped[str] = mapped_column(Text, server_default="CREATING")
    session_id: Mapped[str | None] = mapped_column(Text, unique=True)
    payment_intent_id: Mapped[str | None] = mapped_column(Text)
    checkout_url: Mapped[str | None] = mapped_column(Text)
    # Key and body are fixed when the payment is decided: a repeated request must have the same bytes.
    idempotency_key: Mapped[str] = mapped_column(Text, unique=True)
    request_body: Mapped[str] = mapped_column(Text)
    session_expires_at: Mapped[datetime] = mapped_column(UtcText)
    paid_at: Mapped[datetime | None] = mapped_column(UtcText)
    last_error: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcText)
    updated_at: Mapped[datetime] = mapped_column(UtcText)


class PaymentTask(OutboxColumns, Base):
    """Something that Stripe has to do about a payment: pay it back, or close its page. At most one of each."""

    __tablename__ = "payment_tasks"
    __table_args__ = (
        CheckConstraint("kind IN ('REFUND', 'EXPIRE')", name="known_kind"),
        CheckConstraint("status IN ('PENDING', 'DONE', 'FAILED', 'UNKNOWN')", name="known_status"),
        CheckConstraint("(kind = 'REFUND') = (amount_jpy IS NOT NULL)", name="amount_jpy"),
        UniqueConstraint("payment_id", "kind"),
        Index(
            "idx_payment_tasks_due",
            "due_at",
            "id",
            sqlite_where=text("status = 'PENDING'"),
            postgresql_where=text("status = 'PENDING'"),
        ),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    payment_id: Mapped[int] = mapped_column(BigId, ForeignKey("payments.id"))
    kind: Mapped[str] = mapped_column(Text)
    amount_jpy: Mapped[int | None] = mapped_column(Integer)
    # Why, in words for the office.
    reason: Mapped[str] = mapped_column(Text)
    requested_by: Mapped[str] = mapped_column(Text)
    idempotency_key: Mapped[str] = mapped_column(Text, unique=True)
    refund_id: Mapped[str | None] = mapped_column(Text)
    # Stripe's own word: pending, requires_action, succeeded, failed, canceled.
    refund_status: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcText)


class StoredStripeEvent(Base):
    """An event of Stripe, stored once. The row keeps no personal data: Stripe has the whole event for 30 days."""

    __tablename__ = "stripe_events"
    __table_args__ = (
        CheckConstraint("outcome IN ('APPLIED', 'IGNORED', 'MISMATCH')", name="known_outcome"),
        Index("idx_stripe_events_reservation", "reservation_id"),
        Index(
            "idx_stripe_events_open",
            "received_at",
            sqlite_where=text("outcome = 'MISMATCH' AND resolved_at IS NULL"),
            postgresql_where=text("outcome = 'MISMATCH' AND resolved_at IS NULL"),
        ),
    )

    event_id: Mapped[str] = mapped_column(Text, primary_key=True)
    type: Mapped[str] = mapped_column(Text)
    livemode: Mapped[int | None] = mapped_column(Integer)
    session_id: Mapped[str | None] = mapped_column(Text)
    payment_intent_id: Mapped[str | None] = mapped_column(Text)
    # Without a foreign key: an event may name a reservation that we do not know.
    reservation_id: Mapped[int | None] = mapped_column(BigId)
    amount: Mapped[int | None] = mapped_column(Integer)
    currency: Mapped[str | None] = mapped_column(Text)
    payment_status: Mapped[str | None] = mapped_column(Text)
    # When Stripe made the event, and when it reached us.
    created_at: Mapped[datetime | None] = mapped_column(UtcText)
    received_at: Mapped[datetime] = mapped_column(UtcText)
    # MISMATCH: amount, currency or mode are not those of the reservation; a person has to look at it.
    outcome: Mapped[str] = mapped_column(Text)
    detail: Mapped[str | None] = mapped_column(Text)
    resolved_at: Mapped[datetime | None] = mapped_column(UtcText)
    resolved_by: Mapped[str | None] = mapped_column(Text)
    resolved_note: Mapped[str | None] = mapped_column(Text)
