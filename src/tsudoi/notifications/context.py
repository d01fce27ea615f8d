"""Notifications: notices about reservations by LINE, as jobs in the database (document 002)."""

from tsudoi.access.registration import Context, Tag

CONTEXT = Context(
    name="notifications",
    optional=False,
    tags=(Tag("notifications", "Notices about reservations: what was sent, what was not, and why."),),
)
