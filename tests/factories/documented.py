"""Every status that a test sees must stand in the API description: a wrapper around the product's application."""

from collections.abc import Awaitable, Callable, MutableMapping
from functools import cache
from typing import Any

from tsudoi.app import create_api

Scope = MutableMapping[str, Any]
App = Callable[[Scope, Any, Any], Awaitable[None]]

# A failure of ours is no part of the contract; some tests provoke one.
_INTERNAL = 500


@cache
def documented_statuses() -> dict[tuple[str, str], set[int]]:
    """Method and path of each operation, and the statuses that its description names."""
    return {
        (method.upper(), path): {int(status) for status in operation["responses"]}
        for path, operations in create_api().openapi()["paths"].items()
        for method, operation in operations.items()
    }


class DocumentedOnly:
    """Passes everything on, and remembers each (operation, status) that the description does not name."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.undocumented: set[tuple[str, str, int]] = set()

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        async def noting(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                self._note(scope, message["status"])
            await send(message)

        await self._app(scope, receive, noting)

    def _note(self, scope: Scope, status: int) -> None:
        operation = (scope["method"], getattr(scope.get("route"), "path", ""))
        known = documented_statuses().get(operation)
        if known is not None and status not in known and status != _INTERNAL:
            self.undocumented.add((*operation, status))
