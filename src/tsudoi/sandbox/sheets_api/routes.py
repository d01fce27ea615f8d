from starlette.routing import Route

from tsudoi.sandbox.sheets_api.endpoints import ENDPOINTS


def sheets_routes() -> list[Route]:
    return [endpoint.route() for endpoint in ENDPOINTS]
