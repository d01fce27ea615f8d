"""All of the control API."""

from starlette.routing import Route

from tsudoi.sandbox.control_api import answers, conditions, people, phones, records, sheets


def control_routes() -> list[Route]:
    return [*people.ROUTES, *phones.ROUTES, *conditions.ROUTES, *records.ROUTES, *answers.ROUTES, *sheets.ROUTES]
