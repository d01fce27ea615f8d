"""Shows the mails that the mail server has accepted, reports that one could not be delivered, and forgets them."""

from starlette.responses import Response

from tsudoi.sandbox.bounces import DEFAULT_STATUS, report_of
from tsudoi.sandbox.control_api.requests import ControlRequest, control
from tsudoi.sandbox.errors import not_found
from tsudoi.sandbox.mailbox import KeptMail
from tsudoi.sandbox.wire import OrjsonResponse, is_whole


async def list_mails(request: ControlRequest) -> Response:
    """`to` gives the mails to one address, `after` those with a higher number."""
    after = request.query_number("after", 0) or 0
    found = request.world.mailbox.to(request.http.query_params.get("to"))
    return OrjsonResponse({"mails": [mail.as_json() for mail in found if mail.id > after]})


async def get_mail(request: ControlRequest) -> Response:
    return OrjsonResponse(_wanted(request).as_json())


async def get_bounce(request: ControlRequest) -> Response:
    """The report that the mail could not be delivered; `status` is its enhanced status code."""
    status = request.http.query_params.get("status", DEFAULT_STATUS)
    return Response(report_of(_wanted(request), status), media_type="message/rfc822")


def _wanted(request: ControlRequest) -> KeptMail:
    number = request.path("mail_id")
    mail = request.world.mailbox.get(int(number)) if is_whole(number) else None
    if mail is None:
        raise not_found("No such mail")
    return mail


async def delete_mails(request: ControlRequest) -> Response:
    request.world.mailbox.clear()
    return Response(status_code=204)


ROUTES = [
    control("GET", "/mails", list_mails),
    control("GET", "/mails/{mail_id}", get_mail),
    control("GET", "/mails/{mail_id}/bounce", get_bounce),
    control("DELETE", "/mails", delete_mails),
]
