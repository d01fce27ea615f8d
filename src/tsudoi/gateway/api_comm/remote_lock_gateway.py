"""`remotelock.get_key_info_stub`: says that RemoteLOCK is not connected, in the words of the document."""

from tsudoi.gateway.api_comm.calls import ApiCall
from tsudoi.gateway.api_comm.results import ApiCommError, OperationResult
from tsudoi.gateway.clients.remote_lock import RemoteLockClient

_MESSAGE = "v1.4ではRemoteLOCK API連携は実装されていません。"
STUB_STATUS = {"status": "stub", "message": "v1.4ではスタブモードです"}


class RemoteLockGateway:
    """Answers for RemoteLOCK until there is a real client. It calls nobody."""

    def __init__(self, client: RemoteLockClient) -> None:
        self._client = client

    def run(self, call: ApiCall) -> OperationResult:
        self._client.key_info(str(call.request.payload.get("reservation_canonical_id", "")))
        error = ApiCommError("external_api", {"reason": "stub_only"})
        return OperationResult(call.failure_code, _MESSAGE, error=error)
