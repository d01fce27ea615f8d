"""The `model_config` of the API's models: an example for the API description, and whether other fields are refused."""

from typing import Any

from pydantic import ConfigDict


def example(**fields: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [fields]})


def strict_example(**fields: Any) -> ConfigDict:
    """For a request: a field that the model does not have is refused."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [fields]})
