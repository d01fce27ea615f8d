"""The start page of the office: what needs attention, of all parts that are switched on."""

from tsudoi.access.registration import Context, Tag
from tsudoi.home.start import endpoints as start

CONTEXT = Context(
    name="home",
    optional=False,
    routers=(start.router,),
    tags=(Tag("home", "The start page of the office."),),
)
