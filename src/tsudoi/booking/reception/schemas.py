from typing import Annotated

from pydantic import Field, StringConstraints

from tsudoi.booking.reservations.schemas import Attendance, Reason
from tsudoi.booking.wire import WireIn, example

Code = Annotated[str, StringConstraints(strip_whitespace=True, to_lower=True, min_length=1, max_length=100)]


class AttendanceIn(WireIn):
    """Whether a person came."""

    model_config = example(attendance="absent", freesYear=True, reason="当日の急な欠勤")

    attendance: Attendance | None = Field(description="Null takes back what was noted.")
    frees_year: bool | None = Field(
        None,
        description="Only with `absent`: whether the person may book again in the same fiscal year. Left out: what was "
        "said before about this absence, and at first the rule of the type.",
    )
    reason: Reason | None = Field(None, description="Why the office decided so; kept in the audit trail.")


class ScannedCode(WireIn):
    """The code from a person's QR code."""

    model_config = example(code="501-0123456789abcdef")

    code: Code = Field(description="The code, as the person's page shows it.")
