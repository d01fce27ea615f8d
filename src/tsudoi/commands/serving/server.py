"""The HTTP server of `tsudoi serve`: uvicorn with limits, and an end that resets no request."""

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from prometheus_client import CollectorRegistry

from tsudoi.commands.serving.connection import LimitedConnection, ServingState
from tsudoi.commands.serving.limits import ConnectionLimits
from tsudoi.commands.serving.listener import refuse_new_connections, waiting_connections

# Most supervisors kill a process ten seconds after they asked it to stop.
_SECONDS_TO_FINISH = 7.0
# A request that was on its way when we were asked to stop has arrived after this time.
_ARRIVAL_SECONDS = 1.0
_ACCEPT_SECONDS = 0.1
_POLL_SECONDS = 0.05
_TICKS_PER_SECOND = 10


class LimitedServer(uvicorn.Server):
    """A server that holds its clients to the limits, and drains its connections before it stops."""

    def __init__(
        self, app: object, limits: ConnectionLimits, registry: CollectorRegistry, begin_stop: Callable[[], None]
    ) -> None:
        """`begin_stop` is called first when the server stops, for what has to end together with it."""
        super().__init__(_config(app))
        self._state = self.server_state = ServingState(limits, registry)
        self._begin_stop = begin_stop

    async def on_tick(self, counter: int) -> bool:
        if counter % _TICKS_PER_SECOND == 0:
            self._state.check_all(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._begin_stop()
        ends = asyncio.get_running_loop().time() + _SECONDS_TO_FINISH
        await self._drain(sockets or [], ends)
        left = ends - asyncio.get_running_loop().time()
        self.config.timeout_graceful_shutdown = max(0, left)  # type: ignore[assignment]
        await super().shutdown(sockets)

    async def _drain(self, sockets: list[socket.socket], ends: float) -> None:
        """Answer what has reached us, each answer the last of its connection; then close the silent connections.

        Clients go on sending on connections that they hold, and new ones wait in the backlog. So the socket stays open
        until what was on its way has arrived.
        """
        self._state.draining = True
        for connection in self._connections():
            connection.answer_last()
        await self._wait_for_connections(asyncio.get_running_loop().time() + _ARRIVAL_SECONDS)
        for listening in sockets:
            refuse_new_connections(listening)
        await asyncio.sleep(_ACCEPT_SECONDS)
        while any(map(waiting_connections, sockets)) and asyncio.get_running_loop().time() < ends:
            await asyncio.sleep(_POLL_SECONDS)  # A busy machine accepts late, and what waits at the close is reset.
        for server in self.servers:
            server.close()
        await self._wait_for_connections(ends)

    async def _wait_for_connections(self, ends: float) -> None:
        loop = asyncio.get_running_loop()
        while self._connections() and loop.time() < ends and not self.force_exit:
            for connection in self._connections():
                connection.close_if_silent(loop.time() - _ARRIVAL_SECONDS)
            await asyncio.sleep(_POLL_SECONDS)

    def _connections(self) -> list[LimitedConnection]:
        connections: set[Any] = self._state.connections
        return list(connections)


def _config(app: object) -> uvicorn.Config:
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        http=LimitedConnection,
        access_log=False,
        log_config=None,
        lifespan="off",
        ws="none",
        server_header=False,
        # `access.middleware` decides which proxies are trusted for the client's address.
        proxy_headers=False,
        timeout_keep_alive=30,
    )
