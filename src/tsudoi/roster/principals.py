"""The principal of the member pages: a LIFF visitor who is linked to a member."""

from dataclasses import dataclass
from typing import Self

import orjson

from tsudoi.access.errors import IdentityMismatch, NoLiffSession
from tsudoi.access.principals import Credentials, Visitor
from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.tokens import token_hash
from tsudoi.roster.members.errors import NotRegistered

_SESSION_AND_MEMBER = RawSql(
    """SELECT s.subject, s.data, m.id
    FROM sessions s LEFT JOIN members m ON m.line_user_id = s.subject AND m.withdrawn_at IS NULL
    WHERE s.id_hash = :id_hash AND s.kind = :kind AND s.revoked_at IS NULL AND s.expires_at > :now"""
)


@dataclass(frozen=True, slots=True)
class LinkedMember(Visitor):
    """A visitor whose LINE account is linked to a member. A withdrawn member is refused at once."""

    member_id: int

    @classmethod
    def authenticate(cls, tx: ReadTx, credentials: Credentials) -> Self:
        given = {"id_hash": token_hash(credentials.token), "kind": credentials.session_kind, "now": utc_text(tx.now)}
        found = _SESSION_AND_MEMBER.first(tx, given)
        if found is None:
            raise NoLiffSession
        user_id, data, member_id = found[0], orjson.loads(found[1]), found[2]
        if credentials.claimed_user_id not in (None, user_id):
            raise IdentityMismatch
        if member_id is None:
            raise NotRegistered
        return cls(user_id, data.get("display_name"), data.get("picture_url"), credentials, member_id)
