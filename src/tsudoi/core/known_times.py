"""The type of a time in the API. It belongs to `core.clock`, which loads no validation for the commands."""

from typing import Annotated

from pydantic import AfterValidator, AwareDatetime

from tsudoi.core.clock import in_known_years

# With an offset, and of a year in which every conversion and every step of a day or a year works.
KnownTime = Annotated[AwareDatetime, AfterValidator(in_known_years)]
