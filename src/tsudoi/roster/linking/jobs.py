"""`link_follow` handles a new friend: it links the friend to a member and, in interactive mode, sends a greeting."""

import uuid

import structlog
from sqlalchemy.exc import SQLAlchemyError

from tsudoi.core.errors import DatabaseUnavailable
from tsudoi.core.outbox.table import Outcome
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_outcomes import (
    Accepted,
    LineUnreachable,
    Profile,
    QuotaExhausted,
    Rejected,
    SendOutcome,
    SendRateLimited,
    Unknown,
)
from tsudoi.line.friends.jobs import record_follower
from tsudoi.line.inbox.jobs import InboxEvent, log_event
from tsudoi.line.inbox.service import record_reply
from tsudoi.roster.linking import service
from tsudoi.roster.linking.rules import LinkResult, LinkResultType, greeting

_log = structlog.stdlib.get_logger(__name__)

# A fixed namespace: the same event always gets the same retry key, and no other event gets it.
_KEYS = uuid.UUID("6d9c52f4-7a0e-4e0b-9f6d-2f0a1c7b5e11")


def link_follow(runtime: Runtime, event: InboxEvent) -> tuple[Outcome, str | None]:
    profile = record_follower(runtime, event)
    name = profile.display_name if isinstance(profile, Profile) else None
    if isinstance(profile, LineUnreachable):
        result = LinkResult(LinkResultType.ERROR, reason=f"profile: {profile.reason}")
    else:
        result = _link(runtime, event, name)
    if result.type is LinkResultType.ERROR and not event.is_last_try:
        _log_result(runtime, event, name, result)
        return Outcome.NOT_NOW, result.reason
    return _finish(runtime, event, name, result)


def renew_keys(runtime: Runtime) -> int:
    return runtime.db.write_now(service.renew_name_keys, nfkc=runtime.settings.onboarding_name_nfkc)


def _link(runtime: Runtime, event: InboxEvent, name: str | None) -> LinkResult:
    try:
        result = runtime.db.write_now(
            service.link_by_display_name,
            event.user_id,
            name,
            nfkc=runtime.settings.onboarding_name_nfkc,
            may_link=runtime.settings.onboarding_auto_link == "on",
        )
    except (SQLAlchemyError, DatabaseUnavailable) as error:
        _log.exception("link_follow_failed", event_id=event.event_id)
        return LinkResult(LinkResultType.ERROR, reason=f"database: {type(error).__name__}")
    if name is None and result.type is LinkResultType.UNMATCHED:
        return LinkResult(result.type, reason="profile_not_found")
    return result


def _finish(runtime: Runtime, event: InboxEvent, name: str | None, result: LinkResult) -> tuple[Outcome, str | None]:
    if runtime.settings.onboarding_mode == "silent":
        _log_result(runtime, event, name, result)
        return (Outcome.REFUSED if result.type is LinkResultType.ERROR else Outcome.OK), result.reason
    reply = _reply(runtime, event, result)
    link = _register_link(runtime) if result.type is LinkResultType.UNMATCHED else None
    if reply is None and not event.is_last_try:
        # This is logged now, because at the next attempt LINKED has become ALREADY_LINKED_SAME.
        _log_result(runtime, event, name, result, reply="later", reply_link=link)
        return Outcome.NOT_NOW, "reply: not now"
    _log_result(runtime, event, name, result, reply=reply or "failed", reply_link=link)
    return (Outcome.REFUSED if result.type is LinkResultType.ERROR else Outcome.OK), result.reason


def _reply(runtime: Runtime, event: InboxEvent, result: LinkResult) -> str | None:
    """Send the greeting. Returns `sent`, `failed` or `unknown`; None: nothing was sent, and it may be tried again.

    A reply has no retry key, so "trying" is stored before it is sent. A worker that finds "trying" after a crash
    stores "unknown", because a missing greeting is better than two.
    """
    if event.reply == "trying":
        return _record_reply(runtime, event, "unknown")
    if event.reply is not None:
        return event.reply
    messages = [{"type": "text", "text": greeting(result.type, _register_link(runtime))}]
    if event.reply_token is not None:
        _record_reply(runtime, event, "trying")
        state = _reply_state(runtime.part(LineClient).reply(event.reply_token, messages))
        if state != "failed":
            return _record_reply(runtime, event, state)
        # The token is used or expired, so the reply was certainly not sent, and the same text may go as a push.
        _record_reply(runtime, event, None)
    pushed = runtime.part(LineClient).push(event.user_id, messages, str(uuid.uuid5(_KEYS, event.event_key)))
    # A push has a retry key and may be repeated, so an unknown outcome is final only at the last attempt.
    if isinstance(pushed, Unknown) and not event.is_last_try:
        return None
    state = "unknown" if isinstance(pushed, Unknown) else _reply_state(pushed)
    return _record_reply(runtime, event, state) if state else None


def _reply_state(outcome: SendOutcome) -> str | None:
    match outcome:
        case Accepted():
            return "sent"
        case Unknown(maybe_sent=True):
            return "unknown"
        case Rejected() | QuotaExhausted():
            return "failed"
        case Unknown() | SendRateLimited():
            return None


def _record_reply(runtime: Runtime, event: InboxEvent, reply: str | None) -> str | None:
    runtime.db.write_now(record_reply, event.event_id, reply)
    return reply


def _register_link(runtime: Runtime) -> str:
    settings = runtime.settings
    return settings.onboarding_reply_link or f"{settings.liff_base}/{settings.liff_id}/register"


def _log_result(
    runtime: Runtime,
    event: InboxEvent,
    name: str | None,
    result: LinkResult,
    *,
    reply: str | None = None,
    reply_link: str | None = None,
) -> None:
    log_event(
        runtime,
        event,
        mode=runtime.settings.onboarding_mode,
        displayName=name,
        normalized=result.normalized_name or None,
        result=result.type.value,
        member_id=result.member_id,
        reason=result.reason,
        reply=reply,
        reply_link=reply_link,
    )
