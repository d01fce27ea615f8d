"""The person's own side: registration, profile, PIN, and the link with LINE.

A PIN is hashed between two transactions, so these are ordinary routes and not `TransactionRoute`s.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from sqlalchemy.exc import IntegrityError

from tsudoi.access.api_description import raises
from tsudoi.access.errors import CrossSite, IdentityMismatch, NoLiffSession
from tsudoi.access.guard import (
    DatabaseDep,
    RuntimeDep,
    VisitorDep,
    client_key,
    guard_of,
    require_json,
    require_same_origin,
)
from tsudoi.booking.identity.errors import BadToken, NotActive, PinChangeRequired
from tsudoi.booking.pins import service as pins
from tsudoi.booking.pins.errors import PinLocked, PinTrivial, PinUnchanged
from tsudoi.booking.pins.jobs import PinHasher, PinPlace
from tsudoi.booking.pins.rules import own_key, require_good_pin
from tsudoi.booking.pins.service import During, PinAttempt
from tsudoi.booking.principals import Staff, StaffSession
from tsudoi.booking.profile import queries, service
from tsudoi.booking.profile.errors import (
    AlreadyLinked,
    LineUserTaken,
    OfficeOnly,
    RegistrationOff,
    WrongCurrentPin,
    WrongRegistrationCode,
)
from tsudoi.booking.profile.schemas import (
    LineLink,
    PinChange,
    PinChanged,
    ProfileChange,
    Registered,
    Registration,
    StaffProfile,
)
from tsudoi.booking.staffs.errors import EmrPatientIdTaken, StaffIdTaken
from tsudoi.core import rate_limit
from tsudoi.core.errors import ChangedMeanwhile, Detail, InvalidInput, RateLimited, UnsupportedMediaType
from tsudoi.core.hash_queue import HasherBusy
from tsudoi.core.runtime import Runtime
from tsudoi.core.tokens import same
from tsudoi.line.overview.service import ask_add_friend_url

StaffSessionDep = Annotated[StaffSession, Depends(guard_of(StaffSession))]
StaffDep = Annotated[Staff, Depends(guard_of(Staff))]
PinChangerDep = Annotated[StaffSession, Depends(guard_of(StaffSession, service.PIN_CHANGES_PER_PERSON))]
ProfileChangerDep = Annotated[Staff, Depends(guard_of(Staff, *rate_limit.WRITES))]
LinkingStaffDep = Annotated[Staff, Depends(guard_of(Staff, service.LINE_LINKS_PER_PERSON))]
_GUARD = (BadToken, NotActive)

router = APIRouter(prefix="/api/staffs", tags=["booking"])


@router.post(
    "",
    status_code=201,
    summary="Register as a staff person",
    dependencies=[Depends(require_same_origin), Depends(require_json)],
    responses=raises(
        PinTrivial,
        CrossSite,
        RegistrationOff,
        WrongRegistrationCode,
        StaffIdTaken,
        EmrPatientIdTaken,
        RateLimited,
        HasherBusy,
    ),
)
async def register(body: Registration, request: Request, runtime: RuntimeDep) -> Registered:
    """`STAFF_SELF_REGISTRATION` decides who may: everybody, those who know the office's code, or nobody.

    The response has no tokens: log in next, and change the PIN. At most five an hour from one address.
    """
    db, mode = runtime.db, runtime.settings.staff_self_registration
    if mode == "off":
        raise RegistrationOff
    require_good_pin(body.pin)
    counted = await db.write(rate_limit.count_request, service.REGISTRATIONS_PER_CLIENT, client_key(request))
    counted.raise_if_refused()
    if mode == "code":
        code = await db.read(queries.registration_code)
        if code is None or not same(code, (body.registration_code or "").strip()):
            raise WrongRegistrationCode
    await db.read(service.check_registration, body)
    pin_hash = await runtime.part(PinHasher).hash(body.pin, known=False)
    staff_uid = await db.write(service.register, body, pin_hash)
    return Registered(staff_uid=staff_uid, staff_id=body.staff_id)


@router.post(
    "/pin/change",
    summary="Change one's PIN",
    responses=raises(PinTrivial, PinUnchanged, *_GUARD, WrongCurrentPin, PinLocked, RateLimited, HasherBusy),
)
async def change_pin(staff: PinChangerDep, body: PinChange, runtime: RuntimeDep) -> PinChanged:
    """Ends the sessions on all other devices. A wrong `currentPin` counts like a failed log-in."""
    require_good_pin(body.new_pin, "newPin", old_pin=body.current_pin)
    with runtime.part(PinHasher).place(known=True) as place:
        attempt = await _verified(runtime, place, staff, body.current_pin, "暗証番号の変更")
        pin_hash = await place.hash(body.new_pin)
    ended = await runtime.db.write(service.change_pin, attempt, staff.staff_uid, pin_hash, staff.family_id)
    return PinChanged(ended_sessions=ended)


@router.get("/me", summary="One's own profile", responses=raises(*_GUARD, PinChangeRequired))
async def me(staff: StaffDep, runtime: RuntimeDep) -> StaffProfile:
    """With what is missing for a reservation, and the version that a change has to name."""
    return await _with_way_to_add(runtime, await runtime.db.read(queries.profile, staff.staff_uid))


@router.patch(
    "/me",
    summary="Change one's own profile",
    responses=raises(
        *_GUARD,
        OfficeOnly,
        WrongCurrentPin,
        PinChangeRequired,
        ChangedMeanwhile,
        EmrPatientIdTaken,
        PinLocked,
        RateLimited,
        HasherBusy,
    ),
)
async def change_me(staff: ProfileChangerDep, body: ProfileChange, runtime: RuntimeDep) -> StaffProfile:
    """Names and `emrPatientId` need `currentPin`. `emrPatientId` can be set once; then only the office changes it."""
    db = runtime.db
    await db.read(service.check_change, staff.staff_uid, body)
    if body.needs_pin:
        if body.current_pin is None:
            raise InvalidInput("いまの暗証番号（PIN）を入力してください。", details=[Detail("currentPin", "REQUIRED")])
        if "emr_patient_id" in body.changes:
            counted = await db.write(rate_limit.count_request, service.PATIENT_IDS_PER_PERSON, staff.rate_key)
            counted.raise_if_refused()
        with runtime.part(PinHasher).place(known=True) as place:
            attempt = await _verified(runtime, place, staff, body.current_pin, "プロフィールの変更")
        await db.write(service.accept_current_pin, attempt)
    try:
        return await _with_way_to_add(runtime, await db.write(service.change_profile, staff.staff_uid, body))
    except IntegrityError:
        # Two people sent the same patient id in the same moment.
        raise EmrPatientIdTaken from None


async def _with_way_to_add(runtime: Runtime, profile: StaffProfile) -> StaffProfile:
    if profile.line_state in ("unlinked", "reachable"):
        return profile
    return profile.model_copy(update={"add_friend_url": await ask_add_friend_url(runtime)})


async def _verified(runtime: Runtime, place: PinPlace, staff: StaffSession, pin: str, during: During) -> PinAttempt:
    """Count and check the PIN of a person with a session."""
    key = own_key(staff.staff_uid, staff.family_id or str(staff.session_id))
    attempt = await runtime.db.write(pins.count_by_uid, staff.staff_uid, key)
    if attempt.admitted and await place.verify(pin, attempt.stored_hash):
        return attempt
    await runtime.db.write(service.fail_current_pin, attempt, staff.staff_uid, during)
    raise PinLocked if attempt.is_last else WrongCurrentPin


@router.post(
    "/me/line-link",
    summary="Link one's LINE account",
    responses=raises(
        *_GUARD,
        NoLiffSession,
        IdentityMismatch,
        CrossSite,
        UnsupportedMediaType,
        PinChangeRequired,
        AlreadyLinked,
        LineUserTaken,
        RateLimited,
    ),
)
async def link_line(staff: LinkingStaffDep, visitor: VisitorDep, runtime: RuntimeDep) -> LineLink:
    """Needs both the staff token and the LINE session of the page that is opened inside LINE.

    Somebody who has not added the account is linked all the same, and sees no message: `lineReachable` is false then.
    """
    try:
        await runtime.db.write(service.link_line, staff.staff_uid, visitor.user_id)
    except IntegrityError:
        raise LineUserTaken from None
    profile = await _with_way_to_add(runtime, await runtime.db.read(queries.profile, staff.staff_uid))
    return LineLink(
        line_linked=True, line_reachable=profile.line_state == "reachable", add_friend_url=profile.add_friend_url
    )


@router.delete(
    "/me/line-link",
    status_code=204,
    summary="Unlink one's LINE account",
    responses=raises(*_GUARD, PinChangeRequired, RateLimited),
)
async def unlink_line(staff: LinkingStaffDep, db: DatabaseDep) -> None:
    """Does nothing when there is no link."""
    await db.write(service.unlink_line, staff.staff_uid)
