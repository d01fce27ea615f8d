from pathlib import Path

import orjson

from tsudoi.core.audit import head, record, verify
from tsudoi.core.audit_heads import note_head, noted_heads
from tsudoi.core.db.interface import Database
from tsudoi.core.runtime import Runtime
from tsudoi.core.settings import Settings


def test_the_head_is_noted_when_it_has_changed(db: Database, tmp_path: Path) -> None:
    path = tmp_path / "elsewhere" / "heads.ndjson"
    runtime = Runtime.of(Settings(_env_file=None, audit_heads_file=path, data_dir=tmp_path), db)
    note_head(runtime)
    assert not path.exists(), "there is nothing to note yet"
    heads: dict[int, str] = {}
    for number in range(3):
        db.write_now(record, "admin:1", "member.rename", f"member:{number}")
        note_head(runtime)
        note_head(runtime)
        heads.update([db.read_now(head)])
    assert [orjson.loads(line)["last_id"] for line in path.read_text().splitlines()] == [1, 2, 3]
    assert path.stat().st_mode & 0o077 == 0
    assert noted_heads(path) == heads
    assert db.read_now(verify, heads).broken_at is None
    with path.open("a") as file:
        file.write('{"last_id":4,"last_')
    assert noted_heads(path) == heads, "a power failure leaves half a line"


def test_the_usual_place_is_beside_the_data(tmp_path: Path) -> None:
    assert Settings(_env_file=None, data_dir=tmp_path).audit_heads == tmp_path / "audit-heads.ndjson"
