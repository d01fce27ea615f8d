from fastapi import APIRouter, Depends, Request, Response

from tsudoi.access.api_description import raises
from tsudoi.access.cookies import set_cookie
from tsudoi.access.errors import CrossSite
from tsudoi.access.guard import RuntimeDep, VisitorDep, client_key, require_json, require_same_origin
from tsudoi.access.principals import LIFF_COOKIE
from tsudoi.access.registration import ActiveContexts
from tsudoi.core.errors import RateLimited
from tsudoi.gateway.clients.line_outcomes import BUSY, LineUnreachable, TokenRefused
from tsudoi.line.guard import LineClientDep
from tsudoi.line.liff import service
from tsudoi.line.liff.errors import LineUnavailable, TokenNotAccepted
from tsudoi.line.liff.rules import is_worth_asking
from tsudoi.line.liff.schemas import LiffMe, LineUser, SessionRequest, SessionResponse

router = APIRouter(prefix="/api/liff", tags=["liff"])


@router.post(
    "/session",
    summary="Exchange a LIFF ID token for a session",
    dependencies=[Depends(require_same_origin), Depends(require_json)],
    responses=raises(TokenNotAccepted, CrossSite, RateLimited, LineUnavailable),
)
async def open_session(
    body: SessionRequest, request: Request, response: Response, runtime: RuntimeDep, line: LineClientDep
) -> SessionResponse:
    """LINE verifies the token once; after that an HttpOnly cookie of the product identifies the user.

    LINE is not asked about a token that it cannot accept, nor again about one that it has just refused.
    """
    settings, db, refused = runtime.settings, runtime.db, runtime.part(service.RefusedTokens)
    now = db.clock.now()
    if not is_worth_asking(body.id_token, settings.line_login_channel_id, now) or refused.has(body.id_token, now):
        raise TokenNotAccepted
    client = client_key(request)
    (await db.write(service.count_exchange, client)).raise_if_refused()
    identity = await line.gateway.threads.run(
        line.policies.verify.pool, line.verify_id_token, body.id_token, if_busy=LineUnreachable(BUSY)
    )
    if isinstance(identity, LineUnreachable):
        raise LineUnavailable
    if isinstance(identity, TokenRefused):
        refused.add(body.id_token, now)
        await db.write(service.count_refused, client)
        raise TokenNotAccepted
    token = await db.write(service.open_session, identity)
    set_cookie(response, settings, LIFF_COOKIE, token, service.SESSION_LIFETIME)
    user = LineUser(user_id=identity.user_id, display_name=identity.display_name, picture_url=identity.picture_url)
    return SessionResponse(ok=True, user=user)


@router.get("/me", summary="The LINE user of this session")
async def me(visitor: VisitorDep, runtime: RuntimeDep) -> LiffMe:
    """401 without a session, with any header; 403 if the header and the session name different users."""
    has_portal = "booking" in [context.name for context in runtime.part(ActiveContexts).contexts]
    return LiffMe(
        user_id=visitor.user_id,
        display_name=visitor.display_name,
        picture_url=visitor.picture_url,
        staff_portal=has_portal,
    )
