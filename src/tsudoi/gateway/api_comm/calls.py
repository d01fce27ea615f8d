"""One call on its way through API_COMM."""

from dataclasses import dataclass

from tsudoi.gateway.api_comm.operations import OPERATIONS, Operation
from tsudoi.gateway.api_comm.requests import CheckedRequest
from tsudoi.gateway.api_comm.results import STORES_RATE_LIMITED
from tsudoi.gateway.call_log import CallOrigin

_HTTP_TOO_MANY = 429


@dataclass(frozen=True, slots=True)
class ApiCall:
    """An operation with its checked request. `once`: a person tries it out, so that there are no retries."""

    operation: Operation
    request: CheckedRequest
    request_id: str
    once: bool = False
    # Who asked, for the history of the connectivity checks.
    asked_by: str = "system"

    @property
    def failure_code(self) -> str:
        return self.operation.failure_code

    @property
    def origin(self) -> CallOrigin:
        request = self.request
        return CallOrigin(self.request_id, request.channel, self.operation.component, request.shop_id, self._error_code)

    @property
    def escalation_origin(self) -> CallOrigin:
        """Messages that this call sends because something else failed."""
        request, operation = self.request, OPERATIONS["notify.escalation"]
        return CallOrigin(
            self.request_id,
            request.channel,
            operation.component,
            request.shop_id,
            lambda status: None if _is_good(status) else operation.failure_code,
        )

    def _error_code(self, status: int | None) -> str | None:
        if _is_good(status) or status in self.operation.expected_statuses:
            return None
        if status == _HTTP_TOO_MANY and self.operation.asks_stores:
            return STORES_RATE_LIMITED
        return self.failure_code


def _is_good(status: int | None) -> bool:
    return status is not None and 200 <= status < 300  # noqa: PLR2004 (the range of success)
