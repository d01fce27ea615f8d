from tsudoi.access.principals import Visitor
from tsudoi.booking.my_reservations.queries import reservations_of_line_user
from tsudoi.core.runtime import Runtime
from tsudoi.core.visitor_reservations import VisitorReservations


async def visitor_reservations(runtime: Runtime, visitor: Visitor) -> VisitorReservations:
    """Our own reservations of a LINE user, for the list of all of them."""
    return await runtime.db.read(reservations_of_line_user, visitor.user_id)
