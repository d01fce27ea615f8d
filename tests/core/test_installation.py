"""A media store belongs to one database. Another database on the same folder changes nothing in it."""

import shutil
from pathlib import Path

import pytest
from sqlalchemy import text

from tsudoi.core.db.interface import Database, ReadTx
from tsudoi.core.installation import (
    ForeignPictures,
    NotThisCopy,
    adopt_pictures,
    become_copy,
    confirm_copy,
    identity,
    missing_pictures,
    owner_of,
    require_own_pictures,
)
from tsudoi.core.media import STAMP, DirectoryStore, MediaOfAnotherDatabase

KEY = "events/" + "k" * 43 + "/notice_o.jpg"
OTHER = "0c0ffee0-0000-4000-8000-000000000000"


def nothing(_: ReadTx) -> list[str]:
    return []


def one(_: ReadTx) -> list[str]:
    return [KEY]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "media"


@pytest.fixture
def media(db: Database, root: Path) -> DirectoryStore:
    return DirectoryStore(root, owner_of(db))


def of_another(root: Path) -> None:
    """What another database has left in the folder."""
    other = DirectoryStore(root, lambda: OTHER)
    other.put(KEY, b"production's picture")


@pytest.mark.found("24.D2")
class TestStamp:
    @pytest.mark.row("8.B.17")
    def test_each_database_has_one_row_with_an_id(self, db: Database) -> None:
        rows = db.read_now(lambda tx: tx.execute(text("SELECT id, copy_of FROM installation")).all())
        assert [tuple(row) for row in rows] == [(1, None)]
        assert len(db.read_now(identity).database_id) == 36

    @pytest.mark.row("8.B.18")
    def test_an_empty_store_gets_the_id_with_the_first_picture(
        self, db: Database, media: DirectoryStore, root: Path
    ) -> None:
        media.put(KEY, b"ours")
        assert media.stamp() == db.read_now(identity).database_id
        assert oct((root / STAMP).stat().st_mode & 0o777) == "0o600"
        require_own_pictures(db, media, nothing)

    @pytest.mark.found("24.D2")
    def test_two_that_store_the_first_pictures_at_the_same_moment_both_do(
        self, db: Database, media: DirectoryStore, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The other one is faster: it stamps the store, and puts its picture there, between our two looks."""
        is_empty = DirectoryStore.is_empty

        def overtaken(store: DirectoryStore) -> bool:
            monkeypatch.setattr(DirectoryStore, "is_empty", is_empty)
            media.put(KEY, b"theirs")
            return store.is_empty()

        monkeypatch.setattr(DirectoryStore, "is_empty", overtaken)
        media.put(KEY.replace("k", "n"), b"ours")
        assert sorted(media.read(key) or b"" for key in (KEY, KEY.replace("k", "n"))) == [b"ours", b"theirs"]
        shutil.rmtree(root)
        monkeypatch.setattr(DirectoryStore, "is_empty", overtaken)
        require_own_pictures(db, media, nothing)
        assert media.stamp() == db.read_now(identity).database_id

    @pytest.mark.row("8.B.18")
    def test_the_store_of_another_database_is_refused_and_not_changed(
        self, db: Database, media: DirectoryStore, root: Path
    ) -> None:
        of_another(root)
        with pytest.raises(ForeignPictures):
            require_own_pictures(db, media, one)
        for change in (
            lambda: media.put(KEY.replace("k", "n"), b"ours"),
            lambda: media.delete(KEY),
            lambda: media.tidy(db.clock.now()),
        ):
            with pytest.raises(MediaOfAnotherDatabase):
                change()
        assert media.read(KEY) == b"production's picture"
        assert [path.name for path in (root / "events").iterdir()] == ["k" * 43]

    @pytest.mark.row("8.B.20")
    def test_a_stamp_that_changes_meanwhile_stops_what_comes_after(self, media: DirectoryStore, root: Path) -> None:
        media.put(KEY, b"ours")
        (root / STAMP).write_text(OTHER)
        with pytest.raises(MediaOfAnotherDatabase):
            media.delete(KEY)

    @pytest.mark.row("8.B.19")
    def test_an_old_folder_is_ours_if_a_row_names_a_picture_in_it(
        self, db: Database, media: DirectoryStore, root: Path
    ) -> None:
        DirectoryStore(root).put(KEY, b"of a version without stamps")
        with pytest.raises(ForeignPictures) as refused:
            require_own_pictures(db, media, nothing)
        assert refused.value.stamp is None
        require_own_pictures(db, media, one)
        assert media.stamp() == db.read_now(identity).database_id

    @pytest.mark.row("8.B.19")
    def test_a_person_decides_about_the_others(self, db: Database, media: DirectoryStore, root: Path) -> None:
        of_another(root)
        for typed in (None, "", OTHER[:7], "ffffffff"):
            with pytest.raises(ForeignPictures):
                adopt_pictures(db, media, typed)
        adopt_pictures(db, media, OTHER[:8])
        require_own_pictures(db, media, nothing)
        (root / STAMP).unlink()
        adopt_pictures(db, media, None)
        require_own_pictures(db, media, nothing)

    def test_missing_ones_are_named(self, db: Database, media: DirectoryStore) -> None:
        assert missing_pictures(db, media, one) == [KEY]
        media.put(KEY, b"ours")
        assert missing_pictures(db, media, one) == []


@pytest.mark.found("24.E4")
class TestCopy:
    @pytest.mark.row("8.C.25")
    def test_reads_the_store_of_its_original_and_writes_once_it_is_confirmed(
        self, db: Database, media: DirectoryStore
    ) -> None:
        media.put(KEY, b"ours")
        original = db.read_now(identity).database_id
        copy = db.write_now(become_copy)
        assert (copy.copy_of, copy.is_held) == (original, True)
        assert copy.database_id != original
        mine = DirectoryStore(media._root, owner_of(db))
        require_own_pictures(db, mine, one)
        with pytest.raises(MediaOfAnotherDatabase):
            mine.delete(KEY)
        for typed in ("", original[:7], "ffffffff", copy.database_id[:8]):
            with pytest.raises(NotThisCopy):
                db.write_now(confirm_copy, typed)
        assert not db.write_now(confirm_copy, original[:8]).is_held
        adopt_pictures(db, mine, original[:8])
        mine.delete(KEY)
