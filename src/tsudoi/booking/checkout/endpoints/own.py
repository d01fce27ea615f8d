"""A staff person pays for a held seat."""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Path

import orjson

from tsudoi.access.api_description import raises
from tsudoi.access.writes import TransactionRoute
from tsudoi.booking.checkout.service.paying import PayingPerson, pay
from tsudoi.booking.identity.errors import NotActive, PinChangeRequired
from tsudoi.booking.payments.errors import AlreadyPaid, HoldExpired, NothingToPay, PaymentUnavailable, TooManyPages
from tsudoi.booking.payments.jobs import page_of
from tsudoi.booking.payments.queries.shown import payments_of
from tsudoi.booking.payments.schemas import PaymentItem
from tsudoi.booking.principals import Staff
from tsudoi.booking.reservations.errors import Canceled, NoSuchReservation
from tsudoi.core.db.interface import Tx
from tsudoi.core.errors import RateLimited
from tsudoi.core.idempotency import Reply
from tsudoi.core.rate_limit import Limit as RequestLimit
from tsudoi.core.runtime import Runtime
