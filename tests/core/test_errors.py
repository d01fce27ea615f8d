import re

import pytest

from tsudoi.core import errors
from tsudoi.core.errors import DatabaseUnavailable, Detail, InvalidInput, Problem, RateLimited, Unavailable

ALL = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Problem)]
DOCUMENTED = {
    "INTERNAL": 500,
    "INVALID_INPUT": 400,
    "UNAUTHENTICATED": 401,
    "FORBIDDEN": 403,
    "NOT_FOUND": 404,
    "METHOD_NOT_ALLOWED": 405,
    "CONFLICT": 409,
    "CHANGED_MEANWHILE": 409,
    "TOO_LARGE": 413,
    "UNSUPPORTED_MEDIA_TYPE": 415,
    "PRECONDITION_REQUIRED": 428,
    "RATE_LIMITED": 429,
    "UNAVAILABLE": 503,
}


class TestProblem:
    def test_has_the_documented_codes(self) -> None:
        assert {problem.code: problem.status for problem in ALL} == DOCUMENTED

    @pytest.mark.parametrize("problem", ALL)
    def test_speaks_japanese(self, problem: type[Problem]) -> None:
        assert re.search("[ぁ-ん]", problem.default_message)
        assert re.fullmatch("[A-Z_]+", problem.code)

    def test_carries_what_is_wrong_with_which_field(self) -> None:
        problem = InvalidInput("だめです。", [Detail("email", "INVALID_FORMAT")])
        assert (problem.message, problem.details) == ("だめです。", (Detail("email", "INVALID_FORMAT"),))
        assert str(problem) == "INVALID_INPUT: だめです。"
        assert InvalidInput().message == InvalidInput.default_message

    def test_headers_are_its_own(self) -> None:
        given = {"X-A": "1"}
        problem = Problem(headers=given)
        given["X-A"] = "2"
        assert problem.headers == {"X-A": "1"}

    def test_says_when_to_come_back(self) -> None:
        assert RateLimited(42).headers == {"Retry-After": "42"}
        assert RateLimited(42).retry_after_seconds == 42
        assert DatabaseUnavailable().headers == {"Retry-After": "5"}

    def test_an_unavailable_database_is_unavailable(self) -> None:
        assert issubclass(DatabaseUnavailable, Unavailable)
        assert DatabaseUnavailable.code == "UNAVAILABLE"
