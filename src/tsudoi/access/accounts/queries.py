from datetime import datetime

from tsudoi.access.accounts.schemas import ManagedAccount, ManagedAccounts, OwnAccount, SessionShown
from tsudoi.access.admins.queries import AccountState, OpenSession, state_of, states
from tsudoi.access.principals import AdminSession
from tsudoi.access.second_factor.queries import codes_left, on_since
from tsudoi.core import sessions
from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.tokens import token_hash


def own_account(tx: ReadTx, who: AdminSession, *, totp_required: bool) -> OwnAccount:
    since = on_since(tx, who.admin_id)
    return OwnAccount(
        id=who.admin_id,
        username=who.username,
        next_step=who.next_step,
        totp_since=_text(since),
        totp_required=totp_required,
        recovery_codes_left=codes_left(tx, who.admin_id) if since else 0,
        sessions=[_shown(one, who) for one in state_of(tx, who.admin_id).open],
    )


def all_accounts(tx: ReadTx, who: AdminSession) -> ManagedAccounts:
    return ManagedAccounts(items=[_managed(state, who) for state in states(tx)])


def _managed(state: AccountState, who: AdminSession) -> ManagedAccount:
    return ManagedAccount(
        id=state.admin_id,
        username=state.username,
        is_self=state.admin_id == who.admin_id,
        created_at=jst_text(state.created_at),
        disabled_at=_text(state.disabled_at),
        one_time_until=_text(state.one_time_until),
        has_totp=state.has_totp,
        last_used_at=_text(state.last_used_at),
        sessions=[_shown(one, who) for one in state.open],
    )


def _shown(one: OpenSession, who: AdminSession) -> SessionShown:
    return SessionShown(
        id=one.id,
        kind="token" if one.kind == sessions.TOKEN else "browser",
        label=one.data.get("label"),
        created_at=jst_text(one.created_at),
        last_used_at=_text(one.last_used_at),
        expires_at=jst_text(one.expires_at),
        address=one.data.get("address"),
        device=one.data.get("device"),
        current=one.id == token_hash(who.credentials.token),
    )


def _text(at: datetime | None) -> str | None:
    return None if at is None else jst_text(at)
