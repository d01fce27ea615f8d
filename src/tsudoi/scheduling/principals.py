"""Who asks and who answers: the organiser, who is an administrator, and the invitee, who has the token of a link."""

from dataclasses import dataclass, replace
from datetime import timedelta
from types import MappingProxyType
from typing import Annotated, Self

from fastapi import Depends, Header
from starlette.requests import Request

from tsudoi.access.errors import AnotherUserId
from tsudoi.access.guard import guard_of
from tsudoi.access.principals import Admin, Credentials, Principal
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.rate_limit import Limit
from tsudoi.core.settings import Settings
from tsudoi.scheduling.thread.errors import NoSuchInvitation

_INVITE = RawSql(
    """SELECT i.id, i.thread_id, i.invitee_key, i.candidate_name
    FROM thread_invites i JOIN scheduling_threads t ON t.id = i.thread_id
    WHERE i.token = :token AND t.status <> 'draft' AND i.invitee_key IS NOT NULL"""
)
_LONGEST_TOKEN = 200


@dataclass(frozen=True, slots=True)
class Organizer(Admin):
    """An administrator who asks for a date. `x-user-id` proves nothing alone, and must not name anybody else."""

    headers = MappingProxyType(
        {
            **Admin.headers,
            "x_user_id": Annotated[
                str | None, Header(description="The caller's own id, such as `admin:1`. It proves nothing alone.")
            ],
        }
    )

    @property
    def user_id(self) -> str:
        """How the tables of this context name the organiser."""
        return self.rate_key

    @classmethod
    def read_credentials(cls, request: Request, settings: Settings) -> Credentials:
        found = Admin.read_credentials(request, settings)
        return replace(found, claimed_user_id=request.headers.get("x-user-id"))

    @classmethod
    def authenticate(cls, tx: ReadTx, credentials: Credentials) -> Self:
        admin = Admin.authenticate(tx, credentials)
        organizer = cls(admin.admin_id, admin.username, credentials, use_due=admin.use_due)
        if credentials.claimed_user_id not in (None, organizer.user_id):
            raise AnotherUserId
        return organizer


@dataclass(frozen=True, slots=True)
class Invitee(Principal):
    """Somebody who opened the link of an invitation. The token in the address is the whole proof."""

    invite_id: str
    thread_id: str
    invitee_key: str
    name: str
    credentials: Credentials

    @property
    def actor(self) -> str:
        return f"invitee:{self.invite_id}"

    @property
    def rate_key(self) -> str:
        return f"invite:{self.invite_id}"

    @classmethod
    def read_credentials(cls, request: Request, _settings: Settings) -> Credentials:
        """A browser sends `Origin: null` from our own page, which has no referrer; the token is enough."""
        token = str(request.path_params["token"])
        if len(token) > _LONGEST_TOKEN or not (token.isascii() and token.isprintable()):
            raise NoSuchInvitation
        return Credentials("invite", token)

    @classmethod
    def authenticate(cls, tx: ReadTx, credentials: Credentials) -> Self:
        found = _INVITE.first(tx, {"token": credentials.token})
        if found is None:
            raise NoSuchInvitation
        return cls(found[0], found[1], found[2], found[3], credentials)


OrganizerDep = Annotated[Organizer, Depends(guard_of(Organizer))]
# One link can only be turned to and fro so often: each time is an audit row.
StoppingInviteeDep = Annotated[Invitee, Depends(guard_of(Invitee, Limit("thread-mails", 10, timedelta(hours=1))))]
InviteeDep = Annotated[Invitee, Depends(guard_of(Invitee))]
