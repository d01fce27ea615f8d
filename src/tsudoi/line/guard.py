"""The FastAPI dependency of endpoints that call LINE."""

from typing import Annotated

from fastapi import Depends

from tsudoi.access.guard import RuntimeDep
from tsudoi.gateway.clients.line import LineClient


async def line_client_of(runtime: RuntimeDep) -> LineClient:
    return runtime.part(LineClient)


LineClientDep = Annotated[LineClient, Depends(line_client_of)]
