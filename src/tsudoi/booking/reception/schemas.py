from typing import Annotated

from pydantic import ConfigDict, Field, StringConstraints

from tsudoi.booking.reservations.schemas import Attendance
from tsudoi.booking.wire import WireIn

Code = Annotated[str, StringConstraints(strip_whitespace=True, to_lower=True, min_length=1, max_length=100)]


class AttendanceIn(WireIn):
    """Whether a person came."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"attendance": "came"}]})

    attendance: Attendance | None = Field(description="Null takes back what was noted.")


class ScannedCode(WireIn):
    """The code from a person's QR code."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"code": "501-0123456789abcdef"}]})

    code: Code = Field(description="The code, as the person's page shows it.")
