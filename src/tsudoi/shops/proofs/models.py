from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base


class IdentityProof(Base):
    """A mailed link or code that proves a mail address. Only hashes are stored, and it works once."""

    __tablename__ = "identity_proofs"
    __table_args__ = (
        CheckConstraint("purpose IN ('help_link', 'liff_code')", name="known_purpose"),
        Index("idx_identity_proofs_secret", "secret_hash"),
        Index("idx_identity_proofs_email", "email_hash", "expires_at_utc"),
        Index("idx_identity_proofs_expires", "expires_at_utc"),
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    purpose: Mapped[str] = mapped_column(Text)
    shop_id: Mapped[int] = mapped_column(BigId, ForeignKey("shops.id"))
    email_hash: Mapped[str] = mapped_column(Text)
    phone_hash: Mapped[str | None] = mapped_column(Text)
    secret_hash: Mapped[str] = mapped_column(Text)
    # What the person typed, encrypted with the key ring of the shops' secrets: it is looked up after the proof.
    contact_enc: Mapped[str] = mapped_column(Text)
    # The LINE user who asked for a code; empty for a mailed link.
    line_user_id: Mapped[str | None] = mapped_column(Text)
    created_at_utc: Mapped[datetime] = mapped_column(UtcText)
    expires_at_utc: Mapped[datetime] = mapped_column(UtcText)
    used_at_utc: Mapped[datetime | None] = mapped_column(UtcText)
    tries: Mapped[int] = mapped_column(Integer, server_default="0")
