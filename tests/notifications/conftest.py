from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.factories.line_stand_in import LineStandIn, line_stand_in
from tests.notifications.clinic import Clinic, clinic_at
from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box
from tsudoi.core.db.interface import Database
from tsudoi.notifications.notices import jobs

__all__ = ["box", "impatient", "make_product", "plain_log", "product", "shared_box"]


@pytest.fixture
def line() -> Iterator[LineStandIn]:
    with line_stand_in() as found:
        yield found


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The calls of one attempt follow each other without a pause."""
    monkeypatch.setattr(jobs, "_PAUSES", (0.0, 0.0))


@pytest.fixture
def make_clinic(
    db: Database, line: LineStandIn, tmp_path: Path, plain_log: None, no_pauses: None
) -> Iterator[Callable[..., Clinic]]:
    with ExitStack() as stack:

        def make(**settings: Any) -> Clinic:
            return stack.enter_context(clinic_at(db, line, tmp_path / "data", **settings))

        yield make


@pytest.fixture
def clinic(make_clinic: Callable[..., Clinic]) -> Clinic:
    return make_clinic()
