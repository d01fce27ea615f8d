import unicodedata
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from tsudoi.booking.texts import plain_text

_LONGEST_CODE = 20
_LONGEST_NAME = 100
# The code is a part of addresses such as `/api/admin/departments/3A`.
_NOT_IN_ADDRESS = frozenset("/\\?#%")


def folded(code: str) -> str:
    """The code without case and width: `3A`, `3a` and `３Ａ` are one ward."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", code).casefold()).strip()


def department_code(text: str) -> str:
    code = plain_text(text, _LONGEST_CODE)
    if _NOT_IN_ADDRESS & set(folded(code)) or not any(map(str.isalnum, code)):
        raise PydanticCustomError("INVALID_FORMAT", "letters or digits, and none of / \\ ? # %")
    return code


def department_name(text: str) -> str:
    return plain_text(text, _LONGEST_NAME)


DepartmentCode = Annotated[str, AfterValidator(department_code)]
DepartmentName = Annotated[str, AfterValidator(department_name)]
