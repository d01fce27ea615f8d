"""The JSON of this context is camelCase, as its document has it. Python names stay snake_case."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, PlainSerializer
from pydantic.alias_generators import to_camel

from tsudoi.core.clock import jst_text


class WireOut(BaseModel):
    """A response."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, serialize_by_alias=True)


class WireIn(BaseModel):
    """A request body. Unknown fields are refused, and numbers and strings are not converted into each other."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", strict=True)


def example(**fields: Any) -> ConfigDict:
    """For `model_config`: an example for the API description, with the names of the JSON."""
    return ConfigDict(json_schema_extra={"examples": [fields]})


# A time in a response: Japanese time with its offset.
JstTime = Annotated[datetime, PlainSerializer(jst_text, return_type=str)]
