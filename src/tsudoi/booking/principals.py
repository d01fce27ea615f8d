"""The principals of the staff portal: a person with an access token, in three steps of readiness.

The checks come in a fixed order, and the first that fails answers: token valid (401), account active (403), session not
ended (401), PIN changed (428), profile complete (428).
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Annotated, ClassVar, Self

from fastapi import Header
from starlette.requests import Request

from tsudoi.access.principals import Credentials, Principal, has_body, require_json
from tsudoi.booking.identity.errors import BadToken, NotActive, PinChangeRequired, ProfileIncomplete
from tsudoi.booking.identity.rules import missing_fields, read_access_token
from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.settings import Settings

# A family is all sessions of one log-in. While one of them is live, the access tokens of the others are valid too, so
# that a second tab keeps working after the first one has refreshed.
_ACCOUNT = RawSql(
    """SELECT s.staff_id, s.status, s.pin_must_change, s.department_id, s.emr_patient_id, s.date_of_birth, s.sex_code,
        r.family_id,
        EXISTS (SELECT 1 FROM refresh_sessions f WHERE f.revoked_at IS NULL AND f.expires_at > :now
                AND (f.id = r.id OR f.family_id = r.family_id))
    FROM staffs s LEFT JOIN refresh_sessions r ON r.id = :session_id AND r.staff_uid = s.staff_uid
    WHERE s.staff_uid = :staff_uid"""
)
_EXPIRED = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class StaffCredentials(Credentials):
    """An access token that we signed. It may have expired, and what it names may have ended since."""

    staff_uid: str = ""
    session_id: int = 0
    expires_at: datetime = _EXPIRED


@dataclass(frozen=True, slots=True)
class StaffSession(Principal):
    """A staff person who has logged in; perhaps still with the initial PIN, which only opens the change of it."""

    headers = MappingProxyType(
        {
            "authorization": Annotated[
                str | None, Header(description="`Bearer <accessToken>` of a staff person, from `POST /auth/login`.")
            ]
        }
    )
    needs_own_pin: ClassVar[bool] = False
    needs_profile: ClassVar[bool] = False

    staff_uid: str
    staff_id: str
    department_id: str
    session_id: int
    family_id: str | None
    credentials: StaffCredentials

    @property
    def actor(self) -> str:
        return f"staff:{self.staff_uid}"

    @property
    def rate_key(self) -> str:
        return f"staff:{self.staff_uid}"

    @classmethod
    def read_credentials(cls, request: Request, settings: Settings) -> StaffCredentials:
        # A token in a header cannot be sent by a page of another site, so a request without a body needs no type.
        if has_body(request):
            require_json(request)
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or settings.jwt_secret is None:
            raise BadToken
        found = read_access_token(settings.jwt_secret.get_secret_value(), token.strip())
        if found is None:
            raise BadToken
        claims = found.claims
        return StaffCredentials(
            "staff", "", staff_uid=claims.staff_uid, session_id=claims.session_id, expires_at=found.expires_at
        )

    @classmethod
    def authenticate(cls, tx: ReadTx, credentials: Credentials) -> Self:
        assert isinstance(credentials, StaffCredentials)  # noqa: S101 (`read_credentials` made it)
        if credentials.expires_at <= tx.now:
            raise BadToken
        uid, session_id = credentials.staff_uid, credentials.session_id
        found = _ACCOUNT.first(tx, {"staff_uid": uid, "session_id": session_id, "now": utc_text(tx.now)})
        if found is None:
            raise BadToken
        staff_id, status, pin_must_change, department_id, emr, born, sex, family_id, live = found
        if status != "active":
            raise NotActive
        if not live:
            raise BadToken
        if cls.needs_own_pin and pin_must_change:
            raise PinChangeRequired
        if cls.needs_profile and (missing := missing_fields(emr, born, sex)):
            raise ProfileIncomplete(missing)
        return cls(uid, staff_id, department_id, session_id, family_id, credentials)


@dataclass(frozen=True, slots=True)
class Staff(StaffSession):
    """A staff person with a PIN of their own."""

    needs_own_pin = True


@dataclass(frozen=True, slots=True)
class CompleteStaff(Staff):
    """A staff person whose profile has everything that a reservation needs."""

    needs_profile = True
