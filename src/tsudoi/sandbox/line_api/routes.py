"""All of LINE's paths, the busiest first."""

from starlette.routing import Route

from tsudoi.sandbox.line_api import account, login, rich_menu, sending, webhook


def line_routes() -> list[Route]:
    groups = (sending, account, login, rich_menu, webhook)
    return [endpoint.route() for group in groups for endpoint in group.ENDPOINTS]
