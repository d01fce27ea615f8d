"""What `make release` makes of this tree, with the changes that are not committed yet."""

from pathlib import Path

import pytest

from tools import release


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("dist") / release.version(release.ROOT)
    release.assemble(target)
    return target
