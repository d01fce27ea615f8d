"""The four paths of STORES that the sandbox has."""

from tsudoi.sandbox.stores_api import customers, reservations
from tsudoi.sandbox.stores_api.endpoint import STORES

ROUTES = STORES.routes([*customers.ENDPOINTS, *reservations.ENDPOINTS])
